//! A library that is built anew, at the same path, is opened as what it is now; the old one stays open.

use bitloop_host::PlantLibrary;

use crate::support::{Bench, TEA};

#[test]
fn a_rebuilt_library_is_a_new_one_and_the_old_one_goes_on() {
    let bench = Bench::new();
    let versions = ["1", "2", "3"].map(|version| {
        let text = TEA.replace(".version = \"1\"", &format!(".version = \"{version}\""));
        let library = PlantLibrary::open(&bench.compile("tea.so", &text)).unwrap();
        assert_eq!(library.description().version, version);
        library
    });
    assert_ne!(versions[0].digest(), versions[1].digest());
    for (library, version) in versions.iter().zip(["1", "2", "3"]) {
        assert_eq!(library.plant(Some(&[])).unwrap().description().version, version);
    }
}
