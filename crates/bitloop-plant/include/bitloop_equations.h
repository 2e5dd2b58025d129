/*
 * A plant out of plain C functions: the equations of one lane become the functions of a batch. C99 or C++.
 *
 * Write the equations, a BitloopDescription, a BitloopEquations (see bitloop_loops.h), and last
 *
 *     BITLOOP_PLANT(description, equations)
 *
 * which exports the plant. Integrators and sums are those of a plant written in Rust, to the last bit. Lanes are computed one
 * after the other: this is the way for equations that branch wildly. All others are several times faster by
 * bitloop_vectors.h, which compiles the same equations for vectors. A plant with structural parameters fills in a
 * BitloopDescriptor by itself.
 *
 * Take elementary functions from `math`, never from <math.h>, whose bits change with the machine.
 */
#ifndef BITLOOP_EQUATIONS_H
#define BITLOOP_EQUATIONS_H

#include <math.h> /* INFINITY */
#include <stddef.h>
#include <string.h>

#include "bitloop_plant.h"

/* A variable without bounds, centered at 0 with scale 1, which starts at 0. */
#define BITLOOP_VARIABLE(name, unit) {(name), (unit), -INFINITY, INFINITY, 0.0, 1.0, 0.0}

/* The number of elements of an array. */
#define BITLOOP_COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* A number, and a truth value: in the vector way there is one per lane. */
typedef double BitloopReal;
typedef int BitloopMask;

/* a * b + c, rounded once: what Rust calls mul_add. */
static inline double bitloop_fma(const BitloopMath *math, double a, double b, double c) {
#ifdef __FMA__
    (void)math;
    return __builtin_fma(a, b, c);
#else
    return math->fma(a, b, c);
#endif
}

/* The functions of bitloop_vectors.h on one number, so that equations written for vectors also compile for numbers. */
static inline double bitloop_splat(double number) { return number; }
static inline double bitloop_select(int mask, double if_true, double if_false) {
    return mask ? if_true : if_false;
}
static inline int bitloop_not(int mask) { return !mask; }
static inline int bitloop_any(int mask) { return mask != 0; }
static inline int bitloop_mask_lane(int mask, uint32_t lane) { return (void)lane, mask != 0; }
static inline double bitloop_lane(double number, uint32_t lane) { return (void)lane, number; }
static inline double bitloop_abs(double x) { return fabs(x); }
static inline double bitloop_min(double a, double b) { return a < b ? a : b; }
static inline double bitloop_max(double a, double b) { return a > b ? a : b; }
static inline double bitloop_sqrt(const BitloopMath *math, double x) { return math->sqrt(x); }
static inline double bitloop_sin(const BitloopMath *math, double x) { return math->sin(x); }
static inline double bitloop_cos(const BitloopMath *math, double x) { return math->cos(x); }
static inline void bitloop_sin_cos(const BitloopMath *math, double x, double *sin, double *cos) {
    math->sin_cos(x, sin, cos);
}
static inline double bitloop_tan(const BitloopMath *math, double x) { return math->tan(x); }
static inline double bitloop_atan2(const BitloopMath *math, double y, double x) {
    return math->atan2(y, x);
}
static inline double bitloop_exp(const BitloopMath *math, double x) { return math->exp(x); }
static inline double bitloop_expm1(const BitloopMath *math, double x) { return math->expm1(x); }
static inline double bitloop_ln(const BitloopMath *math, double x) { return math->ln(x); }
static inline double bitloop_pow(const BitloopMath *math, double base, double exponent) {
    return math->pow(base, exponent);
}
static inline double bitloop_tanh(const BitloopMath *math, double x) { return math->tanh(x); }
static inline double bitloop_logistic(const BitloopMath *math, double x) {
    return math->logistic(x);
}

/* The rest is what BITLOOP_PLANT is made of, and at the end the macros that export a plant. */

static inline void bitloop_write_text(char *to, uint32_t size, const char *text) {
    uint32_t i = 0;
    if (to == NULL || size == 0) return;
    for (; text[i] != 0 && i + 1 < size; i++) to[i] = text[i];
    to[i] = 0;
}

static inline int32_t bitloop_refuse(BitloopBatch *batch, const char *reason) {
    bitloop_write_text(batch->message, batch->message_size, reason);
    return BITLOOP_STATUS_BAD_CALL;
}

#ifdef __GNUC__
#define BITLOOP_INLINE static inline __attribute__((always_inline))
#else
#define BITLOOP_INLINE static inline
#endif

/* Loops over few variables are unrolled, so that these are registers. */
#if defined(__clang__)
#define BITLOOP_UNROLL _Pragma("clang loop unroll_count(8)")
#elif defined(__GNUC__)
#define BITLOOP_UNROLL _Pragma("GCC unroll 8")
#else
#define BITLOOP_UNROLL
#endif

#define BITLOOP_LANES 1
#define BITLOOP_BLOCKS 1
#include "bitloop_loops.h"
#undef BITLOOP_LANES
#undef BITLOOP_BLOCKS

/* The functions of a plant that computes lanes one after the other. */
#define BITLOOP_SCALAR_FUNCTIONS(description, equations)                                           \
    static int32_t bitloop_advance_it(BitloopBatch *batch) {                                       \
        return bitloop_advance_lanes(&(description), &(equations), batch, 0, batch->n_lanes);      \
    }                                                                                              \
    static int32_t bitloop_observe_it(BitloopBatch *batch) {                                       \
        return bitloop_observe_lanes(&(description), &(equations), batch, 0, batch->n_lanes);      \
    }                                                                                              \
    static int32_t bitloop_terminal_cost_it(BitloopBatch *batch) {                                 \
        return bitloop_terminal_cost_lanes(&(description), &(equations), batch, 0,                 \
                                           batch->n_lanes);                                        \
    }                                                                                              \
    static int32_t bitloop_failure_cost_it(BitloopBatch *batch) {                                  \
        return bitloop_failure_cost_lanes(&(description), &(equations), batch, 0, batch->n_lanes); \
    }

static inline int bitloop_is_same(const char *a, const char *b) {
    for (; *a != 0 && *a == *b; a++) b++;
    return *a == *b;
}

/* The function that hands out a static BitloopPicture: what the plant looks like, for reports. */
#define BITLOOP_PICTURE_FUNCTION(picture)                                                          \
    static const BitloopPicture *bitloop_picture_it(const uint64_t *structure,                     \
                                                    uint32_t n_structure, char *message,           \
                                                    uint32_t message_size) {                       \
        (void)structure, (void)n_structure, (void)message, (void)message_size;                     \
        return &(picture);                                                                         \
    }                                                                                              \
    static const void *bitloop_optional_part_it(const char *id) {                                  \
        static const BitloopPicturePart part = {                                                   \
            sizeof(BitloopPicturePart),                                                            \
            0,                                                                                     \
            bitloop_picture_it,                                                                    \
            NULL,                                                                                  \
        };                                                                                         \
        return bitloop_is_same(id, BITLOOP_PICTURE_PART) ? &part : NULL;                           \
    }

/* A number of a picture that does not change. */
#define BITLOOP_FIXED(number) {(number), {{0.0, 0, 0}}}

/* A number of a picture that is offset + factor * value: BITLOOP_STATE_OF(0.0, 1.0, THETA) and the like. */
#define BITLOOP_STATE_OF(offset, factor, index)                                                    \
    {(offset), {{(factor), BITLOOP_PICTURE_STATE, (index)}}}
#define BITLOOP_OBSERVATION_OF(offset, factor, index)                                              \
    {(offset), {{(factor), BITLOOP_PICTURE_OBSERVATION, (index)}}}
#define BITLOOP_CONTROL_OF(offset, factor, index)                                                  \
    {(offset), {{(factor), BITLOOP_PICTURE_CONTROL, (index)}}}
#define BITLOOP_PARAMETER_OF(offset, factor, index)                                                \
    {(offset), {{(factor), BITLOOP_PICTURE_PARAMETER, (index)}}}

/* A shape of a picture without a text, whose numbers are in an array. */
#define BITLOOP_SHAPE(frame, kind, role, numbers)                                                  \
    {(frame), (kind), (role), BITLOOP_COUNT(numbers), (numbers), NULL}

/*
 A plant that calls mathematical functions of the system, or has threads of its own, says so, since its bits hold on one
 machine alone: #define BITLOOP_MACHINE_BITS before this header is included.
 */
#ifdef BITLOOP_MACHINE_BITS
#define BITLOOP_WHOSE_BITS BITLOOP_CAPABILITY_MACHINE_BITS
#else
#define BITLOOP_WHOSE_BITS 0u
#endif

/* The symbol of the library, for functions with these names and capabilities; parts may be NULL. */
#define BITLOOP_EXPORT_PLANT(description, capabilities, parts, advance, observe, terminal_cost,    \
                             failure_cost)                                                         \
    static const BitloopDescription *bitloop_describe_it(const uint64_t *structure,                \
                                                         uint32_t n_structure, char *message,      \
                                                         uint32_t message_size) {                  \
        (void)structure, (void)n_structure, (void)message, (void)message_size;                     \
        return &(description);                                                                     \
    }                                                                                              \
    BITLOOP_EXPORT const BitloopDescriptor *bitloop_plant_v1(void) {                               \
        static const BitloopDescriptor descriptor = {                                              \
            BITLOOP_ABI_VERSION,                                                                   \
            sizeof(BitloopDescriptor),                                                             \
            sizeof(BitloopBatch),                                                                  \
            (capabilities) | BITLOOP_WHOSE_BITS,                                                   \
            bitloop_describe_it,                                                                   \
            NULL,                                                                                  \
            parts,                                                                                 \
            advance,                                                                               \
            observe,                                                                               \
            terminal_cost,                                                                         \
            failure_cost,                                                                          \
        };                                                                                         \
        return &descriptor;                                                                        \
    }

/* Exports the plant of a static BitloopDescription and a static BitloopEquations, once in a library. */
#define BITLOOP_PLANT(description, equations)                                                      \
    BITLOOP_PLANT_WITH_PARTS(description, equations, NULL)

/* The same with a static BitloopPicture. */
#define BITLOOP_PLANT_WITH_PICTURE(description, equations, picture)                                \
    BITLOOP_PICTURE_FUNCTION(picture)                                                              \
    BITLOOP_PLANT_WITH_PARTS(description, equations, bitloop_optional_part_it)

/* What these two are made of. */
#define BITLOOP_PLANT_WITH_PARTS(description, equations, parts)                                    \
    BITLOOP_SCALAR_FUNCTIONS(description, equations)                                               \
    BITLOOP_EXPORT_PLANT(description,                                                              \
                         BITLOOP_CAPABILITY_PORTABLE | BITLOOP_CAPABILITY_LANE_BY_LANE, parts,     \
                         bitloop_advance_it, bitloop_observe_it, bitloop_terminal_cost_it,         \
                         bitloop_failure_cost_it)

#endif /* BITLOOP_EQUATIONS_H */
