//! `bitloop controller`: saved controllers and models shown, written anew, exported, imported.

mod export;
mod import;
mod show;
mod show_json;
mod upgrade;

pub use export::{export, export_failure};
pub use import::import;
pub use show::show;
pub use upgrade::upgrade;
