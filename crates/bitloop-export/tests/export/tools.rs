//! Compilers and other programs that tests run.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

/// Says that something is skipped, and why.
pub fn skipped(what: &str, why: &str) {
    let _ = writeln!(io::stderr(), "SKIPPED {what}: {why}");
}

/// Whether a compiler makes programs with these options.
pub fn can_compile(compiler: &str, options: &[&str], what_is_skipped: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("empty.c");
    std::fs::write(&source, "#include <stdio.h>\nint main(void) { return 0; }\n").unwrap();
    let mut command = Command::new(compiler);
    command.args(options).arg(&source).arg("-o").arg(folder.path().join("empty"));
    let works = command.output().is_ok_and(|output| output.status.success());
    if !works {
        let options = options.join(" ");
        skipped(what_is_skipped, &format!("`{compiler} {options}` does not work here"));
    }
    works
}

/// Runs a command to its end; it must succeed. Gives what it printed.
#[track_caller]
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{stdout}{stderr}", output.status);
    stdout.into_owned()
}

/// Runs a command line in a folder; it must succeed.
#[track_caller]
pub fn run_line(line: &str, folder: &Path) -> String {
    run(Command::new("sh").args(["-c", line]).current_dir(folder))
}

/// The whole numbers in a text.
pub fn counts(text: &str) -> Vec<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}
