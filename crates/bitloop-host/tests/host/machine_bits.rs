//! A plant says that its bits hold on one machine alone.

use bitloop_host::{PlantLibrary, Registry};

use crate::support::{Bench, TEA};

#[test]
fn a_plant_in_c_says_whose_bits_it_gives() {
    let bench = Bench::new();
    let usual = PlantLibrary::open(&bench.compile("tea.so", TEA)).unwrap();
    assert!(!usual.plant(None).unwrap().has_machine_bits());
    let own = bench.compile_with("own.so", TEA, &["-DBITLOOP_MACHINE_BITS"]);
    let own = PlantLibrary::open(&own).unwrap();
    assert!(own.plant(None).unwrap().has_machine_bits());
    assert!(!own.plant(None).unwrap().owns_state());
}

#[test]
fn the_bits_of_the_plants_that_come_with_bitloop_hold_everywhere() {
    let registry = Registry::built_in();
    for name in registry.names() {
        assert!(!registry.open(name, None).unwrap().has_machine_bits(), "{name}");
    }
}
