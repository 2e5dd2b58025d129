//! Elementary functions on every instruction set: 4096 numbers a call, in pairs of vectors, as plants take them.
//!
//! `cargo bench -p bitloop-plant --bench functions`

use std::marker::PhantomData;

use bitloop_plant::{Isa, Kernel, Pair, Real, dispatch};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

const COUNT: usize = 4096;

/// A function of two numbers, written once for all vectors.
trait Function {
    fn apply<R: Real>(x: R, y: R) -> R;
}

macro_rules! functions {
    ($($name:ident: |$x:ident, $y:ident| $value:expr;)*) => {
        $(
            struct $name;

            impl Function for $name {
                #[inline(always)]
                fn apply<R: Real>($x: R, $y: R) -> R {
                    $value
                }
            }
        )*
    };
}

functions! {
    SinCos: |x, _y| {
        let (sin, cos) = x.sin_cos();
        sin + cos
    };
    Tan: |x, _y| x.tan();
    Tanh: |x, _y| x.tanh();
    Exp: |x, _y| x.exp();
    Expm1: |x, _y| x.expm1();
    Logistic: |x, _y| x.logistic();
    Ln: |x, _y| x.ln();
    Pow: |x, y| x.pow(y);
    Atan2: |x, y| x.atan2(y);
}

struct Sweep<'a, F> {
    function: PhantomData<F>,
    x: &'a [f64],
    y: &'a [f64],
    results: &'a mut [f64],
}

impl<F: Function> Kernel for Sweep<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(self) {
        let lanes = Pair::<R>::LANES;
        let inputs = self.x.chunks_exact(lanes).zip(self.y.chunks_exact(lanes));
        for ((x, y), results) in inputs.zip(self.results.chunks_exact_mut(lanes)) {
            F::apply(Pair::<R>::load(x), Pair::<R>::load(y)).store(results);
        }
    }
}

#[divan::bench(
    types = [SinCos, Tan, Tanh, Exp, Expm1, Logistic, Ln, Pow, Atan2],
    args = Isa::available().map(Isa::name),
)]
fn throughput<F: Function>(bencher: Bencher, isa: &str) {
    let isa = Isa::named(isa).expect("listed as available");
    // 0.1 to 4, in an order that no branch could learn.
    let x: Vec<f64> =
        (0..COUNT).map(|i| 0.1 + 3.9 * ((i * 1237 % COUNT) as f64 / COUNT as f64)).collect();
    let y: Vec<f64> = x.iter().rev().copied().collect();
    let mut results = vec![0.0; COUNT];
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| {
        dispatch(isa, Sweep { function: PhantomData::<F>, x: &x, y: &y, results: &mut results });
    });
}
