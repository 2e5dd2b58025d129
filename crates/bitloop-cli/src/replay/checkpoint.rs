//! `bitloop replay --checkpoint` and `--resume`: a file with the state of a replay.
//!
//! A line that says what it is, the digest of all that bears on the result, the digest of the rest, and the state.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bitloop_folder::{read_bounded, write_file};
use bitloop_run::VERSION;
use bitloop_train::{
    CheckpointError, Checkpoints, Replay, ReplayExecution, ReplayOutcome, ReplayProgress,
    ReplayState,
};

use super::replay_failure;
use crate::args::ReplayArgs;
use crate::failure::Failure;
use crate::output::shell;
use crate::start_folder;
use crate::test_inputs::TestInputs;

const MAGIC: &[u8] = b"bitloop replay checkpoint 1\n";

/// The largest checkpoint that is read, in bytes: enough for a million episodes.
const LIMIT_BYTES: u64 = 4 << 30;

/// Characters of a digest.
const DIGEST: usize = 64;

/// A file with the state of a replay.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    /// The digest of all that bears on the result.
    identity: String,
    state: ReplayState,
    every: Duration,
}

impl CheckpointFile {
    /// The file that the command line names, if it names one: a new one, or one that is there.
    pub fn of(
        args: &ReplayArgs,
        inputs: &TestInputs<'_>,
        replay: &Replay,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = args.resume.as_ref().or(args.checkpoint.as_ref()) else { return Ok(None) };
        if replay.plant_owns_state() {
            let message =
                "the plant owns its state, which cannot be saved in the middle of an episode";
            let hint = "leave out --checkpoint and --resume; --shard keeps a long replay in parts";
            return Err(Failure::Usage {
                message: message.to_owned(),
                hint: Some(hint.to_owned()),
            });
        }
        // A plant may change the working directory.
        let path = start_folder::absolute(path);
        let identity = identity(args, inputs, replay);
        let state = if args.resume.is_some() {
            read(&path, &identity)?
        } else if path.symlink_metadata().is_ok() {
            let message = "it is there already".to_owned();
            let hint = "resume from it by --resume, or name another file".to_owned();
            return Err(Failure::Refused { file: path, message, hint: Some(hint) });
        } else {
            ReplayState::default()
        };
        let every = Duration::from_secs_f64(args.checkpoint_every);
        let file = Self { path, identity, state, every };
        // Before the work, so that a place that cannot be written costs no time.
        file.write(&file.state).map_err(|error| Failure::output(&file.path, &error))?;
        Ok(Some(file))
    }

    /// Runs what is left of a replay, and keeps its state.
    pub fn run(
        mut self,
        args: &ReplayArgs,
        replay: &Replay,
        execution: ReplayExecution<'_>,
        on_progress: &mut dyn FnMut(usize, ReplayProgress),
    ) -> Result<ReplayOutcome, Failure> {
        let state = std::mem::take(&mut self.state);
        let save = &mut |state: &ReplayState| self.write(state);
        let checkpoints = Checkpoints { state, every: self.every, save };
        let n_episodes = replay.n_episodes();
        let outcome = replay.run_with_checkpoints(execution, checkpoints, &mut |progress| {
            on_progress(n_episodes, progress);
        });
        outcome.map_err(|error| match error {
            CheckpointError::Save(error) => Failure::output(&self.path, &error),
            CheckpointError::OtherState => of_another(&self.path),
            CheckpointError::Replay(error) => replay_failure(args, error),
        })
    }

    fn write(&self, state: &ReplayState) -> io::Result<()> {
        let body = state.to_bytes();
        let digest = blake3::hash(&body).to_hex();
        let head = format!("{}\n{digest}\n", self.identity);
        let bytes = [MAGIC, head.as_bytes(), &body].concat();
        write_file(&self.path, &bytes).map_err(io::Error::other)
    }
}

/// The options that resume an interrupted replay.
pub fn resume_options(args: &ReplayArgs) -> Option<String> {
    let path = args.resume.as_ref().or(args.checkpoint.as_ref())?;
    let episodes = args.episodes_csv.as_ref().map(|path| shell::quoted(path.as_path()));
    let pass = args.pass.map(|pass| shell::quoted(Path::new(&pass.to_text())));
    let options = [
        args.no_isolate.then(|| " --no-isolate".to_owned()),
        args.no_digest.then(|| " --no-digest".to_owned()),
        args.no_behavior.then(|| " --no-behavior".to_owned()),
        args.episode.map(|episode| format!(" --episode {episode}")),
        episodes.map(|path| format!(" --episodes-csv {path}")),
        pass.map(|pass| format!(" --pass {pass}")),
    ];
    let options: String = options.into_iter().flatten().collect();
    Some(format!("{options} --resume {}", shell::quoted(path.as_path())))
}

/// The digest of all that bears on the result.
fn identity(args: &ReplayArgs, inputs: &TestInputs<'_>, replay: &Replay) -> String {
    let library = replay.library_digest().unwrap_or_default();
    let (test, episodes) = (inputs.identity(replay), replay.indices());
    let text = format!("{VERSION} {test} {episodes:?} {} {library}", args.no_digest);
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

fn read(path: &Path, identity: &str) -> Result<ReplayState, Failure> {
    let refused = |message: &str| Failure::Refused {
        file: path.to_owned(),
        message: message.to_owned(),
        hint: None,
    };
    let bytes = read_bounded(path, LIMIT_BYTES)
        .map_err(|error| refused(&format!("it cannot be read: {error}")))?;
    let rest = bytes
        .strip_prefix(MAGIC)
        .filter(|rest| rest.len() >= 2 * (DIGEST + 1))
        .ok_or_else(|| refused("it is no checkpoint of a replay"))?;
    let (head, body) = rest.split_at(2 * (DIGEST + 1));
    let digest = blake3::hash(body).to_hex();
    if head[DIGEST + 1..][..DIGEST] != *digest.as_bytes() {
        return Err(refused("it is damaged: its digest does not match its contents"));
    }
    if head[..DIGEST] != *identity.as_bytes() {
        return Err(of_another(path));
    }
    ReplayState::from_bytes(body).ok_or_else(|| refused("it is damaged: its state makes no sense"))
}

fn of_another(path: &Path) -> Failure {
    let message = "it is the checkpoint of another replay".to_owned();
    let hint = "resume with the same controller, plant, options and version of bitloop".to_owned();
    Failure::Refused { file: path.to_owned(), message, hint: Some(hint) }
}
