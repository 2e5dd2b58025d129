//! [`Worker`]: a process of its own for a plant that may crash, hang, or end the process that it runs in.
//!
//! The host starts its own program again with a command that is not for users, sends requests and waits for answers, each
//! for a limited time. In the child, [`serve`] answers them. A message is a frame of bytes over a pipe: its length as four
//! bytes, the number of the request as eight, both little-endian, and that many bytes, whose meaning belongs to the caller.
//! The answer repeats the number of its request, so that an answer that nobody asked for, such as one from a process that
//! the plant has forked, is recognized and refused. Whatever the plant does to the child, the host learns it as a
//! [`WorkerEnd`].
//!
//! An answer may be preceded by parts of it, for results of any length: [`serve_in_parts`] and [`Worker::ask_in_parts`].

mod child;
mod end;
mod process;
mod said;

use std::io::{self, Read, Write};

pub use child::{close_inherited, serve, serve_in_parts};
pub use end::{WorkerEnd, WorkerFate};
pub use process::{MAX_STARTS, Worker};
pub use said::denied_files;

/// The longest message, in bytes. A longer one is taken for garbage.
const MAX_BYTES: u32 = 1 << 28;

/// Set in the number of a message that is a part of an answer, before the answer itself.
const PART: u64 = 1 << 63;

/// A message, and the number of the request that it is or answers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    number: u64,
    bytes: Vec<u8>,
}

/// Writes a message.
fn write_frame(out: &mut impl Write, number: u64, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= MAX_BYTES);
    let length = length.ok_or_else(|| io::Error::other("the message is too long"))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&number.to_le_bytes())?;
    out.write_all(bytes)?;
    out.flush()
}

/// Reads a message, `None` at the end of the stream.
fn read_frame(from: &mut impl Read) -> io::Result<Option<Frame>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "no message of this program"));
    }
    let mut number = [0; 8];
    from.read_exact(&mut number)?;
    // Memory grows with what arrives, whatever length was announced.
    let mut bytes = Vec::new();
    let n_read = from.take(u64::from(length)).read_to_end(&mut bytes)?;
    if n_read < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(Frame { number: u64::from_le_bytes(number), bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_back_and_broken_ones_refused() {
        let mut stream = Vec::new();
        write_frame(&mut stream, 1, b"one").unwrap();
        write_frame(&mut stream, u64::MAX, b"").unwrap();
        let mut from = stream.as_slice();
        let frame = |number, bytes: &[u8]| Some(Frame { number, bytes: bytes.to_vec() });
        assert_eq!(read_frame(&mut from).unwrap(), frame(1, b"one"));
        assert_eq!(read_frame(&mut from).unwrap(), frame(u64::MAX, b""));
        assert_eq!(read_frame(&mut from).unwrap(), None);
        for length in [5, 12, 14] {
            assert!(read_frame(&mut &stream[..length]).is_err());
        }
        assert!(read_frame(&mut &b"Hello, world"[..]).is_err());
    }
}
