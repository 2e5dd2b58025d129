#include "bitloop_equations.h"
static void derivative(const BitloopMath *math, double t_s, const double *x, const double *u,
                       const double *p, double *dx) {
    (void)t_s;
    dx[0] = bitloop_fma(math, p[0], 20.0 - x[0], u[0]);
}
static double stage_cost(const BitloopMath *math, double t_s, const double *x, const double *u,
                         const double *p) {
    (void)math, (void)t_s, (void)u, (void)p;
    return (x[0] - 60.0) * (x[0] - 60.0);
}
static const BitloopEquations equations = {.derivative = derivative, .stage_cost = stage_cost};
static const BitloopVariable states[] = {BITLOOP_VARIABLE("temperature", "degC")};
static const BitloopVariable controls[] = {BITLOOP_VARIABLE("heat", "degC/s")};
static const BitloopParameter parameters[] = {{"k", "1/s", "rate of cooling", 0.01, 0.0, 1.0}};
static const uint32_t integrators[] = {BITLOOP_INTEGRATOR_EULER};
static const BitloopDescription description = {
    .struct_size = sizeof(BitloopDescription), .name = "tea", .version = "1",
    .summary = "Tea kept warm by a hotplate.",
    .states = states, .n_states = 1, .controls = controls, .n_controls = 1,
    .observations = states, .n_observations = 1, .parameters = parameters, .n_parameters = 1,
    .integrators = integrators, .n_integrators = 1, .step_s = 0.5, .sample_time_s = 1.0,
};
BITLOOP_PLANT_NAME("tea")
BITLOOP_PLANT(description, equations)
