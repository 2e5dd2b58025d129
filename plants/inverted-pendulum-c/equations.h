/*
 * The equations of the inverted pendulum, over BitloopReal: compiled for plain numbers and for vectors of each instruction
 * set. The expressions are grouped as in ../inverted-pendulum, since regrouping would move bits.
 */

/*
 * x''     = (F - m sin(theta) (l theta'^2 - g cos(theta))) / (M + m sin^2(theta))
 * theta'' = (x'' cos(theta) + g sin(theta)) / l
 */
static void derivative(const BitloopMath *math, double t_s, const BitloopReal *x, const BitloopReal *u,
                       const BitloopReal *p, BitloopReal *dx) {
    BitloopReal sin, cos, pull, fall, x_ddot;
    (void)t_s;
    bitloop_sin_cos(math, x[THETA], &sin, &cos);
    pull = p[PENDULUM_MASS] * sin;
    fall = bitloop_fma(math, p[LENGTH] * x[THETA_DOT], -x[THETA_DOT], p[GRAVITY] * cos);
    x_ddot = bitloop_fma(math, pull, fall, u[0]) / bitloop_fma(math, pull, sin, p[CART_MASS]);
    dx[X] = x[X_DOT];
    dx[THETA] = x[THETA_DOT];
    dx[X_DOT] = x_ddot;
    dx[THETA_DOT] = bitloop_fma(math, x_ddot, cos, p[GRAVITY] * sin) * (1.0 / p[LENGTH]);
}

static BitloopReal stage_cost(const BitloopMath *math, double t_s, const BitloopReal *x, const BitloopReal *u,
                         const BitloopReal *p) {
    (void)t_s, (void)u;
    return bitloop_fma(math, x[THETA], x[THETA], p[LAMBDA] * (x[X] * x[X]));
}

static BitloopMask failed(const BitloopMath *math, double t_s, const BitloopReal *x, const BitloopReal *p) {
    (void)math, (void)t_s;
    return (x[THETA] > p[FAILURE_ANGLE]) | (x[THETA] < -p[FAILURE_ANGLE]);
}

static BitloopReal failure_cost(const BitloopMath *math, const BitloopReal *p) {
    (void)math;
    return p[FAILURE_ANGLE] * p[FAILURE_ANGLE];
}

static const int32_t rate_of[] = {X_DOT, THETA_DOT, -1, -1};

static const BitloopEquations equations = {
    .derivative = derivative,
    .rate_of = rate_of,
    .stage_cost = stage_cost,
    .failed = failed,
    .failure_cost = failure_cost,
};
