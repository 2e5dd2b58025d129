static double logistic(double x)
{
    const double unit = 5.421010862427522e-20; /* 2^-64 */
    double a = -x, s, p, sum, fallen;
    a = a < -40.0 ? -40.0 : a;
    a = a > 746.0 ? 746.0 : a;
    p = exponential(a, unit, &s);
    sum = s + unit;
    fallen = s - sum + unit;
    return unit / (sum + fused(s, p, fallen));
}
