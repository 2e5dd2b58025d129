//! A description is checked: each case spoils one thing of a sound one.

use bitloop_plant::{Description, Integrator, MAX_NAME_BYTES, Parameter, Variable};

use crate::tank::description;

#[test]
fn a_sound_description_passes() {
    description(2).check().unwrap();
    let mut no_parameters = description(2);
    no_parameters.parameters.clear();
    no_parameters.structure.clear();
    no_parameters.check().unwrap();
}

#[test]
fn each_fault_is_named() {
    type Spoil = fn(&mut Description);
    let cases: [(Spoil, &str); 27] = [
        (|d| d.name.clear(), "a plant has an empty name"),
        (|d| d.name = "x".repeat(MAX_NAME_BYTES + 1), "a plant has a name of 65 bytes: at most 64"),
        (|d| d.name = "a\nb".to_owned(), "plant \"a\\nb\": control characters"),
        (|d| d.states.clear(), "the plant has no state: it needs one"),
        (|d| d.controls.clear(), "the plant has no control: it needs one"),
        (|d| d.observations.clear(), "the plant has no observation: it needs one"),
        (|d| d.states[1].name.clone_from(&"level_0".to_owned()), "two states are named `level_0`"),
        (|d| d.observations[0].name.clear(), "a observation has an empty name"),
        (|d| d.states[0].unit = "m".repeat(65), "state `level_0`: its unit is longer"),
        (|d| d.states[0].unit = "m\0".to_owned(), "state `level_0`: its unit is longer"),
        (|d| d.states[0].min = 10.0, "state `level_0`: its bounds [10, 10] are empty"),
        (|d| d.states[0].max = f64::NAN, "state `level_0`: its bounds [0, NaN] are empty"),
        (|d| d.states[0].default = 11.0, "state `level_0`: its default 11 is outside [0, 10]"),
        (|d| d.states[0].default = f64::NAN, "state `level_0`: its default NaN is outside"),
        (|d| d.controls[0].scale = 0.0, "control `inflow`: center 0.5 and scale 0"),
        (|d| d.controls[0].scale = -1.0, "control `inflow`: center 0.5 and scale -1"),
        (|d| d.controls[0].scale = f64::INFINITY, "control `inflow`: center 0.5 and scale inf"),
        (|d| d.controls[0].center = f64::NAN, "control `inflow`: center NaN and scale 0.5"),
        (|d| d.parameters[0].default = 11.0, "parameter `drain`: its default 11 is outside"),
        (|d| d.parameters[0].min = f64::NAN, "parameter `drain`: its default 0.5 is outside"),
        (|d| d.parameters[0].unit = "m".repeat(65), "parameter `drain`: its unit is longer"),
        (|d| d.parameters.push(d.parameters[0].clone()), "two parameters are named `drain`"),
        (|d| d.structure[0].default = 0, "structural parameter `n_tanks`: its default 0"),
        (|d| d.structure.push(d.structure[0].clone()), "two structural parameters are named"),
        (|d| d.integrators.clear(), "the plant names no integrator: it needs one"),
        (|d| d.step_s = 0.0, "`step_s` is 0: it must be positive"),
        (|d| d.sample_time_s = f64::INFINITY, "`sample_time_s` is inf: it must be positive"),
    ];
    for (spoil, expected) in cases {
        let mut spoiled = description(2);
        spoil(&mut spoiled);
        let error = spoiled.check().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
}

#[test]
fn builders_say_what_they_do() {
    let variable = Variable::new("a", "K").bounded(1.0, 9.0).scaled(5.0, 2.0).starting_at(4.0);
    assert_eq!((variable.min, variable.max, variable.center), (1.0, 9.0, 5.0));
    assert_eq!((variable.scale, variable.default), (2.0, 4.0));
    let parameter = Parameter::new("p", "kg", 3.0, "mass").bounded(2.0, 4.0);
    assert_eq!((parameter.default, parameter.min, parameter.max), (3.0, 2.0, 4.0));
}

#[test]
fn integrators_keep_their_codes() {
    for (code, integrator) in Integrator::ALL.into_iter().enumerate() {
        let code = u32::try_from(code).unwrap();
        assert_eq!((integrator.code(), Integrator::from_code(code)), (code, Some(integrator)));
    }
    assert_eq!(Integrator::from_code(4), None);
    let names = Integrator::ALL.map(Integrator::name);
    assert_eq!(names, ["Euler", "SemiImplicitEuler", "RungeKutta4", "PlantStep"]);
}
