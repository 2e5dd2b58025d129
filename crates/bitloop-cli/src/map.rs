//! `bitloop map`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use bitloop_folder::{read_bounded, write_file};
use bitloop_look::{GridAxis, grid_map};
use bitloop_robust::{Axis, AxisError, CellEnd, Map, RobustError, Running, Tested};
use bitloop_scenario::{ControllerFile, ScenarioFile};
use bitloop_train::{ReplayOptions, ReplayProgress};
use serde::Serialize;

use crate::args::{MapArgs, TestOptions};
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::kind;
use crate::output::number::{counted, error};
use crate::output::target::OutputFile;
use crate::output::{json, print, print_note};
use crate::registry;
use crate::replay::progress::Display;

/// The largest map that was interrupted which is read.
const LIMIT_BYTES: u64 = 1 << 28;

/// Runs the grid, and writes picture and table.
pub fn map(args: &MapArgs) -> Result<Done, Failure> {
    let isa = environment::isa()?;
    let controller = kind::controller(&args.controller)?;
    let scenario = args.test.scenario.as_deref().map(|path| kind::plant_scenario(path, "map"));
    let scenario = scenario.transpose()?;
    let mut inputs = vec![&*args.controller];
    inputs.extend(args.test.scenario.as_deref());
    // Before the work, so that a place that cannot be written costs no time.
    let mut picture = OutputFile::create(&args.out, &inputs)?;
    let csv = args.csv.as_deref().map(|path| OutputFile::create(path, &inputs)).transpose()?;
    let options = with_training_horizon(&args.test, &controller, scenario.as_ref());
    let failed = |error| of_robust(&args.controller, error);
    let registry = registry::registry();
    let tested = Tested::new(&controller, scenario.as_ref(), options, &registry).map_err(failed)?;
    let (x, y) = (&args.axes.0, &args.axes.1);
    let axes = (Axis::parse(x, args.grid.0, &tested), Axis::parse(y, args.grid.1, &tested));
    let (x, y) = (axes.0.map_err(of_axis)?, axes.1.map_err(of_axis)?);
    let mut map = Map::new(x, y).map_err(of_axis)?;
    let kept = kept_at(&args.out);
    let digest = controller.value.digest.as_str();
    if args.resume {
        let bytes = read_bounded(&kept, LIMIT_BYTES).map_err(|error| no_map(&kept, &error))?;
        map = map.resume(&bytes, &tested, digest).map_err(|error| no_map(&kept, &error))?;
    }
    let interrupt = Interrupt::listen();
    let stop = || interrupt.came();
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let running = Running { isa, n_threads, stop: &stop };
    let mut display = Display::of(map.n_cells(), "cell");
    while !interrupt.came() && map.advance(&tested, running).map_err(failed)? {
        let n_finished = map.cells.len();
        let part = n_finished as f64 / map.n_cells() as f64;
        display.show(ReplayProgress { n_finished, part });
    }
    display.finish();
    environment::restore_process();
    if !map.is_whole() {
        write_file(&kept, &map.to_bytes(&tested, digest))?;
        let (n, all) = (map.cells.len(), counted(map.n_cells() as u64, "cell"));
        print_note(&format!(
            "interrupted after {n} of {all}, which are kept in {}; the same command with --resume continues",
            kept.display()
        ));
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    }
    let svg = drawn(args, &tested, &map)?;
    picture.write_all(svg.as_bytes()).map_err(|error| Failure::output(&args.out, &error))?;
    picture.finish()?;
    if let (Some(mut file), Some(path)) = (csv, &args.csv) {
        file.write_all(table(&map).as_bytes()).map_err(|error| Failure::output(path, &error))?;
        file.finish()?;
    }
    if args.resume {
        // It is of no more use; where it cannot be removed, it does no harm.
        let _ = fs::remove_file(&kept);
    }
    report(args, &tested, &map)?;
    Ok(Done::Fully)
}

/// The options of a test whose episodes are as long as those of the training, if nothing else is asked for.
pub fn with_training_horizon(
    test: &TestOptions,
    controller: &ControllerFile,
    scenario: Option<&ScenarioFile>,
) -> ReplayOptions {
    let options = test.replay(None);
    let of = scenario.map_or(&controller.value.scenario, |file| &file.value);
    let training = of.episodes.training.map(|training| training.horizon_s);
    ReplayOptions { horizon_s: options.horizon_s.or(training), ..options }
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

/// Why nothing is said about the controller in `file`.
pub fn of_robust(file: &Path, error: RobustError) -> Failure {
    match error {
        RobustError::Train(error) => Failure::of_training(file, error),
        RobustError::Axis(error) => of_axis(error),
        RobustError::Kept(message) => {
            Failure::Refused { file: file.to_owned(), message: message.to_owned(), hint: None }
        }
    }
}

fn of_axis(error: AxisError) -> Failure {
    Failure::Usage { message: format!("--axes: {error}"), hint: Some(error.hint) }
}

fn drawn(args: &MapArgs, tested: &Tested, map: &Map) -> Result<String, Failure> {
    let name = args.controller.file_name().unwrap_or_default().to_string_lossy();
    let title = format!("{name} on {}", tested.plant().name);
    let (x, y) = (grid_axis(&map.x), grid_axis(&map.y));
    let errors: Vec<f64> = map.cells.iter().map(|cell| cell.error).collect();
    let picture = grid_map(&title, &summary(tested, map), x, y, &errors);
    let svg = picture.and_then(|picture| picture.svg());
    svg.map_err(|error| Failure::NothingFound {
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

fn table(map: &Map) -> String {
    let mut text = format!("{},{},error,end,settling_s\n", map.x.name, map.y.name);
    for (index, cell) in map.cells.iter().enumerate() {
        let (x, y) = map.place(index);
        let _ = writeln!(text, "{x},{y},{},{},{}", cell.error, end_name(cell.end), cell.settling_s);
    }
    text
}

fn report(args: &MapArgs, tested: &Tested, map: &Map) -> Result<(), Failure> {
    let finite = map.cells.iter().map(|cell| cell.error).filter(|error| error.is_finite());
    let largest = finite.fold(0.0, f64::max);
    if args.json {
        return json::print_object(&MapJson {
            x: &map.x,
            y: &map.y,
            horizon_s: tested.replay().horizon_s(),
            cells: map.n_cells(),
            failed: map.n_failed(),
            max_error: largest,
            errors: map.cells.iter().map(|cell| cell.error).collect(),
            ends: map.cells.iter().map(|cell| end_name(cell.end)).collect(),
            settling_s: map.cells.iter().map(|cell| cell.settling_s).collect(),
        });
    }
    let share = 100.0 * map.n_failed() as f64 / map.n_cells() as f64;
    print(&format!(
        "{}: {} ({share:.1} %), largest error {}\n{} by {}: {}\n",
        args.controller.display(),
        summary(tested, map),
        error(largest),
        map.x.name,
        map.y.name,
        args.out.display()
    ))
}

#[derive(Serialize)]
struct MapJson<'a> {
    x: &'a Axis,
    y: &'a Axis,
    horizon_s: f64,
    cells: usize,
    failed: usize,
    max_error: f64,
    errors: Vec<f64>,
    ends: Vec<&'static str>,
    settling_s: Vec<f64>,
}
