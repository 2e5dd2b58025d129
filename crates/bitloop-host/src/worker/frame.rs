//! [`Frame`]: a message over a pipe, and how it is written and read.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The longest message, in bytes. A longer one is taken for garbage.
pub const MAX_BYTES: u32 = 1 << 28;

/// Set in the number of a message that is a part of an answer, before the answer itself.
pub const PART: u64 = 1 << 63;

/// The bytes before those of the message: its length, and its number.
const HEAD: usize = 12;

/// The most that is read at once, in bytes: what a pipe holds.
const BUFFER: usize = 1 << 16;

/// A message, and the number of the request that it is or answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub number: u64,
    pub bytes: Vec<u8>,
}

/// Writes a message in one call, so that its reader is woken once.
pub fn write_frame(out: &mut impl Write, number: u64, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= MAX_BYTES);
    let length = length.ok_or_else(|| io::Error::other("the message is too long"))?;
    out.write_all(&[&length.to_le_bytes(), &number.to_le_bytes()[..], bytes].concat())?;
    out.flush()
}

impl Frame {
    /// Takes the first message from bytes that begin with one; nothing if it is not whole yet.
    fn take_from(bytes: &mut Vec<u8>) -> io::Result<Option<Self>> {
        let Some((length, rest)) = bytes.split_first_chunk() else { return Ok(None) };
        let length = u32::from_le_bytes(*length);
        if length > MAX_BYTES {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no message of this program"));
        }
        let Some((number, rest)) = rest.split_first_chunk() else { return Ok(None) };
        let number = u64::from_le_bytes(*number);
        if rest.len() < length as usize {
            return Ok(None);
        }
        let behind = bytes.split_off(HEAD + length as usize);
        let mut bytes = std::mem::replace(bytes, behind);
        bytes.drain(..HEAD);
        Ok(Some(Self { number, bytes }))
    }
}

/// Reads messages from a pipe on the thread that needs them: a thread that reads for another costs a second wake-up.
#[derive(Debug)]
pub struct FrameReader<P> {
    pipe: P,
    /// Bytes that were read and not returned. It grows with what arrives, whatever length was announced.
    received: Vec<u8>,
    buffer: Box<[u8]>,
}

impl<P: Read + AsFd> FrameReader<P> {
    /// Reads from a pipe.
    pub fn new(pipe: P) -> Self {
        Self { pipe, received: Vec::new(), buffer: vec![0; BUFFER].into_boxed_slice() }
    }

    /// The next message; nothing if it does not come within `limit`, and an error at the end of the stream.
    pub fn next_within(&mut self, limit: Duration) -> io::Result<Option<Frame>> {
        let start = Instant::now();
        loop {
            if let Some(frame) = Frame::take_from(&mut self.received)? {
                return Ok(Some(frame));
            }
            let left = limit.saturating_sub(start.elapsed());
            if wait_for(&self.pipe, PollFlags::IN, Some(left))? {
                self.read()?;
            } else if left.is_zero() {
                return Ok(None);
            }
        }
    }

    /// The next message, however long it takes.
    pub fn next(&mut self) -> io::Result<Frame> {
        loop {
            if let Some(frame) = Frame::take_from(&mut self.received)? {
                return Ok(frame);
            }
            self.read()?;
        }
    }

    /// Reads what there is, and waits if that is nothing.
    fn read(&mut self) -> io::Result<()> {
        let n_read = match self.pipe.read(&mut self.buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n_read) => n_read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            Err(error) => return Err(error),
        };
        self.received.extend_from_slice(&self.buffer[..n_read]);
        Ok(())
    }
}

/// Waits until a pipe can be read, or its other end is closed; returns whether that is so. Without a limit, a signal may end
/// the waiting early.
pub fn wait_for(pipe: &impl AsFd, what: PollFlags, limit: Option<Duration>) -> io::Result<bool> {
    let limit = limit.map(|limit| {
        Timespec::try_from(limit).unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 })
    });
    match poll(&mut [PollFd::new(pipe, what)], limit.as_ref()) {
        Ok(n_ready) => Ok(n_ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_back_and_broken_ones_refused() {
        let mut stream = Vec::new();
        write_frame(&mut stream, 1, b"one").unwrap();
        write_frame(&mut stream, u64::MAX, b"").unwrap();
        let frame = |number, bytes: &[u8]| Some(Frame { number, bytes: bytes.to_vec() });
        for length in [0, 3, 5, 12, 14] {
            let mut cut = stream[..length].to_vec();
            assert_eq!(Frame::take_from(&mut cut).unwrap(), None, "{length}");
            assert_eq!(cut, stream[..length]);
        }
        assert_eq!(Frame::take_from(&mut stream).unwrap(), frame(1, b"one"));
        assert_eq!(Frame::take_from(&mut stream).unwrap(), frame(u64::MAX, b""));
        assert_eq!(Frame::take_from(&mut stream).unwrap(), None);
        assert!(Frame::take_from(&mut b"Hello, world".to_vec()).is_err());
    }

    #[test]
    fn messages_come_whole_however_they_are_cut_and_a_closed_pipe_ends_the_waiting() {
        let (pipe, mut out) = io::pipe().unwrap();
        let mut reader = FrameReader::new(pipe);
        assert_eq!(reader.next_within(Duration::ZERO).unwrap(), None);
        let long = vec![7; 3 * BUFFER + 5];
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut bytes = Vec::new();
                write_frame(&mut bytes, 1, b"short").unwrap();
                write_frame(&mut bytes, 2, &long).unwrap();
                bytes.chunks(1000).for_each(|chunk| out.write_all(chunk).unwrap());
            });
            let minute = Duration::from_mins(1);
            assert_eq!(reader.next_within(minute).unwrap().unwrap().bytes, b"short");
            let frame = reader.next().unwrap();
            assert_eq!((frame.number, frame.bytes == long), (2, true));
        });
        drop(out);
        for result in
            [reader.next_within(Duration::from_mins(1)).map(drop), reader.next().map(drop)]
        {
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        }
    }
}
