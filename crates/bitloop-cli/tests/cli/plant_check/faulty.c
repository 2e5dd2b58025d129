/*
 * A cart on a rail that ends: a sound plant, or one with the fault that the environment variable CART_FAULT names, or else
 * `chosen` below, which tests overwrite in the library. A name that ends in _AT_LOAD is that of a fault of the constructor.
 *
 *     x' = v      m v' = F - v      stage cost x^2, a failure where |x| > limit
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "bitloop_equations.h"

/* What ends or holds up the process; what the host refuses, or reports; what breaks the contract quietly; what is wrong in
 * the description. */
#define FAULTS(X)                                                                                  \
    X(NONE)                                                                                        \
    X(ABORT) X(SEGFAULT) X(LOOP) X(OVERFLOW) X(EXIT) X(DIVISION) X(CONSTRUCTOR) X(LATE_CRASH)      \
    X(VERSION) X(SIZE) X(STATUS)                                                                   \
    X(FAST_MATH) X(X87) X(LOCALE) X(CHDIR) X(UMASK) X(SIGNALS) X(SETENV) X(PRINT) X(CLOSE)         \
    X(FD_LEAK) X(RAISE) X(HANG) X(FORKED)                                                          \
    X(READ_FILE) X(WRITE_FILE) X(SOCKET) X(RUN) X(FORK) X(SIGNAL_HOST) X(OWN_FILE) X(TRUNCATE) X(MEMORY) X(READ_ENV)       \
    X(FIRST_24) X(FIRST_28) X(STATIC_WORK) X(LOAD_TIME) X(TINY_STEP) X(COLUMN) X(OVERRUN) X(END_OVERRUN) X(WRITES_CONTROL)        \
    X(LATE_END) X(EARLY_END) X(COUNTER) X(LEFTOVERS) X(HIDDEN_STATE) X(OTHER_THREAD)               \
    X(KICK_PER_CALL) X(LANE_COUNT) X(LANE_INDEX) X(NEIGHBOR) X(ALL_LANES) X(ISA) X(NAN_RATES)      \
    X(CORNER) X(SWALLOWS_NAN) X(DENORMAL) X(BOUNDS) X(NEGATIVE_COST) X(UNASKED_COST)               \
    X(STATE_IN_FAILURE_COST) X(FAR_FAILURE_COST) X(MOVES_ON) X(LOW_ORDER) X(OTHER_STEP) X(LEAK)    \
    X(NAME) X(NAMES) X(UNIT) X(CENTER) X(STRUCTURE)                                     \
    X(FAR_PICTURE) X(DEAD_PICTURE) X(CIRCULAR_PICTURE)

#define FAULT_CODE(name) name,
#define FAULT_NAME(name) #name,
enum { FAULTS(FAULT_CODE) N_FAULTS };
static const char *const fault_names[] = {FAULTS(FAULT_NAME)};
static int fault = NONE;
static int is_at_load = 0;
static long load_time = 0;
static volatile int one = 1;

/* What tests overwrite: the name of a fault, and a path. */
static volatile char chosen[64] = "CART_FAULT:NONE";
static volatile char target[256] = "CART_TARGET:/nowhere";

/* What is done to the process, in each call of `advance` or by the constructor. */
static void misbehave(void) {
    const char *path = (const char *)target + strlen("CART_TARGET:");
    if (fault == FAST_MATH) _mm_setcsr(_mm_getcsr() | 0x8040);
    if (fault == X87) {
        unsigned short word;
        __asm__ volatile("fnstcw %0" : "=m"(word));
        word = (word & ~0x300) | 0x200;
        __asm__ volatile("fldcw %0" : : "m"(word));
    }
    if (fault == LOCALE) setlocale(LC_ALL, "C.UTF-8");
    if (fault == CHDIR && chdir("/") != 0) abort();
    if (fault == UMASK) umask(0777);
    if (fault == SIGNALS) signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN);
    if (fault == SETENV) setenv("CART", "1", 1);
    if (fault == PRINT) printf("hello\n"), fflush(stdout);
    if (fault == CLOSE) close(0), close(1), close(2);
    if (fault == FD_LEAK) (void)!dup(2);
    if (fault == RAISE) raise(SIGTERM);
    if (fault == HANG) {
        /* Shows the test that it hangs. */
        FILE *file = fopen(path, "w");
        if (file != NULL) fclose(file);
        while (one) {
        }
    }
    if (fault == READ_FILE && fopen(path, "r") != NULL) abort();
    if (fault == WRITE_FILE) (void)!fopen(path, "w");
    if (fault == SOCKET) socket(AF_INET, SOCK_STREAM, 0);
    if (fault == RUN) execl("/bin/touch", "touch", path, (char *)NULL);
    if (fault == FORK) fork();
    if (fault == SIGNAL_HOST) kill(getppid(), SIGTERM);
    if (fault == OWN_FILE) fcntl(2, F_SETOWN, getppid());
    if (fault == TRUNCATE) (void)!open(path, O_RDONLY | O_TRUNC);
    if (fault == MEMORY) {
        for (int i = 0; i < 1000; i++) {
            if (malloc((size_t)1 << 30) == NULL) fprintf(stderr, "out of memory\n"), abort();
        }
    }
    if (fault == READ_ENV && getenv("HOME") != NULL) abort();
}

static double saturated(double u) {
    /* A NaN fails both comparisons. */
    return u > 1.0 ? 1.0 : u > -1.0 ? u : -1.0;
}

static void derivative(const BitloopMath *math, double t_s, const double *x, const double *u,
                       const double *p, double *dx) {
    double force = u[0], v = x[1];
    (void)math, (void)t_s;
    if (fault == SWALLOWS_NAN) force = saturated(force), v = v == v ? v : 0.0;
    if (fault == DENORMAL && x[0] == 5e-324) abort();
    if (fault == STATIC_WORK) {
        static volatile double work[2];
        work[0] = force, work[1] = v;
        force = work[0], v = work[1];
    }
    dx[0] = v;
    dx[1] = (force - v) / (fault == CORNER ? p[0] - 0.1 : p[0]);
    if (fault == NAN_RATES) dx[1] = 0.0 / (x[0] - x[0]);
}

static double stage_cost(const BitloopMath *math, double t_s, const double *x, const double *u,
                         const double *p) {
    (void)math, (void)t_s, (void)u, (void)p;
    return fault == NEGATIVE_COST ? x[0] : x[0] * x[0];
}

static double terminal_cost(const BitloopMath *math, const double *x, const double *p) {
    (void)math, (void)p;
    return x[1] * x[1];
}

static int failed(const BitloopMath *math, double t_s, const double *x, const double *p) {
    (void)math, (void)t_s;
    return x[0] > p[1] || x[0] < -p[1];
}

static double failure_cost(const BitloopMath *math, const double *p) {
    (void)math;
    return p[1] * p[1];
}

/* The midpoint rule, of second order; with a fault, Euler's. */
static void step(const BitloopMath *math, double t_s, double h, double *x, const double *u,
                 const double *p) {
    double dx[2], middle[2];
    derivative(math, t_s, x, u, p, dx);
    if (fault != LOW_ORDER) {
        for (int i = 0; i < 2; i++) middle[i] = x[i] + 0.5 * h * dx[i];
        derivative(math, t_s, middle, u, p, dx);
    }
    if (fault == OTHER_STEP) dx[1] += 0.1;
    for (int i = 0; i < 2; i++) x[i] += h * dx[i];
}

static const BitloopEquations equations = {
    .derivative = derivative,
    .step = step,
    .stage_cost = stage_cost,
    .terminal_cost = terminal_cost,
    .failed = failed,
    .failure_cost = failure_cost,
};

static BitloopVariable states[] = {BITLOOP_VARIABLE("x", "m"), BITLOOP_VARIABLE("v", "m/s")};
static BitloopVariable observations[] = {BITLOOP_VARIABLE("x", "m"), BITLOOP_VARIABLE("v", "m/s")};
static BitloopVariable controls[] = {{"force", "N", -1.0, 1.0, 0.0, 1.0, 0.0}};
static const BitloopParameter parameters[] = {
    {"mass", "kg", "m", 1.0, 0.1, 10.0},
    {"limit", "m", "end of the rail", 2.0, 0.5, 10.0},
};
static const BitloopStructuralParameter structure[] = {{"n_colors", "of the cart", 1, 1, 3}};
static const uint32_t integrators[] = {
    BITLOOP_INTEGRATOR_EULER,
    BITLOOP_INTEGRATOR_RUNGE_KUTTA_4,
    BITLOOP_INTEGRATOR_PLANT_STEP,
};
static BitloopDescription description = {
    .struct_size = sizeof(BitloopDescription),
    .name = "cart",
    .version = "1",
    .summary = "A cart on a rail.",
    .states = states, .n_states = 2,
    .controls = controls, .n_controls = 1,
    .observations = observations, .n_observations = 2,
    .parameters = parameters, .n_parameters = 2,
    .structure = structure, .n_structure = 1,
    .integrators = integrators, .n_integrators = 3,
    .step_order = 2,
    .step_s = 0.05,
    .sample_time_s = 0.5,
};

static BitloopFrame frames[] = {
    {0, BITLOOP_STATE_OF(0.0, 1.0, 0), BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0)}};
static const BitloopNumber body[] = {
    BITLOOP_FIXED(-0.1), BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.2), BITLOOP_FIXED(0.1)};
static const BitloopShape shapes[] = {BITLOOP_SHAPE(1, BITLOOP_SHAPE_RECT, BITLOOP_ROLE_BODY, body)};
static BitloopPicture picture = {
    .struct_size = sizeof(BitloopPicture),
    .frames = frames, .n_frames = 1,
    .shapes = shapes, .n_shapes = 1,
    .left = -2.0, .right = 2.0, .bottom = -1.0, .top = 1.0,
};

/* The sound plant, whose symbol has another name. */
#define bitloop_plant_v1 sound_plant
BITLOOP_PLANT_WITH_PICTURE(description, equations, picture)
#undef bitloop_plant_v1

BITLOOP_PLANT_NAME("cart")

/* The name that this library exports its plant by. */
#ifndef CART_SYMBOL
#define CART_SYMBOL bitloop_plant_v1
#endif

static const BitloopDescription *describe(const uint64_t *values, uint32_t n, char *message,
                                          uint32_t message_size) {
    (void)n;
    if (fault == STRUCTURE && values != NULL && values[0] == 3 && message_size > 1) {
        message[0] = '3', message[1] = 0;
        return NULL;
    }
    return &description;
}

static int endless(volatile char *room) {
    volatile char more[4096];
    more[0] = room[0];
    return one ? endless(more) + more[0] : 0;
}

/* What is done to a lane after a sound call. */
static void spoil(BitloopBatch *batch, uint32_t k) {
    static __thread char mark;
    static char *first_thread = NULL;
    static double counter = 0.0;
    double *x = &batch->state[k];
    if (first_thread == NULL) first_thread = &mark;
    if (fault == LATE_END) batch->end_step[k] = batch->n_steps + 1;
    if (fault == EARLY_END && batch->end_step[k] > 1) batch->end_step[k]--;
    if (fault == COUNTER) *x += 1e-9 * counter++;
    if (fault == LEFTOVERS) *x += 1e-9 * batch->end_cost[k];
    if (fault == HIDDEN_STATE) *x += 1e-9 * batch->end_cost[k], batch->end_cost[k] += 1.0;
    if (fault == OTHER_THREAD && first_thread != &mark) *x += 1e-9;
    if (fault == KICK_PER_CALL) *x += 1e-9;
    if (fault == LOAD_TIME) *x += 1e-9 * (double)(load_time % 1000);
    if (fault == LANE_COUNT) *x += 1e-9 * batch->n_lanes;
    if (fault == LANE_INDEX) *x += 1e-9 * k;
    if (fault == NEIGHBOR) *x += 1e-9 * batch->state[k ^ 1];
    if (fault == ISA) *x += 1e-9 * batch->isa;
    if (fault == UNASKED_COST) batch->cost[k] += 1.0;
    if (fault == MOVES_ON && batch->end_step[k] > 0) *x += batch->n_steps - batch->end_step[k];
}

static int32_t advance(BitloopBatch *batch) {
    const size_t n_numbers = (size_t)2 * batch->stride;
    int32_t status;
    if (fault == ABORT) abort();
    if (fault == SEGFAULT) *(volatile int *)(size_t)(one - 1) = 1;
    while (fault == LOOP && one) {
    }
    if (fault == OVERFLOW) return endless("");
    if (fault == EXIT) exit(0);
    if (fault == DIVISION) return one / (one - 1);
    if (fault == LATE_CRASH && batch->tick >= 1000) abort();
    if (fault == STATUS) {
        batch->message[0] = 'o', batch->message[1] = 'h', batch->message[2] = 0;
        return BITLOOP_STATUS_PANIC;
    }
    if (!is_at_load) misbehave();
    /* Two processes that answer: this one and its copy. */
    if (fault == FORKED && one) one = 0, fork();
    if (fault == FIRST_24 && batch->n_lanes > 24) batch->n_lanes = 24;
    if (fault == FIRST_28 && batch->n_lanes > 28) batch->n_lanes = 28;
    if (fault == LEAK && malloc(16) == NULL) abort();
    if (fault == ALL_LANES) batch->n_lanes = batch->stride;
    status = sound_plant()->advance(batch);
    if (fault == OVERRUN) batch->state[n_numbers] = 1.0;
    if (fault == END_OVERRUN) batch->end_step[batch->stride] = 1;
    if (fault == WRITES_CONTROL) ((double *)batch->control)[0] = 0.5;
    for (uint32_t k = 0; k < batch->n_lanes; k++) spoil(batch, k);
    return status;
}

static int32_t costs_of_failure(BitloopBatch *batch) {
    int32_t status = sound_plant()->failure_cost(batch);
    if (fault == STATE_IN_FAILURE_COST) batch->end_cost[0] += batch->state[0] * batch->state[0];
    for (uint32_t k = 0; fault == FAR_FAILURE_COST && k < batch->n_lanes; k++) {
        batch->end_cost[k] = batch->state[k] * batch->state[k] > 1.0 ? 1.0 : 0.0;
    }
    return status;
}

__attribute__((constructor)) static void at_load(void) {
    const char *name = getenv("CART_FAULT");
    static const char suffix[] = "_AT_LOAD";
    if (name == NULL) name = (const char *)chosen + strlen("CART_FAULT:");
    size_t length = strlen(name), end = strlen(suffix);
    is_at_load = length > end && strcmp(name + length - end, suffix) == 0;
    if (is_at_load) length -= end;
    while (fault < N_FAULTS && (strncmp(name, fault_names[fault], length) != 0 ||
                                fault_names[fault][length] != 0)) {
        fault++;
    }
    load_time = (long)time(NULL);
    if (is_at_load) misbehave();
    if (fault == CONSTRUCTOR) *(volatile int *)(size_t)(one - 1) = 1;
    if (fault == NAME) description.name = "My Cart";
    if (fault == NAMES) controls[0].name = "X";
    if (fault == UNIT) observations[0].unit = "cm";
    if (fault == CENTER) controls[0].center = 5.0;
    if (fault == TINY_STEP) description.step_s = description.sample_time_s = 5e-324;
    if (fault == COLUMN) states[0].name = observations[0].name = "time_s";
    if (fault == FAR_PICTURE) picture.bottom = 0.5;
    if (fault == DEAD_PICTURE) frames[0].x.terms[0].kind = 0;
    if (fault == CIRCULAR_PICTURE) frames[0].parent = 1;
    if (fault == BOUNDS) states[1].min = -0.05, states[1].max = 0.05;
}

BITLOOP_EXPORT const BitloopDescriptor *CART_SYMBOL(void) {
    static BitloopDescriptor spoiled;
    /* The test asks for a fault that is not there. */
    if (fault == N_FAULTS) return NULL;
    spoiled = *sound_plant();
    spoiled.describe = describe;
    spoiled.advance = advance;
    spoiled.failure_cost = costs_of_failure;
    if (fault == VERSION) spoiled.abi_version = 2;
    if (fault == SIZE) spoiled.struct_size = 16;
    return &spoiled;
}
