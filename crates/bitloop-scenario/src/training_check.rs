//! The rules of a search.

use bitloop_blm::{BlmError, Initialization, WeightGrid};
use bitloop_text::{Checked, Problem, number};

use crate::{
    check::{check_above_zero, decimal},
    cma_es::CmaEs,
    random_search::RandomSearch,
    telescopic_blm::TelescopicBlm,
    training::Training,
};

/// Most candidates in a generation of CMA-ES.
const MOST_CANDIDATES: u32 = 100_000;

impl Training {
    /// Checks ranges and contradictions.
    pub(crate) fn check(&self) -> Checked {
        match self {
            Training::TelescopicBlm(blm) => check_telescopic(blm),
            Training::CmaEs(cma_es) => check_cma_es(cma_es),
            Training::RandomSearch(random) => check_random(random),
        }
    }
}

pub(crate) fn check_telescopic(blm: &TelescopicBlm) -> Checked {
    check_grid(blm.bits, blm.max_weight)?;
    if blm.start_bits == 1 {
        return Err(bad_start_bits(1, blm.bits));
    }
    if blm.hold_zeros && blm.zero_share.is_none() {
        let message = "hold_zeros has no meaning without zero_share";
        let hint = "add `zero_share: 0.5`, which is the paper's, or leave `hold_zeros` out";
        return Err(Problem::new("training.hold_zeros", message, hint));
    }
    blm.search_options().map_err(|error| problem(error, blm.start_bits))?;
    check_validate_every(blm.validate_every, "100 accepted moves are usual")
}

pub(crate) fn check_cma_es(cma_es: &CmaEs) -> Checked {
    let CmaEs { bits, max_weight, sigma, population, initial_range, .. } = *cma_es;
    check_grid(bits, max_weight)?;
    check_above_zero("training.sigma", sigma, "the first standard deviation", "")?;
    if sigma > max_weight {
        let message =
            format!("sigma = {} exceeds max_weight = {}", number(sigma), number(max_weight));
        let hint = "it is in units of a weight; 0.5 is usual";
        return Err(Problem::new("training.sigma", message, hint));
    }
    if let Some(population) = population
        && !(4..=MOST_CANDIDATES).contains(&population)
    {
        let message = format!("population must be from 4 to {MOST_CANDIDATES}, found {population}");
        let hint = "leave it out for 4 + floor(3 ln n), for n weights";
        return Err(Problem::new("training.population", message, hint));
    }
    if !(0.0..=max_weight).contains(&initial_range) {
        let message = format!(
            "initial_range must be from 0 to max_weight = {}, found {}",
            number(max_weight),
            number(initial_range)
        );
        let hint = "0, the default, starts at the origin";
        return Err(Problem::new("training.initial_range", message, hint));
    }
    check_validate_every(cma_es.validate_every, "10 generations are usual")
}

pub(crate) fn check_random(random: &RandomSearch) -> Checked {
    let RandomSearch { bits, max_weight, initialization, validate_every } = *random;
    let grid = check_grid(bits, max_weight)?;
    if let Initialization::BoundedOnCoarseGrid(_) = initialization {
        let message = "random search has all bits free, and so no coarse grid";
        let hint = "write `Full` or `Bounded(...)`";
        return Err(Problem::new("training.initialization", message, hint));
    }
    initialization.check(&grid, bits).map_err(|error| problem(error, bits))?;
    check_validate_every(validate_every, "1, each improvement, is usual")
}

fn check_grid(bits: u32, max_weight: f64) -> Result<WeightGrid, Problem> {
    WeightGrid::new(bits, max_weight).map_err(|error| problem(error, bits))
}

pub(crate) fn check_validate_every(validate_every: u32, usual: &str) -> Checked {
    if validate_every == 0 {
        return Err(Problem::new("training.validate_every", "must be at least 1, found 0", usual));
    }
    Ok(())
}

/// The field that an error of the search is about, in the words of the file.
fn problem(error: BlmError, start_bits: u32) -> Problem {
    let (field, message, hint) = match error {
        BlmError::BitsPerWeight { found } => (
            "bits",
            format!("bits must be from 2 to 24, found {found}"),
            "16 is usual; with 2 a weight has four values".to_owned(),
        ),
        BlmError::StartBits { found, bits_per_weight } => {
            return bad_start_bits(found, bits_per_weight);
        }
        BlmError::WeightRange { found } => (
            "max_weight",
            if found > 0.0 && found.is_finite() {
                let size = if found < 1.0 { "small" } else { "large" };
                format!(
                    "the largest weight is too {size} to be divided into steps, found {found:e}"
                )
            } else {
                format!("the largest weight must be above 0, found {}", number(found))
            },
            "10 is usual".to_owned(),
        ),
        BlmError::Phi { found } => (
            "growth.phi",
            format!("phi must be above 0 and at most 1, found {}", number(found)),
            "it is the share of improving moves below which a bit is added; 0.1 is usual"
                .to_owned(),
        ),
        BlmError::Eta { found } => (
            "growth.eta",
            format!("eta must be from 0 to below 1, found {}", number(found)),
            "it is the decay of a moving average; 0.95 is usual".to_owned(),
        ),
        BlmError::ExtraFlips { found } => (
            "candidates.extra",
            format!("extra must be above 0 and below 1, found {}", number(found)),
            "it is the probability of each further flip; 0.5 is usual, and SingleFlips has no \
             further ones"
                .to_owned(),
        ),
        BlmError::ZeroShare { found } => (
            "zero_share",
            format!("zero_share must be from 0 to below 1, found {}", number(found)),
            "the paper has 0.5; leave it out to treat all weights alike".to_owned(),
        ),
        BlmError::NoKicks => (
            "kicks",
            "kicks need a count and a number of flips of at least 1".to_owned(),
            "for instance (count: 10, flips: 3); leave `kicks` out for none".to_owned(),
        ),
        BlmError::InitialRangeTooLarge { found, weight_range } => (
            "initialization",
            format!(
                "initial weights up to {} exceed max_weight = {}",
                number(found),
                number(weight_range)
            ),
            "write `initialization: Full` to use all of it".to_owned(),
        ),
        BlmError::InitialRangeTooSmall { found, step, on_coarse_grid } => {
            let (grid, more) = if on_coarse_grid {
                (format!("coarse step of the weights at {start_bits} bits"), "start_bits")
            } else {
                ("step of the weights".to_owned(), "bits")
            };
            let shown = decimal(step);
            // Rounded up, so that the hint itself is accepted.
            let enough = decimal(step * 1.001);
            (
                "initialization",
                format!(
                    "initial weights within {} are below the {grid}, {shown}: all would start \
                     at 0",
                    number(found)
                ),
                format!(
                    "write `initialization: Full`, a bound of {enough} or more, or use more {more}"
                ),
            )
        }
        other => ("", other.to_string(), "compare with the files in scenarios/".to_owned()),
    };
    Problem::new(&format!("training.{field}"), message, hint)
}

fn bad_start_bits(found: u32, bits: u32) -> Problem {
    let message = format!("start_bits must be from 2 to bits = {bits}, found {found}");
    Problem::new("training.start_bits", message, "2 is usual")
}
