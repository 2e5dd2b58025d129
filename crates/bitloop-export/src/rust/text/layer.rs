/// s_j = b_j + sum w_ji fed_i + sum v_jh past_h, each product fused with the sum. With `own` a neuron sees its own past alone.
fn layer(weights: &[Code], fed: &[f64], past: &[f64], own: bool, sums: &mut [f64]) {
    let mut weights = weights.iter().map(|&code| weight(code));
    let mut next = || weights.next().unwrap_or(0.0);
    for (j, out) in sums.iter_mut().enumerate() {
        let mut sum = next();
        for &signal in fed {
            sum = fused(signal, next(), sum);
        }
        for &signal in if own { &past[j..j + 1] } else { past } {
            sum = fused(signal, next(), sum);
        }
        *out = sum;
    }
}
