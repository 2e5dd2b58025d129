//! One arithmetic everywhere: every path gives the same bits, and the system's functions have no say.

use std::process::Command;

use bitloop_plant::{Isa, Real};

use crate::functions::{Function, Width, evaluate};
use crate::points;

/// All NaNs are one: their bits are the machine's business.
fn canonical(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}

#[test]
fn every_path_gives_the_same_bits() {
    for function in Function::ALL {
        let points = points::all(function, 20_000, 2);
        let expected: Vec<_> = points.iter().map(|&(x, y)| function.apply(x, y)).collect();
        for isa in Isa::available() {
            for width in [Width::Single, Width::Pair] {
                let values = evaluate(function, isa, width, &points);
                for ((&(x, y), &value), &expected) in points.iter().zip(&values).zip(&expected) {
                    assert_eq!(
                        canonical(value),
                        canonical(expected),
                        "{function:?}({x:e}, {y:e}): {value:e} with {} {width:?}, {expected:e} scalar",
                        isa.name()
                    );
                }
            }
        }
    }
}

#[test]
fn sine_and_cosine_are_those_of_sin_cos() {
    for (x, _) in points::all(Function::Sin, 1000, 3) {
        let (sin, cos) = Real::sin_cos(x);
        assert_eq!(canonical(sin), canonical(Real::sin(x)), "{x:e}");
        assert_eq!(canonical(cos), canonical(Real::cos(x)), "{x:e}");
    }
}

/// FNV-1a over the bits of many results, scalar and vector.
fn digest() -> u64 {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for function in Function::ALL {
        let points = points::all(function, 5000, 4);
        for isa in [Isa::PORTABLE, Isa::best()] {
            for value in evaluate(function, isa, Width::Pair, &points) {
                for byte in canonical(value).to_le_bytes() {
                    digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
    }
    digest
}

/// Set in the process that only prints its digest.
const CHILD: &str = "BITLOOP_MATH_DIGEST_CHILD";

/// Changes only when the bits of a function are meant to change, in the same commit as all other golden files.
const GOLDEN_DIGEST: u64 = 0x86c9_69ca_95aa_5921;

#[test]
fn the_digest_is_golden_on_every_machine() {
    let digest = digest();
    if std::env::var_os(CHILD).is_some() {
        println!("digest {digest:#018x}");
        return;
    }
    assert_eq!(digest, GOLDEN_DIGEST, "{digest:#018x} is not the golden digest");

    // glibc picks other functions when a tunable says that the processor lacks FMA and AVX2.
    let child = Command::new(std::env::current_exe().expect("own path"))
        .args(["--exact", "same_bits::the_digest_is_golden_on_every_machine", "--nocapture"])
        .env(CHILD, "1")
        .env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA,-AVX2")
        .output()
        .expect("runs itself");
    let output = String::from_utf8_lossy(&child.stdout);
    assert!(output.contains(&format!("digest {digest:#018x}")), "without FMA and AVX2: {output}");
}
