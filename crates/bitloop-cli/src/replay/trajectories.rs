//! The trajectories of a replay, in the format and the files that were asked for.

use std::io::Write;
use std::path::{Path, PathBuf};

use bitloop_replay::parquet::ParquetFormat;
use bitloop_replay::{
    CsvFormat, McapFormat, Replay, ReplayExecution, ReplayOutcome, ReplayProgress, TrajectoryFile,
    TrajectoryFormat,
};

use super::mcap_file::{MOST_EPISODES, McapFile};
use super::per_episode::{Kind, PerEpisode};
use super::run_shown;
use super::table_file::{failure, is_packed, is_parquet, pack, write_piece};
use crate::args::ReplayArgs;
use crate::failure::Failure;

/// Where trajectories go.
pub enum Target<'a> {
    /// All of them, one after another.
    One(&'a mut (dyn Write + Send)),
    /// A file for each episode, none of which may be one of these, which are read.
    PerEpisode(&'a [PathBuf]),
}

/// Runs a replay, and writes its trajectories.
pub fn run(
    args: &ReplayArgs,
    replay: &Replay,
    execution: &ReplayExecution<'_>,
    target: Target<'_>,
    on_progress: &mut dyn FnMut(usize, ReplayProgress),
) -> Result<ReplayOutcome, Failure> {
    let path = args.trajectories().unwrap_or(Path::new("-"));
    let failed = |error| Failure::of_training(&args.controller, error);
    let what = (args, replay, execution);
    check_number(args, replay)?;
    if args.mcap.is_some() {
        let format = McapFormat::new(replay, args.every).map_err(failed)?;
        return match target {
            Target::One(out) => {
                let has_many = replay.n_episodes() > 1;
                let mut file =
                    McapFile::begin(out, replay, has_many).map_err(|e| failure(path, &e))?;
                let outcome = run_to(what, (&format, &mut file), on_progress)?;
                file.finish().map_err(|error| failure(path, &error))?;
                Ok(outcome)
            }
            Target::PerEpisode(inputs) => {
                let mut files = PerEpisode::new(path, inputs, replay, Kind::Mcap);
                let outcome = run_to(what, (&format, &mut files), on_progress);
                files.finish(outcome)
            }
        };
    }
    if is_parquet(path) {
        let Target::One(out) = target else { return Err(no_parquet_per_episode()) };
        let format = ParquetFormat::new(replay, args.every).map_err(failed)?;
        write_piece(out, path, &format.head())?;
        return run_to(what, (&format, out), on_progress);
    }
    let format = CsvFormat::new(replay, args.every).map_err(failed)?;
    match target {
        Target::One(out) => {
            let format = if is_packed(path) { format.packed_by(pack) } else { format };
            write_piece(out, path, &format.header())?;
            run_to(what, (&format, out), on_progress)
        }
        Target::PerEpisode(inputs) => {
            let kind = Kind::Csv(format.header());
            let mut files = PerEpisode::new(path, inputs, replay, kind);
            let outcome = run_to(what, (&format, &mut files), on_progress);
            files.finish(outcome)
        }
    }
}

/// Runs a replay whose trajectories go there in this format.
fn run_to(
    (args, replay, execution): (&ReplayArgs, &Replay, &ReplayExecution<'_>),
    (format, out): (&dyn TrajectoryFormat, &mut (dyn Write + Send)),
    on_progress: &mut dyn FnMut(usize, ReplayProgress),
) -> Result<ReplayOutcome, Failure> {
    let trajectories = Some(TrajectoryFile { format, out });
    run_shown(args, replay, ReplayExecution { trajectories, ..*execution }, on_progress)
}

fn no_parquet_per_episode() -> Failure {
    Failure::Usage {
        message: "--per-episode writes no Parquet files".to_owned(),
        hint: Some("leave it out: one file has them all, with a column `episode`".to_owned()),
    }
}

/// Refuses more episodes than there can be channels, or than anybody wants as files.
fn check_number(args: &ReplayArgs, replay: &Replay) -> Result<(), Failure> {
    let (n, most) = (replay.n_episodes(), MOST_EPISODES);
    if n <= most || !(args.mcap.is_some() || args.per_episode) {
        return Ok(());
    }
    let what = if args.per_episode { "--per-episode writes" } else { "an MCAP file has" };
    Err(Failure::Usage {
        message: format!("{what} at most {most} episodes, not {n}"),
        hint: Some("ask for fewer by --episodes, or for one table by --csv".to_owned()),
    })
}
