/* b + sum w fed + sum v past, signals in units of 2^-24, weights in units of their step. */
static int64_t sum_of(weight_reader *weights, int n_fed, const int32_t *fed, int n_back, const int32_t *past)
{
    int64_t sum = (int64_t)next_code(weights) * ONE;
    int i;
    for (i = 0; i < n_fed; ++i)
        sum += (int64_t)next_code(weights) * fed[i];
    for (i = 0; i < n_back; ++i)
        sum += (int64_t)next_code(weights) * past[i];
    return sum;
}
