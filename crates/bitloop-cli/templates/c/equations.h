/*
 * The equations, over BitloopReal: a vector of numbers, an episode each, or one number. bitloop_vectors.h compiles this file
 * for each instruction set, and tells what can be written here: instead of `if`, use bitloop_select.
 */

/*
 * theta' = omega
 * omega' = (torque - friction omega - m g l sin(theta)) / (m l^2)
 *
 * Elementary functions are those of bitloop: those of <math.h> change bits with the machine.
 */
static void derivative(const BitloopMath *math, double t_s, const BitloopReal *x,
                       const BitloopReal *u, const BitloopReal *p, BitloopReal *dx) {
    const BitloopReal weight = p[MASS] * p[GRAVITY] * p[LENGTH] * bitloop_sin(math, x[THETA]);
    (void)t_s;
    dx[THETA] = x[OMEGA];
    dx[OMEGA] = (u[TORQUE] - p[FRICTION] * x[OMEGA] - weight) / (p[MASS] * p[LENGTH] * p[LENGTH]);
}

/* What the training makes small: its mean over time. It must be 0 or more. */
static BitloopReal stage_cost(const BitloopMath *math, double t_s, const BitloopReal *x,
                              const BitloopReal *u, const BitloopReal *p) {
    (void)math, (void)t_s;
    return x[THETA] * x[THETA] + p[TORQUE_WEIGHT] * (u[TORQUE] * u[TORQUE]);
}

/* Where an episode ends early: over the top. */
static BitloopMask failed(const BitloopMath *math, double t_s, const BitloopReal *x,
                          const BitloopReal *p) {
    (void)math, (void)t_s, (void)p;
    return (x[THETA] > PI) | (x[THETA] < -PI);
}

/* What each step costs from then on, so that failing never pays. */
static BitloopReal failure_cost(const BitloopMath *math, const BitloopReal *p) {
    (void)math, (void)p;
    return bitloop_splat(PI * PI);
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
