//! Training episodes that begin short and easy.

use serde::{Deserialize, Serialize};

/// Training episodes start with a shorter horizon, and with initial states nearer to the plant's
/// default, and with less uncertainty; each time the training error falls below `advance_below`, all are doubled, until they
/// are the full ones. Validation, confirmation and test episodes are full from the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curriculum {
    /// First horizon in seconds, above the transient of the training episodes and at most their
    /// horizon. Default: their horizon.
    #[serde(default)]
    pub horizon_s: Option<f64>,
    /// First scale of the initial states, above 0 and up to 1: a state that is drawn as s starts at
    /// d + scale * (s - d), where d is the plant's default. Default: 1.
    #[serde(default = "default_initial_scale")]
    pub initial_scale: f64,
    /// First share of what is uncertain, from 0 for none to 1: what sensors, actuators, disturbances and references are given, drawn
    /// or fixed, and what is drawn for parameters. After 0 comes a quarter. Default: 1.
    #[serde(default = "default_uncertainty_scale", skip_serializing_if = "is_whole")]
    pub uncertainty_scale: f64,
    /// Training error below which horizon and scales are doubled, above 0. Default: 0.2.
    #[serde(default = "default_advance_below")]
    pub advance_below: f64,
}

fn default_initial_scale() -> f64 {
    1.0
}

fn default_uncertainty_scale() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_whole(scale: &f64) -> bool {
    *scale == 1.0
}

fn default_advance_below() -> f64 {
    0.2
}

impl Default for Curriculum {
    fn default() -> Self {
        Curriculum {
            horizon_s: None,
            initial_scale: default_initial_scale(),
            uncertainty_scale: default_uncertainty_scale(),
            advance_below: default_advance_below(),
        }
    }
}
