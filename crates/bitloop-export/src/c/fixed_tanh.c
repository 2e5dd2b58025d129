/* t * value / 2^25, rounded down. */
static int32_t share_of(int32_t value, int32_t t)
{
    return (int32_t)((int64_t)t * value >> 25);
}

/* The slope of tanh at a node, 1 - node^2, times the distance between nodes. */
static int32_t slope_at(int32_t node)
{
    return (int32_t)((((int64_t)1 << 60) - (int64_t)node * node) >> 33);
}

/* tanh of an argument in units of 2^-28, in units of 2^-30: cubics between nodes. */
SEPARATE static int32_t hyperbolic_tangent(int32_t argument)
{
    uint32_t magnitude = argument < 0 ? 0u - (uint32_t)argument : (uint32_t)argument;
    const int32_t *node;
    int32_t t, slope0, slope1, rise, value;
    if (magnitude > INT32_MAX)
        magnitude = INT32_MAX;
    t = (int32_t)(magnitude & 0x1ffffff);
    node = tanh_nodes + (magnitude >> 25);
    slope0 = slope_at(node[0]);
    slope1 = slope_at(node[1]);
    rise = node[1] - node[0];
    value = share_of(slope0 + slope1 - 2 * rise, t);
    value = share_of(3 * rise - 2 * slope0 - slope1 + value, t);
    value = node[0] + share_of(slope0 + value, t);
    return argument < 0 ? -value : value;
}
