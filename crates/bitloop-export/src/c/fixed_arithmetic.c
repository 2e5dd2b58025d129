/* Right shifts of negative numbers are arithmetic on every compiler for microcontrollers; this one is asked. */
#if (-1 >> 1) != -1
#error "this compiler shifts zeros into negative numbers"
#endif

/* The nearest 32-bit integer. */
static int32_t saturated(int64_t value)
{
    if (value > INT32_MAX)
        return INT32_MAX;
    return value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

/* value / 2^by, rounded to the nearest integer, halves up. */
static int64_t moved_right(int64_t value, int by)
{
    return by == 0 ? value : (value + ((int64_t)1 << (by - 1))) >> by;
}

/* value times multiplier / 2^(before + after). */
static int32_t scaled(int64_t value, int before, int32_t multiplier, int after)
{
    return saturated(moved_right((int64_t)saturated(moved_right(value, before)) * multiplier, after));
}

/* A function that is not merged into its caller, where its variables would add to the stack of the deepest call. */
#if defined(__GNUC__)
#define SEPARATE __attribute__((noinline))
#else
#define SEPARATE
#endif
