//! `bitloop test --checkpoint` and `--resume`: a folder with the state of each test of each controller.

use std::fs;
use std::path::{Path, PathBuf};

use bitloop_replay::Replay;
use bitloop_scenario::ControllerFile;

use crate::args::TestArgs;
use crate::checkpoint_file::{CheckpointFile, identity};
use crate::environment;
use crate::failure::Failure;
use crate::output::shell;
use crate::start_folder;
use crate::test_inputs::test_identity;

/// A folder with the state of each test of each controller.
#[derive(Debug)]
pub struct Checkpoints {
    /// As the command line names it.
    path: PathBuf,
    folder: PathBuf,
    every_s: f64,
}

impl Checkpoints {
    /// The folder that the command line names, if it names one: a new one, or one that is there.
    pub fn of(args: &TestArgs) -> Result<Option<Self>, Failure> {
        let Some(path) = args.resume.as_ref().or(args.checkpoint.as_ref()) else {
            return Ok(None);
        };
        // A plant may change the working directory.
        let folder = start_folder::absolute(path);
        let refused = |message: &str, hint: &str| Failure::Refused {
            file: path.clone(),
            message: message.to_owned(),
            hint: Some(hint.to_owned()),
        };
        if args.resume.is_some() {
            if !folder.is_dir() {
                return Err(refused("there is no such folder", "begin with --checkpoint"));
            }
        } else if folder.symlink_metadata().is_ok() {
            let hint = "resume from it by --resume, or name another folder";
            return Err(refused("it is there already", hint));
        } else {
            fs::create_dir_all(&folder).map_err(|error| Failure::output(path, &error))?;
        }
        Ok(Some(Self { path: path.clone(), folder, every_s: args.checkpoint_every }))
    }

    /// Whether there is the state of any test: plants that own their state have none.
    pub fn has_saved(&self) -> bool {
        fs::read_dir(&self.folder).is_ok_and(|mut files| files.next().is_some())
    }

    /// The file of a test of a controller, both given by their positions.
    pub fn file(
        &self,
        (test, controller): (usize, usize),
        file: &ControllerFile,
        replay: &Replay,
    ) -> Result<CheckpointFile, Failure> {
        let identity = identity(&test_identity(file, replay), replay);
        let path = self.folder.join(format!("test-{test:05}-controller-{controller}"));
        if path.symlink_metadata().is_ok() {
            CheckpointFile::resume(&path, &identity, self.every_s)
        } else {
            Ok(CheckpointFile::begin(&path, &identity, self.every_s))
        }
    }

    /// The command that resumes interrupted tests.
    pub fn resume_command(&self, args: &TestArgs) -> String {
        let quoted = |path: &Path| shell::quoted(path);
        let controllers: Vec<String> = args.controllers.iter().map(|path| quoted(path)).collect();
        let junit = args.junit.as_deref().map(|path| format!(" --junit {}", quoted(path)));
        let yes = if args.yes { " --yes" } else { "" };
        let json = if args.json { " --json" } else { "" };
        format!(
            "{} test {} --suite {}{}{yes}{json} --resume {}",
            environment::program(),
            controllers.join(" "),
            quoted(&args.suite),
            junit.unwrap_or_default(),
            quoted(&self.path)
        )
    }
}
