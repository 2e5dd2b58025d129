//! [`TableFile`]: where a table goes: a file of comma-separated values, packed if its name says so, a Parquet file, or standard
//! output.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bitloop_replay::parquet::ParquetSink;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::failure::Failure;
use crate::output::target::{OutputFile, is_stdout};

/// A table under way.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: OutputFile,
    parquet: Option<ParquetSink>,
}

/// Whether a file of this name is packed.
pub fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"))
}

/// Whether a file of this name is a Parquet file.
pub fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("parquet"))
}

/// Bytes as a packed file holds them: a member of their own, since members one after another are a file, too.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.expect("writing to memory does not fail")
}

/// Writes bytes of the table at `path` that are not packed yet, as a piece of their own.
pub fn write_piece(out: &mut dyn Write, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = if is_packed(path) { out.write_all(&pack(bytes)) } else { out.write_all(bytes) };
    written.map_err(|error| failure(path, &error))
}

/// Why the table at `path` cannot be written.
pub fn failure(path: &Path, error: &io::Error) -> Failure {
    if is_stdout(path) { Failure::stdout(error) } else { Failure::output(path, error) }
}

impl TableFile {
    /// Begins a table at `path`, which must be none of `inputs`.
    pub fn create(path: &Path, inputs: &[PathBuf]) -> Result<Self, Failure> {
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        let file = OutputFile::create_or_stdout(path, &inputs)?;
        let parquet = is_parquet(path).then(ParquetSink::default);
        Ok(Self { path: path.to_owned(), file, parquet })
    }

    /// Its path as the user has given it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        if let Some(sink) = &mut self.parquet {
            sink.finish(&mut self.file).map_err(|error| failure(&self.path, &error))?;
        }
        self.file.finish()
    }
}

impl Write for TableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(sink) = &mut self.parquet else { return self.file.write(bytes) };
        sink.take(bytes, &mut self.file)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
