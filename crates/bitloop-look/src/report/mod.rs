//! Reports: one page that holds all it shows, and plays.
//!
//! A page is HTML with its style and its program inside; nothing is loaded, which its security policy enforces. Texts are escaped
//! wherever they come from, and data are JSON without `<`, so that nothing that a plant or a file says becomes markup.

mod film;
mod motion;
mod page;
mod scene;
mod track;

pub use film::Film;
pub use motion::{Motion, MotionEpisode, MotionSignal, RecordedEpisode, SignalKind};
pub use page::{Report, Section};
pub use scene::{Scene, SceneFrame, SceneKind, SceneNumber, SceneShape, SceneValue};
