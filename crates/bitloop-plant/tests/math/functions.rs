//! The functions under test, by name, run through any path.

use bitloop_plant::{Isa, Kernel, Pair, Real, dispatch};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Sin,
    Cos,
    Tan,
    Tanh,
    Exp,
    Expm1,
    Logistic,
    Ln,
    /// x to the power y.
    Pow,
    /// `x.atan2(y)`.
    Atan2,
}

impl Function {
    pub(crate) const ALL: [Self; 10] = [
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Tanh,
        Self::Exp,
        Self::Expm1,
        Self::Logistic,
        Self::Ln,
        Self::Pow,
        Self::Atan2,
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| format!("{f:?}").to_lowercase() == name)
    }

    /// The largest error that the documentation admits, in units of the last place.
    pub(crate) fn bound(self) -> f64 {
        match self {
            Self::Exp => 0.9,
            Self::Tan | Self::Ln | Self::Pow => 1.0,
            Self::Tanh | Self::Expm1 => 1.4,
            Self::Sin | Self::Cos => 1.6,
            Self::Logistic | Self::Atan2 => 1.8,
        }
    }

    #[inline(always)]
    pub(crate) fn apply<R: Real>(self, x: R, y: R) -> R {
        match self {
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Tanh => x.tanh(),
            Self::Exp => x.exp(),
            Self::Expm1 => x.expm1(),
            Self::Logistic => x.logistic(),
            Self::Ln => x.ln(),
            Self::Pow => x.pow(y),
            Self::Atan2 => x.atan2(y),
        }
    }
}

/// Whether vectors are taken one by one or in pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    Single,
    Pair,
}

struct Evaluation<'a> {
    function: Function,
    width: Width,
    points: &'a [(f64, f64)],
}

impl Kernel for Evaluation<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<R: Real>(self) -> Vec<f64> {
        match self.width {
            Width::Single => evaluate_in::<R>(self.function, self.points),
            Width::Pair => evaluate_in::<Pair<R>>(self.function, self.points),
        }
    }
}

#[inline(always)]
fn evaluate_in<R: Real>(function: Function, points: &[(f64, f64)]) -> Vec<f64> {
    let lanes = R::LANES;
    let mut results = vec![0.0; points.len().next_multiple_of(lanes)];
    let (mut x, mut y) = ([0.0; 16], [0.0; 16]);
    for (points, results) in points.chunks(lanes).zip(results.chunks_mut(lanes)) {
        for (lane, point) in points.iter().enumerate() {
            (x[lane], y[lane]) = *point;
        }
        function.apply(R::load(&x), R::load(&y)).store(results);
    }
    results.truncate(points.len());
    results
}

/// The values of `function` at all points.
pub(crate) fn evaluate(
    function: Function,
    isa: Isa,
    width: Width,
    points: &[(f64, f64)],
) -> Vec<f64> {
    dispatch(isa, Evaluation { function, width, points })
}
