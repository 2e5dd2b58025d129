//! `bitloop train --shard`: some of the runs of a training, in a folder of its own.

use std::path::Path;

use bitloop_campaign::{
    CHECKPOINT_PERIOD, RestartWork, Restarts, RestartsError, Shard, machine_bits,
};
use bitloop_folder::{SCENARIO, attempts, begin_attempt, write_file};
use bitloop_run::{VERSION, default_folder};
use bitloop_scenario::{AnyScenario, PlantChoice};
use bitloop_train::Execution;
use serde::{Deserialize, Serialize};

use crate::args::{DataFiles, TrainArgs};
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, number, print, print_note, shell};
use crate::overrides;
use crate::registry;
use crate::shards::{Asked, Local, Plan, refused_plan};
use crate::start_folder;

/// What the folder of each part has, beside the scenario.
pub const TRAINING: &str = "training.json";

/// What a training was asked for, as far as it bears on its runs, without folders.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// The name of the scenario's file.
    pub scenario: String,
    pub seed: u64,
}

impl Asked for Training {
    const FILE: &'static str = TRAINING;
    const FORMAT: u64 = 1;
    const NOUN: &'static str = "training";
    const HAS_SCENARIO: bool = true;
}

/// The result as `--json` prints it.
#[derive(Serialize)]
struct ShardJson {
    shard: String,
    folder: String,
    runs: Vec<u32>,
    complete: bool,
}

/// Does the runs of a shard that no attempt at it has finished.
pub fn train(args: &TrainArgs, shard: Shard) -> Result<Done, Failure> {
    let interrupt = Interrupt::listen();
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let path = args.scenario.clone().unwrap_or_default();
    let mut scenario = AnyScenario::read(&path)?;
    if let Some(seed) = args.seed {
        scenario.set_seed(seed);
    }
    let given = scenario.clone();
    overrides::apply(&mut scenario, args.plant.as_ref(), &args.files)?;
    let seed = scenario.seed();
    let asked = Training {
        scenario: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        seed,
    };
    let restarts = Restarts::new(scenario, VERSION.to_owned(), registry::registry());
    let restarts = restarts.map_err(|error| failure(&path, error))?;
    let machine = machine_bits(restarts.scenario(), restarts.has_machine_bits());
    let plan = Plan::new(asked, machine);
    let whole = args.out.clone().unwrap_or_else(|| default_folder(&path, seed));
    let folder = start_folder::absolute(&whole).join(shard.folder_name());
    let earlier = attempts(&folder)?;
    let found = restarts.finished(&earlier).map_err(|error| failure(&path, error))?;
    let (mut finished, damaged) = found;
    print_note(&format!(
        "training {}, shard {shard} of its runs, seed {seed}, {}, {}",
        path.display(),
        number::counted(n_threads.get() as u64, "thread"),
        isa.name(),
    ));
    if !finished.is_empty() {
        print_note(&format!(
            "{} were finished before",
            number::counted(finished.len() as u64, "run")
        ));
    }
    for path in damaged {
        let path = start_folder::shown(&path).display().to_string();
        print_note(&format!("note: {path} is damaged, its run is done again"));
    }
    let mut is_done = restarts.missing(&finished, shard, None).next().is_none();
    if !is_done {
        let attempt = begin_attempt(&folder)?;
        let files = (args.plant.as_ref(), &args.files);
        write_file(&attempt.join(SCENARIO), given.source().text().as_bytes())?;
        Local::of((&path, &given), files, Some(shard), args.threads)?.write(&attempt)?;
        plan.write(&attempt)?;
        let stop_file = args.stop_file.as_deref().map(start_folder::absolute);
        let work = RestartWork {
            restarts: &restarts,
            shard,
            folder: attempt,
            earlier,
            checkpoint_period: CHECKPOINT_PERIOD,
            stop_file,
        };
        let execution = Execution::new(isa, n_threads, interrupt.flag());
        let ran = work.run(&mut finished, execution, &mut |news| {
            let record = news.record;
            print_note(&format!(
                "run {} finished: error {}, {}, stopped by {}",
                news.run,
                number::error(record.candidate.merit()),
                number::counted(record.evaluations, "evaluation"),
                record.stop_reason.name(),
            ));
        });
        environment::restore_process();
        is_done = ran.map_err(|error| failure(&path, error))?;
    }
    let shown = start_folder::shown(&folder);
    if args.json {
        json::print_object(&ShardJson {
            shard: shard.to_string(),
            folder: shown.display().to_string(),
            runs: finished.keys().copied().collect(),
            complete: is_done,
        })?;
    } else {
        let n_runs = number::counted(finished.len() as u64, "run");
        print(&format!("shard {shard}: {n_runs} finished in {}\n", shown.display()))?;
    }
    if is_done {
        let (program, whole) = (environment::program(), shell::quoted(&whole));
        print_note(&format!("when all shards are done: {program} merge {whole} --out DIR"));
        Ok(Done::Fully)
    } else if interrupt.came() {
        print_note("interrupted: the same command does the rest");
        Ok(Done::Interrupted { signal: interrupt.signal() })
    } else {
        print_note(
            "ended by the stop file, which names no run; without it, the same command does the rest",
        );
        Ok(Done::Fully)
    }
}

/// Why runs cannot be done apart, or put together.
pub fn failure(scenario: &Path, error: RestartsError) -> Failure {
    match error {
        RestartsError::Train(error) => Failure::of_training(scenario, error),
        RestartsError::Folder(error) => error.into(),
        RestartsError::Inputs(_) | RestartsError::Missing { .. } => {
            Failure::Folder { message: error.to_string(), hint: None }
        }
        RestartsError::Record(error) => Failure::of_records(&error),
    }
}

/// The scenario of a part as it is run, where its files are, and the plant that it was given beside the scenario.
pub fn scenario_of(
    folder: &Path,
    asked: &Training,
    plant: Option<&PlantChoice>,
    files: &DataFiles,
) -> Result<(AnyScenario, Local, Option<PlantChoice>), Failure> {
    let local = Local::read(folder)?;
    let mut scenario = AnyScenario::read(folder.join(SCENARIO))?.in_folder(local.folder.clone());
    scenario.set_seed(asked.seed);
    let own = local.plant.as_deref().map(crate::args::parse_plant).transpose();
    let own = own.map_err(|message| refused_plan::<Training>(folder, &message))?;
    overrides::apply(&mut scenario, plant.or(own.as_ref()), &files.or(&local.files))?;
    Ok((scenario, local, own))
}
