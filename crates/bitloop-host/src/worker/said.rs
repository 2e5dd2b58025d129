//! [`Said`]: what a worker writes to standard error.

use std::sync::{Mutex, PoisonError};

use crate::sandbox::DENIED;

/// How much of it is kept, in bytes.
const MAX_BYTES: usize = 4096;

/// How many files are named, and how much of a name, in bytes.
const MAX_DENIED: usize = 16;
const MAX_NAME_BYTES: usize = 256;

/// The files that sandboxes have denied to plants of this process's workers.
static DENIED_FILES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The files that plants have tried to read in a sandbox and were denied, each once, of all workers of this process that
/// were dropped. A plant may continue without one, so that nothing else need have happened.
#[must_use]
pub fn denied_files() -> Vec<String> {
    DENIED_FILES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The end of what a worker has written, without the lines that name denied files.
#[derive(Debug, Default)]
pub(super) struct Said {
    kept: Vec<u8>,
    /// The line under way.
    line: Vec<u8>,
}

impl Said {
    /// Takes in what comes next.
    pub fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || self.line.len() >= MAX_BYTES {
                self.end_line();
            }
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&[&self.kept[..], &self.line].concat()).into_owned()
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let mark = DENIED.as_bytes();
        // What the plant has printed may be in the same line.
        let place = line.windows(mark.len()).position(|window| window == mark);
        let (said, denied) = line.split_at(place.unwrap_or(line.len()));
        self.kept.extend_from_slice(said);
        let excess = self.kept.len().saturating_sub(MAX_BYTES);
        self.kept.drain(..excess);
        if let Some(name) = denied.get(mark.len()..).filter(|name| !name.is_empty()) {
            note_denied(name.trim_ascii_end());
        }
    }
}

fn note_denied(name: &[u8]) {
    let name = String::from_utf8_lossy(&name[..name.len().min(MAX_NAME_BYTES)]).into_owned();
    let mut known = DENIED_FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() < MAX_DENIED && !known.contains(&name) {
        known.push(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_denied_files_are_noted_apart() {
        let mut said = Said::default();
        for piece in ["one\ntwo ", &DENIED[..5], &DENIED[5..], "/secret of a test\nthr", "ee"] {
            said.take(piece.as_bytes());
        }
        assert_eq!(said.text(), "one\ntwo three");
        assert_eq!(denied_files(), ["/secret of a test"]);
        said.take(&vec![b'x'; 10 * MAX_BYTES]);
        assert!(said.text().len() <= 2 * MAX_BYTES);
        for number in 0..2 * MAX_DENIED {
            said.take(format!("{DENIED}/{number}\n").as_bytes());
        }
        assert_eq!(denied_files().len(), MAX_DENIED);
    }
}
