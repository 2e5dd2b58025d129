//! The first file beside an FMU.

use bitloop_fmu::{Archive, Fmu, Model, Settings, template};
use bitloop_text::Source;

const HEAD: &str = "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"{t}\">\
    <ModelExchange modelIdentifier=\"m\"/><ModelVariables>";
const TAIL: &str = "</ModelVariables><ModelStructure><ContinuousStateDerivative valueReference=\"2\"/>\
    </ModelStructure></fmiModelDescription>";
const STATE: &str = "<Float64 name=\"x\" valueReference=\"1\" start=\"1\" unit=\"rad\" description=\"the \
    angle&#10;of it\"/><Float64 name=\"der(x)\" valueReference=\"2\" derivative=\"1\"/>";
const INPUT: &str = "<Float64 name=\"u\" valueReference=\"3\" causality=\"input\" start=\"0\"/>";
const OUTPUT: &str =
    "<Float64 name=\"y 1\" valueReference=\"4\" causality=\"output\" nominal=\"3\"/>";
const PARAMETER: &str = "<Float64 name=\"m\" valueReference=\"5\" causality=\"parameter\" variability=\"fixed\" start=\"2\" unit=\"kg\"/>";

/// An archive without any file.
fn nothing() -> Archive {
    let end = [b"PK\x05\x06".to_vec(), vec![0; 18]].concat();
    Archive::of_bytes(end).unwrap()
}

fn plant(variables: &[&str]) -> (String, Fmu) {
    let model = Model::read(&format!("{HEAD}{}{TAIL}", variables.concat())).unwrap();
    let text = template(&model, "m.fmu");
    let source = Source::new("m.fmu.ron", text.clone());
    let settings = Settings::decode(&source).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let fmu = Fmu::of(nothing(), model, &settings, &source, "m");
    (text.clone(), fmu.unwrap_or_else(|error| panic!("{error}\n{text}")))
}

#[test]
fn it_works_as_it_is_and_lists_all_variables() {
    let (text, fmu) = plant(&[STATE, INPUT, OUTPUT, PARAMETER]);
    let plant = &fmu.plan.description;
    assert_eq!(plant.controls[0].name, "u");
    assert_eq!((plant.controls[0].min, plant.controls[0].max), (-1.0, 1.0));
    assert_eq!((plant.observations[0].name.as_str(), plant.observations[0].scale), ("y 1", 3.0));
    assert!(plant.parameters.is_empty());
    assert_eq!((plant.step_s, plant.sample_time_s), (0.01, 0.1));
    for line in [
        "    cost: \"'y 1'^2\",",
        "    // failure: \"abs('y 1') > 10\",",
        "        // \"x\": (scale: 1.0),  // [rad] the angle of it",
        "        // \"der(x)\": (scale: 1.0),",
        "        // \"m\": (),  // [kg]",
        "        // \"x\": 1.0,  // [rad] the angle of it",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

/// All that is in comments can be used.
#[test]
fn its_comments_are_sound() {
    let (text, _) = plant(&[STATE, INPUT, OUTPUT, PARAMETER]);
    let entry = |line: &str| line.trim_start().starts_with("// \"") || line.contains("// failure");
    let lines =
        text.lines().map(|l| if entry(l) { l.replacen("// ", "", 1) } else { l.to_owned() });
    let text = lines.collect::<Vec<_>>().join("\n");
    let source = Source::new("m.fmu.ron", text.clone());
    let settings = Settings::decode(&source).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let variables = [STATE, INPUT, OUTPUT, PARAMETER].concat();
    let model = Model::read(&format!("{HEAD}{variables}{TAIL}")).unwrap();
    let fmu = Fmu::of(nothing(), model, &settings, &source, "m").unwrap();
    assert_eq!(fmu.plan.description.observations.len(), 3);
    assert_eq!(fmu.plan.description.parameters[0].name, "m");
    assert!(fmu.plan.failure.is_some());
    assert_eq!(fmu.plan.has_start, [true]);
}

#[test]
fn a_model_without_inputs_or_outputs_has_a_first_file_too() {
    let (text, fmu) = plant(&[STATE, PARAMETER]);
    assert_eq!(fmu.plan.description.controls[0].name, "m");
    assert_eq!(fmu.plan.description.observations[0].name, "x");
    assert!(text.contains("The model has no input"), "{text}");
}

#[test]
fn another_file_beside_an_fmu_is_another_plant() {
    let model = || Model::read(&format!("{HEAD}{STATE}{INPUT}{OUTPUT}{TAIL}")).unwrap();
    let digest = |text: &str| {
        let source = Source::new("m.fmu.ron", text);
        let settings = Settings::decode(&source).unwrap();
        Fmu::of(nothing(), model(), &settings, &source, "m").unwrap().digest().to_owned()
    };
    let text = template(&model(), "m.fmu");
    assert_eq!(digest(&text), digest(&text));
    assert_ne!(digest(&text), digest(&text.replace("^2\"", "^4\"")));
}
