//! `bitloop robust --shard`: some of the tests, in a folder of its own; and `bitloop merge` of these.
//!
//! Levels of a source are tried one after the other, up to the one at which half of the episodes fail, so that all levels of a source
//! are one item.

use std::path::{Path, PathBuf};

use bitloop_campaign::{Parts, Shard, bits_of_machine};
use bitloop_run::VERSION;

use super::tests_of::{Finding, Tests, Threads, regulator};
use super::{Column, report, undrawn};
use crate::args::{MergeArgs, RobustArgs};
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, print};
use crate::shards::{Carried, Collected, Divisible, Job};
use crate::test_inputs::TestInputs;

/// The picture in the folder of the whole.
const PICTURE: &str = "robust.svg";

impl Divisible for RobustArgs {
    const FILE: &'static str = "robust.json";
    const WORD: &'static str = "robust";
    const NOUN: &'static str = "test of robustness";

    fn inputs(&self) -> Vec<&Path> {
        self.test.files(&self.controllers)
    }

    fn forget_folders(&mut self) {
        self.test.forget_folders(&mut self.controllers);
    }
}

fn job<'a>(
    args: &'a RobustArgs,
    subjects: &[TestInputs<'_>],
    tests: &[Tests<'_>],
) -> Job<'a, RobustArgs> {
    let n_items: usize = tests.iter().map(Tests::n_items).sum();
    let mut identity = format!("robust {:?} {}", args.limit, args.lqr);
    let mut plants = Vec::new();
    // The linear algebra of the regulator picks instructions by the processor.
    let mut is_same_on_all = !args.lqr;
    for (subject, tests) in subjects.iter().zip(tests) {
        let replay = tests.nominal().replay();
        identity.push(' ');
        identity += &subject.identity(replay);
        plants.extend(replay.library_digest());
        is_same_on_all &= !replay.has_machine_bits();
    }
    let plant = (!plants.is_empty()).then(|| plants.join(" "));
    let texts: Vec<_> = subjects.iter().map(TestInputs::texts).collect();
    let scenario = texts.first().and_then(|(_, scenario)| scenario.clone());
    let n_items = u32::try_from(n_items).unwrap_or(u32::MAX);
    Job {
        parts: Parts::new(("test", n_items), &identity, plant, VERSION.to_owned()),
        args,
        texts: texts.into_iter().map(|(controller, _)| controller).chain(scenario).collect(),
        machine: bits_of_machine(is_same_on_all),
    }
}

/// The tests that items are of, item by item.
fn items<'a>(tests: &'a [Tests<'a>]) -> Vec<(&'a Tests<'a>, usize)> {
    tests.iter().flat_map(|tests| (0..tests.n_items()).map(move |item| (tests, item))).collect()
}

/// Runs the tests of a shard that no attempt at it has finished.
pub fn run(args: &RobustArgs, shard: Shard, out: &Path) -> Result<Done, Failure> {
    let read = |path| TestInputs::read(path, &args.test, "robust");
    let subjects: Vec<TestInputs<'_>> =
        args.controllers.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    let interrupt = Interrupt::listen();
    let stop = || interrupt.came();
    let threads = args.threads.unwrap_or_else(environment::n_cores);
    let run: Threads<'_> = (threads, &stop);
    let linear = regulator(args, &subjects, threads)?;
    let tests = Tests::of_all(args, &subjects, linear.as_ref())?;
    let all = items(&tests);
    let carried = Carried { shard, out, n_threads: threads.get(), at_once: 1, json: args.json };
    job(args, &subjects, &tests).run::<Finding>(&carried, &interrupt, &mut |numbers| {
        let mut findings = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let (tests, item) = all[number as usize];
            let Some(finding) = tests.run(item, run)? else { return Ok(None) };
            findings.push(finding);
        }
        Ok(Some(findings))
    })
}

/// Makes of tests that were run apart the margins of the whole command, and prints them.
pub fn merge(folders: &[PathBuf], merge: &MergeArgs) -> Result<Done, Failure> {
    let mut collected = Collected::<RobustArgs>::of(folders)?;
    merge.apply(&mut collected.args.test)?;
    let args = &collected.args;
    let read = |(input, path)| TestInputs::collected((path, input), &args.test, &collected);
    let controllers = args.controllers.iter().map(PathBuf::as_path).enumerate();
    let subjects: Vec<TestInputs<'_>> = controllers.map(read).collect::<Result<_, _>>()?;
    let threads = merge.threads.unwrap_or_else(environment::n_cores);
    let linear = regulator(args, &subjects, threads)?;
    let tests = Tests::of_all(args, &subjects, linear.as_ref())?;
    let job = job(args, &subjects, &tests);
    let whole = collected.whole::<Finding>(&job)?;
    environment::restore_process();
    let mut results = whole.results.iter().cloned();
    let columns: Option<Vec<Column>> = tests
        .iter()
        .map(|tests| tests.column(results.by_ref().take(tests.n_items()).collect()))
        .collect();
    let columns = columns.ok_or_else(|| {
        let message = "the results are not those of these controllers".to_owned();
        Failure::Folder { message, hint: None }
    })?;
    let result = json::object_text(&report::of_columns(&columns, false))?;
    let picture = report::picture(&columns)
        .and_then(|picture| picture.svg())
        .map_err(|error| undrawn(&merge.out, &error))?;
    let files =
        [(PICTURE, picture.into_bytes()), (bitloop_folder::RESULT, result.clone().into_bytes())];
    collected.place(&job, (&merge.out, &whole), &files)?;
    print(&if merge.json { result } else { report::text(&columns) })?;
    Ok(Done::Fully)
}
