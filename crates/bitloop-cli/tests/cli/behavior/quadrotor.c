/* A quadrotor in a vertical plane, which hovers by two rotors: controls are their pushes beyond half of the weight of 1 kg. */
#include "bitloop_equations.h"
enum { X, Z, THETA, VX, VZ, OMEGA };
static void derivative(const BitloopMath *math, double t_s, const double *x, const double *u,
                       const double *p, double *dx) {
    const double push = 9.81 + u[0] + u[1];
    double sin, cos;
    (void)t_s;
    math->sin_cos(x[THETA], &sin, &cos);
    dx[X] = x[VX];
    dx[Z] = x[VZ];
    dx[THETA] = x[OMEGA];
    dx[VX] = -push / p[0] * sin;
    dx[VZ] = push / p[0] * cos - 9.81;
    dx[OMEGA] = 2.5 * (u[1] - u[0]);
}
static double stage_cost(const BitloopMath *math, double t_s, const double *x, const double *u,
                         const double *p) {
    (void)math, (void)t_s, (void)u, (void)p;
    return x[X] * x[X] + x[Z] * x[Z] + 0.1 * x[THETA] * x[THETA];
}
static int failed(const BitloopMath *math, double t_s, const double *x, const double *p) {
    (void)math, (void)t_s, (void)p;
    return x[THETA] > 1.2 || x[THETA] < -1.2 || x[Z] > 5.0 || x[Z] < -5.0;
}
static double failure_cost(const BitloopMath *math, const double *p) {
    (void)math, (void)p;
    return 30.0;
}
static const BitloopEquations equations = {
    .derivative = derivative, .stage_cost = stage_cost, .failed = failed,
    .failure_cost = failure_cost,
};
static const BitloopVariable states[] = {
    BITLOOP_VARIABLE("x", "m"), BITLOOP_VARIABLE("z", "m"), BITLOOP_VARIABLE("theta", "rad"),
    BITLOOP_VARIABLE("vx", "m/s"), BITLOOP_VARIABLE("vz", "m/s"), BITLOOP_VARIABLE("omega", "rad/s"),
};
static const BitloopVariable controls[] = {
    {"left", "N", -4.905, 4.905, 0.0, 4.905, 0.0}, {"right", "N", -4.905, 4.905, 0.0, 4.905, 0.0},
};
static const BitloopParameter parameters[] = {{"mass", "kg", "mass of all", 1.0, 0.5, 2.0}};
static const uint32_t integrators[] = {BITLOOP_INTEGRATOR_EULER};
static const BitloopDescription description = {
    .struct_size = sizeof(BitloopDescription), .name = "planar-quadrotor", .version = "1",
    .summary = "A quadrotor that hovers in a vertical plane.",
    .states = states, .n_states = 6, .controls = controls, .n_controls = 2,
    .observations = states, .n_observations = 6, .parameters = parameters, .n_parameters = 1,
    .integrators = integrators, .n_integrators = 1, .step_s = 0.01, .sample_time_s = 0.05,
};
BITLOOP_PLANT_NAME("planar-quadrotor")
BITLOOP_PLANT(description, equations)
