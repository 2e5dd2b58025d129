//! Where exports are written, and what is refused.

use std::fs;

use bitloop_export::{ExportError, Target, export};
use bitloop_net::{Activation, Layer, Network};

use crate::networks::{controller, sample};

#[test]
fn a_folder_with_files_in_it_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.c"), "precious").unwrap();
    let exported = export(&sample(&controller(), 1)[0], Target::C, "net").unwrap();
    let error = exported.write(folder.path()).unwrap_err();
    assert!(matches!(error, ExportError::NotEmpty(_)), "{error}");
    assert!(error.hint().is_some());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let empty = tempfile::tempdir().unwrap();
    exported.write(empty.path()).unwrap();
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), exported.files.len());
}

#[test]
fn a_network_that_no_stack_holds_is_refused() {
    let mut portable = sample(&controller(), 1).remove(0);
    let layers = vec![
        Layer::new(20_000, Activation::Tanh),
        Layer::new(portable.network.n_outputs(), Activation::Linear),
    ];
    portable.network = Network::new(portable.network.n_inputs(), 1, layers).unwrap();
    let codes = vec![1; portable.network.n_weights()];
    let codes = bitloop_export::Codes::new(8, 1.0, codes).unwrap();
    portable.weights = bitloop_export::Weights::Codes(codes);
    let error = export(&portable, Target::C, "net").unwrap_err();
    assert!(error.to_string().contains("on the stack"), "{error}");
}

#[test]
fn names_that_are_no_identifiers_are_mapped_and_named() {
    let mut portable = sample(&controller(), 1).remove(0);
    portable.outputs[0].name = "a*/b".to_owned();
    let exported = export(&portable, Target::C, "3-way valve").unwrap();
    assert_eq!(exported.files[1].name, "controller_3_way_valve.c");
    let notes = exported.notes.join("\n");
    assert!(notes.contains("`3-way valve` is called controller_3_way_valve"), "{notes}");
    assert!(notes.contains("output `a*/b` is called A__B"), "{notes}");
}
