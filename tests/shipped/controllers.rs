//! Each shipped controller is replayed: its test error comes out to the last bit, and no episode fails.

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_scenario::{ControllerFile, ScenarioFile, ScenarioKind as _};

use crate::{name, ron_files};

/// A controller in `controllers/`, and the test error that it must not exceed.
struct Shipped {
    file: &'static str,
    max_test_error: f64,
}

/// Every file in `controllers/`.
const SHIPPED: &[Shipped] = &[
    // 85 steps to the goal.
    Shipped { file: "acrobot.ron", max_test_error: 0.17 },
    Shipped { file: "cstr.ron", max_test_error: 2e-4 },
    // 1.03 times that of the linear-quadratic regulator on the mean of all starts.
    Shipped { file: "mass-spring-damper.ron", max_test_error: 3e-2 },
    Shipped { file: "pendulum-full-16bit.ron", max_test_error: 1e-3 },
    // The paper's figure for two bits.
    Shipped { file: "pendulum-full-2bit.ron", max_test_error: 2.34e-2 },
    Shipped { file: "pendulum-positions.ron", max_test_error: 1e-2 },
    Shipped { file: "pendulum-real.ron", max_test_error: 1e-3 },
    // A return of -153 in Pendulum-v1.
    Shipped { file: "pendulum-swing-up.ron", max_test_error: 0.75 },
];

#[test]
fn every_shipped_controller_is_listed() {
    let files = ron_files("controllers");
    let names: Vec<&str> = files.iter().map(|path| name(path)).collect();
    let listed: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.file).collect();
    assert_eq!(names, listed, "a controller that ships belongs into this test, by name");
}

#[test]
fn every_shipped_controller_gives_its_test_error_to_the_last_bit() {
    let registry = Registry::built_in();
    for path in ron_files("controllers") {
        let file = name(&path);
        let controller = ControllerFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let replay = Replay::new(&controller, None, ReplayOptions::default(), &registry)
            .unwrap_or_else(|error| panic!("{error}"));
        let saved = controller.value.errors.test.expect("a test error");
        for isa in Isa::available() {
            let outcome = replay.run(isa, 1).unwrap_or_else(|error| panic!("{error}"));
            let error = outcome.evaluation.error;
            assert_eq!(error.to_bits(), saved.to_bits(), "{file} on {}: {error:e}", isa.name());
            assert_eq!(outcome.evaluation.n_failed(), 0, "{file}");
        }
        let shipped = SHIPPED.iter().find(|shipped| shipped.file == file).expect("a listed file");
        assert!(saved <= shipped.max_test_error, "{file}: {saved:e}");
    }
}

#[test]
fn every_shipped_controller_of_the_pendulum_balances_in_the_long_test() {
    let registry = Registry::built_in();
    let long = ron_files("scenarios").into_iter().find(|path| name(path) == "pendulum-long.ron");
    let long = ScenarioFile::read(long.expect("pendulum-long.ron")).unwrap();
    let mut n_tested = 0;
    for path in ron_files("controllers") {
        let controller = ControllerFile::read(&path).unwrap();
        let trained = &controller.value.scenario;
        // Those for a cart that differs from its model learnt to catch smaller angles.
        let is_for_starts = trained.initial.get("theta") == long.value.initial.get("theta");
        if controller.value.plant.name != "inverted-pendulum" || !is_for_starts {
            continue;
        }
        let options = ReplayOptions::default();
        let replay = Replay::new(&controller, Some(&long), options, &registry).unwrap();
        let outcome = replay.run(Isa::best(), 1).unwrap();
        assert_eq!(outcome.evaluation.n_failed(), 0, "{}", path.display());
        n_tested += 1;
    }
    assert_eq!(n_tested, 3);
}

#[test]
fn only_the_controller_that_was_trained_for_it_stands_in_a_world_that_is_not_the_model() {
    let registry = Registry::built_in();
    let path = |folder, file: &str| {
        ron_files(folder).into_iter().find(|path| name(path) == file).expect(file)
    };
    let real = ScenarioFile::read(path("scenarios", "pendulum-real.ron")).unwrap();
    let n_failed = |file| {
        let controller = ControllerFile::read(path("controllers", file)).unwrap();
        let options = ReplayOptions::default();
        let replay = Replay::new(&controller, Some(&real), options, &registry).unwrap();
        replay.run(Isa::best(), 1).unwrap().evaluation.n_failed()
    };
    // The rows of README.md.
    assert_eq!((n_failed("pendulum-real.ron"), n_failed("pendulum-full-16bit.ron")), (0, 49));
}

#[test]
fn every_shipped_controller_names_the_scenario_that_made_it() {
    let scenarios = ron_files("scenarios");
    for path in ron_files("controllers") {
        let controller = ControllerFile::read(&path).unwrap().value;
        let made_by = &controller.made_by;
        let scenario = scenarios
            .iter()
            .find(|scenario| name(scenario) == made_by.scenario)
            .unwrap_or_else(|| panic!("{}: no scenarios/{}", path.display(), made_by.scenario));
        let scenario = ScenarioFile::read(scenario).unwrap();
        assert!(
            scenario.is_same_but_for_the_seed(&controller.scenario),
            "{}: scenarios/{} says something else now, so the command in the file would make another controller",
            path.display(),
            made_by.scenario,
        );
        let command =
            format!("bitloop train scenarios/{} --seed {}", made_by.scenario, made_by.seed);
        assert_eq!(made_by.command, command, "{}", path.display());
        assert_eq!(controller.scenario.digest(), made_by.scenario_digest);
    }
}

#[test]
fn every_shipped_controller_is_as_this_version_writes_it() {
    for path in ron_files("controllers") {
        let controller = ControllerFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let text = controller.value.to_text().unwrap_or_else(|problem| panic!("{problem}"));
        let is_so = text == controller.source.text();
        assert!(is_so, "{}: run `bitloop controller upgrade` on it", path.display());
    }
}
