//! `bitloop replay --checkpoint` and `--resume`.

use std::path::Path;

use bitloop_replay::Replay;

use crate::args::ReplayArgs;
use crate::checkpoint_file::{CheckpointFile, identity};
use crate::failure::Failure;
use crate::output::shell;
use crate::start_folder;
use crate::test_inputs::TestInputs;

/// The file that the command line names, if it names one: a new one, or one that is there.
pub fn file(
    args: &ReplayArgs,
    inputs: &TestInputs<'_>,
    replay: &Replay,
) -> Result<Option<CheckpointFile>, Failure> {
    let Some(path) = args.resume.as_ref().or(args.checkpoint.as_ref()) else { return Ok(None) };
    if replay.plant_owns_state() {
        let message = "the plant owns its state, which cannot be saved in the middle of an episode";
        let hint = "leave out --checkpoint and --resume; --shard keeps a long replay in parts";
        return Err(Failure::Usage { message: message.to_owned(), hint: Some(hint.to_owned()) });
    }
    let (test, episodes) = (inputs.identity(replay), replay.indices());
    let identity = identity(&format!("{test} {episodes:?} {}", args.no_digest), replay);
    let file = if args.resume.is_some() {
        CheckpointFile::resume(path, &identity, args.checkpoint_every)?
    } else if start_folder::absolute(path).symlink_metadata().is_ok() {
        let message = "it is there already".to_owned();
        let hint = "resume from it by --resume, or name another file".to_owned();
        return Err(Failure::Refused { file: path.clone(), message, hint: Some(hint) });
    } else {
        CheckpointFile::begin(path, &identity, args.checkpoint_every)
    };
    file.try_to_save()?;
    Ok(Some(file))
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
