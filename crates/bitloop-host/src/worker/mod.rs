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
mod frame;
mod process;
mod said;

pub use child::{close_inherited, serve, serve_in_parts};
pub use end::{WorkerEnd, WorkerFate};
pub use process::{MAX_STARTS, Worker};
pub use said::denied_files;
