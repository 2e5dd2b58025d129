/*
 * Any model of MuJoCo as an FMU for Co-Simulation, FMI 3.0: the functions that bitloop calls. make_fmu.py packs it with a model.
 *
 * Variables are numbered: 0 is the time, then qpos, qvel, act, qacc, ctrl and sensordata, as long as the model has them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "guard.h"

#define EXPORT __attribute__((visibility("default")))

typedef enum { OK = 0, DISCARD = 2, ERROR = 3 } Status;
typedef void (*Log)(void *environment, int status, const char *category, const char *message);

typedef struct Instance {
    mjData *data;
    double time_s;
    /* Whether accelerations and sensors are those of the state. */
    int is_fresh;
    /* Whether a value that is not finite was set, which MuJoCo must not see: it takes 0 for such a control. */
    int has_bad_value;
    void *environment;
    Log log;
    /* The arguments of guarded work. */
    int n_steps;
} Instance;

static mjModel *the_model;
static char load_error[300];
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static Status fail(const Instance *instance, const char *reason) {
    if (instance->log != NULL) instance->log(instance->environment, ERROR, "error", reason);
    return ERROR;
}

/* Runs work on an instance; an error of MuJoCo is told in its words. */
static Status run(Instance *instance, void (*work)(void *)) {
    Guard guard;
    return guard_run(&guard, work, instance) ? OK : fail(instance, guard.text);
}

static void load(void *path) {
    the_model = mj_loadModel((const char *)path, NULL);
    if (the_model != NULL) keep_no_state(the_model);
}

static void load_once(const char *resources) {
    char path[4096];
    Guard guard;
    pthread_mutex_lock(&loading);
    if (the_model == NULL) {
        guard_install();
        snprintf(path, sizeof path, "%smodel.mjb", resources == NULL ? "" : resources);
        if (mj_version() != mjVERSION_HEADER) {
            snprintf(load_error, sizeof load_error, "it was built for another version of MuJoCo");
        } else if (!guard_run(&guard, load, path)) {
            snprintf(load_error, sizeof load_error, "%s", guard.text);
        } else if (the_model == NULL) {
            snprintf(load_error, sizeof load_error, "its model.mjb cannot be read");
        }
    }
    pthread_mutex_unlock(&loading);
}

EXPORT void fmi3FreeInstance(void *of) {
    Instance *const instance = (Instance *)of;
    if (instance == NULL) return;
    mj_deleteData(instance->data);
    free(instance);
}

static void make_data(void *of) { ((Instance *)of)->data = mj_makeData(the_model); }

EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token,
                                         const char *resources, bool visible, bool logs,
                                         bool events, bool early, const uint32_t *intermediate,
                                         size_t n_intermediate, void *environment, Log log,
                                         void *update) {
    Instance *const instance = (Instance *)calloc(1, sizeof(Instance));
    (void)name, (void)token, (void)visible, (void)logs, (void)events, (void)early;
    (void)intermediate, (void)n_intermediate, (void)update;
    if (instance == NULL) return NULL;
    instance->environment = environment;
    instance->log = log;
    load_once(resources);
    if (the_model == NULL) {
        fail(instance, load_error);
    } else if (run(instance, make_data) == OK && instance->data != NULL) {
        return instance;
    }
    fmi3FreeInstance(instance);
    return NULL;
}

static void start_anew(void *of) {
    Instance *const instance = (Instance *)of;
    mj_resetData(the_model, instance->data);
    instance->time_s = 0.0;
    instance->is_fresh = instance->has_bad_value = 0;
}

EXPORT Status fmi3Reset(void *of) { return run((Instance *)of, start_anew); }

EXPORT Status fmi3EnterInitializationMode(void *of, bool has_tolerance, double tolerance,
                                          double start_s, bool has_stop, double stop_s) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop_s;
    ((Instance *)of)->time_s = start_s;
    return OK;
}

EXPORT Status fmi3ExitInitializationMode(void *of) {
    (void)of;
    return OK;
}

/* Where a variable is, and its vector's kind. */
enum { TIME, POSITION, VELOCITY, ACTIVATION, ACCELERATION, CONTROL, SENSOR, NOTHING };

static double *place(Instance *instance, uint32_t reference, int *kind) {
    mjData *const data = instance->data;
    double *const vectors[] = {data->qpos, data->qvel, data->act,
                               data->qacc, data->ctrl, data->sensordata};
    const mjtSize sizes[] = {the_model->nq, the_model->nv, the_model->na,
                             the_model->nv, the_model->nu, the_model->nsensordata};
    mjtSize index = (mjtSize)reference - 1;
    int vector;
    *kind = TIME;
    if (reference == 0) return &instance->time_s;
    for (vector = 0; vector < 6; vector++) {
        *kind = POSITION + vector;
        if (index < sizes[vector]) return vectors[vector] + index;
        index -= sizes[vector];
    }
    *kind = NOTHING;
    return NULL;
}

static void make_fresh(void *of) {
    Instance *const instance = (Instance *)of;
    mj_forward(the_model, instance->data);
    instance->is_fresh = 1;
}

EXPORT Status fmi3GetFloat64(void *of, const uint32_t *references, size_t n_references,
                             double *values, size_t n_values) {
    Instance *const instance = (Instance *)of;
    size_t i;
    for (i = 0; i < n_references && i < n_values; i++) {
        int kind;
        const double *const from = place(instance, references[i], &kind);
        if (from == NULL) return fail(instance, "there is no such variable");
        if ((kind == ACCELERATION || kind == SENSOR) && !instance->is_fresh) {
            if (instance->has_bad_value) return DISCARD;
            if (run(instance, make_fresh) != OK) return ERROR;
        }
        values[i] = *from;
    }
    return OK;
}

EXPORT Status fmi3SetFloat64(void *of, const uint32_t *references, size_t n_references,
                             const double *values, size_t n_values) {
    Instance *const instance = (Instance *)of;
    size_t i;
    for (i = 0; i < n_references && i < n_values; i++) {
        int kind;
        double *const to = place(instance, references[i], &kind);
        if (kind == TIME || kind == ACCELERATION || kind == SENSOR || to == NULL) {
            return fail(instance, "a variable that the model computes cannot be set");
        }
        instance->has_bad_value |= !are_sound(values + i, 1);
        *to = values[i];
        instance->is_fresh = 0;
    }
    return OK;
}

static void take_steps(void *of) {
    Instance *const instance = (Instance *)of;
    int i;
    for (i = 0; i < mjNWARNING; i++) instance->data->warning[i].number = 0;
    for (i = 0; i < instance->n_steps; i++) mj_step(the_model, instance->data);
}

EXPORT Status fmi3DoStep(void *of, double time_s, double step_s, bool no_earlier, bool *event,
                         bool *terminates, bool *early, double *until_s) {
    Instance *const instance = (Instance *)of;
    const double ratio = step_s / the_model->opt.timestep;
    (void)no_earlier;
    *event = *terminates = *early = false;
    *until_s = time_s;
    instance->n_steps = ratio >= 0.5 && ratio < 1e6 ? (int)(ratio + 0.5) : 0;
    if (instance->n_steps < 1 || ratio - instance->n_steps > 1e-6 ||
        instance->n_steps - ratio > 1e-6) {
        return fail(instance, "a step is a whole number of the model's own timesteps");
    }
    instance->is_fresh = 0;
    if (instance->has_bad_value) return DISCARD;
    if (run(instance, take_steps) != OK) return ERROR;
    instance->time_s = *until_s = time_s + step_s;
    return is_lost(instance->data) ? DISCARD : OK;
}
