//! `MuJoCo`: the tasks of Gymnasium, and any model as an FMU. Skipped where `MuJoCo` is not in `plants/mujoco/venv`, which
//! `plants/mujoco/README.md` says how to fill.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::engines::skipped;
use crate::support::{Bench, workspace};

const TASKS: [&str; 5] =
    ["hopper", "half_cheetah", "swimmer", "inverted_pendulum", "inverted_double_pendulum"];

/// A ball on a rail, pushed by a motor, with sensors of both.
const RAIL: &str = r#"<mujoco model="rail">
  <option timestep="0.01"/>
  <worldbody>
    <body name="ball">
      <joint name="place" type="slide" axis="1 0 0"/>
      <geom size="0.1" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="place" ctrlrange="-2 2"/></actuator>
  <sensor>
    <jointpos name="seen place" joint="place"/>
    <jointvel name="seen speed" joint="place"/>
    <framepos name="where" objtype="body" objname="ball"/>
  </sensor>
</mujoco>
"#;

const SETTINGS: &str = r#"Fmu(
    controls: {"push": ()},
    observations: {"seen place": (), "seen speed": ()},
    cost: "'where[1]'^2 + 0.1*'seen speed'^2 + 0.01*push^2",
    failure: "abs(place) > 5",
    failure_cost: 25.0,
    step_s: 0.01,
    sample_time_s: 0.1,
)
"#;

const SCENARIO: &str = r#"Scenario(
    plant: Fmu(path: "rail.fmu"),
    initial: {"place": Uniform(-1, 1), "place.velocity": Uniform(-0.5, 0.5)},
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 5, horizon_s: 5), test: (count: 4, horizon_s: 10)),
    training: TelescopicBlm(bits: 4, start_bits: 4, max_weight: 2, validate_every: 10),
    stop: (evaluations: 200),
)
"#;

/// A folder in which plants/mujoco was made, or nothing where `MuJoCo` is not there.
fn made(what: &str, target: &str) -> Option<Bench> {
    let sources = workspace().join("plants/mujoco");
    let Ok(venv) = sources.join("venv").canonicalize() else {
        skipped(what, "there is no MuJoCo in plants/mujoco/venv");
        return None;
    };
    let bench = Bench::new();
    for folder in ["tasks", "fmu"] {
        fs::create_dir(bench.path(folder)).unwrap();
        for entry in fs::read_dir(sources.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, bench.path(folder).join(path.file_name().unwrap())).unwrap();
        }
    }
    for name in ["Makefile", "guard.h"] {
        fs::copy(sources.join(name), bench.path(name)).unwrap();
    }
    std::os::unix::fs::symlink(venv, bench.path("venv")).unwrap();
    let output = make(&bench, &[target]);
    assert!(output.0, "{}", output.1);
    Some(bench)
}

/// Whether `make` succeeds, and what it says.
fn make(bench: &Bench, arguments: &[&str]) -> (bool, String) {
    let include = workspace().join("crates/bitloop-plant/include").canonicalize().unwrap();
    let output = Command::new("make")
        .arg("-s")
        .arg("-C")
        .arg(bench.path(""))
        .arg(format!("INCLUDE={}", include.display()))
        .args(arguments)
        .output()
        .expect("make");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// Warnings of `MuJoCo` go to a file, unless somebody takes them.
fn assert_no_log(folder: &Path) {
    assert!(!folder.join("MUJOCO_LOG.TXT").exists());
}

#[test]
fn the_tasks_pass_the_checks() {
    let Some(bench) = made("the checks of MuJoCo's tasks", "all") else { return };
    for task in TASKS {
        let outcome = bench.run(&["plant", "check", &format!("./{task}.so"), "--json"]);
        assert_eq!(outcome.code, Some(0), "{task}: {outcome:?}");
        assert!(outcome.json()["passed"].as_u64() >= Some(30), "{task}: {outcome:?}");
    }
    assert_no_log(&bench.path(""));
}

/// Costs are offset - reward, and observations the same, to the last bit.
#[test]
fn the_tasks_are_those_of_gymnasium() {
    let Some(bench) = made("MuJoCo's tasks beside Gymnasium", "all") else { return };
    let output = Command::new(bench.path("venv/bin/python"))
        .arg(workspace().join("plants/mujoco/tests/parity.py"))
        .arg(bench.path(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.matches("are the same").count(), TASKS.len(), "{said}");
}

/// The digest of the controller of a training.
fn digest(bench: &Bench, scenario: &str, out: &str, options: &[&str]) -> String {
    let args = [&["train", scenario, "--out", out, "--json"], options].concat();
    bench.run(&args).json()["controller_digest"].as_str().unwrap().to_owned()
}

#[test]
fn a_task_trains_the_same_controller_whatever_runs_it() {
    let Some(bench) = made("a training of a task of MuJoCo", "inverted_pendulum.so") else {
        return;
    };
    let scenario = workspace().join("plants/mujoco/scenarios/inverted_pendulum.ron");
    let text = fs::read_to_string(scenario).unwrap();
    let short = text.replace("../inverted_pendulum.so", "inverted_pendulum.so");
    bench.write("s.ron", &short.replace("evaluations: 3000", "evaluations: 100"));
    let expected = digest(&bench, "s.ron", "run", &["--threads", "1"]);
    for (index, options) in [&["--threads", "2"][..], &["--isolate=60"]].into_iter().enumerate() {
        assert_eq!(digest(&bench, "s.ron", &format!("run{index}"), options), expected);
    }
    let info = bench.run(&["plant", "info", "./inverted_pendulum.so"]);
    assert!(info.stdout.contains("hold on one machine alone"), "{info:?}");
    assert_no_log(&bench.path(""));
}

/// The scenarios that ship fit their plants.
#[test]
fn the_scenarios_of_the_tasks_are_sound() {
    let Some(bench) = made("the scenarios of MuJoCo's tasks", "all") else { return };
    for task in TASKS {
        let shipped = workspace().join(format!("plants/mujoco/scenarios/{task}.ron"));
        fs::create_dir_all(bench.path("scenarios")).unwrap();
        let name = format!("scenarios/{task}.ron");
        bench.write(&name, &fs::read_to_string(shipped).unwrap());
        let outcome = bench.run(&["scenario", "check", &name]);
        assert_eq!(outcome.code, Some(0), "{task}: {outcome:?}");
    }
}

/// Makes an FMU of a model, in a folder with `rail.ron`.
fn fmu(bench: &Bench, model: &str) -> (bool, String) {
    bench.write("rail.xml", model);
    bench.write("rail.fmu.ron", SETTINGS);
    bench.write("rail.ron", SCENARIO);
    make(bench, &["MODEL=rail.xml", "fmu"])
}

#[test]
fn any_model_is_an_fmu_whose_cost_is_an_expression_of_its_sensors() {
    let Some(bench) = made("a model of MuJoCo as an FMU", "model_fmu.so") else { return };
    let (is_made, said) = fmu(&bench, RAIL);
    assert!(is_made, "{said}");
    let first = fs::read(bench.path("rail.fmu")).unwrap();
    assert!(fmu(&bench, RAIL).0);
    assert!(first == fs::read(bench.path("rail.fmu")).unwrap(), "the same model, other bytes");

    let expected = digest(&bench, "rail.ron", "run", &["--threads", "1"]);
    assert_eq!(digest(&bench, "rail.ron", "run2", &["--threads", "2"]), expected);
    assert_eq!(digest(&bench, "rail.ron", "run3", &["--no-isolate"]), expected);
    let check = bench.run(&["plant", "check", "rail.fmu", "--no-sandbox"]);
    assert_eq!(check.code, Some(0), "{check:?}");
    assert_no_log(&bench.path(""));

    // The first file works at once, but for what depends on the control at once.
    fs::remove_file(bench.path("rail.fmu.ron")).unwrap();
    assert_eq!(bench.run(&["plant", "new", "--fmu", "rail.fmu"]).code, Some(0));
    let first = bench.read("rail.fmu.ron");
    for part in ["\"push\": (min: -2.0, max: 2.0)", "\"where[3]\"", "\"place.velocity\""] {
        assert!(first.contains(part), "{part}: {first}");
    }
    // A name that the model does not have.
    bench.write("rail.fmu.ron", &SETTINGS.replace("'seen speed'^2", "sped^2"));
    let outcome = bench.run(&["plant", "info", "rail.fmu"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(outcome.stderr.contains("the model has no variable `sped`"), "{outcome:?}");
    // A step that the model cannot take.
    bench.write("rail.fmu.ron", &SETTINGS.replace("step_s: 0.01", "step_s: 0.005"));
    let outcome = bench.run(&["train", "rail.fmu", "--evaluations", "5", "--out", "odd"]);
    assert!(outcome.stderr.contains("a whole number of the model's own timesteps"), "{outcome:?}");
}

#[test]
fn models_that_cannot_be_plants_are_refused_in_words() {
    let Some(bench) = made("bad models of MuJoCo", "model_fmu.so") else { return };
    let without = RAIL
        .replace(r#"<actuator><motor name="push" joint="place" ctrlrange="-2 2"/></actuator>"#, "");
    let (is_made, said) = fmu(&bench, &without);
    assert!(!is_made && said.contains("the model has no actuator"), "{said}");
    let (is_made, said) = fmu(&bench, &RAIL.replace("type=\"slide\"", "type=\"glide\""));
    assert!(!is_made && said.contains("rail.xml") && said.contains("glide"), "{said}");
    assert!(!said.contains("Traceback"), "{said}");
    let (is_made, said) = make(&bench, &["MODEL=none.xml", "fmu"]);
    assert!(!is_made && said.contains("none.xml") && !said.contains("Traceback"), "{said}");
}

/// A state that `MuJoCo` cannot continue is a fault of the episode, where it would begin anew by itself.
#[test]
fn a_model_that_blows_up_is_a_fault_and_no_new_start() {
    let Some(bench) = made("a model of MuJoCo that blows up", "model_fmu.so") else { return };
    // A spring that pushes away, faster and faster.
    let model = RAIL.replace("<joint name=\"place\"", "<joint stiffness=\"-1e9\" name=\"place\"");
    let (is_made, said) = fmu(&bench, &model);
    assert!(is_made, "{said}");
    bench.write("rail.fmu.ron", &SETTINGS.replace("    failure: \"abs(place) > 5\",\n", ""));
    let outcome = bench.run(&["train", "rail.ron", "--evaluations", "5", "--out", "run"]);
    assert!(outcome.code.is_some_and(|code| code < 128), "{outcome:?}");
    let told = format!("{}{}", outcome.stdout, outcome.stderr);
    assert!(told.contains("inf") || told.contains("fault"), "{outcome:?}");
    assert_no_log(&bench.path(""));
}

#[test]
fn a_wheel_that_is_not_there_is_said() {
    let sources = workspace().join("plants/mujoco");
    let output = Command::new("make")
        .arg("-s")
        .arg("-C")
        .arg(&sources)
        .args(["VENV=nowhere", "hopper.so", "-W", "tasks/hopper.c"])
        .output()
        .expect("make");
    assert!(!output.status.success());
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(said.contains("no MuJoCo in nowhere"), "{said}");
}
