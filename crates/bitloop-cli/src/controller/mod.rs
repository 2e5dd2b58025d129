//! `bitloop controller`: saved controllers and models shown, written anew, exported.

mod export;
mod show;
mod upgrade;

pub use export::{export, export_failure};
pub use show::{layers_in_short, show, weights_in_short};
pub use upgrade::upgrade;
