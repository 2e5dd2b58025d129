//! `bitloop map --shard`: some of the cells, in a folder of its own; and `bitloop merge` of these.

use std::path::{Path, PathBuf};
use std::slice;

use bitloop_campaign::{Parts, Shard, bits_of_machine};
use bitloop_robust::{CHUNK, Cell, Map, Running, Tested};
use bitloop_run::VERSION;

use super::{drawn, grid, in_json, table, text};
use crate::args::{MapArgs, MergeArgs};
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, print};
use crate::shards::{Carried, Collected, Divisible, Job};
use crate::test_inputs::TestInputs;

/// The picture in the folder of the whole.
const PICTURE: &str = "map.svg";

/// The cells in the folder of the whole, a line for each.
const CELLS: &str = "map.csv";

impl Divisible for MapArgs {
    const FILE: &'static str = "map.json";
    const WORD: &'static str = "map";
    const NOUN: &'static str = "map";

    fn inputs(&self) -> Vec<&Path> {
        self.test.files(slice::from_ref(&self.controller))
    }

    fn forget_folders(&mut self) {
        self.test.forget_folders(slice::from_mut(&mut self.controller));
    }
}

fn job<'a>(
    args: &'a MapArgs,
    inputs: &TestInputs<'_>,
    (tested, map): (&Tested, &Map),
) -> Job<'a, MapArgs> {
    let n_cells = u32::try_from(map.n_cells()).unwrap_or(u32::MAX);
    let identity = format!("map {} {:?} {:?}", inputs.identity(tested.replay()), map.x, map.y);
    let plant = tested.replay().library_digest().map(str::to_owned);
    let (controller, scenario) = inputs.texts();
    Job {
        parts: Parts::new(("cell", n_cells), &identity, plant, VERSION.to_owned()),
        args,
        texts: [controller].into_iter().chain(scenario).collect(),
        machine: bits_of_machine(!tested.replay().has_machine_bits()),
    }
}

/// Runs the cells of a shard that no attempt at it has finished.
pub fn run(args: &MapArgs, shard: Shard) -> Result<Done, Failure> {
    let inputs = TestInputs::read(&args.controller, &args.test, "map")?;
    let (tested, map) = grid(args, &inputs)?;
    let interrupt = Interrupt::listen();
    let stop = || interrupt.came();
    let threads = args.threads.unwrap_or_else(environment::n_cores);
    let running = Running { isa: inputs.isa, n_threads: threads, stop: &stop };
    let n_threads = threads.get();
    let carried = Carried { shard, out: &args.out, n_threads, at_once: CHUNK, json: args.json };
    job(args, &inputs, (&tested, &map)).run::<Cell>(&carried, &interrupt, &mut |items| {
        let cells: Vec<usize> = items.iter().map(|&item| item as usize).collect();
        let cells = map.run(&cells, &tested, running);
        cells.map_err(|error| Failure::of_robust(&args.controller, error))
    })
}

/// Makes of cells that were run apart the whole map, and prints its report.
pub fn merge(folders: &[PathBuf], merge: &MergeArgs) -> Result<Done, Failure> {
    let mut collected = Collected::<MapArgs>::of(folders)?;
    let args = &mut collected.args;
    merge.apply(&mut args.test)?;
    args.out = merge.out.join(PICTURE);
    let args = &collected.args;
    let inputs = TestInputs::collected((&args.controller, 0), &args.test, &collected)?;
    let (tested, mut map) = grid(args, &inputs)?;
    let job = job(args, &inputs, (&tested, &map));
    let whole = collected.whole::<Cell>(&job)?;
    map.cells.clone_from(&whole.results);
    environment::restore_process();
    let result = json::object_text(&in_json(&tested, &map))?;
    let files = [
        (PICTURE, drawn(args, (&tested, &map), Path::new(PICTURE))?),
        (CELLS, table(&map)),
        (bitloop_folder::RESULT, result.clone().into_bytes()),
    ];
    collected.place(&job, (&merge.out, &whole), &files)?;
    print(&if merge.json { result } else { text(args, &tested, &map) })?;
    Ok(Done::Fully)
}
