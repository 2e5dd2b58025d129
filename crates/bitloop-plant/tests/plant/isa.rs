//! Names and codes of instruction sets.

use bitloop_plant::{Isa, IsaError};

#[test]
fn names_and_codes_go_there_and_back() {
    let available: Vec<Isa> = Isa::available().collect();
    assert_eq!(available.last(), Some(&Isa::PORTABLE));
    assert_eq!(available.first(), Some(&Isa::best()));
    for isa in available {
        assert_eq!(Isa::named(isa.name()), Ok(isa));
        assert_eq!(Isa::from_code(isa.code()), Some(isa));
    }
    assert_eq!(Isa::PORTABLE.code(), 0);
    assert_eq!(Isa::from_code(3), None);
    assert_eq!(Isa::from_code(u32::MAX), None);
}

#[test]
fn unknown_names_are_refused() {
    for name in ["", "AVX2", "sse2", "avx512 "] {
        let error = Isa::named(name).unwrap_err();
        assert_eq!(error, IsaError::Unknown(name.to_owned()));
        assert_eq!(
            error.to_string(),
            format!("unknown instruction set `{name}`: use avx512, avx2 or portable")
        );
    }
    assert_eq!(
        IsaError::Unsupported("avx512").to_string(),
        "this processor lacks `avx512`: use a smaller instruction set"
    );
}
