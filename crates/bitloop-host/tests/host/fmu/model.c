/* The Van der Pol oscillator with an input, as a model for FMI 2.0 and 3.0: x0' = x1, x1' = mu (1 - x0^2) x1 - x0 + u.

   Macros change it: FMI is 2 or 3, ID its token; SPOIL is what a test makes wrong. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { TIME, X0, DX0, X1, DX1, MU, U, ENERGY, FEED, N };

typedef struct {
    double v[N];
    int mode; /* 0 instantiated, 1 initialization, 2 events, 3 continuous time */
    void (*log)();
} model;

static int n_instances; /* of a model that allows one */

static void start(model *m)
{
    void (*log)() = m->log;
    memset(m, 0, sizeof *m);
    m->log = log;
    m->v[X0] = 2;
    m->v[MU] = 1;
}

static void update(model *m)
{
    double *v = m->v;
    v[DX0] = v[X1];
    v[DX1] = v[MU] * ((1 - v[X0] * v[X0]) * v[X1]) - v[X0] + v[U];
    v[ENERGY] = 0.5 * (v[X0] * v[X0] + v[X1] * v[X1]);
    v[FEED] = v[X1] + v[U];
}

static int complain(model *m, const char *message)
{
    if (m->log) {
#if FMI == 2
        ((void (*)(void *, const char *, int, const char *, const char *, ...))m->log)(0, "m", 3, "error", message, 1);
#else
        ((void (*)(void *, int, const char *, const char *))m->log)(0, 3, "error", message);
#endif
    }
    return 3;
}

static int get(model *m, const uint32_t *which, size_t n, double *values)
{
    size_t i;
    update(m);
    for (i = 0; i < n; ++i) {
        if (which[i] >= N)
            return complain(m, "no such variable");
        values[i] = m->v[which[i]];
    }
    return 0;
}

static int set(model *m, const uint32_t *which, size_t n, const double *values)
{
    size_t i;
    for (i = 0; i < n; ++i) {
        if (which[i] == MU && m->mode > 1)
            return complain(m, "mu is fixed once the model is initialized");
        if (which[i] != MU && which[i] != U && which[i] != X0 && which[i] != X1)
            return complain(m, "this cannot be set");
        m->v[which[i]] = values[i];
    }
    return 0;
}

static int derivatives(model *m, double *dx, size_t n)
{
    if (m->mode != 3 || n != 2)
        return complain(m, "not now");
    update(m);
    dx[0] = m->v[DX0];
    dx[1] = m->v[DX1];
#if SPOIL == 1
    if (m->v[X0] > 2.5)
        dx[1] = 0.0 / 0.0;
#elif SPOIL == 2
    if (m->v[X0] > 2.5)
        return complain(m, "the solver is lost");
#elif SPOIL == 3
    if (m->v[X0] > 2.5)
        return 2;
#elif SPOIL == 9
    *(volatile int *)8 = 0;
#endif
    return 0;
}

/* A step of Co-Simulation: one of Euler's, so that its bits are easy to repeat. */
static int advance(model *m, double t, double h)
{
    double *v = m->v;
    if (m->mode != 2 || v[TIME] < t - 1e-9 || v[TIME] > t + 1e-9)
        return complain(m, "this is not the time of the last step");
    update(m);
#if SPOIL == 2
    if (v[X0] > 2.5)
        return complain(m, "the solver is lost");
#elif SPOIL == 3
    if (v[X0] > 2.5)
        return 2;
#endif
    v[X0] += h * v[DX0];
    v[X1] += h * v[DX1];
    v[TIME] = t + h;
    return 0;
}

static model *make(const char *token, void (*log)())
{
    model *m;
    if (strcmp(token, ID) != 0)
        return 0;
#if SPOIL == 4
    if (__sync_fetch_and_add(&n_instances, 1) > 0)
        return 0;
#endif
    m = calloc(1, sizeof *m);
    m->log = log;
    start(m);
    return m;
}

static void destroy(model *m)
{
    __sync_fetch_and_sub(&n_instances, 1);
    free(m);
}

#if FMI == 2
typedef struct {
    void (*log)();
    void *allocate, *free, *finished, *environment;
} callbacks;
typedef struct {
    int update, terminates, nominals, states, has_next;
    double next;
} info;

EXPORT void *fmi2Instantiate(const char *name, int kind, const char *token, const char *resources, const callbacks *call, int visible,
                             int logging)
{
    (void)name, (void)resources, (void)visible, (void)logging;
    return kind == 0 || kind == 1 ? make(token, call->log) : 0;
}
EXPORT void fmi2FreeInstance(void *m) { destroy(m); }
EXPORT int fmi2SetupExperiment(void *m, int a, double b, double t, int c, double d)
{
    (void)a, (void)b, (void)c, (void)d;
    ((model *)m)->v[TIME] = t;
    return 0;
}
EXPORT int fmi2EnterInitializationMode(void *m) { return ((model *)m)->mode = 1, 0; }
EXPORT int fmi2ExitInitializationMode(void *m) { return ((model *)m)->mode = 2, 0; }
EXPORT int fmi2NewDiscreteStates(void *m, info *i)
{
    (void)m;
    memset(i, 0, sizeof *i);
#if SPOIL == 5
    i->has_next = 1;
    i->next = 1;
#elif SPOIL == 6
    i->update = 1;
#elif SPOIL == 7
    i->terminates = 1;
#endif
    return 0;
}
EXPORT int fmi2EnterContinuousTimeMode(void *m) { return ((model *)m)->mode = 3, 0; }
EXPORT int fmi2Reset(void *m) { return start(m), 0; }
EXPORT int fmi2SetTime(void *m, double t) { return ((model *)m)->v[TIME] = t, 0; }
EXPORT int fmi2SetContinuousStates(void *m, const double *x, size_t n)
{
    return set(m, (uint32_t[]){X0, X1}, n, x);
}
EXPORT int fmi2GetContinuousStates(void *m, double *x, size_t n) { return get(m, (uint32_t[]){X0, X1}, n, x); }
#if SPOIL != 8
EXPORT int fmi2GetDerivatives(void *m, double *dx, size_t n) { return derivatives(m, dx, n); }
#endif
EXPORT int fmi2DoStep(void *m, double t, double h, int whole) { return (void)whole, advance(m, t, h); }
EXPORT int fmi2GetReal(void *m, const uint32_t *which, size_t n, double *v) { return get(m, which, n, v); }
EXPORT int fmi2SetReal(void *m, const uint32_t *which, size_t n, const double *v) { return set(m, which, n, v); }
#else
EXPORT void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                          void *environment, void (*log)())
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)environment;
    return make(token, log);
}
EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                         bool events, bool early, const uint32_t *required, size_t n, void *environment,
                                         void (*log)(), void *intermediate)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)environment, (void)required, (void)n, (void)intermediate;
    return events || early ? 0 : make(token, log);
}
EXPORT int fmi3DoStep(void *m, double t, double h, bool whole, bool *event, bool *terminate, bool *early, double *until)
{
    (void)whole;
    *event = *terminate = *early = false;
    *until = t + h;
    return advance(m, t, h);
}
EXPORT void fmi3FreeInstance(void *m) { destroy(m); }
EXPORT int fmi3EnterInitializationMode(void *m, bool a, double b, double t, bool c, double d)
{
    (void)a, (void)b, (void)c, (void)d;
    ((model *)m)->v[TIME] = t;
    return ((model *)m)->mode = 1, 0;
}
EXPORT int fmi3ExitInitializationMode(void *m) { return ((model *)m)->mode = 2, 0; }
EXPORT int fmi3UpdateDiscreteStates(void *m, bool *update, bool *terminates, bool *nominals, bool *states, bool *has_next, double *next)
{
    (void)m, (void)next;
    *update = *terminates = *nominals = *states = *has_next = false;
#if SPOIL == 5
    *has_next = true;
#endif
    return 0;
}
EXPORT int fmi3EnterContinuousTimeMode(void *m) { return ((model *)m)->mode = 3, 0; }
EXPORT int fmi3Reset(void *m) { return start(m), 0; }
EXPORT int fmi3SetTime(void *m, double t) { return ((model *)m)->v[TIME] = t, 0; }
EXPORT int fmi3SetContinuousStates(void *m, const double *x, size_t n)
{
    return set(m, (uint32_t[]){X0, X1}, n, x);
}
EXPORT int fmi3GetContinuousStates(void *m, double *x, size_t n) { return get(m, (uint32_t[]){X0, X1}, n, x); }
EXPORT int fmi3GetContinuousStateDerivatives(void *m, double *dx, size_t n) { return derivatives(m, dx, n); }
EXPORT int fmi3GetFloat64(void *m, const uint32_t *which, size_t n, double *v, size_t k) { return k == n ? get(m, which, n, v) : 3; }
EXPORT int fmi3SetFloat64(void *m, const uint32_t *which, size_t n, const double *v, size_t k)
{
    return k == n ? set(m, which, n, v) : 3;
}
#endif
