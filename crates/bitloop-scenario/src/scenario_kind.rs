//! What scenarios of both kinds have: a seed, an end, a text and digests.
//!
//! A digest covers resolved values, so neither comments, spacing, nor a default that is spelled out change it.

use bitloop_text::ron_options;
use ron::ser::PrettyConfig;
use serde::Serialize;

use crate::{file::FileKind, scenario::Scenario, stop::Stop, supervised::Supervised};

/// A scenario of either kind.
pub trait ScenarioKind {
    /// Root of all random streams.
    fn seed(&self) -> u64;

    /// Sets the root of all random streams.
    fn set_seed(&mut self, seed: u64);

    /// When the training ends.
    fn stop(&self) -> &Stop;

    /// When the training ends, to be changed.
    fn stop_mut(&mut self) -> &mut Stop;

    /// The scenario in one line, defaults filled in: what its digest is taken of. Reading it back gives the same
    /// scenario, but for the folders of a data file.
    fn canonical_text(&self) -> String;

    /// The scenario as a file, defaults filled in, a field on each line. Reading it back gives the same scenario.
    fn to_text(&self) -> String;

    /// [`ScenarioKind::digest`] of all that bears on the course of a search: the budgets in seconds and evaluations aside,
    /// which say how far it gets and not where it goes.
    fn search_digest(&self) -> String;

    /// BLAKE3 of [`ScenarioKind::canonical_text`], 64 hexadecimal digits.
    fn digest(&self) -> String {
        blake3::hash(self.canonical_text().as_bytes()).to_hex().to_string()
    }
}

impl ScenarioKind for Scenario {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn stop_mut(&mut self) -> &mut Stop {
        &mut self.stop
    }

    fn canonical_text(&self) -> String {
        one_line(self)
    }

    fn to_text(&self) -> String {
        lines(self)
    }

    fn search_digest(&self) -> String {
        without_budgets(self.clone()).digest()
    }
}

impl ScenarioKind for Supervised {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn stop_mut(&mut self) -> &mut Stop {
        &mut self.stop
    }

    fn canonical_text(&self) -> String {
        one_line(&self.without_folders())
    }

    fn to_text(&self) -> String {
        lines(self)
    }

    fn search_digest(&self) -> String {
        without_budgets(self.clone()).digest()
    }
}

fn one_line(scenario: &impl Serialize) -> String {
    ron_options().to_string(scenario).expect("every field has a RON form")
}

fn lines<T: FileKind + Serialize>(scenario: &T) -> String {
    let pretty = PrettyConfig::new().new_line("\n").struct_names(false).depth_limit(3);
    let body =
        ron_options().to_string_pretty(scenario, pretty).expect("every field has a RON form");
    format!("{}{body}\n", T::NAME)
}

/// The budgets that a resumed training may have more of: they end a search, and bear on nothing before.
fn without_budgets<T: ScenarioKind>(mut scenario: T) -> T {
    let stop = scenario.stop_mut();
    (stop.seconds, stop.evaluations) = (None, None);
    scenario
}
