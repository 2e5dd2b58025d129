/*
 * The loops over lanes behind a plant made of equations: integrators, sums of costs, ends. Included by bitloop_equations.h
 * for plain numbers, and by bitloop_pass.h for the vectors of an instruction set; plants do not include it. C99 or C++.
 *
 * BitloopReal is the number type, of BITLOOP_LANES lanes; BITLOOP_BLOCKS blocks of lanes are advanced together, so that the
 * processor overlaps their chains of dependent operations. There is no include guard, since it is included several times.
 */

/*
 * The equations of one lane, or of a vector of them. Pure functions, called from any thread: x [n_states], u [n_controls],
 * p [n_parameters], times in seconds. What may be left out is NULL then.
 */
typedef struct {
    /* Writes dx/dt = f(t, x, u, p) to dx [n_states]. May be left out by a plant with its own step alone. */
    void (*derivative)(const BitloopMath *math, double t_s, const BitloopReal *x,
                       const BitloopReal *u, const BitloopReal *p, BitloopReal *dx);
    /* Advances x by a step of the plant's own. For BITLOOP_INTEGRATOR_PLANT_STEP; may be left out without it. */
    void (*step)(const BitloopMath *math, double t_s, double step_s, BitloopReal *x,
                 const BitloopReal *u, const BitloopReal *p);
    /* For BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER: [n_states], the state that is the time derivative of each state which
     * is a position, and -1 for the others. May be left out without it. */
    const int32_t *rate_of;
    /* Writes what a controller may see, y = h(t, x, p), to y [n_observations]. Left out: the whole state. */
    void (*observe)(const BitloopMath *math, double t_s, const BitloopReal *x, const BitloopReal *p,
                    BitloopReal *y);
    /* The cost of being at x, u having been applied over the step that led there; 0 or more. */
    BitloopReal (*stage_cost)(const BitloopMath *math, double t_s, const BitloopReal *x,
                              const BitloopReal *u, const BitloopReal *p);
    /* The cost of ending at x, 0 or more. Left out: 0. */
    BitloopReal (*terminal_cost)(const BitloopMath *math, const BitloopReal *x,
                                 const BitloopReal *p);
    /* Whether x lies in the failure set, which ends the episode. Left out: never. */
    BitloopMask (*failed)(const BitloopMath *math, double t_s, const BitloopReal *x,
                          const BitloopReal *p);
    /* What is charged, per step, from a failure to the end of the horizon, 0 or more. Left out: 0. */
    BitloopReal (*failure_cost)(const BitloopMath *math, const BitloopReal *p);
} BitloopEquations;

/* The numbers of one block of lanes: state, control, parameters. */
typedef struct {
    BitloopReal x[BITLOOP_MAX_VARIABLES];
    BitloopReal u[BITLOOP_MAX_VARIABLES];
    BitloopReal p[BITLOOP_MAX_VARIABLES];
} BitloopLane;

BITLOOP_INLINE void bitloop_gather(BitloopReal *values, const double *rows, uint32_t n,
                                   const BitloopBatch *batch, uint32_t lane) {
    BITLOOP_UNROLL
    for (uint32_t i = 0; i < n; i++) {
        memcpy(&values[i], &rows[(size_t)i * batch->stride + lane], sizeof values[i]);
    }
}

BITLOOP_INLINE void bitloop_scatter(double *rows, const BitloopReal *values, uint32_t n,
                                    const BitloopBatch *batch, uint32_t lane) {
    BITLOOP_UNROLL
    for (uint32_t i = 0; i < n; i++) {
        memcpy(&rows[(size_t)i * batch->stride + lane], &values[i], sizeof values[i]);
    }
}

BITLOOP_INLINE void bitloop_gather_lane(BitloopLane *block, const BitloopDescription *plant,
                                        const BitloopBatch *batch, uint32_t lane) {
    bitloop_gather(block->x, batch->state, plant->n_states, batch, lane);
    bitloop_gather(block->u, batch->control, plant->n_controls, batch, lane);
    bitloop_gather(block->p, batch->parameters, plant->n_parameters, batch, lane);
}

BITLOOP_INLINE void bitloop_euler(const BitloopDescription *plant,
                                  const BitloopEquations *equations, const BitloopMath *math,
                                  double t_s, double h, BitloopLane *lane) {
    BitloopReal dx[BITLOOP_MAX_VARIABLES];
    const BitloopReal step_s = bitloop_splat(h);
    equations->derivative(math, t_s, lane->x, lane->u, lane->p, dx);
    BITLOOP_UNROLL
    for (uint32_t i = 0; i < plant->n_states; i++) {
        lane->x[i] = bitloop_fma(math, dx[i], step_s, lane->x[i]);
    }
}

BITLOOP_INLINE void bitloop_semi_implicit_euler(const BitloopDescription *plant,
                                                const BitloopEquations *equations,
                                                const BitloopMath *math, double t_s, double h,
                                                BitloopLane *lane) {
    BitloopReal dx[BITLOOP_MAX_VARIABLES];
    BitloopReal *x = lane->x;
    const BitloopReal step_s = bitloop_splat(h);
    equations->derivative(math, t_s, x, lane->u, lane->p, dx);
    BITLOOP_UNROLL
    for (uint32_t i = 0; i < plant->n_states; i++) {
        if (equations->rate_of[i] < 0) x[i] = bitloop_fma(math, dx[i], step_s, x[i]);
    }
    /* Positions last: they move with the rates just advanced. */
    BITLOOP_UNROLL
    for (uint32_t i = 0; i < plant->n_states; i++) {
        if (equations->rate_of[i] >= 0) {
            x[i] = bitloop_fma(math, x[equations->rate_of[i]], step_s, x[i]);
        }
    }
}

BITLOOP_INLINE void bitloop_runge_kutta_4(const BitloopDescription *plant,
                                          const BitloopEquations *equations,
                                          const BitloopMath *math, double t_s, double h,
                                          BitloopLane *lane) {
    BitloopReal slope[BITLOOP_MAX_VARIABLES], sum[BITLOOP_MAX_VARIABLES], at[BITLOOP_MAX_VARIABLES];
    const BitloopReal two = bitloop_splat(2.0), half = bitloop_splat(0.5 * h);
    const BitloopReal whole = bitloop_splat(h), sixth = bitloop_splat(h / 6.0);
    const uint32_t n = plant->n_states;
    BitloopReal *x = lane->x;
    equations->derivative(math, t_s, x, lane->u, lane->p, slope);
    BITLOOP_UNROLL
    for (uint32_t i = 0; i < n; i++) {
        sum[i] = slope[i];
        at[i] = bitloop_fma(math, slope[i], half, x[i]);
    }
    equations->derivative(math, t_s + 0.5 * h, at, lane->u, lane->p, slope);
    BITLOOP_UNROLL
    for (uint32_t i = 0; i < n; i++) {
        sum[i] = bitloop_fma(math, slope[i], two, sum[i]);
        at[i] = bitloop_fma(math, slope[i], half, x[i]);
    }
    equations->derivative(math, t_s + 0.5 * h, at, lane->u, lane->p, slope);
    BITLOOP_UNROLL
    for (uint32_t i = 0; i < n; i++) {
        sum[i] = bitloop_fma(math, slope[i], two, sum[i]);
        at[i] = bitloop_fma(math, slope[i], whole, x[i]);
    }
    equations->derivative(math, t_s + h, at, lane->u, lane->p, slope);
    BITLOOP_UNROLL
    for (uint32_t i = 0; i < n; i++) {
        x[i] = bitloop_fma(math, sum[i] + slope[i], sixth, x[i]);
    }
}

/* Whether the equations hold what a method needs. Its code is left out where they do not. */
BITLOOP_INLINE int bitloop_can_integrate(const BitloopEquations *equations, uint32_t integrator) {
    switch (integrator) {
    case BITLOOP_INTEGRATOR_PLANT_STEP:
        return equations->step != NULL;
    case BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER:
        return equations->derivative != NULL && equations->rate_of != NULL;
    default:
        return equations->derivative != NULL;
    }
}

/* What is wrong with the array rate_of, or NULL: a rate is one of the states, and no position itself. */
BITLOOP_INLINE const char *bitloop_rates_fault(const BitloopDescription *plant,
                                               const BitloopEquations *equations) {
    int has_rate = 0;
    for (uint32_t i = 0; i < plant->n_states; i++) {
        const int32_t rate = equations->rate_of[i];
        if (rate < 0) continue;
        has_rate = 1;
        if ((uint32_t)rate >= plant->n_states) return "rate_of names a state that there is not";
        if (equations->rate_of[rate] >= 0) return "rate_of names a state that has a rate itself";
    }
    return has_rate ? NULL : "SemiImplicitEuler is listed, but rate_of names no rate";
}

/* One integration step of the method that the batch asks for. */
BITLOOP_INLINE void bitloop_step(const BitloopDescription *plant, const BitloopEquations *equations,
                                 const BitloopMath *math, uint32_t integrator, double t_s, double h,
                                 BitloopLane *lane) {
    if (!bitloop_can_integrate(equations, integrator)) return;
    switch (integrator) {
    case BITLOOP_INTEGRATOR_EULER:
        bitloop_euler(plant, equations, math, t_s, h, lane);
        break;
    case BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER:
        bitloop_semi_implicit_euler(plant, equations, math, t_s, h, lane);
        break;
    case BITLOOP_INTEGRATOR_RUNGE_KUTTA_4:
        bitloop_runge_kutta_4(plant, equations, math, t_s, h, lane);
        break;
    default:
        equations->step(math, t_s, h, lane->x, lane->u, lane->p);
    }
}

/* Where lanes end: at a cost that is negative or NaN, or in the failure set. */
BITLOOP_INLINE BitloopMask bitloop_ends(const BitloopEquations *equations, const BitloopMath *math,
                                        double t_s, const BitloopLane *lane, BitloopReal cost) {
    const BitloopMask is_legal = cost >= bitloop_splat(0.0);
    if (equations->failed == NULL) return bitloop_not(is_legal);
    /* Over plain numbers, any int but 0 is true. */
    return bitloop_not(is_legal) |
           bitloop_not(bitloop_not(equations->failed(math, t_s, lane->x, lane->p)));
}

/*
 * Takes a block from its state in the batch, after `done` steps of the call, to the end of the call. Lanes that end are
 * recorded and held still. Where `done` is not 0, the cost of that step is still to be added.
 */
BITLOOP_INLINE void bitloop_finish(const BitloopDescription *plant,
                                   const BitloopEquations *equations, BitloopBatch *batch,
                                   uint32_t integrator, uint32_t first_lane, uint32_t done) {
    const BitloopMath *math = batch->math;
    const double h = batch->step_s;
    BitloopLane lane;
    BitloopReal before[BITLOOP_MAX_VARIABLES], cost;
    BitloopMask ended = bitloop_not(bitloop_splat(0.0) >= bitloop_splat(0.0));
    bitloop_gather_lane(&lane, plant, batch, first_lane);
    bitloop_gather(&cost, batch->cost, 1, batch, first_lane);
    for (;; done++) {
        if (done > 0) {
            const double t_s = (double)(batch->tick + done) * h;
            const BitloopReal stage_cost_now =
                equations->stage_cost(math, t_s, lane.x, lane.u, lane.p);
            const BitloopMask ends = bitloop_ends(equations, math, t_s, &lane, stage_cost_now) &
                                     bitloop_not(ended);
            if (bitloop_any(ends)) {
                for (uint32_t k = 0; k < BITLOOP_LANES; k++) {
                    if (!bitloop_mask_lane(ends, k)) continue;
                    batch->end_step[first_lane + k] = done;
                    batch->end_cost[first_lane + k] = bitloop_lane(stage_cost_now, k);
                }
                ended = ended | ends;
            }
            if (batch->counts_cost) cost = bitloop_select(ended, cost, cost + stage_cost_now);
        }
        if (done == batch->n_steps || !bitloop_any(bitloop_not(ended))) break;
        for (uint32_t i = 0; i < plant->n_states; i++) before[i] = lane.x[i];
        bitloop_step(plant, equations, math, integrator, (double)(batch->tick + done) * h, h, &lane);
        for (uint32_t i = 0; i < plant->n_states; i++) {
            lane.x[i] = bitloop_select(ended, before[i], lane.x[i]);
        }
    }
    bitloop_scatter(batch->state, lane.x, plant->n_states, batch, first_lane);
    bitloop_scatter(batch->cost, &cost, 1, batch, first_lane);
}

/*
 * Advances BITLOOP_BLOCKS blocks together, as long as no lane ends, and writes them to the batch. Returns the steps taken;
 * if a lane ended, the cost of the last of them is not added.
 */
BITLOOP_INLINE uint32_t bitloop_run(const BitloopDescription *plant,
                                    const BitloopEquations *equations, BitloopBatch *batch,
                                    uint32_t integrator, uint32_t first_lane, int *has_ended) {
    const BitloopMath *math = batch->math;
    const double h = batch->step_s;
    const uint64_t tick = batch->tick;
    const uint32_t n_steps = batch->n_steps, counts_cost = batch->counts_cost;
    BitloopLane lanes[BITLOOP_BLOCKS];
    BitloopReal costs[BITLOOP_BLOCKS], now[BITLOOP_BLOCKS];
    uint32_t done = 0;
    BITLOOP_UNROLL
    for (uint32_t b = 0; b < BITLOOP_BLOCKS; b++) {
        bitloop_gather_lane(&lanes[b], plant, batch, first_lane + b * BITLOOP_LANES);
        bitloop_gather(&costs[b], batch->cost, 1, batch, first_lane + b * BITLOOP_LANES);
    }
    *has_ended = 0;
    while (done < n_steps && !*has_ended) {
        const double before_s = (double)(tick + done) * h;
        const double t_s = (double)(tick + ++done) * h;
        BITLOOP_UNROLL
        for (uint32_t b = 0; b < BITLOOP_BLOCKS; b++) {
            bitloop_step(plant, equations, math, integrator, before_s, h, &lanes[b]);
            now[b] = equations->stage_cost(math, t_s, lanes[b].x, lanes[b].u, lanes[b].p);
            *has_ended |= bitloop_any(bitloop_ends(equations, math, t_s, &lanes[b], now[b]));
        }
        if (*has_ended || !counts_cost) continue;
        BITLOOP_UNROLL
        for (uint32_t b = 0; b < BITLOOP_BLOCKS; b++) costs[b] = costs[b] + now[b];
    }
    BITLOOP_UNROLL
    for (uint32_t b = 0; b < BITLOOP_BLOCKS; b++) {
        const uint32_t lane = first_lane + b * BITLOOP_LANES;
        bitloop_scatter(batch->state, lanes[b].x, plant->n_states, batch, lane);
        bitloop_scatter(batch->cost, &costs[b], 1, batch, lane);
    }
    return done;
}

/* The same for each integrator apart, so that the loop over steps is compiled without the others. */
BITLOOP_INLINE uint32_t bitloop_run_integrator(const BitloopDescription *plant,
                                               const BitloopEquations *equations,
                                               BitloopBatch *batch, uint32_t first_lane,
                                               int *has_ended) {
    switch (batch->integrator) {
    case BITLOOP_INTEGRATOR_EULER:
        return bitloop_run(plant, equations, batch, BITLOOP_INTEGRATOR_EULER, first_lane,
                           has_ended);
    case BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER:
        return bitloop_run(plant, equations, batch, BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER,
                           first_lane, has_ended);
    case BITLOOP_INTEGRATOR_RUNGE_KUTTA_4:
        return bitloop_run(plant, equations, batch, BITLOOP_INTEGRATOR_RUNGE_KUTTA_4, first_lane,
                           has_ended);
    default:
        return bitloop_run(plant, equations, batch, BITLOOP_INTEGRATOR_PLANT_STEP, first_lane,
                           has_ended);
    }
}

/* Lanes first_lane..end_lane, whole blocks. */
BITLOOP_INLINE int32_t bitloop_advance_lanes(const BitloopDescription *plant,
                                             const BitloopEquations *equations, BitloopBatch *batch,
                                             uint32_t first_lane, uint32_t end_lane) {
    int is_known = 0;
    if (batch->struct_size < sizeof(BitloopBatch)) return BITLOOP_STATUS_BAD_CALL;
    for (uint32_t i = 0; i < plant->n_integrators; i++) {
        is_known |= plant->integrators[i] == batch->integrator;
    }
    if (!is_known) return bitloop_refuse(batch, "unknown integrator");
    if (!bitloop_can_integrate(equations, batch->integrator)) {
        return bitloop_refuse(batch, "the equations lack what the integrator needs");
    }
    if (batch->integrator == BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER) {
        const char *fault = bitloop_rates_fault(plant, equations);
        if (fault != NULL) return bitloop_refuse(batch, fault);
    }
    while (first_lane < end_lane) {
        uint32_t n_blocks = 1, done = 0;
        int has_ended = 1;
        if (first_lane + BITLOOP_BLOCKS * BITLOOP_LANES <= end_lane) {
            n_blocks = BITLOOP_BLOCKS;
            done = bitloop_run_integrator(plant, equations, batch, first_lane, &has_ended);
        }
        for (uint32_t b = 0; b < n_blocks; b++, first_lane += BITLOOP_LANES) {
            if (!has_ended) continue;
            bitloop_finish(plant, equations, batch, batch->integrator, first_lane, done);
        }
    }
    return BITLOOP_STATUS_OK;
}

BITLOOP_INLINE int32_t bitloop_observe_lanes(const BitloopDescription *plant,
                                             const BitloopEquations *equations, BitloopBatch *batch,
                                             uint32_t first_lane, uint32_t end_lane) {
    const double t_s = (double)batch->tick * batch->step_s;
    BitloopReal x[BITLOOP_MAX_VARIABLES], p[BITLOOP_MAX_VARIABLES], y[BITLOOP_MAX_VARIABLES];
    for (uint32_t k = first_lane; k < end_lane; k += BITLOOP_LANES) {
        const BitloopReal *seen = x;
        bitloop_gather(x, batch->state, plant->n_states, batch, k);
        if (equations->observe != NULL) {
            bitloop_gather(p, batch->parameters, plant->n_parameters, batch, k);
            equations->observe(batch->math, t_s, x, p, y);
            seen = y;
        }
        bitloop_scatter(batch->observation, seen, plant->n_observations, batch, k);
    }
    return BITLOOP_STATUS_OK;
}

BITLOOP_INLINE int32_t bitloop_terminal_cost_lanes(const BitloopDescription *plant,
                                                   const BitloopEquations *equations,
                                                   BitloopBatch *batch, uint32_t first_lane,
                                                   uint32_t end_lane) {
    BitloopReal x[BITLOOP_MAX_VARIABLES], p[BITLOOP_MAX_VARIABLES];
    for (uint32_t k = first_lane; k < end_lane; k += BITLOOP_LANES) {
        BitloopReal cost = bitloop_splat(0.0);
        if (equations->terminal_cost != NULL) {
            bitloop_gather(x, batch->state, plant->n_states, batch, k);
            bitloop_gather(p, batch->parameters, plant->n_parameters, batch, k);
            cost = equations->terminal_cost(batch->math, x, p);
        }
        bitloop_scatter(batch->end_cost, &cost, 1, batch, k);
    }
    return BITLOOP_STATUS_OK;
}

BITLOOP_INLINE int32_t bitloop_failure_cost_lanes(const BitloopDescription *plant,
                                                  const BitloopEquations *equations,
                                                  BitloopBatch *batch, uint32_t first_lane,
                                                  uint32_t end_lane) {
    BitloopReal p[BITLOOP_MAX_VARIABLES];
    for (uint32_t k = first_lane; k < end_lane; k += BITLOOP_LANES) {
        BitloopReal cost = bitloop_splat(0.0);
        if (equations->failure_cost != NULL) {
            bitloop_gather(p, batch->parameters, plant->n_parameters, batch, k);
            cost = equations->failure_cost(batch->math, p);
        }
        bitloop_scatter(batch->end_cost, &cost, 1, batch, k);
    }
    return BITLOOP_STATUS_OK;
}
