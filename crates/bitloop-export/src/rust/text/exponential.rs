/// e^a = 2^k e^r: e^r - 1, and `unit` * 2^k.
fn exponential(a: f64, unit: f64) -> (f64, f64) {
    const ROUNDER: f64 = 6755399441055744.0; // 1.5 * 2^52
    let shifted = fused(a, core::f64::consts::LOG2_E, ROUNDER);
    let k = shifted - ROUNDER;
    let r = fused(k, -2.3190468138462996e-17, fused(k, -core::f64::consts::LN_2, a));
    let u = r * r;
    let u2 = u * u;
    let p01 = fused(r, 0.16666666666666677, 0.5000000000000013);
    let p23 = fused(r, 0.008333333333321386, 0.04166666666651047);
    let p45 = fused(r, 0.00019841269886814703, 0.0013888888948355455);
    let p67 = fused(r, 2.755724345506222e-6, 2.4801488506672185e-5);
    let p89 = fused(r, 2.5109319103368727e-8, 2.7631809965111943e-7);
    let tail = fused(u2, fused(u2, p89, fused(u, p67, p45)), fused(u, p23, p01));
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(unit.to_bits()));
    (fused(u, tail, r), power)
}
