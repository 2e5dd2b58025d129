//! `bitloop shard-script`: job files for engines.

use crate::args::{Engine, ShardScriptArgs};
use crate::failure::{Done, Failure};
use crate::output::{print, shell};

/// The commands that take `--shard`.
const COMMANDS: [&str; 5] = ["campaign", "train", "replay", "map", "robust"];

/// Prints a job file.
pub fn shard_script(args: &ShardScriptArgs) -> Result<Done, Failure> {
    check(args)?;
    print(&script(args))?;
    Ok(Done::Fully)
}

fn check(args: &ShardScriptArgs) -> Result<(), Failure> {
    let refused =
        |message: String, hint: &str| Err(Failure::Usage { message, hint: Some(hint.to_owned()) });
    let command = args.command.first().map_or("", String::as_str);
    if !COMMANDS.contains(&command) {
        let hint = format!("the command after -- must be one of: {}", COMMANDS.join(", "));
        return refused(format!("`{command}` cannot be split into shards"), &hint);
    }
    let has = |option: &str| {
        args.command.iter().any(|word| word == option || word.starts_with(&format!("{option}=")))
    };
    for option in ["--shard", "--threads"] {
        if has(option) {
            let hint = "the script adds it; --shards and --cores come before the --";
            return refused(format!("the command has {option} already"), hint);
        }
    }
    if !has("--out") {
        let hint = "all shards need the same one, in a folder that all machines share";
        return refused("the command names no folder with --out".to_owned(), hint);
    }
    Ok(())
}

/// The command of a shard, whose number the shell has in a variable.
fn command(args: &ShardScriptArgs, index: &str) -> String {
    let words: Vec<String> = args.command.iter().map(shell::quoted).collect();
    let (shards, cores) = (args.shards, args.cores);
    format!("bitloop {} --shard \"{index}/{shards}\" --threads {cores}", words.join(" "))
}

/// The folder that the command names.
fn out(args: &ShardScriptArgs) -> String {
    let mut words = args.command.iter();
    while let Some(word) = words.next() {
        let out = match word.strip_prefix("--out") {
            Some("") => words.next().map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        if let Some(out) = out {
            return out.to_owned();
        }
    }
    String::new()
}

fn script(args: &ShardScriptArgs) -> String {
    let (shards, cores, last) = (args.shards, args.cores, args.shards - 1);
    let out = out(args);
    // The whole beside the shards.
    let merged = format!("{}-merged", out.trim_end_matches('/'));
    let after = format!("bitloop merge {} --out {}", shell::quoted(&out), shell::quoted(merged));
    match args.engine {
        Engine::Slurm => format!(
            "#!/bin/sh\n\
             # Submit by: sbatch FILE. When all have ended: {after}\n\
             #SBATCH --array=0-{last}\n\
             #SBATCH --ntasks=1\n\
             #SBATCH --cpus-per-task={cores}\n\
             #SBATCH --requeue\n\
             #SBATCH --output=shard-%a.log\n\
             #SBATCH --open-mode=append\n\
             exec {}\n",
            command(args, "$SLURM_ARRAY_TASK_ID")
        ),
        Engine::Hq => format!(
            "#!/bin/sh\n\
             # Submit by: hq submit FILE. When all have ended: {after}\n\
             #HQ --array 0-{last}\n\
             #HQ --cpus {cores}\n\
             #HQ --crash-limit 10\n\
             exec {}\n",
            command(args, "$HQ_TASK_ID")
        ),
        Engine::K8s => format!(
            "# Submit by: kubectl apply -f FILE. The image needs bitloop and the scenario in it, and all pods the volume of the\n\
             # claim. When the job is complete: {after}\n\
             apiVersion: batch/v1\n\
             kind: Job\n\
             metadata:\n\
             \x20 name: bitloop-shards\n\
             spec:\n\
             \x20 completions: {shards}\n\
             \x20 parallelism: {shards}\n\
             \x20 completionMode: Indexed\n\
             \x20 backoffLimitPerIndex: 10\n\
             \x20 template:\n\
             \x20   spec:\n\
             \x20     restartPolicy: Never\n\
             \x20     containers:\n\
             \x20       - name: bitloop\n\
             \x20         image: YOUR-IMAGE\n\
             \x20         workingDir: /work\n\
             \x20         command:\n\
             \x20           - sh\n\
             \x20           - -c\n\
             \x20           - |\n\
             \x20             exec {}\n\
             \x20         resources:\n\
             \x20           requests:\n\
             \x20             cpu: \"{cores}\"\n\
             \x20         volumeMounts:\n\
             \x20           - name: work\n\
             \x20             mountPath: /work\n\
             \x20     volumes:\n\
             \x20       - name: work\n\
             \x20         persistentVolumeClaim:\n\
             \x20           claimName: YOUR-CLAIM\n",
            command(args, "$JOB_COMPLETION_INDEX")
        ),
        Engine::Parallel => format!(
            "#!/bin/sh\n\
             # Run by: sh FILE. With --sshloginfile HOSTS, on machines that share this folder. When it has ended: {after}\n\
             export SHARD_COMMAND={}\n\
             seq 0 {last} | parallel --retries 3 --joblog parallel.log --env SHARD_COMMAND --workdir . \\\n\
             \x20   --jobs \"$(( ($(nproc) + {cores} - 1) / {cores} ))\" 'SHARD={{}} sh -c \"$SHARD_COMMAND\"'\n",
            shell::quoted(command(args, "$SHARD"))
        ),
    }
}
