//! The parts of the ELF format that are read before the system's loader is called: its messages are hard to understand, and
//! it trusts a file that was cut short.

use super::error::LibraryFault;

/// The machine that this program runs on, by its number in ELF.
const MACHINE: u16 = if cfg!(target_arch = "x86_64") {
    62
} else if cfg!(target_arch = "aarch64") {
    183
} else {
    0
};

const SHARED_OBJECT: u16 = 3;
const LOADABLE: u32 = 1;
const HEADER_BYTES: usize = 64;
const SEGMENT_BYTES: usize = 56;

/// A part of a library that the loader maps.
pub(super) struct Segment {
    /// Where it begins in the file.
    pub offset: u64,
    /// Its address in the loaded library.
    pub address: u64,
    /// Its bytes in the file.
    pub file_size: u64,
}

/// Checks that the bytes are a whole shared library for this machine.
pub(crate) fn check(bytes: &[u8]) -> Result<(), LibraryFault> {
    check_header(&bytes[..bytes.len().min(512)])?;
    let part = |offset: u64, size: u64| {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        Some(bytes.get(start..end)?.to_vec())
    };
    let segments = segments(bytes, part).ok_or(LibraryFault::CutShort)?;
    let is_there = |segment: &Segment| {
        segment.offset.checked_add(segment.file_size).is_some_and(|end| end <= bytes.len() as u64)
    };
    if segments.iter().all(is_there) { Ok(()) } else { Err(LibraryFault::CutShort) }
}

/// Checks that a file that begins like this is a shared library for this machine.
pub(super) fn check_header(head: &[u8]) -> Result<(), LibraryFault> {
    if !head.starts_with(b"\x7fELF") {
        let is_text = std::str::from_utf8(head)
            .is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace()));
        return Err(if head.is_empty() {
            LibraryFault::NotALibrary("it is empty")
        } else if head.starts_with(b"!<arch>\n") {
            LibraryFault::NotALibrary("it is a static library, an archive")
        } else if is_text {
            LibraryFault::NotALibrary("it is a text file")
        } else {
            LibraryFault::NotALibrary("it does not begin as one")
        });
    }
    // Class, byte order: 64 bits, little-endian.
    if head.len() > 5 && head[4..6] != [2, 1] {
        return Err(LibraryFault::WrongMachine("32 bits, or another byte order".to_owned()));
    }
    if head.len() < HEADER_BYTES {
        return Err(LibraryFault::CutShort);
    }
    let machine = u16_at(head, 18).unwrap_or_default();
    if MACHINE != 0 && machine != MACHINE {
        return Err(LibraryFault::WrongMachine(machine_name(machine)));
    }
    if u16_at(head, 16) != Some(SHARED_OBJECT) {
        return Err(LibraryFault::NotALibrary("it is an object file or a program"));
    }
    Ok(())
}

/// The parts that the loader maps, from the header and a function that reads a part of the file.
pub(super) fn segments(
    head: &[u8],
    part: impl Fn(u64, u64) -> Option<Vec<u8>>,
) -> Option<Vec<Segment>> {
    let first = u64_at(head, 32)?;
    let (size, count) = (usize::from(u16_at(head, 54)?), usize::from(u16_at(head, 56)?));
    if size < SEGMENT_BYTES {
        return None;
    }
    let table = part(first, (count * size) as u64)?;
    let loadable = table.chunks_exact(size).filter(|segment| u32_at(segment, 0) == Some(LOADABLE));
    loadable
        .map(|segment| {
            Some(Segment {
                offset: u64_at(segment, 8)?,
                address: u64_at(segment, 16)?,
                file_size: u64_at(segment, 32)?,
            })
        })
        .collect()
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn machine_name(machine: u16) -> String {
    match machine {
        3 => "x86, 32 bits".to_owned(),
        40 => "ARM, 32 bits".to_owned(),
        62 => "x86-64".to_owned(),
        183 => "ARM, 64 bits".to_owned(),
        243 => "RISC-V".to_owned(),
        other => format!("machine {other} of the ELF standard"),
    }
}
