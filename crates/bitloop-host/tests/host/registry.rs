//! Plants that are linked in.

use bitloop_host::{HostError, Registry};

#[test]
fn plants_are_found_by_name() {
    let plant = Registry::built_in().open("inverted-pendulum", None).unwrap();
    assert_eq!(plant.description().name, "inverted-pendulum");
}

#[test]
fn a_misspelt_name_gets_a_suggestion() {
    let error = Registry::built_in().open("inverted-pendlum", None).unwrap_err();
    assert_eq!(error.to_string(), "there is no plant `inverted-pendlum`");
    let hint = error.hint();
    assert!(hint.starts_with("did you mean `inverted-pendulum`? known plants: "), "{hint}");
    assert!(hint.contains("BITLOOP_PLANT_PATH"), "{hint}");
    let error = Registry::built_in().open("x", None).unwrap_err();
    assert!(error.hint().starts_with("known plants: "), "{}", error.hint());
}

#[test]
fn a_structure_of_the_wrong_length_is_refused() {
    let error = Registry::built_in().open("inverted-pendulum", Some(&[3])).unwrap_err();
    assert!(matches!(error, HostError::Description { .. }), "{error}");
}

#[test]
fn each_built_in_plant_goes_by_the_name_that_it_describes_itself_by() {
    let registry = Registry::built_in();
    for name in registry.names() {
        assert_eq!(registry.open(name, None).unwrap().description().name, name);
    }
}
