/*
 * The equations for the vectors of one instruction set: BITLOOP_LANES lanes, under names that end in BITLOOP_PASS. Included by
 * bitloop_vectors.h once per instruction set; plants do not include it. C99 or C++.
 */

/* C has no templates: every name of this pass becomes another one. */
#define BitloopReal BITLOOP_OWN(BitloopReal)
#define BitloopMask BITLOOP_OWN(BitloopMask)
#define BitloopEquations BITLOOP_OWN(BitloopEquations)
#define BitloopLane BITLOOP_OWN(BitloopLane)
#define bitloop_splat BITLOOP_OWN(bitloop_splat)
#define bitloop_select BITLOOP_OWN(bitloop_select)
#define bitloop_not BITLOOP_OWN(bitloop_not)
#define bitloop_any BITLOOP_OWN(bitloop_any)
#define bitloop_mask_lane BITLOOP_OWN(bitloop_mask_lane)
#define bitloop_lane BITLOOP_OWN(bitloop_lane)
#define bitloop_fma BITLOOP_OWN(bitloop_fma)
#define bitloop_sqrt BITLOOP_OWN(bitloop_sqrt)
#define bitloop_abs BITLOOP_OWN(bitloop_abs)
#define bitloop_min BITLOOP_OWN(bitloop_min)
#define bitloop_max BITLOOP_OWN(bitloop_max)
#define bitloop_sin BITLOOP_OWN(bitloop_sin)
#define bitloop_cos BITLOOP_OWN(bitloop_cos)
#define bitloop_sin_cos BITLOOP_OWN(bitloop_sin_cos)
#define bitloop_tan BITLOOP_OWN(bitloop_tan)
#define bitloop_atan2 BITLOOP_OWN(bitloop_atan2)
#define bitloop_exp BITLOOP_OWN(bitloop_exp)
#define bitloop_expm1 BITLOOP_OWN(bitloop_expm1)
#define bitloop_ln BITLOOP_OWN(bitloop_ln)
#define bitloop_pow BITLOOP_OWN(bitloop_pow)
#define bitloop_tanh BITLOOP_OWN(bitloop_tanh)
#define bitloop_logistic BITLOOP_OWN(bitloop_logistic)
#define bitloop_gather BITLOOP_OWN(bitloop_gather)
#define bitloop_scatter BITLOOP_OWN(bitloop_scatter)
#define bitloop_gather_lane BITLOOP_OWN(bitloop_gather_lane)
#define bitloop_euler BITLOOP_OWN(bitloop_euler)
#define bitloop_semi_implicit_euler BITLOOP_OWN(bitloop_semi_implicit_euler)
#define bitloop_runge_kutta_4 BITLOOP_OWN(bitloop_runge_kutta_4)
#define bitloop_can_integrate BITLOOP_OWN(bitloop_can_integrate)
#define bitloop_rates_fault BITLOOP_OWN(bitloop_rates_fault)
#define bitloop_step BITLOOP_OWN(bitloop_step)
#define bitloop_ends BITLOOP_OWN(bitloop_ends)
#define bitloop_finish BITLOOP_OWN(bitloop_finish)
#define bitloop_run BITLOOP_OWN(bitloop_run)
#define bitloop_run_integrator BITLOOP_OWN(bitloop_run_integrator)
#define bitloop_advance_lanes BITLOOP_OWN(bitloop_advance_lanes)
#define bitloop_observe_lanes BITLOOP_OWN(bitloop_observe_lanes)
#define bitloop_terminal_cost_lanes BITLOOP_OWN(bitloop_terminal_cost_lanes)
#define bitloop_failure_cost_lanes BITLOOP_OWN(bitloop_failure_cost_lanes)
#define bitloop_advance_it BITLOOP_OWN(bitloop_advance_it)
#define bitloop_observe_it BITLOOP_OWN(bitloop_observe_it)
#define bitloop_terminal_cost_it BITLOOP_OWN(bitloop_terminal_cost_it)
#define bitloop_failure_cost_it BITLOOP_OWN(bitloop_failure_cost_it)
#define derivative BITLOOP_OWN(derivative)
#define step BITLOOP_OWN(step)
#define rate_of BITLOOP_OWN(rate_of)
#define observe BITLOOP_OWN(observe)
#define stage_cost BITLOOP_OWN(stage_cost)
#define terminal_cost BITLOOP_OWN(terminal_cost)
#define failed BITLOOP_OWN(failed)
#define failure_cost BITLOOP_OWN(failure_cost)
#define equations BITLOOP_OWN(equations)

/* A vector, and a truth value per lane: all bits of a lane, or none. */
typedef double BitloopReal __attribute__((vector_size(8 * BITLOOP_LANES)));
typedef int64_t BitloopMask __attribute__((vector_size(8 * BITLOOP_LANES)));

/* `number` in every lane. */
BITLOOP_INLINE BitloopReal bitloop_splat(double number) {
#if BITLOOP_LANES == 8
    return (BitloopReal)_mm512_set1_pd(number);
#else
    return (BitloopReal)_mm256_set1_pd(number);
#endif
}

/* `if_true` where the mask holds, else `if_false`. */
BITLOOP_INLINE BitloopReal bitloop_select(BitloopMask mask, BitloopReal if_true,
                                          BitloopReal if_false) {
    return (BitloopReal)((mask & (BitloopMask)if_true) | (~mask & (BitloopMask)if_false));
}

BITLOOP_INLINE BitloopMask bitloop_not(BitloopMask mask) { return ~mask; }

/* Whether the mask holds in any lane. */
BITLOOP_INLINE int bitloop_any(BitloopMask mask) {
#if BITLOOP_LANES == 8
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#else
    return _mm256_movemask_pd((__m256d)mask) != 0;
#endif
}

BITLOOP_INLINE int bitloop_mask_lane(BitloopMask mask, uint32_t lane) { return mask[lane] != 0; }

BITLOOP_INLINE double bitloop_lane(BitloopReal value, uint32_t lane) { return value[lane]; }

/* a * b + c, rounded once: what Rust calls mul_add. */
BITLOOP_INLINE BitloopReal bitloop_fma(const BitloopMath *math, BitloopReal a, BitloopReal b,
                                       BitloopReal c) {
    (void)math;
#if BITLOOP_LANES == 8
    return (BitloopReal)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#else
    return (BitloopReal)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#endif
}

BITLOOP_INLINE BitloopReal bitloop_sqrt(const BitloopMath *math, BitloopReal x) {
    (void)math;
#if BITLOOP_LANES == 8
    return (BitloopReal)_mm512_sqrt_pd((__m512d)x);
#else
    return (BitloopReal)_mm256_sqrt_pd((__m256d)x);
#endif
}

BITLOOP_INLINE BitloopReal bitloop_abs(BitloopReal x) {
    return (BitloopReal)((BitloopMask)x & INT64_MAX);
}

/* The smaller of both; `b` where they are equal or either is NaN. */
BITLOOP_INLINE BitloopReal bitloop_min(BitloopReal a, BitloopReal b) {
    return bitloop_select(a < b, a, b);
}

/* The larger of both; `b` where they are equal or either is NaN. */
BITLOOP_INLINE BitloopReal bitloop_max(BitloopReal a, BitloopReal b) {
    return bitloop_select(a > b, a, b);
}

/* Functions of the host. */
BITLOOP_INLINE BitloopReal bitloop_sin(const BitloopMath *math, BitloopReal x) {
    BitloopReal y;
    math->vectors->sin((const double *)&x, (double *)&y, BITLOOP_LANES);
    return y;
}
BITLOOP_INLINE BitloopReal bitloop_cos(const BitloopMath *math, BitloopReal x) {
    BitloopReal y;
    math->vectors->cos((const double *)&x, (double *)&y, BITLOOP_LANES);
    return y;
}
BITLOOP_INLINE BitloopReal bitloop_tan(const BitloopMath *math, BitloopReal x) {
    BitloopReal y;
    math->vectors->tan((const double *)&x, (double *)&y, BITLOOP_LANES);
    return y;
}
BITLOOP_INLINE BitloopReal bitloop_exp(const BitloopMath *math, BitloopReal x) {
    BitloopReal y;
    math->vectors->exp((const double *)&x, (double *)&y, BITLOOP_LANES);
    return y;
}
BITLOOP_INLINE BitloopReal bitloop_expm1(const BitloopMath *math, BitloopReal x) {
    BitloopReal y;
    math->vectors->expm1((const double *)&x, (double *)&y, BITLOOP_LANES);
    return y;
}
BITLOOP_INLINE BitloopReal bitloop_ln(const BitloopMath *math, BitloopReal x) {
    BitloopReal y;
    math->vectors->ln((const double *)&x, (double *)&y, BITLOOP_LANES);
    return y;
}
BITLOOP_INLINE BitloopReal bitloop_tanh(const BitloopMath *math, BitloopReal x) {
    BitloopReal y;
    math->vectors->tanh((const double *)&x, (double *)&y, BITLOOP_LANES);
    return y;
}
BITLOOP_INLINE BitloopReal bitloop_logistic(const BitloopMath *math, BitloopReal x) {
    BitloopReal y;
    math->vectors->logistic((const double *)&x, (double *)&y, BITLOOP_LANES);
    return y;
}
BITLOOP_INLINE BitloopReal bitloop_atan2(const BitloopMath *math, BitloopReal y, BitloopReal x) {
    BitloopReal result;
    math->vectors->atan2((const double *)&y, (const double *)&x, (double *)&result, BITLOOP_LANES);
    return result;
}
BITLOOP_INLINE BitloopReal bitloop_pow(const BitloopMath *math, BitloopReal base, BitloopReal exponent) {
    BitloopReal result;
    math->vectors->pow((const double *)&base, (const double *)&exponent, (double *)&result, BITLOOP_LANES);
    return result;
}
BITLOOP_INLINE void bitloop_sin_cos(const BitloopMath *math, BitloopReal x, BitloopReal *sine,
                                    BitloopReal *cosine) {
    BitloopReal s, c;
    math->vectors->sin_cos((const double *)&x, (double *)&s, (double *)&c, BITLOOP_LANES);
    *sine = s;
    *cosine = c;
}

#define BITLOOP_BLOCKS 2
#include "bitloop_loops.h"
#include BITLOOP_EQUATIONS
#undef BITLOOP_BLOCKS

static __attribute__((flatten)) int32_t bitloop_advance_it(BitloopBatch *batch, uint32_t first_lane,
                                                        uint32_t end_lane) {
    return bitloop_advance_lanes(&BITLOOP_DESCRIPTION, &equations, batch, first_lane, end_lane);
}

static __attribute__((flatten)) int32_t bitloop_observe_it(BitloopBatch *batch, uint32_t first_lane,
                                                        uint32_t end_lane) {
    return bitloop_observe_lanes(&BITLOOP_DESCRIPTION, &equations, batch, first_lane, end_lane);
}

static __attribute__((flatten)) int32_t bitloop_terminal_cost_it(BitloopBatch *batch, uint32_t first_lane,
                                                        uint32_t end_lane) {
    return bitloop_terminal_cost_lanes(&BITLOOP_DESCRIPTION, &equations, batch, first_lane, end_lane);
}

static __attribute__((flatten)) int32_t bitloop_failure_cost_it(BitloopBatch *batch, uint32_t first_lane,
                                                        uint32_t end_lane) {
    return bitloop_failure_cost_lanes(&BITLOOP_DESCRIPTION, &equations, batch, first_lane, end_lane);
}

#undef BitloopReal
#undef BitloopMask
#undef BitloopEquations
#undef BitloopLane
#undef bitloop_splat
#undef bitloop_select
#undef bitloop_not
#undef bitloop_any
#undef bitloop_mask_lane
#undef bitloop_lane
#undef bitloop_fma
#undef bitloop_sqrt
#undef bitloop_abs
#undef bitloop_min
#undef bitloop_max
#undef bitloop_sin
#undef bitloop_cos
#undef bitloop_sin_cos
#undef bitloop_tan
#undef bitloop_atan2
#undef bitloop_exp
#undef bitloop_expm1
#undef bitloop_ln
#undef bitloop_pow
#undef bitloop_tanh
#undef bitloop_logistic
#undef bitloop_gather
#undef bitloop_scatter
#undef bitloop_gather_lane
#undef bitloop_euler
#undef bitloop_semi_implicit_euler
#undef bitloop_runge_kutta_4
#undef bitloop_can_integrate
#undef bitloop_rates_fault
#undef bitloop_step
#undef bitloop_ends
#undef bitloop_finish
#undef bitloop_run
#undef bitloop_run_integrator
#undef bitloop_advance_lanes
#undef bitloop_observe_lanes
#undef bitloop_terminal_cost_lanes
#undef bitloop_failure_cost_lanes
#undef bitloop_advance_it
#undef bitloop_observe_it
#undef bitloop_terminal_cost_it
#undef bitloop_failure_cost_it
#undef derivative
#undef step
#undef rate_of
#undef observe
#undef stage_cost
#undef terminal_cost
#undef failed
#undef failure_cost
#undef equations
