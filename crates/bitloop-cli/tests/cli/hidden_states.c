#include "bitloop_equations.h"
/* A mass on a rail, of which the position alone is observed. */
static void derivative(const BitloopMath *math, double t_s, const double *x, const double *u,
                       const double *p, double *dx) {
    (void)math, (void)t_s, (void)p;
    dx[0] = x[1];
    dx[1] = u[0];
}
static void observe(const BitloopMath *math, double t_s, const double *x, const double *p, double *y) {
    (void)math, (void)t_s, (void)p;
    y[0] = x[0];
}
static double stage_cost(const BitloopMath *math, double t_s, const double *x, const double *u,
                         const double *p) {
    (void)math, (void)t_s, (void)p;
    return x[0] * x[0] + 0.1 * u[0] * u[0];
}
static const BitloopEquations equations = {
    .derivative = derivative, .observe = observe, .stage_cost = stage_cost};
static const BitloopVariable states[] = {BITLOOP_VARIABLE("x", "m"), BITLOOP_VARIABLE("v", "m/s")};
static const BitloopVariable controls[] = {BITLOOP_VARIABLE("push", "m/s^2")};
static const uint32_t integrators[] = {BITLOOP_INTEGRATOR_RUNGE_KUTTA_4};
static const BitloopDescription description = {
    .struct_size = sizeof(BitloopDescription), .name = "rail", .version = "1",
    .summary = "A mass pushed along a rail.",
    .states = states, .n_states = 2, .controls = controls, .n_controls = 1,
    .observations = states, .n_observations = 1,
    .integrators = integrators, .n_integrators = 1, .step_s = 0.05, .sample_time_s = 0.1,
};
BITLOOP_PLANT_NAME("rail")
BITLOOP_PLANT(description, equations)
