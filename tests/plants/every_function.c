/* A plant without meaning that uses all that equations over vectors can use, in a file of their own behind EQUATIONS. */
#ifndef EQUATIONS

#include "bitloop_equations.h"

static const BitloopVariable states[] = {
    BITLOOP_VARIABLE("a", ""),
    BITLOOP_VARIABLE("b", ""),
    BITLOOP_VARIABLE("c", ""),
};
static const BitloopVariable controls[] = {BITLOOP_VARIABLE("u", "")};
static const BitloopVariable observations[] = {
    BITLOOP_VARIABLE("y", ""),
    BITLOOP_VARIABLE("z", ""),
};
static const BitloopParameter parameters[] = {{"limit", "", "of a", 0.8, 0.0, 1e3}};
static const uint32_t integrators[] = {BITLOOP_INTEGRATOR_PLANT_STEP, BITLOOP_INTEGRATOR_EULER};
static const BitloopDescription description = {
    .struct_size = sizeof(BitloopDescription),
    .name = "every-function",
    .version = "1",
    .summary = "",
    .states = states,
    .n_states = BITLOOP_COUNT(states),
    .controls = controls,
    .n_controls = BITLOOP_COUNT(controls),
    .observations = observations,
    .n_observations = BITLOOP_COUNT(observations),
    .parameters = parameters,
    .n_parameters = BITLOOP_COUNT(parameters),
    .integrators = integrators,
    .n_integrators = BITLOOP_COUNT(integrators),
    .step_s = 0.125,
    .sample_time_s = 0.5,
};

#define EQUATIONS
#define BITLOOP_DESCRIPTION description
#define BITLOOP_EQUATIONS "every_function.c"
#include "bitloop_vectors.h"

#else

#define smooth BITLOOP_OWN(smooth)
static BitloopReal smooth(const BitloopMath *math, BitloopReal x) {
    BitloopReal sine, cosine;
    bitloop_sin_cos(math, 1e4 * x, &sine, &cosine);
    sine = sine + bitloop_sin(math, x) * bitloop_cos(math, x) - bitloop_tan(math, 0.5 * x);
    return bitloop_fma(math, sine, cosine, bitloop_atan2(math, x, cosine));
}

static void derivative(const BitloopMath *math, double t_s, const BitloopReal *x,
                       const BitloopReal *u, const BitloopReal *p, BitloopReal *dx) {
    const BitloopReal size = bitloop_abs(x[0]) + 0.25;
    (void)p;
    dx[0] = smooth(math, x[1]) - bitloop_tanh(math, x[0] + t_s);
    dx[1] = bitloop_logistic(math, x[2]) * u[0] - x[1] * bitloop_sqrt(math, size);
    dx[2] = bitloop_pow(math, size, x[1] / 3.0) - bitloop_ln(math, size) - x[2];
}

static void step(const BitloopMath *math, double t_s, double step_s, BitloopReal *x,
                 const BitloopReal *u, const BitloopReal *p) {
    BitloopReal dx[3];
    derivative(math, t_s, x, u, p, dx);
    x[0] = bitloop_min(x[0] + step_s * dx[0], bitloop_splat(2.0));
    x[1] = bitloop_max(x[1] + step_s * dx[1], bitloop_splat(-2.0));
    x[2] = bitloop_select((x[0] > x[1]) | bitloop_not(x[2] <= 0.5), x[2] + step_s * dx[2], -x[2]);
}

static void observe(const BitloopMath *math, double t_s, const BitloopReal *x, const BitloopReal *p,
                    BitloopReal *y) {
    (void)t_s;
    y[0] = bitloop_exp(math, x[0] - p[0]);
    y[1] = bitloop_expm1(math, x[1]);
}

static BitloopReal stage_cost(const BitloopMath *math, double t_s, const BitloopReal *x,
                              const BitloopReal *u, const BitloopReal *p) {
    (void)math, (void)t_s, (void)u, (void)p;
    return x[0] * x[0];
}

static BitloopReal terminal_cost(const BitloopMath *math, const BitloopReal *x,
                                 const BitloopReal *p) {
    (void)math;
    return bitloop_abs(x[2]) + p[0];
}

static BitloopMask failed(const BitloopMath *math, double t_s, const BitloopReal *x,
                          const BitloopReal *p) {
    (void)math, (void)t_s;
    return (x[0] > p[0]) & (x[0] != x[1]);
}

static BitloopReal failure_cost(const BitloopMath *math, const BitloopReal *p) {
    (void)math;
    return p[0] * p[0] + 1.5;
}

static const BitloopEquations equations = {
    .derivative = derivative,
    .step = step,
    .observe = observe,
    .stage_cost = stage_cost,
    .terminal_cost = terminal_cost,
    .failed = failed,
    .failure_cost = failure_cost,
};

#endif
