//! [`Worker`]: a process of its own for a plant that may crash, hang, or end the process that it runs in.
//!
//! The host starts its own program anew with a command that nobody types, sends requests and waits for answers, for a
//! limited time each. In the child, [`serve`] answers them. A message is a frame of bytes over a pipe: its length as four
//! bytes, little-endian, and that many bytes; what they mean is the caller's business. Whatever the plant does to the child,
//! the host learns it as a [`WorkerEnd`] and lives.

mod child;
mod end;
mod process;

use std::io::{self, Read, Write};

pub use child::serve;
pub use end::{WorkerEnd, WorkerFate};
pub use process::Worker;

/// The longest message, in bytes. A longer one is taken for garbage.
const MAX_BYTES: u32 = 1 << 28;

/// Writes a message.
fn write_frame(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= MAX_BYTES);
    let length = length.ok_or_else(|| io::Error::other("the message is too long"))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(bytes)?;
    out.flush()
}

/// Reads a message, `None` at the end of the stream.
fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "no message of this program"));
    }
    // Memory grows with what arrives, whatever length was announced.
    let mut bytes = Vec::new();
    let n_read = from.take(u64::from(length)).read_to_end(&mut bytes)?;
    if n_read < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_back_and_broken_ones_refused() {
        let mut stream = Vec::new();
        write_frame(&mut stream, b"one").unwrap();
        write_frame(&mut stream, b"").unwrap();
        let mut from = stream.as_slice();
        assert_eq!(read_frame(&mut from).unwrap(), Some(b"one".to_vec()));
        assert_eq!(read_frame(&mut from).unwrap(), Some(Vec::new()));
        assert_eq!(read_frame(&mut from).unwrap(), None);
        assert!(read_frame(&mut &stream[..5]).is_err());
        assert!(read_frame(&mut &b"Hello, world"[..]).is_err());
    }
}
