/* s_j = b_j + sum w_ji fed_i + sum v_jh past_h, each product fused with the sum. */
static void layer(const weight_code *weights, int n_fed, const double *fed, int n_back, int own, const double *past,
                  int n_neurons, double *sums)
{
    int j, i;
    for (j = 0; j < n_neurons; ++j) {
        double sum = WEIGHT(*weights++);
        for (i = 0; i < n_fed; ++i)
            sum = fused(fed[i], WEIGHT(*weights++), sum);
        for (i = 0; i < n_back; ++i)
            sum = fused(past[own ? j : i], WEIGHT(*weights++), sum);
        sums[j] = sum;
    }
}
