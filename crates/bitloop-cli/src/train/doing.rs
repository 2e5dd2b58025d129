//! [`Doing`]: what the best controller of a training does now, for the display on a terminal.

use std::time::{Duration, Instant};

use bitloop_plant::Description;
use bitloop_scenario::{AnyScenario, EpisodeSet};
use bitloop_sim::Figure;
use bitloop_train::{
    Candidate, Execution, PlantAccess, Progress, Score, SetName, Training, open_training,
};

use crate::behavior;
use crate::output::number::plain;
use crate::registry;

/// Episodes that are looked at.
const N_EPISODES: u32 = 10;

/// The least time between two looks, and how many times as long as the look before.
const PERIOD: Duration = Duration::from_secs(5);
const SHARE: u32 = 20;

/// Runs the best controller from time to time, on a few episodes that neither select it nor test it. The search does not depend on
/// it.
#[derive(Debug)]
pub struct Doing {
    training: Box<dyn Training>,
    next: Instant,
    /// The one that was looked at.
    seen: Option<Candidate>,
}

impl Doing {
    /// For a training of a plant in this process; nothing for another one.
    pub fn of(scenario: &AnyScenario) -> Option<Self> {
        let AnyScenario::ClosedLoop(file) = scenario else { return None };
        let mut file = file.clone();
        let episodes = &mut file.value.episodes;
        let like = episodes.validation.or(episodes.training)?;
        episodes.test = Some(EpisodeSet { count: like.count.min(N_EPISODES), ..like });
        // Other episodes than those of the test.
        file.value.seed = file.value.seed.wrapping_add(1);
        let registry = registry::registry();
        let scenario = AnyScenario::ClosedLoop(file);
        let training = open_training(&scenario, &PlantAccess::Here(&registry)).ok()?;
        Some(Self { training, next: Instant::now() + PERIOD, seen: None })
    }

    /// What the best controller does, if there is another one since, and it is time.
    pub fn look(&mut self, progress: &Progress<'_>, execution: Execution<'_>) -> Option<String> {
        if Instant::now() < self.next {
            return None;
        }
        let state = progress.state;
        // The best of the current run is compared with that of all runs only when it ends.
        let both = state.incumbent.iter().chain(&state.best_of_run);
        let best = both.min_by(|a, b| a.validation_error.total_cmp(&b.validation_error))?;
        if self
            .seen
            .as_ref()
            .is_some_and(|seen| seen.codes == best.codes && seen.weights == best.weights)
        {
            return None;
        }
        let started = Instant::now();
        self.seen = Some(best.clone());
        // A plant that breaks here breaks in the search, too, which reports it.
        let score = self.training.score(best, SetName::Test, execution).ok().flatten();
        self.next = Instant::now() + PERIOD.max(SHARE * started.elapsed());
        in_words(self.training.plant()?, &score?)
    }
}

/// What a controller does, in a line.
fn in_words(plant: &Description, score: &Score) -> Option<String> {
    let (n, behaviors) = (score.episodes.len(), score.behaviors.as_ref()?);
    let n_failed = score.n_failed();
    if n_failed > 0 {
        return Some(format!("fails in {n_failed} of {n} episodes"));
    }
    if let Some(warning) = behavior::warnings(plant, behaviors).into_iter().next() {
        // The rest of it explains the figures.
        let short = warning.split(':').next().unwrap_or(&warning).to_owned();
        return Some(format!("fails in none of {n} episodes, but {short}"));
    }
    let settling = behaviors.summary(Figure::SettlingTime, 0)?;
    let settles = match (settling.n_infinite, settling.median.is_finite()) {
        (0, _) => format!("settles in {} s", plain((1e3 * settling.worst).round() / 1e3)),
        (n, true) => format!("{n} do not settle"),
        (_, false) => "does not settle".to_owned(),
    };
    Some(format!("fails in none of {n} episodes, {settles}"))
}

#[cfg(test)]
mod tests {
    use bitloop_scenario::ScenarioFile;

    use super::*;

    /// A scenario of the pendulum whose controller is linear, so that its four gains are its weights.
    const SCENARIO: &str = r#"Scenario(
        plant: "inverted-pendulum",
        initial: {"theta": Uniform(-0.2, 0.2)},
        observations: ["x", "theta", "x_dot", "theta_dot"],
        controller: Linear,
        episodes: (training: (count: 4, horizon_s: 20)),
        training: TelescopicBlm(bits: 12, max_weight: 64),
        stop: (evaluations: 10),
    )"#;

    fn said(codes: [i32; 5]) -> Option<String> {
        let file = ScenarioFile::parse(SCENARIO, "s.ron").unwrap();
        let doing = Doing::of(&AnyScenario::ClosedLoop(file)).unwrap();
        let candidate = Candidate {
            codes: codes.to_vec(),
            weights: Vec::new(),
            run: 0,
            training_error: None,
            unrounded_training_error: None,
            validation_error: 0.0,
            confirmation_error: None,
            confirmation_failures: None,
        };
        let execution =
            Execution::uninterrupted(bitloop_plant::Isa::best(), std::num::NonZeroUsize::MIN);
        let score = doing.training.score(&candidate, SetName::Test, execution).unwrap().unwrap();
        in_words(doing.training.plant().unwrap(), &score)
    }

    #[test]
    fn a_pendulum_that_falls_and_one_that_stands_differ() {
        assert_eq!(said([0; 5]).as_deref(), Some("fails in 4 of 4 episodes"));
        let stands = said([0, 32, -1919, 64, -384]).unwrap();
        assert!(stands.starts_with("fails in none of 4 episodes"), "{stands}");
    }
}
