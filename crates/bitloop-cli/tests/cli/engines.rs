//! Job files and shards on the engines that are on this machine. A test of one that is missing is skipped, and says so.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use crate::support::{Bench, Outcome};

const COMMAND: [&str; 6] = ["campaign", "quick.ron", "--runs", "5", "--out", "c"];

/// Two workers run the tasks of a job, each of which is a shard of three.
const HYPERQUEUE: &str = r#"
import sys
from hyperqueue import Job
from hyperqueue.cluster import LocalCluster, WorkerConfig
with LocalCluster() as cluster:
    for _ in range(2):
        cluster.start_worker(WorkerConfig(cores=1))
    job = Job()
    for _ in range(3):
        job.program(["sh", "job.sh"], crash_limit=3)
    client = cluster.client()
    client.wait_for_jobs([client.submit(job)])
"#;

/// The oldest Kubernetes that the job is for, and a newer one; nothing that its schema does not know.
const KUBERNETES: &str = r#"
import sys, yaml, kubernetes_validate
job = yaml.safe_load(open("job.sh"))
for version in ["1.29", "1.31"]:
    kubernetes_validate.validate(job, version, strict=True)
print(job["spec"]["template"]["spec"]["containers"][0]["command"][2], end="")
"#;

/// Says that a test was skipped.
pub fn skipped(what: &str, why: &str) {
    // Past the capture of test output, so that it is seen.
    let _ = writeln!(io::stderr(), "SKIPPED {what}: {why}");
}

/// Writes the job file of an engine, whose `bitloop` is the one of this test.
pub fn write_script(bench: &Bench, engine: &str) {
    let args = [&["shard-script", engine, "--shards", "3", "--"][..], &COMMAND].concat();
    let outcome = bench.run(&args);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    bench.write("job.sh", &outcome.stdout);
    let bin = bench.path("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_bitloop"), bin.join("bitloop")).unwrap();
}

/// A command to be run in the folder, which finds `bitloop`.
pub fn command(bench: &Bench, program: &str, args: &[&str]) -> Command {
    let path = format!("{}:{}", bench.path("bin").display(), env::var("PATH").unwrap_or_default());
    let mut command = Command::new(program);
    command.args(args).current_dir(bench.path("")).env("PATH", path);
    command
}

fn run(bench: &Bench, program: &str, args: &[&str]) -> Outcome {
    Outcome::of(&mut command(bench, program, args))
}

/// The Python that has the modules that a test needs.
fn python() -> String {
    env::var("BITLOOP_EXPORT_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// The shards must have made the campaign.
pub fn assert_merged(bench: &Bench, outcome: &Outcome) {
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let merged = bench.run(&["merge", "c", "--out", "merged"]);
    assert_eq!(merged.code, Some(0), "{merged:?}");
    assert!(merged.stderr.contains("merged 5 trainings from 3 folders"), "{merged:?}");
}

pub fn succeeds(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    let command = command.args(args).stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[test]
fn gnu_parallel_runs_its_job_file() {
    if !succeeds("parallel", &["--version"]) {
        return skipped("shards by GNU parallel", "there is no `parallel`");
    }
    let bench = Bench::with_scenario();
    write_script(&bench, "parallel");
    let outcome = run(&bench, "sh", &["job.sh"]);
    assert_merged(&bench, &outcome);
}

#[test]
fn two_workers_of_hyperqueue_run_its_job_file() {
    let python = python();
    if !succeeds(&python, &["-c", "import hyperqueue.cluster"]) {
        return skipped("shards by HyperQueue", &format!("`{python}` has no `hyperqueue`"));
    }
    let bench = Bench::with_scenario();
    write_script(&bench, "hq");
    let outcome = run(&bench, &python, &["-c", HYPERQUEUE]);
    assert_merged(&bench, &outcome);
}

#[test]
fn the_job_of_kubernetes_fits_its_schema() {
    let python = python();
    if !succeeds(&python, &["-c", "import kubernetes_validate, yaml"]) {
        let why = format!("`{python}` has no `kubernetes_validate`");
        return skipped("the schema of a Kubernetes job", &why);
    }
    let bench = Bench::with_scenario();
    write_script(&bench, "k8s");
    let outcome = run(&bench, &python, &["-c", KUBERNETES]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    // What a pod would run, by the shell that it would have.
    for index in 0..3 {
        let mut pod = command(&bench, "sh", &["-c", &outcome.stdout]);
        let pod = Outcome::of(pod.env("JOB_COMPLETION_INDEX", index.to_string()));
        assert_eq!(pod.code, Some(0), "{pod:?}");
    }
    assert_merged(&bench, &outcome);
}
