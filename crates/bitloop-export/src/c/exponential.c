/* e^a = 2^k e^r: gives e^r - 1 and writes unit * 2^k. */
static double exponential(double a, double unit, double *power)
{
    const double rounder = 6755399441055744.0; /* 1.5 * 2^52 */
    const double shifted = fused(a, 1.4426950408889634, rounder);
    const double k = shifted - rounder;
    const double r = fused(k, -2.3190468138462996e-17, fused(k, -0.6931471805599453, a));
    const double u = r * r, u2 = u * u;
    const double p01 = fused(r, 0.16666666666666677, 0.5000000000000013);
    const double p23 = fused(r, 0.008333333333321386, 0.04166666666651047);
    const double p45 = fused(r, 0.00019841269886814703, 0.0013888888948355455);
    const double p67 = fused(r, 2.755724345506222e-6, 2.4801488506672185e-5);
    const double p89 = fused(r, 2.5109319103368727e-8, 2.7631809965111943e-7);
    const double tail = fused(u2, fused(u2, p89, fused(u, p67, p45)), fused(u, p23, p01));
    *power = value_of((word_of(shifted) << 52) + word_of(unit));
    return fused(u, tail, r);
}
