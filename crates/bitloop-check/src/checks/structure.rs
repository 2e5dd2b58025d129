//! Plants of other sizes.

use bitloop_plant::PlantCallError;

use crate::episodes::{Episodes, Manner, first_difference};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// The plant opens and repeats itself with the least, the greatest and some other value of each structural parameter.
pub(super) fn structure(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let structure = subject.plant.description().structure.clone();
    if structure.is_empty() {
        return Ok(Finding::skip("it has no structural parameters"));
    }
    for (index, parameter) in structure.iter().enumerate() {
        let between = numbers.whole(parameter.min, parameter.max);
        for value in [parameter.min, between, parameter.max] {
            let mut values: Vec<u64> =
                structure.iter().map(|parameter| parameter.default).collect();
            values[index] = value;
            if let Some(fault) = fault_of(subject, &values, numbers)? {
                return Ok(Finding::fail(format!("{} = {value}: {fault}", parameter.name)));
            }
        }
    }
    Ok(Finding::pass(""))
}

fn fault_of(
    subject: &Subject,
    values: &[u64],
    numbers: &mut Numbers,
) -> Result<Option<String>, PlantCallError> {
    let plant = match (subject.with_structure)(values) {
        Ok(plant) => plant,
        Err(error) => return Ok(Some(error)),
    };
    let episodes = Episodes::draw(&plant, (4, 2), 0.5, numbers);
    for manner in Manner::all(&plant) {
        let run = || episodes.run(&plant, &episodes.in_order(), manner);
        if let Some(difference) = first_difference(&plant, &run()?, &run()?) {
            return Ok(Some(difference));
        }
    }
    Ok(None)
}
