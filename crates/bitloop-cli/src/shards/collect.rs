//! The parts of a command whose work is numbered items, put together.

use std::path::{Path, PathBuf};

use bitloop_campaign::{PartsError, WholeItems};
use bitloop_folder::{Assembly, FolderError, write_file};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::local::{Local, shard_counts};
use super::missing::{rerun_hint, with_damaged};
use super::part::{Divisible, Items, Job, copy_name};
use super::plan::{Plan, refused};
use super::same_files::place_or_compare;
use crate::failure::Failure;
use crate::output::{number, print_note};
use crate::start_folder;

/// What the parts of a command say of it.
pub struct Collected<C> {
    /// Its arguments, as they were given for the first part.
    pub args: C,
    folders: Vec<PathBuf>,
    /// The folder that it was run in.
    start: PathBuf,
    digest: String,
}

impl<C: Divisible> Collected<C> {
    /// That of all parts in these folders.
    pub fn of(folders: &[PathBuf]) -> Result<Self, Failure> {
        let digest = Plan::<Items<C>>::of_all(folders)?.asked.digest;
        let local = Local::read(&folders[0])?;
        let args = local.args.clone().ok_or_else(|| "its arguments are missing".to_owned());
        let args = args.and_then(|args| serde_json::from_value(args).map_err(|e| e.to_string()));
        let args = args.map_err(|message| refused::<Items<C>>(&folders[0], &message))?;
        Ok(Self { args, folders: folders.to_vec(), start: local.folder, digest })
    }

    /// The copy of an input, and the folder that the input was in.
    pub fn input(&self, input: usize) -> (PathBuf, PathBuf) {
        let path = self.args.inputs()[input];
        let folder = self.start.join(path).parent().map(Path::to_owned);
        (self.folders[0].join(copy_name(input)), folder.unwrap_or_default())
    }

    /// All results.
    pub fn whole<T: Serialize + DeserializeOwned>(
        &self,
        job: &Job<'_, C>,
    ) -> Result<WholeItems<T>, Failure> {
        if job.parts.digest() != self.digest {
            return Err(Failure::Folder {
                message: format!(
                    "{}: the controllers or the test are others than the shards of this {} were run with",
                    self.folders[0].display(),
                    C::NOUN
                ),
                hint: Some(
                    "was a file in it edited, or a --plant named that is another one?".to_owned(),
                ),
            });
        }
        let finished =
            job.parts.finished(&self.folders).map_err(|error| Failure::of_records(&error))?;
        let whole = job.parts.whole(finished).map_err(|error| match error {
            PartsError::Missing { ref damaged, .. } => Failure::Folder {
                hint: rerun_hint(
                    &error.numbers(),
                    &shard_counts(&self.folders).unwrap_or_default(),
                ),
                message: with_damaged(error.to_string(), damaged),
            },
            PartsError::Record(error) => Failure::of_records(&error),
        })?;
        for path in &whole.damaged {
            let path = path.display();
            print_note(&format!("note: {path} is damaged, another shard has it"));
        }
        Ok(whole)
    }

    /// Makes the folder of the whole, with these files in it, or compares it with what is there.
    pub fn place<T: Serialize + DeserializeOwned + Clone>(
        &self,
        job: &Job<'_, C>,
        (out, whole): (&Path, &WholeItems<T>),
        files: &[(&str, Vec<u8>)],
    ) -> Result<(), Failure> {
        let target = start_folder::absolute(out);
        let assembly = Assembly::begin(&target)?;
        let folder = assembly.folder();
        job.parts.write_whole(folder, whole)?;
        for (name, bytes) in files {
            let path = folder.join(name);
            write_file(&path, bytes).map_err(|error: FolderError| Failure::from(error))?;
        }
        job.write(folder, (&self.start, None, 1))?;
        let is_new = place_or_compare(assembly, &target)?;
        print_note(&format!(
            "{} {} from {} folders in {}",
            if is_new { "merged" } else { "nothing to do: there are already the same" },
            number::counted(whole.results.len() as u64, job.parts.noun()),
            self.folders.len(),
            start_folder::shown(&target).display(),
        ));
        Ok(())
    }
}
