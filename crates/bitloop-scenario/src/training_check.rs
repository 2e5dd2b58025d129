//! The rules of a search.

use bitloop_text::{Checked, Problem};

use crate::{
    check::{check_above_zero, decimal},
    cma_es::CmaEs,
    initialization::{Initialization, epsilon},
    random_search::RandomSearch,
    telescopic_blm::{Candidates, Growth, Kicks, Moves, TelescopicBlm},
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
    check_bits(blm.bits)?;
    if !(2..=blm.bits).contains(&blm.start_bits) {
        let message =
            format!("start_bits must be from 2 to bits = {}, found {}", blm.bits, blm.start_bits);
        return Err(Problem::new("training.start_bits", message, "2 is usual"));
    }
    check_max_weight(blm.bits, blm.max_weight)?;
    let bits = blm.bits;
    match blm.initialization {
        Initialization::Full => {}
        Initialization::Bounded(bound) => Within {
            found: bound,
            max_weight: blm.max_weight,
            step: blm.epsilon(),
            step_name: "step epsilon",
            grid: format!("{bits} bits"),
            more: "more bits",
        }
        .check()?,
        Initialization::BoundedOnCoarseGrid(bound) => Within {
            found: bound,
            max_weight: blm.max_weight,
            step: blm.coarse_step(),
            step_name: "coarse step",
            grid: format!("{} of {bits} bits", blm.start_bits),
            more: "more start_bits",
        }
        .check()?,
    }
    if let Some(share) = blm.zero_share
        && !(0.0..1.0).contains(&share)
    {
        let message = format!("zero_share must be from 0 to below 1, found {share}");
        let hint = "the paper has 0.5; leave it out to treat all weights alike";
        return Err(Problem::new("training.zero_share", message, hint));
    }
    check_moves(blm)?;
    check_growth(blm.growth)?;
    check_validate_every(blm.validate_every, "100 accepted moves are usual")
}

fn check_moves(blm: &TelescopicBlm) -> Checked {
    if blm.moves == Moves::BestOf(0) {
        let message = "the best of no candidates makes no move";
        let hint = "write a number of 1 or more, for instance BestOf(40)";
        return Err(Problem::new("training.moves", message, hint));
    }
    if let Candidates::SeveralFlips { extra } = blm.candidates
        && !(extra > 0.0 && extra < 1.0)
    {
        let message = format!("extra must be above 0 and below 1, found {extra}");
        let hint = "it is the probability of each further flip; 0.5 is usual, and SingleFlips has \
                    no further ones";
        return Err(Problem::new("training.candidates.extra", message, hint));
    }
    if let Some(Kicks { count, flips }) = blm.kicks {
        if count == 0 {
            let hint = "leave `kicks` out for none";
            return Err(Problem::new("training.kicks.count", "must be at least 1, found 0", hint));
        }
        if flips == 0 {
            let hint = "a kick must flip something to leave a local minimum";
            return Err(Problem::new("training.kicks.flips", "must be at least 1, found 0", hint));
        }
    }
    Ok(())
}

fn check_growth(growth: Growth) -> Checked {
    let Growth::Threshold { phi, eta } = growth else { return Ok(()) };
    if !(phi > 0.0 && phi <= 1.0) {
        let message = format!("phi must be above 0 and at most 1, found {phi}");
        let hint = "it is the share of improving moves below which a bit is added; 0.1 is usual";
        return Err(Problem::new("training.growth.phi", message, hint));
    }
    if !(0.0..1.0).contains(&eta) {
        let message = format!("eta must be from 0 to below 1, found {eta}");
        let hint = "it is the decay of a moving average; 0.95 is usual";
        return Err(Problem::new("training.growth.eta", message, hint));
    }
    Ok(())
}

fn check_cma_es(cma_es: &CmaEs) -> Checked {
    let CmaEs { bits, max_weight, sigma, population, initial_range, .. } = *cma_es;
    check_bits(bits)?;
    check_max_weight(bits, max_weight)?;
    check_above_zero("training.sigma", sigma, "the first standard deviation", "")?;
    if sigma > max_weight {
        let message = format!("sigma = {sigma} exceeds max_weight = {max_weight}");
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
            "initial_range must be from 0 to max_weight = {max_weight}, found {initial_range}"
        );
        let hint = "0, the default, starts at the origin";
        return Err(Problem::new("training.initial_range", message, hint));
    }
    check_validate_every(cma_es.validate_every, "10 generations are usual")
}

fn check_random(random: &RandomSearch) -> Checked {
    let RandomSearch { bits, max_weight, initialization, validate_every } = *random;
    check_bits(bits)?;
    check_max_weight(bits, max_weight)?;
    match initialization {
        Initialization::Full => {}
        Initialization::Bounded(bound) => Within {
            found: bound,
            max_weight,
            step: epsilon(bits, max_weight),
            step_name: "step epsilon",
            grid: format!("{bits} bits"),
            more: "more bits",
        }
        .check()?,
        Initialization::BoundedOnCoarseGrid(_) => {
            let message = "random search has all bits free, and so no coarse grid";
            let hint = "write `Full` or `Bounded(...)`";
            return Err(Problem::new("training.initialization", message, hint));
        }
    }
    check_validate_every(validate_every, "1, each improvement, is usual")
}

fn check_bits(bits: u32) -> Checked {
    if (2..=24).contains(&bits) {
        return Ok(());
    }
    let message = format!("bits must be from 2 to 24, found {bits}");
    Err(Problem::new("training.bits", message, "16 is usual; with 2 a weight has four values"))
}

/// `bits` are checked already.
fn check_max_weight(bits: u32, max_weight: f64) -> Checked {
    let path = "training.max_weight";
    check_above_zero(path, max_weight, "the largest weight", "")?;
    if epsilon(bits, max_weight) < f64::MIN_POSITIVE {
        let message = "the largest weight is too small to be divided into steps";
        return Err(Problem::new(path, message, "10 is usual"));
    }
    Ok(())
}

pub(crate) fn check_validate_every(validate_every: u32, usual: &str) -> Checked {
    if validate_every == 0 {
        return Err(Problem::new("training.validate_every", "must be at least 1, found 0", usual));
    }
    Ok(())
}

/// Initial weights within plus and minus a bound, on a grid.
struct Within {
    found: f64,
    max_weight: f64,
    /// Between neighbors of the grid.
    step: f64,
    step_name: &'static str,
    /// The grid in words.
    grid: String,
    /// What makes the step smaller.
    more: &'static str,
}

impl Within {
    fn check(self) -> Checked {
        let Within { found, max_weight, step, step_name, grid, more } = self;
        let path = "training.initialization";
        if found >= step && found <= max_weight {
            return Ok(());
        }
        if found > max_weight || !found.is_finite() {
            let message = format!("initial weights up to {found} exceed max_weight = {max_weight}");
            let hint = "write `initialization: Full` to use all of it";
            return Err(Problem::new(path, message, hint));
        }
        // Rounded up, so that the hint itself is accepted.
        let enough = decimal(step * 1.001);
        Err(Problem::new(
            path,
            format!(
                "initial weights within {found} are below the {step_name} of the weights, {} ({grid} \
                 up to {max_weight}): all would start at 0",
                decimal(step)
            ),
            format!("write `initialization: Full`, a bound of {enough} or more, or use {more}"),
        ))
    }
}
