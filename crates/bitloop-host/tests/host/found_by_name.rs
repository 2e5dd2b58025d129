//! Plants of libraries found by name, beside those that are built in.

use bitloop_host::{HostError, Registry};

use crate::support::{Bench, TEA};

#[test]
fn a_library_on_the_search_path_is_found_by_name() {
    let bench = Bench::new();
    bench.compile("anything.so", TEA);
    bench.compile("no_plant.so", "int nothing(void) { return 1; }\n");
    let mut registry = Registry::built_in();
    let folder = bench.path("");
    // The same folder twice is no clash.
    let unusable = registry.search(&[folder.clone(), folder]);
    assert_eq!(unusable.len(), 2, "{unusable:?}");
    let built_in = Registry::built_in();
    let added: Vec<_> =
        registry.names().filter(|name| !built_in.names().any(|known| known == *name)).collect();
    assert_eq!(added, ["tea"]);
    assert_eq!(registry.open("tea", None).unwrap().description().name, "tea");
    assert!(registry.library("tea").is_some());
    assert!(registry.library("inverted-pendulum").is_none());
}

#[test]
fn a_clash_of_names_is_told_with_its_places() {
    let bench = Bench::new();
    bench.compile("a.so", &TEA.replace("\"tea\"", "\"inverted-pendulum\""));
    let mut registry = Registry::built_in();
    assert_eq!(registry.search(&[bench.path("")]), []);
    let error = registry.open("inverted-pendulum", None).unwrap_err();
    assert!(matches!(error, HostError::Clash { .. }));
    assert!(error.to_string().contains("built in, "), "{error}");
    assert!(error.to_string().contains("a.so"), "{error}");
    let count = |registry: &Registry| registry.names().count();
    assert_eq!(count(&registry), count(&Registry::built_in()), "a name is told once");
}
