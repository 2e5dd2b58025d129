//! `bitloop controller upgrade`: saved files of an older format, written anew.

use std::io::Write;
use std::path::PathBuf;

use bitloop_scenario::AnySaved;

use crate::failure::Failure;
use crate::output::print;
use crate::output::target::OutputFile;

/// Writes each file in the format of this version. Those that have it already are left as they are.
pub fn upgrade(files: &[PathBuf]) -> Result<(), Failure> {
    for path in files {
        let done = match AnySaved::upgraded(path)? {
            None => "has the format of this version",
            Some(text) => {
                let mut file = OutputFile::create(path, &[])?;
                file.write_all(text.as_bytes()).map_err(|error| Failure::output(path, &error))?;
                file.finish()?;
                "was written anew"
            }
        };
        print(&format!("{} {done}\n", path.display()))?;
    }
    Ok(())
}
