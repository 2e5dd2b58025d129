/* tanh of an argument in units of 2^-28, in units of 2^-30: cubics between nodes with the slopes 1 - tanh^2. */
static int32_t hyperbolic_tangent(int32_t argument)
{
    uint32_t magnitude = argument < 0 ? 0u - (uint32_t)argument : (uint32_t)argument;
    int64_t t, p0, p1, d0, d1, rise, value;
    if (magnitude > INT32_MAX)
        magnitude = INT32_MAX;
    t = magnitude & 0x1ffffff;
    p0 = tanh_nodes[magnitude >> 25];
    p1 = tanh_nodes[(magnitude >> 25) + 1];
    d0 = (((int64_t)1 << 60) - p0 * p0) >> 33;
    d1 = (((int64_t)1 << 60) - p1 * p1) >> 33;
    rise = p1 - p0;
    value = p0 + (t * (d0 + (t * (3 * rise - 2 * d0 - d1 + (t * (d0 + d1 - 2 * rise) >> 25)) >> 25)) >> 25);
    return (int32_t)(argument < 0 ? -value : value);
}
