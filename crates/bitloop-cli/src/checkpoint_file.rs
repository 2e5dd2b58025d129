//! [`CheckpointFile`]: a file with the state of a replay.
//!
//! A line that says what it is, the digest of all that bears on the result, the digest of the rest, and the state.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bitloop_campaign::bits_of_machine;
use bitloop_folder::{read_bounded, write_file};
use bitloop_replay::{
    CheckpointError, Checkpoints, Replay, ReplayError, ReplayExecution, ReplayOutcome,
    ReplayProgress, ReplayState,
};
use bitloop_run::VERSION;

use crate::failure::Failure;
use crate::start_folder;

const MAGIC: &[u8] = b"bitloop replay checkpoint 1\n";

/// The largest checkpoint that is read, in bytes: enough for a million episodes.
const LIMIT_BYTES: u64 = 4 << 30;

/// Characters of a digest.
const DIGEST: usize = 64;

/// All that bears on the result of a replay of a test: what is known of the test, version, library and, where bits hold on one
/// machine alone, the machine.
pub fn identity(test: &str, replay: &Replay) -> String {
    let library = replay.library_digest().unwrap_or_default();
    format!("{VERSION} {test} {library} {}", bits_of_machine(!replay.has_machine_bits()))
}

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
    /// A new file, saved every so many seconds; `identity` is all that bears on the result.
    pub fn begin(path: &Path, identity: &str, every_s: f64) -> Self {
        Self {
            // A plant may change the working directory.
            path: start_folder::absolute(path),
            identity: blake3::hash(identity.as_bytes()).to_hex().to_string(),
            state: ReplayState::default(),
            every: Duration::from_secs_f64(every_s),
        }
    }

    /// A file that is there, of a replay with this identity.
    pub fn resume(path: &Path, identity: &str, every_s: f64) -> Result<Self, Failure> {
        let mut file = Self::begin(path, identity, every_s);
        file.state = file.read()?;
        Ok(file)
    }

    /// Saves the state before the work, so that a place that cannot be written costs no time.
    pub fn try_to_save(&self) -> Result<(), Failure> {
        self.write(&self.state).map_err(|error| Failure::output(&self.path, &error))
    }

    /// Runs what is left of a replay, and keeps its state: the result of the replay, unless the state cannot be kept.
    pub fn run(
        mut self,
        replay: &Replay,
        execution: ReplayExecution<'_>,
        on_progress: &mut dyn FnMut(ReplayProgress),
    ) -> Result<Result<ReplayOutcome, ReplayError>, Failure> {
        let state = std::mem::take(&mut self.state);
        let save = &mut |state: &ReplayState| self.write(state);
        let checkpoints = Checkpoints { state, every: self.every, save };
        match replay.run_with_checkpoints(execution, checkpoints, on_progress) {
            Ok(outcome) => Ok(Ok(outcome)),
            Err(CheckpointError::Replay(error)) => Ok(Err(error)),
            Err(CheckpointError::Save(error)) => Err(Failure::output(&self.path, &error)),
            Err(CheckpointError::OtherState) => Err(self.of_another()),
        }
    }

    fn write(&self, state: &ReplayState) -> io::Result<()> {
        let body = state.to_bytes();
        let digest = blake3::hash(&body).to_hex();
        let head = format!("{}\n{digest}\n", self.identity);
        let bytes = [MAGIC, head.as_bytes(), &body].concat();
        write_file(&self.path, &bytes).map_err(io::Error::other)
    }

    fn read(&self) -> Result<ReplayState, Failure> {
        let bytes = read_bounded(&self.path, LIMIT_BYTES)
            .map_err(|error| self.refused(format!("it cannot be read: {error}"), None))?;
        let refused = |message: &str| self.refused(message.to_owned(), None);
        let rest = bytes
            .strip_prefix(MAGIC)
            .filter(|rest| rest.len() >= 2 * (DIGEST + 1))
            .ok_or_else(|| refused("it is no checkpoint of a replay"))?;
        let (head, body) = rest.split_at(2 * (DIGEST + 1));
        let digest = blake3::hash(body).to_hex();
        if head[DIGEST + 1..][..DIGEST] != *digest.as_bytes() {
            return Err(refused("it is damaged: its digest does not match its contents"));
        }
        if head[..DIGEST] != *self.identity.as_bytes() {
            return Err(self.of_another());
        }
        ReplayState::from_bytes(body)
            .ok_or_else(|| refused("it is damaged: its state makes no sense"))
    }

    fn of_another(&self) -> Failure {
        let hint = "resume with the same controllers, tests, plant, options and version of bitloop";
        self.refused("it is the checkpoint of another replay".to_owned(), Some(hint.to_owned()))
    }

    fn refused(&self, message: String, hint: Option<String>) -> Failure {
        Failure::Refused { file: self.path.clone(), message, hint }
    }
}
