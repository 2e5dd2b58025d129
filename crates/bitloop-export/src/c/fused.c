/* fused(x, y, z): x * y + z, rounded once. */
#if defined(__GNUC__) && defined(__OPTIMIZE__) \
    && (defined(__FMA__) || defined(__aarch64__) || (defined(__riscv_flen) && __riscv_flen >= 64) \
        || (defined(__ARM_FEATURE_FMA) && defined(__ARM_FP) && (__ARM_FP & 8)))
static double fused(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}
#else
/* A magnitude as fraction * 2^(exponent - 1075), with 2^52 <= fraction < 2^53. Not for 0. */
static uint64_t fraction_of(uint64_t word, int *exponent)
{
    uint64_t fraction = word & 0xfffffffffffffu;
    *exponent = (int)(word >> 52 & 0x7ff);
    if (*exponent > 0)
        return fraction | (uint64_t)1 << 52;
    *exponent = 1;
    while (!(fraction >> 52)) {
        fraction <<= 1;
        --*exponent;
    }
    return fraction;
}

/* 128 bits moved right; a bit that falls off the end leaves its mark in the last one. */
static void move_right(uint64_t *high, uint64_t *low, int by)
{
    uint64_t lost;
    if (by <= 0)
        return;
    if (by >= 128) {
        lost = *high | *low;
        *high = *low = 0;
    } else if (by >= 64) {
        lost = *low | (by > 64 ? *high << (128 - by) : 0);
        *low = *high >> (by - 64);
        *high = 0;
    } else {
        lost = *low << (64 - by);
        *low = *low >> by | *high << (64 - by);
        *high >>= by;
    }
    *low |= lost != 0;
}

static double fused(double x, double y, double z)
{
    const uint64_t wx = word_of(x), wy = word_of(y), wz = word_of(z), top = (uint64_t)1 << 63;
    const uint64_t sign_of_product = (wx ^ wy) & top;
    uint64_t sign = sign_of_product, fx, fy, fz, m0, m1, m2, high, low, z_high, z_low, word;
    int ex, ey, ez, e, field;
    if (x == 0 || y == 0 || (wx >> 52 & 0x7ff) == 0x7ff || (wy >> 52 & 0x7ff) == 0x7ff)
        return x * y + z; /* the product is exact, or not finite */
    if ((wz >> 52 & 0x7ff) == 0x7ff)
        return z; /* whatever the product is */
    if (z == 0)
        return x * y;
    fx = fraction_of(wx, &ex);
    fy = fraction_of(wy, &ey);
    fz = fraction_of(wz, &ez);
    /* The product, of 106 bits at most. */
    m0 = (fx & 0xffffffffu) * (fy & 0xffffffffu);
    m1 = (fx >> 32) * (fy & 0xffffffffu) + (m0 >> 32);
    m2 = (fx & 0xffffffffu) * (fy >> 32) + (m1 & 0xffffffffu);
    high = (fx >> 32) * (fy >> 32) + (m1 >> 32) + (m2 >> 32);
    low = m2 << 32 | (m0 & 0xffffffffu);
    /* Both terms with their top bit at 124 or 125: the product is (high, low) * 2^e. */
    high = high << 20 | low >> 44;
    low <<= 20;
    e = ex + ey - 2150 - 20;
    z_high = fz << 8;
    z_low = 0;
    ez = ez - 1075 - 72;
    if (ez > e) {
        move_right(&high, &low, ez - e);
        e = ez;
    } else {
        move_right(&z_high, &z_low, e - ez);
    }
    if ((wz & top) == sign_of_product) {
        low += z_low;
        high += z_high + (low < z_low);
    } else if (high > z_high || (high == z_high && low >= z_low)) {
        high = high - z_high - (low < z_low);
        low -= z_low;
    } else {
        sign ^= top;
        high = z_high - high - (z_low < low);
        low = z_low - low;
    }
    if (high == 0 && low == 0)
        return 0.0;
    while (!(high >> 63)) {
        high = high << 1 | low >> 63;
        low <<= 1;
        --e;
    }
    /* The sum is 1.f * 2^(e + 127). */
    field = e + 127 + 1023;
    if (field >= 0x7ff)
        return value_of(sign | (uint64_t)0x7ff << 52);
    if (field < 1) {
        move_right(&high, &low, 1 - field);
        field = 1;
    }
    word = high >> 11;
    if ((high & 0x400) && ((high & 0x3ff) || low || (word & 1)))
        ++word;
    /* The leading one of the fraction adds itself to the exponent; below it there is none. */
    return value_of(sign | (word + ((uint64_t)(field - 1) << 52)));
}
#endif
