/*
 * Errors and warnings of MuJoCo. An error calls a function that must not return, and would end the process; a warning would be
 * written to a file in the working directory. Here an error ends the guarded work with a text, and a warning is dropped: a state
 * that is not finite is found where it is read.
 */
#ifndef GUARD_H
#define GUARD_H

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <mujoco/mujoco.h>

/* Where an error of this thread continues, and its text. */
typedef struct Guard {
    jmp_buf place;
    char text[200];
} Guard;

static _Thread_local Guard *guard_of_thread;
static void (*error_before)(const char *);

static void guard_error(const char *text) {
    if (guard_of_thread != NULL) {
        snprintf(guard_of_thread->text, sizeof guard_of_thread->text, "%s", text);
        longjmp(guard_of_thread->place, 1);
    }
    /* The work of another library of this process. */
    if (error_before != NULL) error_before(text);
    abort();
}

static void guard_warning(const char *text) { (void)text; }

static void guard_set(void) {
    error_before = mju_user_error;
    mju_user_error = guard_error;
    mju_user_warning = guard_warning;
}

/* To be called once before MuJoCo is. */
static void guard_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, guard_set);
}

/* Does the work; 0 if an error of MuJoCo ended it, whose text is then in the guard. */
static int guard_run(Guard *guard, void (*work)(void *), void *of) {
    guard->text[0] = 0;
    guard_of_thread = guard;
    if (setjmp(guard->place) == 0) {
        work(of);
        guard_of_thread = NULL;
        return 1;
    }
    guard_of_thread = NULL;
    return 0;
}

/* Whether all of these are finite, and small enough for MuJoCo, which starts anew from larger ones. */
static int are_sound(const double *numbers, int n) {
    int i;
    for (i = 0; i < n; i++) {
        if (!(numbers[i] >= -mjMAXVAL && numbers[i] <= mjMAXVAL)) return 0;
    }
    return 1;
}

/* Whether MuJoCo has met a state, a control or an acceleration that it cannot use. */
static int is_lost(const mjData *data) {
    return data->warning[mjWARN_BADQPOS].number > 0 || data->warning[mjWARN_BADQVEL].number > 0 ||
           data->warning[mjWARN_BADQACC].number > 0 || data->warning[mjWARN_BADCTRL].number > 0;
}

/* What a plant needs of a model: no state beside positions, velocities and activations, and no restart of its own. */
static void keep_no_state(mjModel *model) {
    model->opt.disableflags |= mjDSBL_WARMSTART | mjDSBL_AUTORESET;
}

#endif /* GUARD_H */
