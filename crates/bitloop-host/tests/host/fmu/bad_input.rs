//! Each kind of bad FMU, and each mistake in the file beside it, has its own message.

use std::fs;

use bitloop_fmu::FmuFault;
use bitloop_host::{FmuPlant, FmuPlantFault, LibraryFault};
use bitloop_plant::{Integrator, Isa, Stretch};

use super::{FMI2, FMI3, Model, packed};

fn files(fault: FmuPlantFault) -> FmuFault {
    match fault {
        FmuPlantFault::Files(fault) => fault,
        other => panic!("{other}"),
    }
}

#[test]
fn what_is_no_fmu_is_reported_by_what_it_is() {
    let model = Model::new(FMI2);
    let path = model.bench().path("Oscillator.fmu");
    let fault = || files(FmuPlant::open(&path).unwrap_err().fault);
    assert_eq!(fault(), FmuFault::Missing);
    fs::write(&path, "text").unwrap();
    assert!(matches!(fault(), FmuFault::NotAnArchive(_)));
    fs::write(&path, packed(&[("readme".to_owned(), b"text".to_vec())])).unwrap();
    assert_eq!(fault(), FmuFault::NoDescription);
    let whole = fs::read(model.write()).unwrap();
    for length in [whole.len() / 2, whole.len() - 30] {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(fault(), FmuFault::NotAnArchive(_)), "{length}");
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(matches!(fault(), FmuFault::Unreadable(_)));
}

#[test]
fn an_fmu_without_a_file_beside_it_says_how_it_is_written() {
    let model = Model::new(FMI2);
    let path = model.write();
    fs::remove_file(model.bench().path("Oscillator.fmu.ron")).unwrap();
    let error = FmuPlant::open(&path).unwrap_err();
    assert!(error.to_string().contains("there is no Oscillator.fmu.ron beside it"), "{error}");
    assert!(error.hint().contains("bitloop plant new --fmu"), "{}", error.hint());
}

#[test]
fn files_outside_of_the_archive_are_refused() {
    for name in ["../evil.so", "/etc/evil", "resources/../../evil", "a\\..\\..\\evil"] {
        let mut model = Model::new(FMI2);
        model.files.push((name.to_owned(), b"x".to_vec()));
        assert_eq!(files(model.fault()), FmuFault::UnsafePath(name.to_owned()));
    }
}

#[test]
fn a_description_that_unpacks_without_end_is_not_read() {
    let model = Model::new(FMI2);
    let path = model.write();
    let bomb = vec![b' '; 65 << 20];
    let bytes = packed(&[("modelDescription.xml".to_owned(), bomb)]);
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    fs::write(&path, bytes).unwrap();
    let fault = files(FmuPlant::open(&path).unwrap_err().fault);
    assert!(matches!(fault, FmuFault::TooLarge(_)), "{fault}");
}

#[test]
fn faulty_descriptions_are_reported() {
    let refused = |from: &str, to: &str| Model::new(FMI2).described(from, to).refused();
    for (from, to, message) in [
        ("</fmiModelDescription>", "", "has no end"),
        ("fmiVersion=\"2.0\"", "fmiVersion=\"1.0\"", "it is of FMI \"1.0\""),
        ("fmiModelDescription", "html", "its outermost element is `html`"),
        ("<Unknown index=\"3\"/>", "<Unknown index=\"99\"/>", "there is no derivative 99"),
        ("<Unknown index=\"3\"/>", "<Unknown index=\"1\"/>", "`time` is no derivative"),
        ("valueReference=\"5\"", "valueReference=\"five\"", "`mu` has no value reference"),
        ("<ModelExchange", "<ScheduledExecution", "it offers no Co-Simulation"),
        (
            "<Derivatives><Unknown index=\"3\"/><Unknown index=\"5\"/></Derivatives>",
            "",
            "it has no continuous states",
        ),
        ("Indicators=\"0\"", "Indicators=\"2\"", "it has 2 event indicators"),
        (
            "modelIdentifier=\"oscillator\"",
            "modelIdentifier=\"oscillator\" needsExecutionTool=\"true\"",
            "it runs only beside the tool that made it, a test",
        ),
    ] {
        let found = refused(from, to);
        assert!(found.contains(message), "{found}");
    }
    let found = Model::new(FMI3)
        .described(
            "start=\"2\" unit=\"m\" description=\"the position\">",
            "><Dimension start=\"2\"/>",
        )
        .refused();
    assert!(found.contains("its state `x0` is an array"), "{found}");
}

#[test]
fn libraries_that_do_not_run_here_are_named() {
    let mut model = Model::new(FMI2);
    model.platform = "binaries/win64/oscillator.dll".to_owned();
    let found = model.refused();
    assert!(
        found.contains("no library for this machine, linux64: it holds libraries for win64"),
        "{found}"
    );

    let mut model = Model::new(FMI3);
    model.bench().compile("libgone.so", "int gone(void) { return 1; }\n");
    let folder = format!("-L{}", model.bench().path("").display());
    model.compiler_arguments =
        [&folder, "-Wl,--no-as-needed", "-lgone"].map(str::to_owned).to_vec();
    let missing = LibraryFault::MissingDependency("libgone.so".to_owned());
    assert_eq!(model.fault(), FmuPlantFault::Library(missing));

    let fault = Model::new(FMI2).spoiled(8).fault();
    assert_eq!(fault, FmuPlantFault::NoFunction("fmi2GetDerivatives"));
}

/// A library beside that of the model is found, and so are resources, in a folder that goes away with the plant.
#[test]
fn files_of_the_archive_are_there_while_the_plant_is() {
    let mut model = Model::new(FMI3);
    let helper = model.bench().compile("libhelper.so", "int helper(void) { return 1; }\n");
    let folder = format!("-L{}", model.bench().path("").display());
    let arguments = [&folder, "-Wl,--no-as-needed", "-lhelper", "-Wl,-rpath,$ORIGIN"];
    model.compiler_arguments = arguments.map(str::to_owned).to_vec();
    model.files.push(("binaries/x86_64-linux/libhelper.so".to_owned(), fs::read(helper).unwrap()));
    model.files.push(("resources/table.csv".to_owned(), b"1,2".to_vec()));
    model.open();
}

#[test]
fn models_that_do_not_start_are_reported_in_their_words() {
    let refused = |spoil| Model::new(FMI2).spoiled(spoil).refused();
    assert!(refused(5).contains("events in time"), "{}", refused(5));
    assert!(refused(6).contains("do not settle"), "{}", refused(6));
    assert!(refused(7).contains("it ends the simulation at its start"), "{}", refused(7));
    assert!(Model::new(FMI3).spoiled(5).refused().contains("events in time"));
    let other = Model::new(FMI2).described("{0815-2}", "{other}").refused();
    assert!(other.contains("it makes no instance"), "{other}");
    let unknown = Model::new(FMI2).described("valueReference=\"7\"", "valueReference=\"70\"");
    let unknown = unknown.set("\"x0\": ()", "\"energy\": ()").refused();
    assert!(unknown.contains("(status 3): no such variable"), "{unknown}");
}

/// The step at which the lane that starts at x0 = 3 ends, and its end cost.
fn run(model: &Model) -> Result<(u32, f64), String> {
    let plant = model.open();
    let plant = plant.plant();
    let mut lanes = plant.lanes(4);
    lanes.state.row_mut(0)[1] = 3.0;
    lanes.parameters.row_mut(0).fill(1.0);
    let stretch = Stretch {
        tick: 0,
        n_steps: 5,
        step_s: 0.05,
        integrator: Integrator::Euler,
        counts_cost: true,
    };
    let ended = plant.advance(Isa::best(), &mut lanes, 4, stretch);
    ended.map_err(|error| error.to_string())?;
    Ok((lanes.take_end_step(1), lanes.end_cost.row(0)[1]))
}

#[test]
fn what_cannot_be_computed_ends_the_episode_as_a_fault() {
    // NaN, and a call that is discarded.
    for spoil in [1, 3] {
        let (step, cost) = run(&Model::new(FMI2).spoiled(spoil)).unwrap();
        assert_eq!(step, 1, "{spoil}");
        assert!(cost.is_nan(), "{cost}");
    }
    // A division by zero: 3 - 3 at the first step, where x1 is 0.
    let model = Model::new(FMI2).set("x0^2 + x1^2 + 0.1*u^2", "1/(x0 - 3)");
    let (step, cost) = run(&model).unwrap();
    assert_eq!(step, 1);
    assert!(cost.is_nan(), "{cost}");
}

#[test]
fn an_error_of_the_model_is_an_error_with_its_message() {
    for version in [FMI2, FMI3] {
        let error = run(&Model::new(version).spoiled(2)).unwrap_err();
        let said = "it does not compute its derivatives (status 3): the solver is lost";
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn what_depends_on_a_control_at_once_cannot_be_seen() {
    for (from, to, what) in [
        ("\"x0\": ()", "\"feed\": ()", "the observation `feed`"),
        ("abs(x0) > 10", "feed > 10", "the failure"),
    ] {
        let found = Model::new(FMI2).set(from, to).refused();
        let expected = format!("{what} depends at once on the control `u`");
        assert!(found.contains(&expected), "{found}");
    }
}

/// Mistakes in the file beside an FMU: the line below the text shows where.
#[test]
fn mistakes_in_the_settings_have_their_place_and_a_hint() {
    for (from, to, marked, message, hint) in [
        (
            "\"u\": ()",
            "\"torque\": ()",
            "\"torque\"",
            "no variable `torque`",
            "lists the variables",
        ),
        (
            "\"x0\": ()",
            "\"energi\": ()",
            "\"energi\"",
            "no variable `energi`",
            "did you mean `energy`?",
        ),
        ("0.1*u^2", "0.1*enrgy", "enrgy", "no variable `enrgy`", "did you mean `energy`?"),
        ("0.1*u^2", "1/0", "/0", "division by zero", "0 for every state"),
        ("0.1*u^2", "sqt(u)", "sqt", "no function `sqt`", "did you mean `sqrt`?"),
        ("0.1*u^2", "", "\"", "a value is missing", "x^2"),
        ("abs(x0) > 10", "abs(x0)", "abs(x0)", "a number, and not true or false", "abs(x) > 1"),
        ("abs(x0) > 10", "u > 10", "u", "`u` is a control", "follow from the state"),
        ("value: \"x1\"", "value: \"count\"", "count", "`count` is of type I", "Float64"),
        ("\"u\": ()", "\"x0\": ()", "\"x0\"", "`x0` is no input", "set from outside"),
        (
            "\"u\": ()",
            "\"u\": (unit: \"N\")",
            "\"N\"",
            "the unit of `u` is \"N\" here",
            "not converted",
        ),
        ("\"mu\": (max: 10)", "\"u\": ()", "\"u\"", "`u` is set by `u` already", "keep one"),
        (
            "    cost",
            "    starts: {\"energy\": 1},\n    cost",
            "\"energy\"",
            "calculated by the model",
            "leave it out",
        ),
        ("    cost", "    costs: \"1\",\n    cost", "costs", "costs", "did you mean `cost`?"),
        ("failure_cost: 300", "failure_cost: -1", "-1", "negative", "0 or more"),
        (
            "failure_cost: 300",
            "failure_cost: 300, terminal_cost: \"time\"",
            "\"time\"",
            "depends on the time",
            "follow from the state",
        ),
    ] {
        for version in [FMI2, FMI3] {
            let FmuFault::Settings(error) = files(Model::new(version).set(from, to).fault()) else {
                panic!("{to}")
            };
            assert!(error.message.contains(message), "{error}");
            let found = error.hint.clone().unwrap_or_default();
            assert!(found.contains(hint), "{error}");
            let Some(place) = &error.place else { panic!("{error}") };
            let shown: String =
                place.source_line.chars().skip(place.column - 1).take(place.width).collect();
            assert!(marked.contains(shown.trim()) && !shown.is_empty(), "{error}\n{shown}");
        }
    }
}
