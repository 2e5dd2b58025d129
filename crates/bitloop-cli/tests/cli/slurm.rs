//! The job file for Slurm, run by a Slurm of one machine whose daemons this test starts.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::engines::{assert_merged, command, skipped, succeeds, write_script};
use crate::support::{Bench, Outcome};

/// After so many calls without an answer, at 0.1 s each, the test is skipped.
const MOST_PINGS: u32 = 600;

/// Daemons that are ended with the test.
struct Daemons(Vec<Child>);

impl Drop for Daemons {
    fn drop(&mut self) {
        for daemon in &mut self.0 {
            // It fails for a daemon that has ended already.
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

fn output(program: &str, args: &[&str]) -> String {
    let outcome = Outcome::of(Command::new(program).args(args));
    outcome.stdout.trim().to_owned()
}

/// A port that nothing listens at.
fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// A cluster of this machine alone, without authentication.
fn configuration(bench: &Bench) -> String {
    let (host, user) = (output("hostname", &["-s"]), output("id", &["-un"]));
    let folder = bench.path("slurm").display().to_string();
    let (controller, daemon) = (free_port(), free_port());
    format!(
        "ClusterName=test\n\
         SlurmctldHost={host}(127.0.0.1)\n\
         SlurmUser={user}\n\
         SlurmdUser={user}\n\
         AuthType=auth/none\n\
         CredType=cred/none\n\
         SlurmctldPort={controller}\n\
         SlurmdPort={daemon}\n\
         StateSaveLocation={folder}/state\n\
         SlurmdSpoolDir={folder}/spool\n\
         SlurmctldPidFile={folder}/slurmctld.pid\n\
         SlurmdPidFile={folder}/slurmd.pid\n\
         SlurmctldLogFile={folder}/slurmctld.log\n\
         SlurmdLogFile={folder}/slurmd.log\n\
         ProctrackType=proctrack/linuxproc\n\
         TaskPlugin=task/none\n\
         SchedulerType=sched/builtin\n\
         SelectType=select/cons_tres\n\
         SelectTypeParameters=CR_Core\n\
         ReturnToService=2\n\
         MpiDefault=none\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN\n\
         PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n"
    )
}

#[test]
fn slurm_runs_its_job_file() {
    let what = "shards by Slurm";
    for program in ["slurmctld", "slurmd", "sbatch", "scontrol"] {
        // Without a configuration, some of them fail whatever they are asked.
        if !succeeds("sh", &["-c", &format!("command -v {program}")]) {
            return skipped(what, &format!("there is no `{program}`"));
        }
    }
    let bench = Bench::with_scenario();
    for folder in ["slurm/state", "slurm/spool"] {
        fs::create_dir_all(bench.path(folder)).unwrap();
    }
    bench.write("slurm/slurm.conf", &configuration(&bench));
    write_script(&bench, "slurm");
    let configured = |program: &str, args: &[&str]| {
        let mut command = command(&bench, program, args);
        command.env("SLURM_CONF", bench.path("slurm/slurm.conf"));
        command
    };
    let start = |program: &str| {
        let mut daemon = configured(program, &["-D"]);
        daemon.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut daemons = Daemons(["slurmctld", "slurmd"].map(start).into());
    // Until the controller answers, or a daemon has found that it cannot work here.
    let mut n_pings = 0;
    while !Outcome::of(&mut configured("scontrol", &["ping"])).stdout.contains("UP") {
        n_pings += 1;
        if n_pings == MOST_PINGS {
            return skipped(what, "the controller of Slurm does not answer");
        }
        if let Some(daemon) = daemons.0.iter_mut().find_map(|daemon| daemon.try_wait().unwrap()) {
            return skipped(what, &format!("a daemon of Slurm ended: {daemon}"));
        }
        thread::sleep(Duration::from_millis(100));
    }
    let submitted = Outcome::of(&mut configured("sbatch", &["--wait", "job.sh"]));
    assert_merged(&bench, &submitted);
    // What was lost is run again as `merge` lists it.
    fs::remove_dir_all(bench.path("merged")).unwrap();
    fs::remove_dir_all(bench.path("c/shard-1-of-3")).unwrap();
    let missing = bench.run(&["merge", "c", "--out", "merged"]);
    missing.assert_refused(1, &["--array=1"]);
    let again = Outcome::of(&mut configured("sbatch", &["--wait", "--array=1", "job.sh"]));
    assert_merged(&bench, &again);
}
