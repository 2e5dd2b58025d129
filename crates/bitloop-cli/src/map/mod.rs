//! `bitloop map`.

mod shard;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use bitloop_decimal::push_number;
use bitloop_folder::{read_bounded, write_file};
use bitloop_look::{GridAxis, grid_map};
use bitloop_replay::{ReplayProgress, quoted_name};
use bitloop_robust::{Axis, AxisError, CellEnd, Map, Running, Tested};
use serde::Serialize;

use crate::args::MapArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::number::{counted, error};
use crate::output::progress::Display;
use crate::output::{json, picture_file, print, print_note};
use crate::test_inputs::TestInputs;

pub use shard::merge;

/// The largest map that was interrupted which is read.
const LIMIT_BYTES: u64 = 1 << 28;

/// Runs the grid, and writes picture and table.
pub fn map(args: &MapArgs) -> Result<Done, Failure> {
    if let Some(part) = args.shard {
        return shard::run(args, part);
    }
    picture_file::check_name(&args.out)?;
    if args.csv.as_ref() == Some(&args.out) {
        let message = "--out and --csv name the same file".to_owned();
        return Err(Failure::Usage {
            message,
            hint: Some("give each a file of its own".to_owned()),
        });
    }
    let inputs = TestInputs::read(&args.controller, &args.test, "map")?;
    // Before the work, so that a place that cannot be written costs no time.
    let mut picture = inputs.begin(&args.out)?;
    let csv = args.csv.as_deref().map(|path| inputs.begin(path)).transpose()?;
    let failed = |error| Failure::of_robust(&args.controller, error);
    let (tested, mut map) = grid(args, &inputs)?;
    let kept = kept_at(&args.out);
    let digest = inputs.controller.value.digest.as_str();
    let identity = format!("bitloop {} {digest}", env!("CARGO_PKG_VERSION"));
    if args.resume {
        let bytes = read_bounded(&kept, LIMIT_BYTES).map_err(|error| no_map(&kept, &error))?;
        map = map.resume(&bytes, &tested, &identity).map_err(|error| no_map(&kept, &error))?;
    }
    let interrupt = Interrupt::listen();
    let stop = || interrupt.came();
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let running = Running { isa: inputs.isa, n_threads, stop: &stop };
    let mut display = Display::of(map.n_cells(), "cell");
    while !interrupt.came() && map.advance(&tested, running).map_err(failed)? {
        let n_finished = map.cells.len();
        let part = n_finished as f64 / map.n_cells() as f64;
        display.show(ReplayProgress { n_finished, part });
    }
    display.finish();
    environment::restore_process();
    if !map.is_whole() {
        write_file(&kept, &map.to_bytes(&tested, &identity))?;
        let (n, all) = (map.cells.len(), counted(map.n_cells() as u64, "cell"));
        print_note(&format!(
            "interrupted after {n} of {all}, which are kept in {}; the same command with --resume continues",
            kept.display()
        ));
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    }
    let drawn = drawn(args, (&tested, &map), &args.out)?;
    picture.write_all(&drawn).map_err(|error| Failure::output(&args.out, &error))?;
    picture.finish()?;
    if let (Some(mut file), Some(path)) = (csv, &args.csv) {
        file.write_all(&table(&map)).map_err(|error| Failure::output(path, &error))?;
        file.finish()?;
    }
    // A part of an earlier call is of no more use; where it cannot be removed, it does no harm.
    let _ = fs::remove_file(&kept);
    report(args, &tested, &map)?;
    Ok(Done::Fully)
}

/// The test, and the grid without results.
fn grid(args: &MapArgs, inputs: &TestInputs<'_>) -> Result<(Tested, Map), Failure> {
    let tested = Tested::of(inputs.replay(inputs.with_training_horizon(None))?);
    let of_axis = |error: AxisError| Failure::of_robust(&args.controller, error.into());
    let x = Axis::parse(&args.axes.0, args.grid.0, &tested).map_err(of_axis)?;
    let y = Axis::parse(&args.axes.1, args.grid.1, &tested).map_err(of_axis)?;
    let map = Map::new(x, y).map_err(of_axis)?;
    Ok((tested, map))
}

/// Where a map that is interrupted is kept.
fn kept_at(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

fn no_map(kept: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Refused {
        file: kept.to_owned(),
        message: format!("there is no map to continue: {error}"),
        hint: Some("run the command without --resume".to_owned()),
    }
}

/// The picture as a file of the name `out` has it.
fn drawn(args: &MapArgs, (tested, map): (&Tested, &Map), out: &Path) -> Result<Vec<u8>, Failure> {
    let name = args.controller.file_name().unwrap_or_default().to_string_lossy();
    let title = format!("{name} on {}", tested.plant().name);
    let (x, y) = (grid_axis(&map.x), grid_axis(&map.y));
    let errors: Vec<f64> = map.cells.iter().map(|cell| cell.error).collect();
    let picture = grid_map(&title, &summary(tested, map), x, y, &errors);
    let drawn = picture.and_then(|picture| picture_file::bytes(&picture, out));
    drawn.map_err(|error| Failure::NothingFound {
        message: format!("{}: {error}", args.controller.display()),
        hint: None,
    })
}

fn grid_axis(axis: &Axis) -> GridAxis<'_> {
    GridAxis { name: &axis.name, unit: &axis.unit, low: axis.low, high: axis.high, n: axis.n }
}

fn summary(tested: &Tested, map: &Map) -> String {
    let (n, n_failed) = (counted(map.n_cells() as u64, "episode"), map.n_failed());
    format!("{n} of {} s, {n_failed} failed", tested.replay().horizon_s())
}

const fn end_name(end: CellEnd) -> &'static str {
    match end {
        CellEnd::Horizon => "horizon",
        CellEnd::Failed => "failed",
        CellEnd::Fault => "fault",
    }
}

fn table(map: &Map) -> Vec<u8> {
    let (x, y) = (quoted_name(&map.x.name), quoted_name(&map.y.name));
    let mut text = format!("{x},{y},error,end,settling_s\n").into_bytes();
    for (index, cell) in map.cells.iter().enumerate() {
        let (x, y) = map.place(index);
        for number in [x, y, cell.error] {
            push_number(&mut text, number);
            text.push(b',');
        }
        text.extend_from_slice(end_name(cell.end).as_bytes());
        text.push(b',');
        push_number(&mut text, cell.settling_s);
        text.push(b'\n');
    }
    text
}

fn report(args: &MapArgs, tested: &Tested, map: &Map) -> Result<(), Failure> {
    if args.json {
        json::print_object(&in_json(tested, map))
    } else {
        print(&text(args, tested, map))
    }
}

fn largest_error(map: &Map) -> f64 {
    let finite = map.cells.iter().map(|cell| cell.error).filter(|error| error.is_finite());
    finite.fold(0.0, f64::max)
}

fn in_json<'a>(tested: &Tested, map: &'a Map) -> MapJson<'a> {
    MapJson {
        x: AxisJson::of(&map.x),
        y: AxisJson::of(&map.y),
        horizon_s: tested.replay().horizon_s(),
        cells: map.n_cells(),
        failed: map.n_failed(),
        max_error: largest_error(map),
        errors: map.cells.iter().map(|cell| cell.error).collect(),
        ends: map.cells.iter().map(|cell| end_name(cell.end)).collect(),
        settling_s: map.cells.iter().map(|cell| cell.settling_s).collect(),
    }
}

fn text(args: &MapArgs, tested: &Tested, map: &Map) -> String {
    let share = 100.0 * map.n_failed() as f64 / map.n_cells() as f64;
    format!(
        "{}: {} ({share:.1} %), largest error {}\n{} by {}: {}\n",
        args.controller.display(),
        summary(tested, map),
        error(largest_error(map)),
        map.x.name,
        map.y.name,
        args.out.display()
    )
}

#[derive(Serialize)]
struct MapJson<'a> {
    x: AxisJson<'a>,
    y: AxisJson<'a>,
    horizon_s: f64,
    cells: usize,
    failed: usize,
    max_error: f64,
    errors: Vec<f64>,
    ends: Vec<&'static str>,
    settling_s: Vec<f64>,
}

#[derive(Serialize)]
struct AxisJson<'a> {
    name: &'a str,
    unit: &'a str,
    low: f64,
    high: f64,
    n: usize,
}

impl<'a> AxisJson<'a> {
    fn of(axis: &'a Axis) -> Self {
        let Axis { name, unit, low, high, n, .. } = axis;
        Self { name, unit, low: *low, high: *high, n: *n }
    }
}
