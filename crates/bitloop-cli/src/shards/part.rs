//! A shard of a command whose work is numbered items: it is asked for, run, and kept.

use std::path::{Path, PathBuf};

use bitloop_campaign::{Parts, RunItems, Shard};
use bitloop_folder::{attempts, begin_attempt, write_file};
use bitloop_replay::ReplayProgress;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::local::Local;
use super::plan::{Asked, Plan};
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::progress::Display;
use crate::output::{json, number, print, print_note, shell};
use crate::start_folder;

/// The arguments of a command that can be done in parts. Those that bear on nothing but how it is carried out, and where its
/// results go, are not serialized.
pub trait Divisible: Serialize + DeserializeOwned + Clone {
    /// The name of the plan's file.
    const FILE: &'static str;
    /// The command.
    const WORD: &'static str;
    /// What it is, after `a`.
    const NOUN: &'static str;

    /// The files that it reads, in order: controllers first, and the scenario, if one is named.
    fn inputs(&self) -> Vec<&Path>;

    /// Leaves only names of files and plants, so that it is the same on all machines.
    fn forget_folders(&mut self);
}

/// What a command is asked for, as its plan has it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Items<C> {
    /// Of all that bears on a result.
    pub digest: String,
    #[serde(flatten)]
    args: C,
}

impl<C: Divisible> Asked for Items<C> {
    const FILE: &'static str = C::FILE;
    const FORMAT: u64 = 1;
    const NOUN: &'static str = C::NOUN;
    // What of the inputs bears on a result is in the digest.
    const HAS_SCENARIO: bool = false;
}

/// A command that is done in parts.
pub struct Job<'a, C> {
    /// Its items.
    pub parts: Parts,
    /// Its arguments.
    pub args: &'a C,
    /// The texts of the files that it reads, in the order of [`Divisible::inputs`].
    pub texts: Vec<String>,
    /// What of the machine decides on the bits of the results.
    pub machine: String,
}

/// How a shard is carried out.
pub struct Carried<'a> {
    /// Which it is.
    pub shard: Shard,
    /// The folder for all shards.
    pub out: &'a Path,
    /// Threads.
    pub n_threads: usize,
    /// Items that are done together, and kept together.
    pub at_once: usize,
    /// Whether the result is printed as JSON.
    pub json: bool,
}

/// The result as `--json` prints it.
#[derive(Serialize)]
struct ShardJson {
    shard: String,
    folder: String,
    items: usize,
    finished: usize,
    complete: bool,
}

/// The name of the copy of an input in the folder of a part.
pub fn copy_name(input: usize) -> String {
    format!("input-{input}.ron")
}

impl<C: Divisible> Job<'_, C> {
    /// Its plan.
    pub fn plan(&self) -> Plan<Items<C>> {
        let mut args = self.args.clone();
        args.forget_folders();
        Plan::new(Items { digest: self.parts.digest().to_owned(), args }, self.machine.clone())
    }

    /// Writes all but results into the folder of a part.
    pub fn write(
        &self,
        folder: &Path,
        (start, shard, n_threads): (&Path, Option<Shard>, usize),
    ) -> Result<(), Failure> {
        for (input, text) in self.texts.iter().enumerate() {
            write_file(&folder.join(copy_name(input)), text.as_bytes())?;
        }
        Local::of_command((self.args, self.args.inputs()[0]), start, shard, n_threads)?
            .write(folder)?;
        // The plan last: a folder that has one has the other files.
        self.plan().write(folder)
    }

    /// Does the items of a shard that no attempt at it has finished, by `run`, which gives none if it was interrupted.
    pub fn run<T: Serialize + DeserializeOwned>(
        &self,
        carried: &Carried<'_>,
        interrupt: &Interrupt,
        run: &mut RunItems<'_, T, Failure>,
    ) -> Result<Done, Failure> {
        let Carried { shard, out, n_threads, at_once, json } = *carried;
        let folder = start_folder::absolute(out).join(shard.folder_name());
        let earlier: Vec<PathBuf> = attempts(&folder)?;
        let finished =
            self.parts.finished::<T>(&earlier).map_err(|error| Failure::of_records(&error))?;
        let n_items = self.parts.n_items_of(shard);
        let noun = self.parts.noun();
        let all = number::counted(n_items as u64, noun);
        print_note(&format!("{}, shard {shard}: {all}", C::WORD));
        for path in finished.damaged() {
            let path = start_folder::shown(path).display();
            print_note(&format!("note: {path} is damaged, it is done again"));
        }
        let missing = self.parts.missing(&finished, shard);
        let mut n_finished = n_items - missing.len();
        if n_finished > 0 {
            print_note(&format!("{n_finished} of {all} were finished before"));
        }
        let mut is_done = missing.is_empty();
        if !is_done {
            let attempt = begin_attempt(&folder)?;
            let start = start_folder::absolute(Path::new(""));
            self.write(&attempt, (&start, Some(shard), n_threads))?;
            let (before, mut display) = (n_finished, Display::of(missing.len(), noun));
            let part = (&*attempt, n_threads);
            let ran = self.parts.work(part, (&missing, at_once), run, &mut |n_done| {
                n_finished = before + n_done;
                let part = n_done as f64 / missing.len() as f64;
                display.show(ReplayProgress { n_finished: n_done, part });
            });
            display.finish();
            environment::restore_process();
            is_done = ran?;
        }
        let shown = start_folder::shown(&folder);
        if json {
            json::print_object(&ShardJson {
                shard: shard.to_string(),
                folder: shown.display().to_string(),
                items: n_items,
                finished: n_finished,
                complete: is_done,
            })?;
        } else {
            print(&format!(
                "shard {shard}: {n_finished} of {all} finished in {}\n",
                shown.display()
            ))?;
        }
        if is_done {
            let (program, whole) = (environment::program(), shell::quoted(out));
            print_note(&format!("when all shards are done: {program} merge {whole} --out DIR"));
            return Ok(Done::Fully);
        }
        print_note("interrupted: the same command does the rest");
        Ok(Done::Interrupted { signal: interrupt.signal() })
    }
}
