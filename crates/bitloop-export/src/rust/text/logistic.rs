fn logistic(x: f64) -> f64 {
    const UNIT: f64 = 5.421010862427522e-20; // 2^-64
    let a = -x;
    let a = if a < -40.0 { -40.0 } else { a };
    let a = if a > 746.0 { 746.0 } else { a };
    let (p, s) = exponential(a, UNIT);
    let sum = s + UNIT;
    let fallen = s - sum + UNIT;
    UNIT / (sum + fused(s, p, fallen))
}
