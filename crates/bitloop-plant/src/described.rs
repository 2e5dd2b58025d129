//! The checked description of a plant written in Rust.

use crate::contract::MAX_STEP_ORDER;
use crate::description::{Description, DescriptionError};
use crate::integrator::Integrator;
use crate::picture::Picture;
use crate::plant::Plant;

/// The checked description of a plant written in Rust.
pub(crate) struct Described {
    pub description: Description,
    pub structure: Vec<u64>,
    pub step_order: Option<u32>,
    pub picture: Option<Picture>,
}

pub(crate) fn described<P: Plant>(
    structure: Option<&[u64]>,
) -> Result<Described, DescriptionError> {
    let structure = P::default().description().structure_of(structure)?;
    let plant = P::with_structure(&structure);
    let description = plant.description();
    description.check()?;
    let sizes = description.sizes();
    if sizes != plant.sizes() {
        return Err(DescriptionError(format!(
            "the plant describes {sizes:?}, but its sizes are {:?}",
            plant.sizes()
        )));
    }
    if let Some(integrator) = description.integrators.iter().find(|i| !i.is_in(P::INTEGRATORS)) {
        return Err(DescriptionError(format!(
            "the plant lists {}, which its `INTEGRATORS` leave out",
            integrator.name()
        )));
    }
    if description.integrators.contains(&Integrator::SemiImplicitEuler) {
        check_rates(&plant, sizes.n_states)?;
    }
    let step_order = plant.step_order();
    if step_order.is_some_and(|order| !(1..=MAX_STEP_ORDER).contains(&order)) {
        return Err(DescriptionError(format!(
            "`step_order` is {}: it must be from 1 to {MAX_STEP_ORDER}",
            step_order.unwrap_or(0)
        )));
    }
    let picture = plant.picture();
    picture.as_ref().map_or(Ok(()), |picture| picture.check(sizes))?;
    Ok(Described { description, structure, step_order, picture })
}

/// Checks what semi-implicit Euler relies on: positions name rates, and rates are no positions themselves, so that the
/// order in which positions move does not matter.
fn check_rates<P: Plant>(plant: &P, n_states: usize) -> Result<(), DescriptionError> {
    let mut rates = (0..n_states).filter_map(|index| plant.rate_of(index)).peekable();
    if rates.peek().is_none() {
        return Err(DescriptionError(
            "SemiImplicitEuler is listed, but `rate_of` names no rate".to_owned(),
        ));
    }
    match rates.find(|&rate| rate >= n_states || plant.rate_of(rate).is_some()) {
        Some(rate) => Err(DescriptionError(format!(
            "`rate_of` names state {rate} as a rate: it must be one of {n_states} states, and no position itself"
        ))),
        None => Ok(()),
    }
}
