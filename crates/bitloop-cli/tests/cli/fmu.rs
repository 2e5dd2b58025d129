//! From an FMU to a controller: the file beside it, checks, training in a process of its own, replay.

use std::fs;
use std::process::Command;

use crate::support::Bench;

/// The oscillator of the host's tests.
const MODEL: &str = include_str!("../../../bitloop-host/tests/host/fmu/model.c");
const FMI2: &str = include_str!("../../../bitloop-host/tests/host/fmu/fmi2.xml");
const FMI3: &str = include_str!("../../../bitloop-host/tests/host/fmu/fmi3.xml");

const SETTINGS: &str = r#"Fmu(
    controls: {"u": ()},
    observations: {"x0": (scale: 2), "x1": (scale: 2)},
    parameters: {"mu": ()},
    cost: "x0^2 + x1^2 + u^2",
    failure: "abs(x0) > 20",
)
"#;

const SCENARIO: &str = r#"Scenario(
    plant: Fmu(path: "models/Oscillator.fmu"),
    simulation: (integrator: Euler, step_s: 0.05, sample_time_s: 0.1),
    parameters: {"mu": Uniform(0.8, 1.2)},
    initial: {"x0": Uniform(-2, 2), "x1": Uniform(-2, 2)},
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 8, horizon_s: 5), test: (count: 4, horizon_s: 10)),
    training: TelescopicBlm(preset: Paper, bits: 12, max_weight: 10, initialization: Bounded(0.1), validate_every: 10),
    stop: (evaluations: 300),
)
"#;

/// A folder with the scenario `oscillator.ron` and the FMU in `models`.
fn bench(version: u32, spoil: u32) -> Bench {
    bench_of(version, spoil, if version == 2 { FMI2 } else { FMI3 })
}

/// The same with another description.
fn bench_of(version: u32, spoil: u32, description: &str) -> Bench {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("models")).unwrap();
    bench.write("oscillator.ron", SCENARIO);
    bench.write("models/Oscillator.fmu.ron", SETTINGS);
    bench.write("model.c", MODEL);
    let output = Command::new("cc")
        .args(["-std=gnu99", "-O1", "-ffp-contract=off", "-w", "-fPIC", "-shared"])
        .arg(format!("-DFMI={version}"))
        .arg(format!("-DSPOIL={spoil}"))
        .arg(format!("-DID=\"{{0815-{version}}}\""))
        .arg("-o")
        .args([bench.path("oscillator.so"), bench.path("model.c")])
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = if version == 2 { "linux64" } else { "x86_64-linux" };
    let library = fs::read(bench.path("oscillator.so")).unwrap();
    let library = (format!("binaries/{folder}/oscillator.so"), library);
    let description = ("modelDescription.xml".to_owned(), description.as_bytes().to_vec());
    fs::write(bench.path("models/Oscillator.fmu"), stored(&[description, library])).unwrap();
    bench
}

/// A zip archive whose files are not compressed.
pub fn stored(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    use std::io::Write as _;
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn the_first_file_makes_a_plant_that_can_be_trained() {
    let bench = bench(3, 0);
    fs::remove_file(bench.path("models/Oscillator.fmu.ron")).unwrap();
    let info = ["plant", "info", "models/Oscillator.fmu"];
    let outcome = bench.run(&info);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(outcome.stderr.contains("bitloop plant new --fmu"), "{outcome:?}");

    let new = ["plant", "new", "--fmu", "models/Oscillator.fmu"];
    let outcome = bench.run(&new);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    // The oscillator shows its own control.
    let outcome = bench.run(&info);
    assert!(outcome.stderr.contains("`feed` depends at once on the control `u`"), "{outcome:?}");
    let file = "models/Oscillator.fmu.ron";
    let text = bench.read(file).replace("\"feed\": (", "// \"feed\": (").replace(" + feed^2", "");
    bench.write(file, &text);
    let outcome = bench.run(&info);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("An oscillator with an input"), "{outcome:?}");
    // What is written once is not written over.
    let outcome = bench.run(&new);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert_eq!(bench.read(file), text);

    let outcome = bench.run(&["scenario", "new", "models/Oscillator.fmu", "-o", "new.ron"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(bench.read("new.ron").contains("plant: Fmu(path: \"models/Oscillator.fmu\")"));
    let outcome = bench.run(&["scenario", "check", "new.ron"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let outcome = bench.run(&["train", "new.ron", "--evaluations", "50", "--out", "run", "--json"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
}

#[test]
fn the_checks_of_plants_pass() {
    for version in [2, 3] {
        let outcome = bench(version, 0).run(&["plant", "check", "models/Oscillator.fmu"]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(outcome.stdout.contains(" 0 failed"), "{outcome:?}");
    }
}

/// The digest of the controller of a training.
fn digest(bench: &Bench, out: &str, options: &[&str]) -> String {
    let args = [&["train", "oscillator.ron", "--out", out, "--json"], options].concat();
    bench.run(&args).json()["controller_digest"].as_str().unwrap().to_owned()
}

#[test]
fn a_training_has_the_same_controller_whatever_runs_it() {
    let bench = bench(2, 0);
    let expected = digest(&bench, "run", &[]);
    for (index, options) in
        [&["--threads", "1"][..], &["--threads", "2", "--no-isolate"], &["--isolate=30"]]
            .into_iter()
            .enumerate()
    {
        assert_eq!(digest(&bench, &format!("run{index}"), options), expected, "{options:?}");
    }
    let controller = bench.read("run/controller.ron");
    assert!(controller.contains("models/Oscillator.fmu"), "{controller}");

    // A replay finds the FMU again, also beside a controller that was moved.
    let trajectories =
        |args: &[&str]| bench.run(args).json()["trajectory_digest"].as_str().unwrap().to_owned();
    let expected = trajectories(&["replay", "run/controller.ron", "--json"]);
    assert_eq!(trajectories(&["replay", "run/controller.ron", "--json", "--no-isolate"]), expected);
    fs::create_dir(bench.path("moved")).unwrap();
    fs::copy(bench.path("run/controller.ron"), bench.path("moved/controller.ron")).unwrap();
    for name in ["Oscillator.fmu", "Oscillator.fmu.ron"] {
        fs::rename(bench.path(&format!("models/{name}")), bench.path(&format!("moved/{name}")))
            .unwrap();
    }
    assert_eq!(trajectories(&["replay", "moved/controller.ron", "--json"]), expected);
    let sandboxed = bench.run(&["replay", "moved/controller.ron", "--json", "--sandbox"]);
    if sandboxed.code != Some(10) {
        assert_eq!(sandboxed.json()["trajectory_digest"].as_str(), Some(&*expected));
    }
}

/// A model that takes its own steps: threads, isolation and interruptions change nothing.
#[test]
fn co_simulation_has_the_same_controller_whatever_runs_it() {
    for (version, description) in [(2, FMI2), (3, FMI3)] {
        let bench = bench_of(version, 0, &description.replace("<ModelExchange", "<CoSimulation"));
        let scenario = SCENARIO.replace("integrator: Euler, ", "");
        bench.write("oscillator.ron", &scenario);
        let expected = digest(&bench, "run", &[]);
        for (index, options) in
            [&["--threads", "1"][..], &["--threads", "2", "--no-isolate"]].into_iter().enumerate()
        {
            assert_eq!(digest(&bench, &format!("run{index}"), options), expected, "{options:?}");
        }
        let begin = ["train", "oscillator.ron", "--out", "other", "--seconds", "0.001"];
        assert_eq!(bench.run(&begin).code, Some(0));
        let resumed =
            bench.run(&["train", "--resume", "other", "--seconds", "600", "--json"]).json();
        assert_eq!(resumed["controller_digest"].as_str(), Some(&*expected));
        let pushed =
            "    uncertainty: (disturbances: {\"x0\": [Impulse(at_s: 1, area: 1)]}),\n    stop:";
        bench.write("pushed.ron", &scenario.replace("    stop:", pushed));
        let refused = bench.run(&["scenario", "check", "pushed.ron"]);
        assert_eq!(refused.code, Some(3), "{refused:?}");
        assert!(refused.stderr.contains("the plant owns its state"), "{refused:?}");
        let replay = ["replay", "run/controller.ron", "--checkpoint", "state"];
        bench.run(&replay).assert_refused(2, &["in this process", "--no-isolate"]);
        let here = [&replay[..], &["--no-isolate"]].concat();
        bench.run(&here).assert_refused(2, &["the plant owns its state", "--shard"]);
        let check = bench.run(&["plant", "check", "models/Oscillator.fmu"]);
        assert_eq!(check.code, Some(0), "{check:?}");
    }
}

#[test]
fn a_training_that_was_cut_off_goes_on_to_the_same_controller() {
    let bench = bench(3, 0);
    let expected = digest(&bench, "run", &[]);
    let begin = ["train", "oscillator.ron", "--out", "other", "--seconds", "0.001"];
    assert_eq!(bench.run(&begin).code, Some(0));
    let resumed = bench.run(&["train", "--resume", "other", "--seconds", "600", "--json"]).json();
    assert_eq!(resumed["controller_digest"].as_str(), Some(&*expected));
}

/// Costs are part of a plant: with another file beside the FMU, a training does not go on.
#[test]
fn another_file_beside_the_fmu_is_another_plant() {
    let bench = bench(2, 0);
    let begin = ["train", "oscillator.ron", "--out", "run", "--seconds", "0.001"];
    assert_eq!(bench.run(&begin).code, Some(0));
    bench.write("models/Oscillator.fmu.ron", &SETTINGS.replace("u^2", "2*u^2"));
    let outcome = bench.run(&["train", "--resume", "run", "--seconds", "600"]);
    assert_ne!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("was begun with a library with the digest"), "{outcome:?}");
}

#[test]
fn a_mistake_beside_the_fmu_is_shown_there() {
    let bench = bench(2, 0);
    bench.write("models/Oscillator.fmu.ron", &SETTINGS.replace("x1^2", "x2^2"));
    for args in [
        &["train", "oscillator.ron"][..],
        &["train", "oscillator.ron", "--no-isolate"],
        &["scenario", "check", "oscillator.ron"],
        &["plant", "info", "models/Oscillator.fmu"],
    ] {
        let outcome = bench.run(args);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        for part in ["Oscillator.fmu.ron:5:19", "no variable `x2`", "did you mean `x0`?", "^^"] {
            assert!(outcome.stderr.contains(part), "{part}: {}", outcome.stderr);
        }
    }
}

/// By default the model is in another process, which it may take down alone.
#[test]
fn a_model_that_crashes_ends_its_process_alone() {
    let bench = bench(3, 9);
    let outcome = bench.run(&["train", "oscillator.ron", "--out", "run"]);
    assert!(outcome.stderr.contains("segmentation fault"), "{outcome:?}");
    assert!(outcome.code.is_some_and(|code| code < 128), "{outcome:?}");
}

/// What a model computes may depend on the machine, and all that comes of it repeats that.
#[test]
fn whose_bits_they_are_is_repeated() {
    let bench = bench(3, 0);
    let info = bench.run(&["plant", "info", "models/Oscillator.fmu"]);
    assert!(info.stdout.contains("hold on one machine alone"), "{info:?}");
    let info = bench.run(&["plant", "info", "models/Oscillator.fmu", "--json"]).json();
    assert_eq!(info["machine_bits"], true);
    let own = bench.run(&["plant", "info", "inverted-pendulum"]);
    assert!(!own.stdout.contains("one machine"), "{own:?}");

    let note = "note: the plant's bits hold on one machine alone";
    let trained = bench.run(&["train", "oscillator.ron", "--out", "run"]);
    assert!(trained.stderr.contains(note), "{trained:?}");
    let controller = bench.read("run/controller.ron");
    assert!(controller.contains("machine_bits: true"), "{controller}");
    let replayed = bench.run(&["replay", "run/controller.ron"]);
    assert!(replayed.stderr.contains(note), "{replayed:?}");
    let shown = bench.run(&["controller", "show", "run/controller.ron"]);
    assert!(shown.stdout.contains("of the machine of the training"), "{shown:?}");
    let campaign = ["campaign", "oscillator.ron", "--runs", "1", "--out", "campaign"];
    let campaign = bench.run(&campaign);
    assert!(campaign.stderr.contains(note), "{campaign:?}");
}

#[test]
fn a_path_without_its_form_is_explained() {
    let bench = bench(2, 0);
    let wrong = SCENARIO.replace("Fmu(path: \"models/Oscillator.fmu\")", "\"Oscillator.fmu\"");
    bench.write("oscillator.ron", &wrong);
    let outcome = bench.run(&["scenario", "check", "oscillator.ron"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(outcome.stderr.contains("plant: Fmu(path: \"Oscillator.fmu\")"), "{outcome:?}");
}
