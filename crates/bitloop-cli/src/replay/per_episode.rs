//! [`PerEpisode`]: trajectories on their way to a file for each episode.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bitloop_replay::{Frame, Replay};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::mcap_file::McapFile;
use super::table_file::is_packed;
use crate::failure::Failure;
use crate::output::target::OutputFile;

/// What the bytes are that come.
pub enum Kind {
    /// Lines that begin with the index of their episode; the line of names is given.
    Csv(Vec<u8>),
    /// Frames.
    Mcap,
}

/// Cuts trajectories into files, each of which gets its name once its episode is over.
pub struct PerEpisode<'a> {
    path: &'a Path,
    inputs: Vec<&'a Path>,
    replay: &'a Replay,
    kind: Kind,
    open: Option<(u64, File)>,
    pending: Vec<u8>,
    /// Why a file could not be begun or finished.
    failure: Option<Failure>,
}

/// The file of an episode under way.
enum File {
    Plain(BufWriter<OutputFile>),
    Packed(GzEncoder<BufWriter<OutputFile>>),
    Mcap(Box<McapFile<OutputFile>>),
}

impl<'a> PerEpisode<'a> {
    /// Files that are named after `path`: of `a.csv`, `a-0.csv` and so on. None may be one of `inputs`.
    pub fn new(path: &'a Path, inputs: &'a [PathBuf], replay: &'a Replay, kind: Kind) -> Self {
        let inputs = inputs.iter().map(PathBuf::as_path).collect();
        Self { path, inputs, replay, kind, open: None, pending: Vec::new(), failure: None }
    }

    /// Finishes the last file, unless the replay failed, whose result this is.
    ///
    /// # Errors
    /// What went wrong since the beginning.
    pub fn finish<T>(mut self, result: Result<T, Failure>) -> Result<T, Failure> {
        match (self.failure.take(), result) {
            (Some(failure), _) | (None, Err(failure)) => Err(failure),
            (None, Ok(result)) => self.close().map(|()| result),
        }
    }

    fn close(&mut self) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::output(self.path, &error);
        let whole =
            |file: BufWriter<OutputFile>| file.into_inner().map_err(|e| failed(e.into_error()));
        let Some((_, file)) = self.open.take() else { return Ok(()) };
        let file = match file {
            File::Plain(file) => whole(file)?,
            File::Packed(file) => whole(file.finish().map_err(failed)?)?,
            File::Mcap(file) => file.finish().map_err(failed)?,
        };
        file.finish()
    }

    /// The file of an episode.
    fn file(&mut self, episode: u64) -> Result<&mut File, Failure> {
        if self.open.as_ref().is_none_or(|open| open.0 != episode) {
            self.close()?;
            let last = self.replay.indices().end.saturating_sub(1);
            let path = named(self.path, episode, last.to_string().len());
            let file = OutputFile::create(&path, &self.inputs)?;
            let failed = |error: io::Error| Failure::output(&path, &error);
            let file = match &self.kind {
                Kind::Mcap => {
                    let file = McapFile::begin(file, self.replay, false).map_err(failed)?;
                    File::Mcap(Box::new(file))
                }
                Kind::Csv(names) => {
                    let file = BufWriter::new(file);
                    let mut file = if is_packed(self.path) {
                        File::Packed(GzEncoder::new(file, Compression::fast()))
                    } else {
                        File::Plain(file)
                    };
                    file.write_all(names).map_err(failed)?;
                    file
                }
            };
            self.open = Some((episode, file));
        }
        Ok(&mut self.open.as_mut().expect("it was opened").1)
    }

    /// The episode and the length of the first whole line or frame of `bytes`; none if there is none.
    fn first(&self, bytes: &[u8]) -> Option<(u64, usize)> {
        if matches!(self.kind, Kind::Mcap) {
            return Frame::first(bytes).map(|(frame, length)| (frame.episode, length));
        }
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let digits = bytes[..end].iter().take_while(|byte| byte.is_ascii_digit());
        Some((digits.fold(0, |number, digit| 10 * number + u64::from(digit - b'0')), end + 1))
    }

    /// Writes the first whole line or frame of `bytes`, and returns its length; none if there is none.
    fn write_first(&mut self, bytes: &[u8]) -> Result<Option<usize>, Failure> {
        let Some((episode, length)) = self.first(bytes) else { return Ok(None) };
        let path = self.path;
        let written = self.file(episode)?.write_all(&bytes[..length]);
        written.map_err(|error| Failure::output(path, &error))?;
        Ok(Some(length))
    }
}

impl File {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.write_all(bytes),
            Self::Packed(file) => file.write_all(bytes),
            Self::Mcap(file) => file.write_all(bytes),
        }
    }
}

impl Write for PerEpisode<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut pending = std::mem::take(&mut self.pending);
        pending.extend_from_slice(bytes);
        let mut at = 0;
        loop {
            match self.write_first(&pending[at..]) {
                Ok(Some(length)) => at += length,
                Ok(None) => break,
                Err(failure) => {
                    let error = io::Error::other(failure.to_string());
                    self.failure = Some(failure);
                    return Err(error);
                }
            }
        }
        pending.drain(..at);
        self.pending = pending;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The name of an episode's file: its number stands before the first dot, with zeros in front, so that names sort as numbers do.
fn named(path: &Path, episode: u64, n_digits: usize) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ends) = match name.char_indices().skip(1).find(|(_, c)| *c == '.') {
        Some((dot, _)) => name.split_at(dot),
        None => (name.as_str(), ""),
    };
    path.with_file_name(OsString::from(format!("{stem}-{episode:0n_digits$}{ends}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_before_the_first_dot() {
        for (path, expected) in [
            ("a.csv", "a-07.csv"),
            ("b/a.csv.gz", "b/a-07.csv.gz"),
            ("a", "a-07"),
            (".hidden.mcap", ".hidden-07.mcap"),
            ("ü.csv", "ü-07.csv"),
        ] {
            assert_eq!(named(Path::new(path), 7, 2), Path::new(expected));
        }
        assert_eq!(named(Path::new("a.csv"), 123, 2), Path::new("a-123.csv"));
    }
}
