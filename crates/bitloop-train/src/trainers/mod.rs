//! The search methods that fit any task. Each does one run at a time; [`Session`](crate::session::Session) does the rest of a
//! training.

mod cma_es;
mod random_search;
mod restarts;
mod sampling;
mod telescopic_blm;

use bitloop_scenario::Training;

use crate::error::TrainError;
use crate::task::Task;
use crate::trainer::Trainer;

pub use cma_es::CmaEs;
pub use random_search::RandomSearch;
pub use telescopic_blm::TelescopicBlm;

/// The trainer that a scenario asks for.
pub(crate) fn trainer<T: Task>(training: &Training) -> Result<Box<dyn Trainer<T>>, TrainError> {
    Ok(match training {
        Training::TelescopicBlm(settings) => Box::new(TelescopicBlm::try_from(settings)?),
        Training::CmaEs(settings) => Box::new(CmaEs::try_from(settings)?),
        Training::RandomSearch(settings) => Box::new(RandomSearch::try_from(settings)?),
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use bitloop_blm::{Candidates, Initialization, Kicks, MoveRule};
    use bitloop_scenario::ScenarioFile;

    use super::*;

    fn scenario(fields: &str) -> ScenarioFile {
        let text = format!("Scenario(plant: \"p\", {fields})");
        ScenarioFile::parse(&text, "a.ron").unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_search_is_the_one_that_the_file_describes() {
        let options = |fields: &str| {
            let file = scenario(&format!("training: TelescopicBlm({fields})"));
            match file.value.training.as_ref().expect("given above") {
                Training::TelescopicBlm(blm) => {
                    TelescopicBlm::try_from(blm).expect("sound").options
                }
                other => panic!("{other:?}"),
            }
        };
        let paper = options("preset: Paper");
        assert_eq!((paper.move_rule, paper.kicks), (MoveRule::FirstImproving, None));
        assert_eq!(paper.candidates, Candidates::SingleFlips);
        let other = options(
            "moves: BestOf(40), candidates: SeveralFlips(extra: 0.5), kicks: (count: 9, flips: 3)",
        );
        assert_eq!(other.move_rule, MoveRule::BestOf(NonZeroUsize::new(40).unwrap()));
        assert_eq!(other.candidates, Candidates::SeveralFlips { extra: 0.5 });
        assert_eq!(other.kicks, Some(Kicks { count: 9, flips: 3 }));
    }

    #[test]
    fn a_random_search_draws_as_the_file_says() {
        let file = scenario("training: RandomSearch(initialization: Bounded(2))");
        let Some(Training::RandomSearch(settings)) = file.value.training else {
            panic!("another trainer")
        };
        let search = RandomSearch::try_from(&settings).expect("sound");
        assert_eq!(search.initialization, Initialization::Bounded(2.0));
    }
}
