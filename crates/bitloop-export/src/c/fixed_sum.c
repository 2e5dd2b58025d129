/* The bias at INDEX, as a product with the signal 1. */
SEPARATE static int64_t bias_at(int32_t index)
{
    return (int64_t)code_at(index) * ONE;
}

/* sum w signal over n signals, in units of 2^-24 and of the step of weights; the first weight is the one at INDEX. */
SEPARATE static int64_t sum_of(int32_t index, int n, const int32_t *signals)
{
    int64_t sum = 0;
    while (n-- > 0)
        sum += (int64_t)code_at(index++) * *signals++;
    return sum;
}
