static double magnitude_of(double x)
{
    return value_of(word_of(x) & ~((uint64_t)1 << 63));
}

static double hyperbolic_tangent(double x)
{
    const double magnitude = magnitude_of(x);
    double result;
    if (magnitude < 0.55) {
        const double u = magnitude * magnitude;
        const double p = fused(u, fused(u, -0.9643626794774502, -99.19474243794453), -1612.7680543974004);
        const double q = fused(u, fused(u, u + 112.71096151044718, 2232.9058925907093), 4838.3041631922015);
        result = magnitude + magnitude * u * p / q;
    } else {
        const double a = magnitude > 20.0 ? 20.0 : magnitude;
        double s;
        const double p = exponential(a + a, 1.0, &s);
        result = 1.0 + -2.0 / fused(s, p, s + 1.0);
    }
    return value_of((word_of(result) & ~((uint64_t)1 << 63)) | (word_of(x) & (uint64_t)1 << 63));
}
