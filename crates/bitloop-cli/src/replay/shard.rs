//! `bitloop replay --shard`: some of the episodes, in a folder of its own; and `bitloop merge` of these.

use std::path::{Path, PathBuf};
use std::slice;

use bitloop_campaign::{Parts, Shard, bits_of_machine};
use bitloop_replay::{EpisodeRecord, Replay, ReplayExecution};
use bitloop_run::VERSION;

use super::report::Report;
use super::{inputs, notes, options, replay_failure, write_episodes};
use crate::args::{MergeArgs, ReplayArgs};
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, print, print_note};
use crate::shards::{Carried, Collected, Divisible, Job};
use crate::test_inputs::TestInputs;

/// Episodes for each thread that are run and kept together, as many as fill its lanes.
const AT_ONCE: usize = 64;

/// The results of all episodes, a line for each, in the folder of the whole.
const EPISODES: &str = "episodes.csv";

impl Divisible for ReplayArgs {
    const FILE: &'static str = "replay.json";
    const WORD: &'static str = "replay";
    const NOUN: &'static str = "replay";

    fn inputs(&self) -> Vec<&Path> {
        self.test.files(slice::from_ref(&self.controller))
    }

    fn forget_folders(&mut self) {
        self.test.forget_folders(slice::from_mut(&mut self.controller));
    }
}

fn job<'a>(args: &'a ReplayArgs, inputs: &TestInputs<'_>, replay: &Replay) -> Job<'a, ReplayArgs> {
    let n_episodes = u32::try_from(replay.n_episodes()).unwrap_or(u32::MAX);
    let identity = format!("replay {} {}", inputs.identity(replay), args.no_digest);
    let plant = replay.library_digest().map(str::to_owned);
    let (controller, scenario) = inputs.texts();
    Job {
        parts: Parts::new(("episode", n_episodes), &identity, plant, VERSION.to_owned()),
        args,
        texts: [controller].into_iter().chain(scenario).collect(),
        machine: bits_of_machine(!replay.has_machine_bits()),
    }
}

/// Runs the episodes of a shard that no attempt at it has finished.
pub fn run(args: &ReplayArgs, shard: Shard, out: &Path) -> Result<Done, Failure> {
    let inputs = inputs(args)?;
    let interrupt = Interrupt::listen();
    let replay = inputs.replay(options(args))?;
    for note in notes(&inputs.controller.value.plant, &replay) {
        print_note(&note);
    }
    let n_threads = args.threads.unwrap_or_else(environment::n_cores).get();
    let at_once = AT_ONCE * n_threads;
    let carried = Carried { shard, out, n_threads, at_once, json: args.json };
    job(args, &inputs, &replay).run::<EpisodeRecord>(&carried, &interrupt, &mut |items| {
        let indices: Vec<usize> = items.iter().map(|&item| item as usize).collect();
        let execution = ReplayExecution {
            has_digest: !args.no_digest,
            has_behavior: true,
            interrupt: interrupt.flag(),
            ..ReplayExecution::new(inputs.isa, n_threads)
        };
        let records = replay.run_apart(&indices, execution, &mut |_| {});
        records.map_err(|error| replay_failure(args, error))
    })
}

/// Makes of episodes that were run apart the result of the whole replay, and prints it.
pub fn merge(folders: &[PathBuf], merge: &MergeArgs) -> Result<Done, Failure> {
    let mut collected = Collected::<ReplayArgs>::of(folders)?;
    let args = &mut collected.args;
    merge.apply(&mut args.test)?;
    args.json = merge.json;
    let args = &collected.args;
    let inputs = TestInputs::collected((&args.controller, 0), &args.test, &collected)?;
    let replay = inputs.replay(options(args))?;
    let job = job(args, &inputs, &replay);
    let whole = collected.whole::<EpisodeRecord>(&job)?;
    let outcome = replay.put_together(&whole.results, whole.wall_s).ok_or_else(|| {
        let message = "the episodes are those of a plant with other states or controls".to_owned();
        Failure::Folder { message, hint: None }
    })?;
    let failed = |error| Failure::of_training(&args.controller, error);
    let worst = replay.worst(&outcome).map_err(failed)?;
    environment::restore_process();
    let controller = &inputs.controller.value;
    let (replay, outcome) = (&replay, &outcome);
    let report = Report { args, controller, replay, outcome, worst, double_error: None };
    let mut episodes = Vec::new();
    write_episodes(&mut episodes, Path::new(EPISODES), args, replay, outcome)?;
    let result = json::object_text(&report.json().map_err(failed)?)?;
    let files = [(EPISODES, episodes), (bitloop_folder::RESULT, result.clone().into_bytes())];
    collected.place(&job, (&merge.out, &whole), &files)?;
    for note in notes(&controller.plant, replay).into_iter().chain(report.warning()) {
        print_note(&note);
    }
    print(&if args.json { result } else { report.text() })?;
    Ok(if report.misses().is_empty() { Done::Fully } else { Done::Missed })
}
