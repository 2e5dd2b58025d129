//! Where exports are written, and what is refused.

use std::fs;

use bitloop_export::{Codes, Encoding, ExportError, Input, Target, Weights, export};
use bitloop_net::{Activation, Layer, Network};

use crate::networks::{controller, model, sample};
use crate::tools::{can_compile, run_line};

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
fn an_export_that_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut exported = export(&sample(&controller(), 1)[0], Target::C, "net").unwrap();
    // A name that no file can have.
    exported.files[2].name = "n".repeat(300);
    let error = exported.write(&folder.path().join("c")).unwrap_err();
    assert!(matches!(error, ExportError::Write { .. }), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // A folder that was there stays.
    exported.write(folder.path()).unwrap_err();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
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
    portable.weights = Weights::Codes(Codes::new(8, 1.0, codes).unwrap());
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
    let expected = "output `a*/b` is called CONTROLLER_3_WAY_VALVE_OUT_A__B: it is no identifier";
    assert!(notes.contains(expected), "{notes}");
}

#[test]
fn signals_whose_names_map_to_one_are_kept_apart_and_compile() {
    let mut portable = sample(&model(false), 1).remove(0);
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let input =
        |name: &str, encoding| Input { name: name.to_owned(), unit: String::new(), encoding };
    // Words and units whose constants would have the names of other signals.
    portable.inputs = vec![
        input("a", Encoding::Words(words(&["b c", "b-c"]))),
        input("a is b", Encoding::Words(words(&["c"]))),
        input("a-is-b", Encoding::Scaled { center: 0.0, scale: 1.0 }),
        input("", Encoding::Scaled { center: 0.0, scale: 1.0 }),
    ];
    portable.outputs.truncate(1);
    let n_outputs = portable.outputs[0].decoding.n_variables();
    portable.network = Network::new(5, 1, vec![Layer::new(n_outputs, Activation::Tanh)]).unwrap();
    let codes = vec![1; portable.network.n_weights()];
    portable.weights = Weights::Codes(Codes::new(8, 1.0, codes).unwrap());
    for target in [Target::C, Target::CFixed, Target::Rust, Target::RustFixed] {
        let exported = export(&portable, target, "while").unwrap();
        let notes = exported.notes.join("\n");
        assert!(notes.contains("`while` is called while_controller"), "{notes}");
        assert!(notes.contains("input `a-is-b` is called"), "{notes}");
        assert!(notes.contains("is taken"), "{notes}");
        let folder = tempfile::tempdir().unwrap();
        exported.write(folder.path()).unwrap();
        let compiler = exported.self_test.split(' ').next().unwrap().to_owned();
        if compiler == "rustc" || can_compile(&compiler, &["-std=c99"], "names that map to one") {
            run_line(&exported.self_test, folder.path());
        }
    }
}
