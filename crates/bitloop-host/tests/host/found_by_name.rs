//! Plants of libraries found by name, beside those that are built in.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bitloop_host::{AskName, HostError, LibraryFault, Registry};

use crate::support::{Bench, TEA};

/// The plant without its name in the file.
fn unnamed() -> String {
    let text = TEA.replace("BITLOOP_PLANT_NAME(\"tea\")\n", "");
    assert_ne!(text, TEA);
    text
}

/// Counts how often a library is asked, and answers with the stem of its file, or not at all.
fn ask(n_asked: &Arc<AtomicUsize>) -> AskName {
    let n_asked = Arc::clone(n_asked);
    Arc::new(move |path: &Path| {
        n_asked.fetch_add(1, Ordering::Relaxed);
        match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("bad") => Err("segmentation fault".to_owned()),
            Some(stem) => Ok(stem.to_owned()),
            None => Err("no name".to_owned()),
        }
    })
}

fn found(bench: &Bench) -> (Registry, Arc<AtomicUsize>) {
    let n_asked = Arc::default();
    let folder = bench.path("");
    // The same folder twice is no conflict.
    let places = vec![folder.clone(), folder];
    (Registry::built_in().with_libraries_in(places, ask(&n_asked)), n_asked)
}

#[test]
fn a_name_is_read_from_the_file_and_nothing_is_asked() {
    let bench = Bench::new();
    bench.compile("anything.so", TEA);
    bench.compile("bad.so", &unnamed());
    bench.compile("no_plant.so", "int nothing(void) { return 1; }\n");
    let (registry, n_asked) = found(&bench);
    assert_eq!(registry.open("tea", None).unwrap().description().name, "tea");
    assert_eq!(registry.library("tea").unwrap().path(), bench.path("anything.so"));
    registry.open("inverted-pendulum", None).unwrap();
    assert!(registry.library("inverted-pendulum").is_none());
    assert_eq!(registry.library_path("inverted-pendulum"), Ok(None));
    assert_eq!(n_asked.load(Ordering::Relaxed), 0);
    // Those that cannot be named are listed with the file at fault.
    let (mut names, mut faults) = (Vec::new(), Vec::new());
    for library in registry.libraries() {
        match library {
            Ok(found) => names.push(found.name()),
            Err(error) => faults.push((error.path.clone(), error.fault.clone())),
        }
    }
    assert_eq!(names, ["tea"]);
    let fault = LibraryFault::NoName("segmentation fault".to_owned());
    assert_eq!(
        faults,
        [(bench.path("bad.so"), fault), (bench.path("no_plant.so"), LibraryFault::NoPlant)]
    );
}

#[test]
fn a_library_that_does_not_hold_its_name_is_asked_where_no_file_holds_it() {
    let bench = Bench::new();
    bench.compile("tea.so", &unnamed());
    bench.compile("bad.so", &format!("{}int other;\n", unnamed()));
    let (registry, n_asked) = found(&bench);
    for _ in 0..2 {
        assert_eq!(registry.open("tea", None).unwrap().description().name, "tea");
    }
    assert_eq!(n_asked.load(Ordering::Relaxed), 2);
    let HostError::Unknown { faulty, suggestion, .. } = registry.open("teas", None).unwrap_err()
    else {
        panic!("no plant has the name")
    };
    assert_eq!(suggestion.as_deref(), Some("tea"));
    assert_eq!(faulty.len(), 1);
    let error = registry.open("quite-another", None).unwrap_err();
    assert!(error.hint().contains("bad.so: the name of its plant"), "{}", error.hint());
}

#[test]
fn a_library_that_describes_another_plant_than_it_is_named_after_is_refused() {
    let bench = Bench::new();
    bench.compile("a.so", &TEA.replace("NAME(\"tea\")", "NAME(\"coffee\")"));
    let (registry, _) = found(&bench);
    let error = registry.open("coffee", None).unwrap_err();
    assert!(matches!(error, HostError::OtherName { .. }), "{error}");
    assert!(error.to_string().contains("describes a plant `tea`"), "{error}");
}

#[test]
fn a_conflict_of_names_is_an_error_where_the_name_is_asked_for() {
    let bench = Bench::new();
    let renamed = TEA.replace("\"tea\"", "\"inverted-pendulum\"");
    bench.compile("a.so", &renamed);
    bench.compile("b.so", TEA);
    bench.compile("c.so", &TEA.replace("BITLOOP_PLANT(", "int other;\nBITLOOP_PLANT("));
    let (registry, _) = found(&bench);
    for (name, first, second) in
        [("inverted-pendulum", "built in, ", "a.so"), ("tea", "b.so, ", "c.so")]
    {
        let error = registry.open(name, None).unwrap_err();
        assert!(matches!(error, HostError::Clash { .. }));
        assert!(error.to_string().contains(first), "{error}");
        assert!(error.to_string().ends_with(second), "{error}");
    }
    assert_eq!(registry.libraries().filter(|library| library.is_ok()).count(), 3);
    registry.open("cstr", None).unwrap();
    // A copy of the same file is no conflict.
    std::fs::copy(bench.path("b.so"), bench.path("c.so")).unwrap();
    let (registry, _) = found(&bench);
    registry.open("tea", None).unwrap();
}
