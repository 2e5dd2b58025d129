//! What can be told of a library from its bytes, before the system's loader, whose messages are hard to read, and which
//! trusts a file that was cut short.

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

/// Checks that the bytes are a whole shared library for this machine.
pub(super) fn check(bytes: &[u8]) -> Result<(), LibraryFault> {
    if !bytes.starts_with(b"\x7fELF") {
        let head = &bytes[..bytes.len().min(512)];
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
    if bytes.len() > 5 && bytes[4..6] != [2, 1] {
        return Err(LibraryFault::WrongMachine("32 bits, or another byte order".to_owned()));
    }
    if bytes.len() < HEADER_BYTES {
        return Err(LibraryFault::CutShort);
    }
    let machine = u16_at(bytes, 18);
    if MACHINE != 0 && machine != MACHINE {
        return Err(LibraryFault::WrongMachine(machine_name(machine)));
    }
    if u16_at(bytes, 16) != SHARED_OBJECT {
        return Err(LibraryFault::NotALibrary("it is an object file or a program"));
    }
    check_segments(bytes).ok_or(LibraryFault::CutShort)
}

/// Whether all that the loader would map is there.
fn check_segments(bytes: &[u8]) -> Option<()> {
    let first = usize::try_from(u64_at(bytes, 32)).ok()?;
    let (size, count) = (usize::from(u16_at(bytes, 54)), usize::from(u16_at(bytes, 56)));
    if size < SEGMENT_BYTES {
        return None;
    }
    for index in 0..count {
        let start = first.checked_add(index * size)?;
        let segment = bytes.get(start..start.checked_add(SEGMENT_BYTES)?)?;
        let kind = u32::from_le_bytes(segment[..4].try_into().ok()?);
        let end = u64_at(segment, 8).checked_add(u64_at(segment, 32))?;
        if kind == LOADABLE && end > bytes.len() as u64 {
            return None;
        }
    }
    Some(())
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(number)
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
