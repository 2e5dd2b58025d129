//! FMUs and the files beside them: the archive, the description of a model, settings, expressions.

use bitloop_fmu::{Archive, Fmu, Kind, Model, Settings, compile, template};
use bitloop_text::Source;

/// A whole description, which settings are read against.
const MODEL: &str = "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\"><ModelExchange modelIdentifier=\"m\"/>\
    <ModelVariables><Float64 name=\"x\" valueReference=\"1\" start=\"1\"/><Float64 name=\"der(x)\" valueReference=\"2\" \
    derivative=\"1\"/><Float64 name=\"u\" valueReference=\"3\" causality=\"input\"/></ModelVariables><ModelStructure>\
    <ContinuousStateDerivative valueReference=\"2\"/></ModelStructure></fmiModelDescription>";

/// Reads any bytes as each of the parts of an FMU.
pub fn read(data: &[u8]) {
    match Archive::of_bytes(data.to_vec()) {
        Ok(mut archive) => {
            let _ = archive.description().map(|text| Model::read(&text));
        }
        Err(fault) => assert!(!fault.to_string().is_empty() && !fault.hint().is_empty()),
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(model) = Model::read(text) {
        let _ = template(&model, "m.fmu");
    }
    settings(text);
    for kind in [Kind::Number, Kind::Truth] {
        match compile(text, kind, &mut |name| Ok(name.len() % 3)) {
            Ok(program) => {
                let _ = program.value(&[0.5, -1.0, 2.0], &mut Vec::new());
            }
            Err(error) => assert!(text.get(error.span.clone()).is_some(), "{error:?}"),
        }
    }
}

/// Reads a text as a file beside an FMU.
fn settings(text: &str) {
    let source = Source::new("m.fmu.ron", text);
    let Ok(settings) = Settings::decode(&source) else { return };
    // An archive without any file.
    let end = [b"PK\x05\x06".to_vec(), vec![0; 18]].concat();
    let archive = Archive::of_bytes(end).expect("a whole archive");
    let model = Model::read(MODEL).expect("a whole description");
    match Fmu::of(archive, model, &settings, &source, "m") {
        Ok(fmu) => fmu.plan.description.check().expect("a checked description"),
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
}
