#include <float.h>

/* The same bits are promised for IEEE double precision in hardware, and for nothing else. */
#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) \
    || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and its parts: they change what a sum is"
#endif
/* 16 is 0 on machines that also have half precision, and is of that alone. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "double arithmetic is done in another precision here; on 32-bit x86 use -msse2 -mfpmath=sse"
#endif
#if DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024
#error "double is not IEEE binary64 here; export to c-fixed instead"
#endif
#if (defined(__arm__) && !(defined(__ARM_FP) && (__ARM_FP & 8))) || (defined(__riscv) && !(defined(__riscv_flen) && __riscv_flen >= 64)) \
    || defined(__AVR__) || defined(__XTENSA__)
#error "no double precision in hardware, and software is not exact everywhere; export to c-fixed instead"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
