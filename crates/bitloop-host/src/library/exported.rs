//! [`exported`]: what a library says in its symbol table, read from the file without loading it.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use bitloop_plant::MAX_NAME_BYTES;
use bitloop_plant::abi::{NAME_SYMBOL, SYMBOL};

use super::elf;
use super::error::LibraryFault;
use super::{open_regular, unreadable};

/// The largest table that is read, in bytes.
const MAX_TABLE_BYTES: u64 = 1 << 26;

const HEADER_BYTES: u64 = 64;
const SECTION_BYTES: usize = 64;
const SYMBOL_BYTES: usize = 24;
const DYNAMIC_BYTES: usize = 16;
const DYNAMIC: u32 = 6;
const DYNAMIC_SYMBOLS: u32 = 11;

/// Where a library has the name of its plant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Exported {
    /// In the file.
    Name(String),
    /// In its description alone, which code of the library gives.
    Code,
}

/// Reads the symbol table of the library at `path`. No code of it runs.
pub(crate) fn exported(path: &Path) -> Result<Exported, LibraryFault> {
    let file = open_regular(path)?;
    let size = file.metadata().map_err(|error| unreadable(&error))?.len();
    let head = part(&file, 0, size.min(HEADER_BYTES)).unwrap_or_default();
    elf::check_header(&head)?;
    // A library without a table of sections can be loaded all the same.
    let Some(symbols) = Symbols::read(&file, &head) else { return Ok(Exported::Code) };
    if symbols.find(SYMBOL).is_none() {
        return Err(LibraryFault::NoPlant);
    }
    let name = symbols.find(NAME_SYMBOL).and_then(|address| name_at(&file, &head, address));
    Ok(name.map_or(Exported::Code, Exported::Name))
}

/// The dynamic symbols of a library and their names.
struct Symbols {
    table: Vec<u8>,
    names: Vec<u8>,
}

impl Symbols {
    fn read(file: &File, head: &[u8]) -> Option<Self> {
        let (table, names) = section(file, head, DYNAMIC_SYMBOLS)?;
        Some(Self { table, names })
    }

    /// The address of a symbol that the library defines.
    fn find(&self, name: &str) -> Option<u64> {
        self.table.chunks_exact(SYMBOL_BYTES).find_map(|symbol| {
            let text = self.names.get(elf::u32_at(symbol, 0)? as usize..)?;
            let is_defined = elf::u16_at(symbol, 6)? != 0;
            let is_meant = text.strip_prefix(name.as_bytes())?.first() == Some(&0);
            if is_defined && is_meant { elf::u64_at(symbol, 8) } else { None }
        })
    }
}

/// What a library needs to be loaded.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    /// Names of libraries.
    pub libraries: Vec<String>,
    /// Folders in which they are looked for first.
    pub folders: Vec<PathBuf>,
}

/// Reads what the library at `path` needs; nothing if that cannot be read.
pub(crate) fn needs(path: &Path) -> Needs {
    read_needs(path).unwrap_or_default()
}

fn read_needs(path: &Path) -> Option<Needs> {
    const NEEDED: u64 = 1;
    const RPATH: u64 = 15;
    const RUNPATH: u64 = 29;
    let file = open_regular(path).ok()?;
    let head = part(&file, 0, HEADER_BYTES)?;
    let (table, texts) = section(&file, &head, DYNAMIC)?;
    let mut needs = Needs::default();
    let own_folder = path.parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
    for entry in table.chunks_exact(DYNAMIC_BYTES) {
        let (kind, value) = (elf::u64_at(entry, 0)?, elf::u64_at(entry, 8)?);
        let text = || {
            let bytes = texts.get(usize::try_from(value).ok()?..)?;
            let length = bytes.iter().position(|&byte| byte == 0)?;
            std::str::from_utf8(&bytes[..length]).ok()
        };
        match kind {
            NEEDED => needs.libraries.extend(text().map(str::to_owned)),
            RPATH | RUNPATH => {
                let folders = text().unwrap_or_default().split(':');
                let folders = folders.map(|folder| {
                    folder.replace("${ORIGIN}", &own_folder).replace("$ORIGIN", &own_folder)
                });
                needs.folders.extend(folders.map(PathBuf::from).filter(|path| path.is_absolute()));
            }
            _ => {}
        }
    }
    Some(needs)
}

/// The first section of a kind, and the texts that it refers to.
fn section(file: &File, head: &[u8], kind: u32) -> Option<(Vec<u8>, Vec<u8>)> {
    let (offset, count) = (elf::u64_at(head, 40)?, u64::from(elf::u16_at(head, 60)?));
    let sections = part(file, offset, count * SECTION_BYTES as u64)?;
    let range = |section: &[u8]| Some((elf::u64_at(section, 24)?, elf::u64_at(section, 32)?));
    let section = sections
        .chunks_exact(SECTION_BYTES)
        .find(|section| elf::u32_at(section, 4) == Some(kind))?;
    let linked = elf::u32_at(section, 40)? as usize;
    let texts = sections.chunks_exact(SECTION_BYTES).nth(linked)?;
    let [(section_at, section_size), (texts_at, texts_size)] = [range(section)?, range(texts)?];
    Some((part(file, section_at, section_size)?, part(file, texts_at, texts_size)?))
}

/// The text at an address of the loaded library, if it is a plant's name.
fn name_at(file: &File, head: &[u8], address: u64) -> Option<String> {
    let bytes = elf::segments(head, |offset, size| part(file, offset, size))?
        .into_iter()
        .find_map(|segment| {
            let into = address.checked_sub(segment.address)?;
            let left = segment.file_size.checked_sub(into)?;
            let size = left.min(MAX_NAME_BYTES as u64 + 1);
            part(file, segment.offset.checked_add(into)?, size)
        })?;
    let length = bytes.iter().position(|&byte| byte == 0)?;
    let name = std::str::from_utf8(&bytes[..length]).ok()?;
    let is_name = !name.is_empty() && !name.chars().any(char::is_control);
    is_name.then(|| name.to_owned())
}

/// A part of the file that is there as a whole.
fn part(file: &File, offset: u64, size: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(size).ok().filter(|_| size <= MAX_TABLE_BYTES)?];
    file.read_exact_at(&mut bytes, offset).ok()?;
    Some(bytes)
}
