/*
 * A plant out of plain C functions: the equations of one lane become the functions of a batch. C99 or C++.
 *
 * Write the equations, a BitloopDescription, a BitloopEquations, and last
 *
 *     BITLOOP_PLANT(description, equations)
 *
 * which exports the plant. plants/inverted-pendulum-c of bitloop is a whole example. Integrators and sums are those of a
 * plant written in Rust, to the last bit. A plant with structural parameters, or one that is faster when it computes
 * several lanes at once, fills in a BitloopDescriptor by itself.
 *
 * Take elementary functions from `math`, never from <math.h>, whose bits change with the machine.
 */
#ifndef BITLOOP_EQUATIONS_H
#define BITLOOP_EQUATIONS_H

#include <math.h> /* INFINITY */
#include <stddef.h>

#include "bitloop_plant.h"

/*
 * The equations of one lane. Pure functions, called from any thread: x [n_states], u [n_controls], p [n_parameters], times
 * in seconds. What may be left out is NULL then.
 */
typedef struct {
    /* Writes dx/dt = f(t, x, u, p) to dx [n_states]. May be left out by a plant with its own step alone. */
    void (*derivative)(const BitloopMath *math, double t_s, const double *x, const double *u,
                       const double *p, double *dx);
    /* Advances x by a step of the plant's own. For BITLOOP_INTEGRATOR_PLANT_STEP; may be left out without it. */
    void (*step)(const BitloopMath *math, double t_s, double step_s, double *x, const double *u,
                 const double *p);
    /* For BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER: [n_states], the state that is the time derivative of each state which
     * is a position, and -1 for the others. May be left out without it. */
    const int32_t *rate_of;
    /* Writes what a controller may see, y = h(t, x, p), to y [n_observations]. Left out: the whole state. */
    void (*observe)(const BitloopMath *math, double t_s, const double *x, const double *p,
                    double *y);
    /* The cost of being at x, u having been applied over the step that led there; 0 or more. */
    double (*stage_cost)(const BitloopMath *math, double t_s, const double *x, const double *u,
                         const double *p);
    /* The cost of ending at x, 0 or more. Left out: 0. */
    double (*terminal_cost)(const BitloopMath *math, const double *x, const double *p);
    /* Whether x lies in the failure set, which ends the episode. Left out: never. */
    int (*failed)(const BitloopMath *math, double t_s, const double *x, const double *p);
    /* What is charged, per step, from a failure to the end of the horizon, 0 or more. Left out: 0. */
    double (*failure_cost)(const BitloopMath *math, const double *p);
} BitloopEquations;

/* A variable without bounds, centered at 0 with scale 1, which starts at 0. */
#define BITLOOP_VARIABLE(name, unit) {(name), (unit), -INFINITY, INFINITY, 0.0, 1.0, 0.0}

/* The number of elements of an array. */
#define BITLOOP_COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* a * b + c, rounded once: what Rust calls mul_add. */
static inline double bitloop_fma(const BitloopMath *math, double a, double b, double c) {
#ifdef __FMA__
    (void)math;
    return __builtin_fma(a, b, c);
#else
    return math->fma(a, b, c);
#endif
}

/* The rest is what BITLOOP_PLANT is made of, and at the end the macros that export a plant. */

/* The numbers of one lane: state, control, parameters. */
typedef struct {
    double x[BITLOOP_MAX_VARIABLES];
    double u[BITLOOP_MAX_VARIABLES];
    double p[BITLOOP_MAX_VARIABLES];
} BitloopLane;

static inline void bitloop_gather(double *numbers, const double *rows, uint32_t n,
                                  const BitloopBatch *batch, uint32_t lane) {
    for (uint32_t i = 0; i < n; i++) numbers[i] = rows[(size_t)i * batch->stride + lane];
}

static inline void bitloop_scatter(double *rows, const double *numbers, uint32_t n,
                                   const BitloopBatch *batch, uint32_t lane) {
    for (uint32_t i = 0; i < n; i++) rows[(size_t)i * batch->stride + lane] = numbers[i];
}

static inline int32_t bitloop_refuse(BitloopBatch *batch, const char *reason) {
    uint32_t i = 0;
    if (batch->message == NULL || batch->message_size == 0) return BITLOOP_STATUS_BAD_CALL;
    for (; reason[i] != 0 && i + 1 < batch->message_size; i++) batch->message[i] = reason[i];
    batch->message[i] = 0;
    return BITLOOP_STATUS_BAD_CALL;
}

static inline void bitloop_euler(const BitloopDescription *plant, const BitloopEquations *equations,
                                 const BitloopMath *math, double t_s, double h, BitloopLane *lane) {
    double dx[BITLOOP_MAX_VARIABLES];
    equations->derivative(math, t_s, lane->x, lane->u, lane->p, dx);
    for (uint32_t i = 0; i < plant->n_states; i++) {
        lane->x[i] = bitloop_fma(math, dx[i], h, lane->x[i]);
    }
}

static inline void bitloop_semi_implicit_euler(const BitloopDescription *plant,
                                               const BitloopEquations *equations,
                                               const BitloopMath *math, double t_s, double h,
                                               BitloopLane *lane) {
    double dx[BITLOOP_MAX_VARIABLES];
    double *x = lane->x;
    equations->derivative(math, t_s, x, lane->u, lane->p, dx);
    for (uint32_t i = 0; i < plant->n_states; i++) {
        if (equations->rate_of[i] < 0) x[i] = bitloop_fma(math, dx[i], h, x[i]);
    }
    /* Positions last: they move with the rates just advanced. */
    for (uint32_t i = 0; i < plant->n_states; i++) {
        if (equations->rate_of[i] >= 0) {
            x[i] = bitloop_fma(math, x[equations->rate_of[i]], h, x[i]);
        }
    }
}

static inline void bitloop_runge_kutta_4(const BitloopDescription *plant,
                                         const BitloopEquations *equations,
                                         const BitloopMath *math, double t_s, double h,
                                         BitloopLane *lane) {
    double slope[BITLOOP_MAX_VARIABLES], sum[BITLOOP_MAX_VARIABLES], at[BITLOOP_MAX_VARIABLES];
    const uint32_t n = plant->n_states;
    double *x = lane->x;
    equations->derivative(math, t_s, x, lane->u, lane->p, slope);
    for (uint32_t i = 0; i < n; i++) {
        sum[i] = slope[i];
        at[i] = bitloop_fma(math, slope[i], 0.5 * h, x[i]);
    }
    equations->derivative(math, t_s + 0.5 * h, at, lane->u, lane->p, slope);
    for (uint32_t i = 0; i < n; i++) {
        sum[i] = bitloop_fma(math, slope[i], 2.0, sum[i]);
        at[i] = bitloop_fma(math, slope[i], 0.5 * h, x[i]);
    }
    equations->derivative(math, t_s + 0.5 * h, at, lane->u, lane->p, slope);
    for (uint32_t i = 0; i < n; i++) {
        sum[i] = bitloop_fma(math, slope[i], 2.0, sum[i]);
        at[i] = bitloop_fma(math, slope[i], h, x[i]);
    }
    equations->derivative(math, t_s + h, at, lane->u, lane->p, slope);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = bitloop_fma(math, sum[i] + slope[i], h / 6.0, x[i]);
    }
}

static inline int32_t bitloop_advance(const BitloopDescription *plant,
                                      const BitloopEquations *equations, BitloopBatch *batch) {
    const BitloopMath *math = batch->math;
    const double h = batch->step_s;
    BitloopLane lane;
    int is_known = 0;
    if (batch->struct_size < sizeof(BitloopBatch)) return BITLOOP_STATUS_BAD_CALL;
    for (uint32_t i = 0; i < plant->n_integrators; i++) {
        is_known |= plant->integrators[i] == batch->integrator;
    }
    if (!is_known) return bitloop_refuse(batch, "unknown integrator");
    for (uint32_t k = 0; k < batch->n_lanes; k++) {
        bitloop_gather(lane.x, batch->state, plant->n_states, batch, k);
        bitloop_gather(lane.u, batch->control, plant->n_controls, batch, k);
        bitloop_gather(lane.p, batch->parameters, plant->n_parameters, batch, k);
        for (uint32_t done = 1; done <= batch->n_steps; done++) {
            const double before_s = (double)(batch->tick + done - 1) * h;
            const double t_s = (double)(batch->tick + done) * h;
            double cost;
            switch (batch->integrator) {
            case BITLOOP_INTEGRATOR_EULER:
                bitloop_euler(plant, equations, math, before_s, h, &lane);
                break;
            case BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER:
                bitloop_semi_implicit_euler(plant, equations, math, before_s, h, &lane);
                break;
            case BITLOOP_INTEGRATOR_RUNGE_KUTTA_4:
                bitloop_runge_kutta_4(plant, equations, math, before_s, h, &lane);
                break;
            default:
                equations->step(math, before_s, h, lane.x, lane.u, lane.p);
            }
            cost = equations->stage_cost(math, t_s, lane.x, lane.u, lane.p);
            /* Negative or NaN, or in the failure set. */
            if (!(cost >= 0.0) ||
                (equations->failed != NULL && equations->failed(math, t_s, lane.x, lane.p))) {
                batch->end_step[k] = done;
                batch->end_cost[k] = cost;
                break;
            }
            if (batch->counts_cost) batch->cost[k] += cost;
        }
        bitloop_scatter(batch->state, lane.x, plant->n_states, batch, k);
    }
    return BITLOOP_STATUS_OK;
}

static inline int32_t bitloop_observe(const BitloopDescription *plant,
                                      const BitloopEquations *equations, BitloopBatch *batch) {
    const double t_s = (double)batch->tick * batch->step_s;
    double y[BITLOOP_MAX_VARIABLES];
    BitloopLane lane;
    for (uint32_t k = 0; k < batch->n_lanes; k++) {
        const double *seen = lane.x;
        bitloop_gather(lane.x, batch->state, plant->n_states, batch, k);
        if (equations->observe != NULL) {
            bitloop_gather(lane.p, batch->parameters, plant->n_parameters, batch, k);
            equations->observe(batch->math, t_s, lane.x, lane.p, y);
            seen = y;
        }
        bitloop_scatter(batch->observation, seen, plant->n_observations, batch, k);
    }
    return BITLOOP_STATUS_OK;
}

static inline int32_t bitloop_terminal_cost(const BitloopDescription *plant,
                                            const BitloopEquations *equations,
                                            BitloopBatch *batch) {
    BitloopLane lane;
    for (uint32_t k = 0; k < batch->n_lanes; k++) {
        batch->end_cost[k] = 0.0;
        if (equations->terminal_cost == NULL) continue;
        bitloop_gather(lane.x, batch->state, plant->n_states, batch, k);
        bitloop_gather(lane.p, batch->parameters, plant->n_parameters, batch, k);
        batch->end_cost[k] = equations->terminal_cost(batch->math, lane.x, lane.p);
    }
    return BITLOOP_STATUS_OK;
}

static inline int32_t bitloop_failure_cost(const BitloopDescription *plant,
                                           const BitloopEquations *equations,
                                           BitloopBatch *batch) {
    BitloopLane lane;
    for (uint32_t k = 0; k < batch->n_lanes; k++) {
        batch->end_cost[k] = 0.0;
        if (equations->failure_cost == NULL) continue;
        bitloop_gather(lane.p, batch->parameters, plant->n_parameters, batch, k);
        batch->end_cost[k] = equations->failure_cost(batch->math, lane.p);
    }
    return BITLOOP_STATUS_OK;
}

static inline int bitloop_is_same(const char *a, const char *b) {
    for (; *a != 0 && *a == *b; a++) b++;
    return *a == *b;
}

/* Exports the plant of a static BitloopDescription and a static BitloopEquations, once in a library. */
#define BITLOOP_PLANT(description, equations)                                                      \
    BITLOOP_PLANT_WITH_PARTS(description, equations, NULL)

/* The same with a static BitloopPicture: what the plant looks like, for reports. */
#define BITLOOP_PLANT_WITH_PICTURE(description, equations, picture)                                \
    static const BitloopPicture *bitloop_picture_it(const uint64_t *structure,                     \
                                                    uint32_t n_structure, char *message,           \
                                                    uint32_t message_size) {                       \
        (void)structure, (void)n_structure, (void)message, (void)message_size;                     \
        return &(picture);                                                                         \
    }                                                                                              \
    static const void *bitloop_optional_part_it(const char *id) {                                  \
        static const BitloopPicturePart part = {                                                   \
            sizeof(BitloopPicturePart),                                                            \
            0,                                                                                     \
            bitloop_picture_it,                                                                    \
            NULL,                                                                                  \
        };                                                                                         \
        return bitloop_is_same(id, BITLOOP_PICTURE_PART) ? &part : NULL;                           \
    }                                                                                              \
    BITLOOP_PLANT_WITH_PARTS(description, equations, bitloop_optional_part_it)

/* A number of a picture that does not change. */
#define BITLOOP_FIXED(number) {(number), {{0.0, 0, 0}}}

/* A number of a picture that is offset + factor * value: BITLOOP_STATE_OF(0.0, 1.0, THETA) and the like. */
#define BITLOOP_STATE_OF(offset, factor, index)                                                    \
    {(offset), {{(factor), BITLOOP_PICTURE_STATE, (index)}}}
#define BITLOOP_OBSERVATION_OF(offset, factor, index)                                              \
    {(offset), {{(factor), BITLOOP_PICTURE_OBSERVATION, (index)}}}
#define BITLOOP_CONTROL_OF(offset, factor, index)                                                  \
    {(offset), {{(factor), BITLOOP_PICTURE_CONTROL, (index)}}}
#define BITLOOP_PARAMETER_OF(offset, factor, index)                                                \
    {(offset), {{(factor), BITLOOP_PICTURE_PARAMETER, (index)}}}

/* A shape of a picture without a text, whose numbers are in an array. */
#define BITLOOP_SHAPE(frame, kind, role, numbers)                                                  \
    {(frame), (kind), (role), BITLOOP_COUNT(numbers), (numbers), NULL}

/* What the macros above are made of. */
#define BITLOOP_PLANT_WITH_PARTS(description, equations, parts)                                    \
    static const BitloopDescription *bitloop_describe_it(const uint64_t *structure,                \
                                                         uint32_t n_structure, char *message,      \
                                                         uint32_t message_size) {                  \
        (void)structure, (void)n_structure, (void)message, (void)message_size;                     \
        return &(description);                                                                     \
    }                                                                                              \
    static int32_t bitloop_advance_it(BitloopBatch *batch) {                                       \
        return bitloop_advance(&(description), &(equations), batch);                               \
    }                                                                                              \
    static int32_t bitloop_observe_it(BitloopBatch *batch) {                                       \
        return bitloop_observe(&(description), &(equations), batch);                               \
    }                                                                                              \
    static int32_t bitloop_terminal_cost_it(BitloopBatch *batch) {                                 \
        return bitloop_terminal_cost(&(description), &(equations), batch);                         \
    }                                                                                              \
    static int32_t bitloop_failure_cost_it(BitloopBatch *batch) {                                  \
        return bitloop_failure_cost(&(description), &(equations), batch);                          \
    }                                                                                              \
    BITLOOP_EXPORT const BitloopDescriptor *bitloop_plant_v1(void) {                               \
        static const BitloopDescriptor descriptor = {                                              \
            BITLOOP_ABI_VERSION,                                                                   \
            sizeof(BitloopDescriptor),                                                             \
            sizeof(BitloopBatch),                                                                  \
            BITLOOP_CAPABILITY_PORTABLE | BITLOOP_CAPABILITY_LANE_BY_LANE,                         \
            bitloop_describe_it,                                                                   \
            NULL,                                                                                  \
            parts,                                                                                 \
            bitloop_advance_it,                                                                    \
            bitloop_observe_it,                                                                    \
            bitloop_terminal_cost_it,                                                              \
            bitloop_failure_cost_it,                                                               \
        };                                                                                         \
        return &descriptor;                                                                        \
    }

#endif /* BITLOOP_EQUATIONS_H */
