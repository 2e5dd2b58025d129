//! Every operation of `Real` gives the same bits on every vector, whatever it is fed.

use std::ops::ControlFlow;

use bitloop_plant::{Isa, Kernel, LaneWork, Mask, Pair, Real, dispatch, for_each_block};

const NUMBERS: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.5,
    -2.5,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    2e-310,
    f64::MAX,
    f64::MIN,
    1e-200,
    -1e200,
    f64::EPSILON,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    -f64::NAN,
];

/// Every triple of the numbers, as three rows whose length is a multiple of 16.
fn triples() -> [Vec<f64>; 3] {
    let mut rows: [Vec<f64>; 3] = Default::default();
    for a in NUMBERS {
        for b in NUMBERS {
            for c in NUMBERS {
                for (row, value) in rows.iter_mut().zip([a, b, c]) {
                    row.push(value);
                }
            }
        }
    }
    assert!(rows[0].len().is_multiple_of(16));
    rows
}

/// All operations on `a`, `b`, `c`, each with its name.
fn operations<R: Real>(a: R, b: R, c: R) -> Vec<(&'static str, R)> {
    let truth = |mask| R::select(mask, R::splat(1.0), R::splat(0.0));
    let mut sum = a;
    sum += b;
    let mut difference = a;
    difference -= b;
    vec![
        ("+", a + b),
        ("-", a - b),
        ("*", a * b),
        ("/", a / b),
        ("neg", -a),
        ("+ f64", a + 0.1),
        ("- f64", a - 0.1),
        ("* f64", a * 3.0),
        ("/ f64", a / 3.0),
        ("+=", sum),
        ("-=", difference),
        ("mul_add", a.mul_add(b, c)),
        ("sqrt", a.sqrt()),
        ("abs", a.abs()),
        ("round_ties_even", (a + b).round_ties_even()),
        ("wrap_angle", (a + b).wrap_angle()),
        ("copysign", a.copysign(b)),
        ("min", a.min(b)),
        ("max", a.max(b)),
        ("clamp", a.clamp(b, c)),
        ("lt", truth(a.lt(b))),
        ("le", truth(a.le(b))),
        ("eq", truth(a.eq(b))),
        ("not_lt", truth(a.not_lt(b))),
        ("not_le", truth(a.not_le(b))),
        ("gt", truth(a.gt(b))),
        ("ge", truth(a.ge(b))),
        ("and", truth(a.lt(b) & b.lt(c))),
        ("or", truth(a.lt(b) | b.lt(c))),
        ("not", truth(!a.lt(b))),
        ("not not", truth(!!a.le(b))),
        ("mixed", truth(!(a.lt(b) | !b.le(c)) & a.eq(a))),
        ("select", R::select(a.lt(b), b, c)),
        ("select not", R::select(!a.lt(b), b, c)),
        ("splat", R::splat(0.7)),
    ]
}

/// Runs all operations over lanes in blocks of every kind, and collects their bits: `[operation][lane]`.
struct Sweep<'a> {
    rows: &'a [Vec<f64>; 3],
    /// Lanes that are cut into blocks together.
    n_lanes: usize,
    results: Vec<(&'static str, Vec<u64>)>,
}

impl Kernel for Sweep<'_> {
    type Output = Vec<(&'static str, Vec<u64>)>;

    #[inline(always)]
    fn run<R: Real>(mut self) -> Self::Output {
        let n = self.rows[0].len();
        for start in (0..n).step_by(self.n_lanes) {
            let lanes = start..(start + self.n_lanes).min(n);
            let flow = if self.n_lanes == 1 {
                self.block::<f64>(start)
            } else {
                for_each_block::<R>(&mut self, lanes)
            };
            assert!(flow.is_continue());
        }
        self.results
    }
}

impl LaneWork for Sweep<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let [a, b, c] = self.rows.each_ref().map(|row| R::load(&row[lane..]));
        for (index, (name, value)) in operations(a, b, c).into_iter().enumerate() {
            let mut lanes = [0.0; 20];
            value.store(&mut lanes);
            if lane == 0 {
                self.results.push((name, Vec::new()));
            }
            let results = &mut self.results[index].1;
            assert_eq!(results.len(), lane, "lanes are visited once, in order");
            results.extend(lanes[..R::LANES].iter().map(|x| bits(*x)));
        }
        ControlFlow::Continue(())
    }
}

/// The payload and sign of a NaN are not promised.
fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

#[test]
fn every_vector_computes_what_f64_computes() {
    let rows = triples();
    let sweep = |n_lanes| Sweep { rows: &rows, n_lanes, results: Vec::new() };
    // One lane at a time is plain `f64`.
    let expected = dispatch(Isa::PORTABLE, sweep(1));
    assert_eq!(expected.len(), 35);
    for isa in Isa::available() {
        // Single vectors and halves, pairs, and both kinds of pairs with a half.
        for n_lanes in [4, 8, 12, 16, 20, 52] {
            let found = dispatch(isa, sweep(n_lanes));
            for ((name, expected), (_, found)) in expected.iter().zip(&found) {
                let wrong = expected.iter().zip(found).position(|(a, b)| a != b);
                if let Some(lane) = wrong {
                    let operands = [rows[0][lane], rows[1][lane], rows[2][lane]];
                    panic!("{name} of {operands:?} on {} by {n_lanes} lanes", isa.name());
                }
                assert_eq!(expected.len(), found.len());
            }
        }
    }
}

#[test]
fn f64_computes_what_the_docs_say() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    // The second operand where either is NaN, or where both are equal.
    assert_eq!(Real::min(nan, 1.0), 1.0);
    assert!(Real::min(1.0, nan).is_nan());
    assert!(Real::max(1.0, nan).is_nan());
    assert!(Real::min(-0.0, 0.0).is_sign_positive() && Real::max(0.0, -0.0).is_sign_negative());
    assert!(Real::clamp(nan, 0.0, 1.0).is_nan());
    assert_eq!([-5.0, 0.5, inf].map(|x| Real::clamp(x, 0.0, 1.0)), [0.0, 0.5, 1.0]);
    assert_eq!(Real::copysign(nan, -1.0).to_bits() >> 63, 1);
    assert_eq!(Real::copysign(-3.0, 0.0), 3.0);
    assert_eq!(Real::abs(-0.0).to_bits(), 0);
    assert!(!Real::lt(nan, 1.0) && !Real::ge(nan, 1.0) && !Real::eq(nan, nan));
    assert!(Real::round_ties_even(nan).is_nan());
    for x in
        [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 2.5_f64.next_up(), 0.499_999_999_999_999_94, 1e15 + 0.5]
    {
        // Beyond 2^52 too, where all are whole, and infinity.
        for x in
            [x, -x, x + 2_251_799_813_685_248.0, x + 9_007_199_254_740_992.0, x * 1e300 * 1e300]
        {
            let rounded = Real::round_ties_even(x);
            assert_eq!(bits(rounded), bits(x.round_ties_even()), "{x}");
        }
    }
    for angle in [0.0, 3.1, -3.1, 3.2, -4.0, 100.0, -1000.0] {
        let wrapped = Real::wrap_angle(angle);
        assert!(wrapped.abs() <= std::f64::consts::PI);
        let off = (angle - wrapped) / std::f64::consts::TAU;
        assert!((off - off.round()).abs() < 1e-13, "{angle}: {wrapped}");
    }
    // Rounded once: the product alone would round to 1.
    let x = 1.0 + f64::EPSILON;
    assert_eq!(Real::mul_add(x, 1.0 - f64::EPSILON, -1.0), -f64::EPSILON * f64::EPSILON);
}

/// Which lanes are below those of the other row, and whether any is.
struct Below<'a>(&'a [f64; 16], &'a [f64; 16], bool);

impl Kernel for Below<'_> {
    type Output = Vec<(bool, Vec<bool>)>;

    #[inline(always)]
    fn run<R: Real>(self) -> Self::Output {
        if self.2 { below::<Pair<R>>(self.0, self.1) } else { below::<R>(self.0, self.1) }
    }
}

#[inline(always)]
fn below<R: Real>(a: &[f64; 16], b: &[f64; 16]) -> Vec<(bool, Vec<bool>)> {
    (0..16)
        .step_by(R::LANES)
        .map(|lane| {
            let mask = R::load(&a[lane..]).lt(R::load(&b[lane..]));
            (mask.any(), (0..R::LANES).map(|lane| mask.lane(lane)).collect())
        })
        .collect()
}

#[test]
fn masks_tell_each_lane() {
    for one in 0..16 {
        let (mut a, b) = ([1.0; 16], [1.0; 16]);
        a[one] = 0.0;
        for isa in Isa::available() {
            for paired in [false, true] {
                let blocks = dispatch(isa, Below(&a, &b, paired));
                let lanes: Vec<bool> = blocks.iter().flat_map(|block| block.1.clone()).collect();
                assert_eq!(lanes, (0..16).map(|lane| lane == one).collect::<Vec<_>>());
                for (any, lanes) in blocks {
                    assert_eq!(any, lanes.contains(&true));
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "out of")]
fn loads_from_too_short_a_slice_panic() {
    struct Short;
    impl Kernel for Short {
        type Output = ();
        #[inline(always)]
        fn run<R: Real>(self) {
            let numbers = [0.0; 16];
            R::load(&numbers[..R::LANES - 1]).store(&mut [0.0; 16]);
        }
    }
    dispatch(Isa::best(), Short);
}
