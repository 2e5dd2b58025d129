//! What the shipped controllers see and command in closed loop, recorded from bitloop's own replay.

use std::path::{Path, PathBuf};

use bitloop_export::{Fixed, Portable, Reference};
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayExecution, ReplayOptions, TrajectoryFile, TrajectoryFormat};
use bitloop_scenario::ControllerFile;
use bitloop_sim::{Controller, Query};

/// A shipped controller.
pub struct Shipped {
    /// The name of its file without the ending.
    pub name: String,
    /// What it is.
    pub portable: Portable,
    /// Its steps, episode after episode.
    pub steps: Vec<Step>,
}

/// One step in closed loop.
#[derive(Clone)]
pub struct Step {
    /// Whether an episode begins.
    pub is_first: bool,
    /// What the plant showed.
    pub inputs: Vec<f64>,
    /// What bitloop commanded.
    pub outputs: Vec<f64>,
}

/// Every file in `controllers/`.
pub fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../controllers");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    files
}

/// Every shipped controller, with whole episodes of its test.
pub fn shipped(n_episodes: u32) -> Vec<Shipped> {
    files().iter().map(|path| record(path, n_episodes)).collect()
}

/// The replay of a shipped controller over whole episodes of its test.
pub fn replay(path: &Path, n_episodes: u32) -> Replay {
    let file = ControllerFile::read(path).unwrap();
    let options = ReplayOptions { n_episodes: Some(n_episodes), ..ReplayOptions::default() };
    Replay::new(&file, None, options, &Registry::built_in()).unwrap()
}

fn record(path: &Path, n_episodes: u32) -> Shipped {
    let replay = replay(path, n_episodes);
    let portable = bitloop_export::read(path).unwrap();
    let steps = Recording::new(&replay, &portable).run(&replay, None);
    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
    Shipped { name, portable, steps }
}

/// Steps as bytes: whether it is the first of its episode, inputs, outputs.
struct Recording {
    inputs: Vec<usize>,
    n_outputs: usize,
}

impl Recording {
    fn new(replay: &Replay, portable: &Portable) -> Self {
        let observations = &replay.plant().observations;
        let of_input =
            |name: &str| observations.iter().position(|known| known.name == name).unwrap();
        Self {
            inputs: portable.inputs.iter().map(|input| of_input(&input.name)).collect(),
            n_outputs: replay.plant().controls.len(),
        }
    }

    fn n_numbers(&self) -> usize {
        1 + self.inputs.len() + self.n_outputs
    }

    /// The steps of a replay under the saved controller, or under another one; episode after episode.
    fn run(&self, replay: &Replay, controller: Option<&dyn Controller>) -> Vec<Step> {
        let mut bytes = Vec::new();
        let trajectories = Some(TrajectoryFile { format: self, out: &mut bytes });
        let execution = ReplayExecution {
            has_digest: false,
            trajectories,
            controller,
            ..ReplayExecution::new(Isa::best(), 1)
        };
        replay.run_watched(execution, &mut |_| {}).unwrap();
        let numbers: Vec<f64> =
            bytes.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
        let step = |numbers: &[f64]| {
            let (inputs, outputs) = numbers[1..].split_at(self.inputs.len());
            Step { is_first: numbers[0] > 0.0, inputs: inputs.to_vec(), outputs: outputs.to_vec() }
        };
        numbers.chunks(self.n_numbers()).map(step).collect()
    }
}

impl TrajectoryFormat for Recording {
    fn bytes_per_episode(&self, n_queries: u64) -> u64 {
        8 * self.n_numbers() as u64 * n_queries
    }

    fn query(&self, _first: usize, query: &Query<'_>, texts: &mut [Vec<u8>]) {
        let is_first = f64::from(u8::from(query.tick == 0));
        for (lane, &episode) in query.episodes.iter().enumerate() {
            let inputs = self.inputs.iter().map(|&row| query.observation.row(row)[lane]);
            let outputs = (0..self.n_outputs).map(|row| query.control.row(row)[lane]);
            let numbers = [is_first].into_iter().chain(inputs).chain(outputs);
            texts[episode].extend(numbers.flat_map(f64::to_le_bytes));
        }
    }

    fn end(&self, _episode: usize, _tick: u64, _state: &[f64], _text: &mut Vec<u8>) {}

    fn pack(&self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

/// One step in closed loop under fixed point.
pub struct FixedStep {
    /// Whether an episode begins.
    pub is_first: bool,
    /// What the plant showed.
    pub inputs: Vec<i32>,
    /// What was commanded.
    pub outputs: Vec<i32>,
}

impl FixedStep {
    /// A word for the reset, then inputs and outputs.
    pub fn bytes(&self) -> Vec<u8> {
        let words = self.inputs.iter().chain(&self.outputs).copied();
        [i32::from(self.is_first)].into_iter().chain(words).flat_map(i32::to_le_bytes).collect()
    }
}

/// Whole episodes of the shipped controller `name` in a loop closed by its fixed point.
pub fn fixed_steps(name: &str, n_episodes: u32) -> Vec<FixedStep> {
    let path = files().into_iter().find(|path| path.file_stem().unwrap() == name).unwrap();
    let replay = replay(&path, n_episodes);
    let portable = bitloop_export::read(&path).unwrap();
    let fixed = Fixed::new(&portable).unwrap();
    let steps = Recording::new(&replay, &portable).run(&replay, Some(&fixed));
    let mut memory = vec![0; fixed.n_memory()];
    let step = |step: Step| {
        if step.is_first {
            memory.fill(0);
        }
        let inputs = fixed.inputs(&step.inputs);
        let mut outputs = vec![0; step.outputs.len()];
        fixed.step(&mut memory, &inputs, &mut outputs);
        // The loop has had the same controls.
        assert_eq!(fixed.outputs(&outputs), step.outputs);
        FixedStep { is_first: step.is_first, inputs, outputs }
    };
    steps.into_iter().map(step).collect()
}

impl Step {
    /// A word for the reset, then the bits of inputs and outputs.
    pub fn bytes(&self) -> Vec<u8> {
        let words = self.inputs.iter().chain(&self.outputs).map(|value| value.to_bits());
        [u64::from(self.is_first)].into_iter().chain(words).flat_map(u64::to_le_bytes).collect()
    }
}

#[test]
fn the_reference_repeats_the_replay_bit_for_bit() {
    for Shipped { name, portable, steps } in shipped(20) {
        let mut reference = Reference::new(&portable);
        for (at, step) in steps.iter().enumerate() {
            if step.is_first {
                reference.reset();
            }
            let outputs = reference.step(&step.inputs);
            let same = outputs.iter().zip(&step.outputs).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same, "{name}, step {at}: {outputs:?}, not {:?}", step.outputs);
        }
    }
}
