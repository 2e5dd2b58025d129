//! `bitloop plant check`: sound plants pass, and each faulty one fails the check that is about its fault.

mod faults;
mod hostile;
mod sound;
pub mod workshop;
