fn tanh(x: f64) -> f64 {
    const TOP: u64 = 1 << 63;
    let magnitude = f64::from_bits(x.to_bits() & !TOP);
    let result = if magnitude < 0.55 {
        let u = magnitude * magnitude;
        let p = fused(u, fused(u, -0.9643626794774502, -99.19474243794453), -1612.7680543974004);
        let q = fused(u, fused(u, u + 112.71096151044718, 2232.9058925907093), 4838.3041631922015);
        magnitude + magnitude * u * p / q
    } else {
        let a = if magnitude > 20.0 { 20.0 } else { magnitude };
        let (p, s) = exponential(a + a, 1.0);
        1.0 + -2.0 / fused(s, p, s + 1.0)
    };
    f64::from_bits((result.to_bits() & !TOP) | (x.to_bits() & TOP))
}
