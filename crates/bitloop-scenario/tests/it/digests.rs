//! What is saved is guarded as a whole, and older files are written anew.

use bitloop_scenario::{AnySaved, ControllerFile, ErrorKind, File, FileKind, ModelFile};

use crate::{controllers::example, supervised::model};

/// Each text that differs in one digit from the one after the comment on top.
fn flipped_digits(text: &str) -> impl Iterator<Item = String> {
    let head = text.find("\n    format:").expect("a format");
    let digits = text.char_indices().filter(move |&(at, c)| at > head && c.is_ascii_digit());
    digits.map(|(at, digit)| {
        let other =
            if digit == '9' { "8" } else { &"123456789"[usize::from(digit as u8 - b'0')..][..1] };
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    })
}

fn assert_guarded<T: FileKind + PartialEq + std::fmt::Debug>(text: &str) {
    let good = File::<T>::parse(text, "a.ron").unwrap_or_else(|error| panic!("{error}"));
    let mut n_refused = 0;
    for flipped in flipped_digits(text) {
        match File::<T>::parse(&flipped, "a.ron") {
            // The last digits of some numbers do not change them.
            Ok(file) => assert_eq!(file.value, good.value, "{flipped}"),
            Err(error) => {
                n_refused += 1;
                assert!(error.place.is_some() && error.hint.is_some(), "{error}");
            }
        }
    }
    assert!(n_refused > 100, "{n_refused}");
}

#[test]
fn no_flipped_digit_passes() {
    assert_guarded::<bitloop_scenario::SavedController>(&example().to_text().unwrap());
    assert_guarded::<bitloop_scenario::SavedModel>(&model().to_text().unwrap());
}

#[test]
fn an_edited_connection_or_scenario_is_refused_with_a_hint() {
    let good = example().to_text().unwrap();
    let edits = [
        (
            "name: \"theta\", unit: \"rad\", center: 0.0",
            "name: \"theta\", unit: \"rad\", center: 0.5",
        ),
        ("name: \"theta\", unit: \"rad\"", "name: \"theta\", unit: \"deg\""),
        ("scale: 1.0, min: -20.0", "scale: 1.5, min: -20.0"),
        ("min: -20.0", "min: -25.0"),
        ("step_s: 0.01", "step_s: 0.02"),
        ("integrator: Euler", "integrator: RungeKutta4"),
        ("Uniform(0.9, 1.1)", "Uniform(0.9, 1.2)"),
        ("test: 0.30000000000000004", "test: 0.2"),
    ];
    for (from, to) in edits {
        assert_eq!(good.matches(from).count(), 1, "{from}");
        let error = ControllerFile::parse(&good.replace(from, to), "a.ron").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Damaged, "{error}");
        assert!(error.message.starts_with("the content digest does not match"), "{error}");
    }
}

#[test]
fn where_the_library_was_is_not_guarded() {
    let mut saved = example();
    saved.plant.library = Some("/there/cart.so".into());
    let text = saved.to_text().unwrap().replace("/there/", "/elsewhere/");
    ControllerFile::parse(&text, "a.ron").unwrap_or_else(|error| panic!("{error}"));
}

/// A file as it was written before there were formats, with the names that some fields had then.
fn older(text: &str) -> String {
    let lines = text.lines().filter(|line| {
        !line.starts_with("    format:") && !line.starts_with("    content_digest:")
    });
    let text = lines.fold(String::new(), |text, line| text + line + "\n");
    text.replace("runs: ", "descents: ")
        .replace("run_evaluations:", "descent_evaluations:")
        .replace(" run: ", " descent: ")
}

#[test]
fn an_older_file_is_refused_in_words_and_can_be_upgraded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.ron");
    for text in [example().to_text().unwrap(), model().to_text().unwrap()] {
        std::fs::write(&path, older(&text)).unwrap();
        let error = AnySaved::read(&path).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Format, "{error}");
        assert!(error.hint.as_ref().is_some_and(|hint| hint.contains("controller upgrade")));
        assert_eq!(AnySaved::upgraded(&path).unwrap(), Some(text.clone()));
        std::fs::write(&path, text).unwrap();
        assert_eq!(AnySaved::upgraded(&path).unwrap(), None);
    }
}

#[test]
fn a_file_that_lost_its_format_or_was_edited_is_not_upgraded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.ron");
    let text = model().to_text().unwrap();
    let without_format = text.replace("    format: 1,\n", "");
    let edited = older(&text).replace("-1e-300", "-2e-300");
    for spoiled in [without_format, edited] {
        assert_ne!(spoiled, text);
        std::fs::write(&path, spoiled).unwrap();
        assert_eq!(AnySaved::upgraded(&path).unwrap_err().kind, ErrorKind::Damaged);
    }
    assert!(ModelFile::parse(&text, "a.ron").is_ok());
}
