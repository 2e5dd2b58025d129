/*
 * A plant whose equations are compiled for vectors, at the speed of a plant written in Rust. C99 or C++.
 *
 * The equations are a file of their own, written once over BitloopReal: a vector of lanes, each a different episode. It is
 * compiled for plain numbers, for AVX2 and for AVX-512, and the host chooses at run time. All give the same bits. The file with
 * the description ends like this:
 *
 *     #define BITLOOP_DESCRIPTION description
 *     #define BITLOOP_PICTURE picture
 *     #define BITLOOP_EQUATIONS "equations.h"
 *     #include "bitloop_vectors.h"
 *
 * which exports the plant; BITLOOP_PICTURE is left out for a plant without a picture, and the compiler needs -I for the folder of equations.h. That file defines some of the functions
 * derivative, step, observe, stage_cost, terminal_cost, failed, failure_cost and the array rate_of, all static and under
 * these names, and last
 *
 *     static const BitloopEquations equations = {...};
 *
 * (see bitloop_loops.h for what each of them is). In it,
 *
 *   - arithmetic is + - * / on BitloopReal, also with one plain number; a plain number alone becomes one by
 *     bitloop_splat(number);
 *   - there is no `if` on values: comparisons give a BitloopMask, masks combine by & | and bitloop_not(mask), and
 *     bitloop_select(mask, a, b) chooses;
 *   - functions are bitloop_fma, bitloop_sqrt, bitloop_abs, bitloop_min, bitloop_max, and, of the host, bitloop_sin,
 *     bitloop_cos, bitloop_sin_cos, bitloop_tan, bitloop_atan2, bitloop_exp, bitloop_expm1, bitloop_ln, bitloop_pow,
 *     bitloop_tanh, bitloop_logistic: all but bitloop_abs, bitloop_min and bitloop_max take `math` first;
 *   - bitloop_min and bitloop_max answer their second argument where either is NaN, so that what is held to a range and may
 *     be NaN stands last: bitloop_max(low, bitloop_min(high, x)). `plant check` refuses plants that hide a NaN;
 *   - what may be there only once (enums, constants) is in the file with the description; a function NAME of your own is
 *     preceded by
 *
 *         #define NAME BITLOOP_OWN(NAME)
 *
 * plants/inverted-pendulum-c of bitloop is a whole example. A compiler without the vector extensions of GCC and Clang, or
 * another processor than x86-64, compiles the equations for plain numbers alone, and says so; so does
 * BITLOOP_WITHOUT_VECTORS. With a host that lends no functions over vectors the plant computes plain numbers too.
 */
#ifndef BITLOOP_VECTORS_H
#define BITLOOP_VECTORS_H

#include "bitloop_equations.h"

#if !defined(BITLOOP_DESCRIPTION) || !defined(BITLOOP_EQUATIONS)
#error "define BITLOOP_DESCRIPTION and BITLOOP_EQUATIONS before bitloop_vectors.h is included: it says how"
#endif

#if !defined(BITLOOP_WITHOUT_VECTORS) && defined(__GNUC__) && defined(__x86_64__)
#define BITLOOP_HAS_VECTORS 1
#include <immintrin.h>
#else
#define BITLOOP_HAS_VECTORS 0
#ifdef __GNUC__
#pragma message("bitloop: compiled without vectors, so that this plant computes one lane at a time")
#elif defined(_MSC_VER)
#pragma message("bitloop: compiled without vectors, so that this plant computes one lane at a time")
#else
#warning "bitloop: compiled without vectors, so that this plant computes one lane at a time"
#endif
#endif

/* Products and sums are fused by bitloop_fma alone: other bits with other instruction sets otherwise. */
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-ipa-cp", "no-ipa-sra")
#endif

#ifdef BITLOOP_PICTURE
BITLOOP_PICTURE_FUNCTION(BITLOOP_PICTURE)
#define BITLOOP_PARTS bitloop_optional_part_it
#else
#define BITLOOP_PARTS NULL
#endif

#define BITLOOP_JOIN(name, pass) name##_##pass
#define BITLOOP_JOIN_EXPANDED(name, pass) BITLOOP_JOIN(name, pass)
#define BITLOOP_OWN(name) BITLOOP_JOIN_EXPANDED(name, BITLOOP_PASS)

/* For plain numbers: as in bitloop_equations.h. */
#define BITLOOP_PASS scalar
#include BITLOOP_EQUATIONS
BITLOOP_SCALAR_FUNCTIONS(BITLOOP_DESCRIPTION, equations)
#undef BITLOOP_PASS

#if BITLOOP_HAS_VECTORS

/* Lanes of an AVX-512 batch that fill no vector are computed by AVX2. */
#define BITLOOP_PASS avx2
#define BITLOOP_LANES 4
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#include "bitloop_pass.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef BITLOOP_LANES
#undef BITLOOP_PASS

#define BITLOOP_PASS avx512
#define BITLOOP_LANES 8
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma"))),        \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx2,fma")
#endif
#include "bitloop_pass.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef BITLOOP_LANES
#undef BITLOOP_PASS

/* The instruction set to compute a batch with. A host of before vectors lends a shorter table of functions. */
static inline uint32_t bitloop_isa_of(const BitloopBatch *batch) {
    return batch->math->struct_size >= sizeof(BitloopMath) ? batch->isa : 0;
}

/* A function of the batch, by the instruction set that the host runs with. */
#define BITLOOP_BY_ISA(function)                                                                   \
    static int32_t bitloop_##function##_by_isa(BitloopBatch *batch) {                              \
        const uint32_t n_lanes = batch->n_lanes;                                                   \
        const uint32_t n_whole = n_lanes / 8 * 8;                                                  \
        int32_t status;                                                                            \
        switch (bitloop_isa_of(batch)) {                                                           \
        case 0:                                                                                    \
            return bitloop_##function##_it(batch);                                                 \
        case 1:                                                                                    \
            return bitloop_##function##_it_avx2(batch, 0, n_lanes);                                \
        default:                                                                                   \
            status = bitloop_##function##_it_avx512(batch, 0, n_whole);                            \
            if (status != BITLOOP_STATUS_OK || n_whole == n_lanes) return status;                  \
            return bitloop_##function##_it_avx2(batch, n_whole, n_lanes);                          \
        }                                                                                          \
    }
BITLOOP_BY_ISA(advance)
BITLOOP_BY_ISA(observe)
BITLOOP_BY_ISA(terminal_cost)
BITLOOP_BY_ISA(failure_cost)
#undef BITLOOP_BY_ISA

BITLOOP_EXPORT_PLANT(BITLOOP_DESCRIPTION,
                     BITLOOP_CAPABILITY_PORTABLE | BITLOOP_CAPABILITY_AVX2 |
                         BITLOOP_CAPABILITY_AVX512,
                     BITLOOP_PARTS,
                     bitloop_advance_by_isa, bitloop_observe_by_isa, bitloop_terminal_cost_by_isa,
                     bitloop_failure_cost_by_isa)

#else

BITLOOP_EXPORT_PLANT(BITLOOP_DESCRIPTION,
                     BITLOOP_CAPABILITY_PORTABLE | BITLOOP_CAPABILITY_LANE_BY_LANE,
                     BITLOOP_PARTS,
                     bitloop_advance_it, bitloop_observe_it, bitloop_terminal_cost_it,
                     bitloop_failure_cost_it)

#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif /* BITLOOP_VECTORS_H */
