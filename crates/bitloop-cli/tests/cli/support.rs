//! Runs the binary in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Map, Value};
use tempfile::TempDir;

/// A training of some hundred evaluations, which takes an instant even on the portable path.
pub const QUICK: &str = r#"Scenario(
    plant: "inverted-pendulum",
    observations: ["x", "theta", "x_dot", "theta_dot"],
    simulation: (integrator: Euler, step_s: 0.01, sample_time_s: 0.1),
    initial: {"theta": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [3]),
    episodes: (
        training: (count: 11, horizon_s: 5, transient_s: 1),
        test: (count: 9, horizon_s: 20),
    ),
    training: TelescopicBlm(
        bits: 12,
        max_weight: 10,
        initialization: Bounded(0.1),
        growth: Threshold(phi: 0.1, eta: 0.95), preset: Paper,
        validate_every: 10,
    ),
    stop: (evaluations: 600),
    seed: 1,
)
"#;

/// A training on examples of some thousand evaluations.
pub const QUICK_FIT: &str = "Supervised(
    data: Spirals(Cmu194),
    split: (training: 150, validation: 24, test: 20),
    network: (hidden: [4]),
    training: TelescopicBlm(
        bits: 8,
        max_weight: 6,
        initialization: Bounded(0.1),
        growth: AtLocalMinimum,
        validate_every: 10,
    ),
    stop: (evaluations: 3000, run_evaluations: 1300),
    seed: 1,
)
";

/// A folder that goes away, in which commands are run.
pub struct Bench {
    folder: TempDir,
}

/// What came of a command.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Bench {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with `quick.ron` in it.
    pub fn with_scenario() -> Self {
        let bench = Self::new();
        bench.write("quick.ron", QUICK);
        bench
    }

    /// A folder with a trained controller, `run/controller.ron`, and the result of the training.
    pub fn with_controller() -> (Self, Map<String, Value>) {
        let bench = Self::with_scenario();
        let result = bench.run(&["train", "quick.ron", "--out", "run", "--json"]).json();
        (bench, result)
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file in the folder.
    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Reads a file in the folder.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The binary, to be run in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitloop"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env_remove("BITLOOP_ISA");
        command
    }

    /// Runs the binary to its end.
    pub fn run(&self, args: &[&str]) -> Outcome {
        Outcome::of(&mut self.command(args))
    }

    /// Runs a training that writes to `run` for some seconds: for more of them, from its beginning, where a busy machine
    /// has cut it off before it had found anything.
    pub fn train_for_seconds(&self, args: &[&str], mut seconds: f64) -> Outcome {
        loop {
            let budget = ["--out", "run", "--seconds", &seconds.to_string()];
            let outcome = self.run(&[args, &budget].concat());
            if outcome.code != Some(130) {
                return outcome;
            }
            fs::remove_dir_all(self.path("run")).unwrap();
            seconds *= 2.0;
        }
    }
}

impl Outcome {
    /// Runs a command to its end.
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The one object on standard output; anything else there is a mistake.
    pub fn json(&self) -> Map<String, Value> {
        assert_eq!(self.code, Some(0), "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The characters of a number in the object on standard output.
    pub fn number(&self, key: &str) -> &str {
        let (_, rest) = self.stdout.split_once(&format!("\"{key}\": ")).expect(key);
        rest.split([',', '\n']).next().unwrap()
    }

    /// Checks that the command ended with a code, said each fragment on standard error, and printed no result.
    #[track_caller]
    pub fn assert_refused(&self, code: i32, fragments: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        // A system without a part of the sandbox says so first.
        let mut lines = self.stderr.lines().skip_while(|line| line.contains("keeps rights"));
        assert!(lines.next().is_some_and(|line| line.starts_with("error: ")), "{}", self.stderr);
        for fragment in fragments {
            assert!(self.stderr.contains(fragment), "`{fragment}` is missing in\n{}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

/// The top of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
