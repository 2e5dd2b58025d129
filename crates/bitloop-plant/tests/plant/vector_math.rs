//! The functions over arrays that the host lends to plants in other languages.

use bitloop_plant::Isa;
use bitloop_plant::abi::{MathTable, VectorMath};

/// Ordinary numbers, special ones, and angles that the fast reduction does not take.
const NUMBERS: [f64; 12] =
    [0.3, -0.7, 1.5, -12.0, 0.0, -0.0, f64::INFINITY, f64::NAN, 1e6, -3e200, 5e-324, 700.0];

/// Angles that need no reduction.
const SMALL: [f64; 8] = [0.3, -0.7, 0.785, -0.0, 5e-324, 1e-9, -0.1, 0.5];

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

fn n_of(numbers: &[f64]) -> u32 {
    u32::try_from(numbers.len()).unwrap()
}

type Unary = unsafe extern "C" fn(f64) -> f64;
type UnaryOfArrays = unsafe extern "C" fn(*const f64, *mut f64, u32);
type Binary = unsafe extern "C" fn(f64, f64) -> f64;
type BinaryOfArrays = unsafe extern "C" fn(*const f64, *const f64, *mut f64, u32);

#[test]
fn arrays_give_the_bits_of_single_numbers() {
    for isa in Isa::available() {
        let math = MathTable::of(isa);
        let vectors: &VectorMath = math.vectors;
        let unary: [(&str, Unary, UnaryOfArrays); 8] = [
            ("sin", math.sin, vectors.sin),
            ("cos", math.cos, vectors.cos),
            ("tan", math.tan, vectors.tan),
            ("exp", math.exp, vectors.exp),
            ("expm1", math.expm1, vectors.expm1),
            ("ln", math.ln, vectors.ln),
            ("tanh", math.tanh, vectors.tanh),
            ("logistic", math.logistic, vectors.logistic),
        ];
        let binary: [(&str, Binary, BinaryOfArrays); 2] =
            [("atan2", math.atan2, vectors.atan2), ("pow", math.pow, vectors.pow)];
        // One vector of either size, pairs, and what is left over; with large angles and without.
        for inputs in [
            &SMALL[..4],
            &SMALL[..],
            &NUMBERS[..4],
            &NUMBERS[4..8],
            &NUMBERS[..8],
            &NUMBERS[4..],
            &NUMBERS[..],
        ] {
            let n = n_of(inputs);
            for (name, of_one, of_arrays) in unary {
                // SAFETY: the machine has the instruction set.
                let expected: Vec<f64> = inputs.iter().map(|&x| unsafe { of_one(x) }).collect();
                let mut in_place = inputs.to_vec();
                let mut apart = vec![0.0; inputs.len()];
                // SAFETY: the arrays hold `n` numbers, a multiple of 4.
                unsafe {
                    of_arrays(inputs.as_ptr(), apart.as_mut_ptr(), n);
                    let pointer = in_place.as_mut_ptr();
                    of_arrays(pointer, pointer, n);
                }
                assert_eq!(bits(&apart), bits(&expected), "{name}, {}, {n}", isa.name());
                assert_eq!(bits(&in_place), bits(&expected), "{name} in place, {}", isa.name());
            }
            let others: Vec<f64> = inputs.iter().rev().copied().collect();
            for (name, of_two, of_arrays) in binary {
                let pairs = inputs.iter().zip(&others);
                // SAFETY: the machine has the instruction set.
                let expected: Vec<f64> = pairs.map(|(&a, &b)| unsafe { of_two(a, b) }).collect();
                let mut found = vec![0.0; inputs.len()];
                // SAFETY: the arrays hold `n` numbers, a multiple of 4.
                unsafe { of_arrays(inputs.as_ptr(), others.as_ptr(), found.as_mut_ptr(), n) };
                assert_eq!(bits(&found), bits(&expected), "{name}, {}, {n}", isa.name());
            }
            let (mut sin, mut cos) = (vec![0.0; inputs.len()], vec![0.0; inputs.len()]);
            // SAFETY: the arrays hold `n` numbers, a multiple of 4.
            unsafe { (vectors.sin_cos)(inputs.as_ptr(), sin.as_mut_ptr(), cos.as_mut_ptr(), n) };
            for (index, &x) in inputs.iter().enumerate() {
                // SAFETY: the machine has the instruction set.
                let expected = unsafe { [(math.sin)(x), (math.cos)(x)] };
                let found = [sin[index], cos[index]];
                assert_eq!(bits(&found), bits(&expected), "sin_cos of {x}, {}", isa.name());
            }
        }
    }
}
