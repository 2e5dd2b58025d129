/* A pendulum with friction, brought to rest by a torque. */
#include "bitloop_equations.h"

#define PI 3.14159265358979323846

enum { THETA, OMEGA };
enum { TORQUE };
enum { MASS, LENGTH, FRICTION, GRAVITY, TORQUE_WEIGHT };

/*
 * theta' = omega
 * omega' = (torque - friction omega - m g l sin(theta)) / (m l^2)
 *
 * Elementary functions come from `math`: those of <math.h> change bits with the machine.
 */
static void derivative(const BitloopMath *math, double t_s, const double *x, const double *u,
                       const double *p, double *dx) {
    const double gravity = p[MASS] * p[GRAVITY] * p[LENGTH] * math->sin(x[THETA]);
    (void)t_s;
    dx[THETA] = x[OMEGA];
    dx[OMEGA] = (u[TORQUE] - p[FRICTION] * x[OMEGA] - gravity) / (p[MASS] * p[LENGTH] * p[LENGTH]);
}

/* What the training makes small: its mean over time. It must be 0 or more. */
static double stage_cost(const BitloopMath *math, double t_s, const double *x, const double *u,
                         const double *p) {
    (void)math, (void)t_s;
    return x[THETA] * x[THETA] + p[TORQUE_WEIGHT] * (u[TORQUE] * u[TORQUE]);
}

/* Where an episode ends early: over the top. */
static int failed(const BitloopMath *math, double t_s, const double *x, const double *p) {
    (void)math, (void)t_s, (void)p;
    return x[THETA] > PI || x[THETA] < -PI;
}

/* What each step costs from then on, so that failing never pays. */
static double failure_cost(const BitloopMath *math, const double *p) {
    (void)math, (void)p;
    return PI * PI;
}

/* The rate of theta is omega. Only the semi-implicit method asks. */
static const int32_t rate_of[] = {OMEGA, -1};

static const BitloopEquations equations = {
    .derivative = derivative,
    .rate_of = rate_of,
    .stage_cost = stage_cost,
    .failed = failed,
    .failure_cost = failure_cost,
};

static const BitloopVariable states[] = {
    BITLOOP_VARIABLE("theta", "rad"),
    BITLOOP_VARIABLE("omega", "rad/s"),
};

/* Name, unit, min, max, center, scale, start. Whatever the controller asks for, this is what the motor can do. */
static const BitloopVariable controls[] = {{"torque", "N m", -5.0, 5.0, 0.0, 1.0, 0.0}};

/* Name, unit, meaning, default, min, max. */
static const BitloopParameter parameters[] = {
    {"mass", "kg", "mass at the rod's end, m", 1.0, 1e-3, 1e3},
    {"length", "m", "length of the rod, l", 1.0, 1e-3, 1e3},
    {"friction", "N m s", "torque per speed", 0.1, 0.0, 1e3},
    {"gravity", "m/s^2", "acceleration of free fall, g", 9.81, 0.0, 1e3},
    {"torque_weight", "rad^2/(N m)^2", "cost of the torque", 0.01, 0.0, 1e3},
};

/* The first is the default. */
static const uint32_t integrators[] = {
    BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER,
    BITLOOP_INTEGRATOR_RUNGE_KUTTA_4,
};

static const BitloopDescription description = {
    .struct_size = sizeof(BitloopDescription),
    .name = "new-plant",
    /* A change of the equations changes it: saved controllers name the version that they were trained on. */
    .version = "1",
    .summary = "A pendulum with friction, brought to rest by a torque.",
    .states = states,
    .n_states = BITLOOP_COUNT(states),
    .controls = controls,
    .n_controls = BITLOOP_COUNT(controls),
    .observations = states,
    .n_observations = BITLOOP_COUNT(states),
    .parameters = parameters,
    .n_parameters = BITLOOP_COUNT(parameters),
    .integrators = integrators,
    .n_integrators = BITLOOP_COUNT(integrators),
    .step_s = 0.02,
    .sample_time_s = 0.1,
};

/*
 * What it looks like in reports: shapes in frames that move with the state. It may be left out, with BITLOOP_PLANT in the
 * place of BITLOOP_PLANT_WITH_PICTURE. Frames count from 1, since 0 is the plane; y points upward. The rod hangs down where
 * theta is 0, and turns counterclockwise.
 */
enum { PLANE, ROD };
#define ROD_END BITLOOP_FIXED(0.0), BITLOOP_PARAMETER_OF(0.0, -1.0, LENGTH)

static const BitloopFrame frames[] = {
    {PLANE, BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0), BITLOOP_STATE_OF(0.0, 1.0, THETA)},
};

static const BitloopNumber target[] = {
    BITLOOP_FIXED(0.0), BITLOOP_FIXED(-0.2), BITLOOP_FIXED(0.0), BITLOOP_FIXED(-1.4)};
static const BitloopNumber rod[] = {BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0), ROD_END};
static const BitloopNumber mass[] = {ROD_END, BITLOOP_FIXED(0.1)};
/* The torque, as the force that it has at the rod's end. */
static const BitloopNumber push[] = {
    ROD_END, BITLOOP_CONTROL_OF(0.0, 0.15, TORQUE), BITLOOP_PARAMETER_OF(0.0, -1.0, LENGTH)};
static const BitloopNumber pivot[] = {
    BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.06)};

static const BitloopShape shapes[] = {
    BITLOOP_SHAPE(PLANE, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_TARGET, target),
    BITLOOP_SHAPE(ROD, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_MOVING, rod),
    BITLOOP_SHAPE(ROD, BITLOOP_SHAPE_CIRCLE, BITLOOP_ROLE_MOVING, mass),
    BITLOOP_SHAPE(ROD, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_FORCE, push),
    BITLOOP_SHAPE(PLANE, BITLOOP_SHAPE_CIRCLE, BITLOOP_ROLE_GROUND, pivot),
};

static const BitloopPicture picture = {
    .struct_size = sizeof(BitloopPicture),
    .frames = frames,
    .n_frames = BITLOOP_COUNT(frames),
    .shapes = shapes,
    .n_shapes = BITLOOP_COUNT(shapes),
    .left = -1.5,
    .right = 1.5,
    .bottom = -1.5,
    .top = 1.5,
};

BITLOOP_PLANT_NAME("new-plant")
BITLOOP_PLANT_WITH_PICTURE(description, equations, picture)
