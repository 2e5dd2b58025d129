//! Where episodes start, by rules of thumb.

use std::collections::BTreeMap;

use bitloop_plant::{Description, Variable};
use bitloop_sim::Distribution;

/// Half the width of a start, in scales of the state that the plant has given.
const IN_SCALES: f64 = 0.2;

/// Half the width of a start, in the range of the state, in its default or, where there is neither, in its unit.
const SHARE: f64 = 0.1;

/// The most of it in defaults: legal ranges reach far beyond where a plant works, and 0 may be its end.
const MOST_IN_DEFAULTS: f64 = 0.2;

/// What a state is drawn from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Start {
    pub state: String,
    pub unit: String,
    /// Where the plant starts by itself.
    pub default: f64,
    pub drawn: Distribution,
}

/// The ranges of the states that are drawn. One that starts at a bound of its own stays there: it may be a flag or a clock.
pub(super) fn starts(description: &Description) -> Vec<Start> {
    let drawn = description.states.iter().filter_map(|state| {
        let half = half_width(state)?;
        let low = short(state.default - half).max(state.min);
        let high = short(state.default + half).min(state.max);
        let is_range = low < high && low.is_finite() && high.is_finite();
        is_range.then(|| Start {
            state: state.name.clone(),
            unit: state.unit.clone(),
            default: state.default,
            drawn: Distribution::Uniform { low, high },
        })
    });
    drawn.collect()
}

/// Those that a file gives.
pub(super) fn given(
    description: &Description,
    initial: &BTreeMap<String, Distribution>,
) -> Vec<Start> {
    let given = description.states.iter().filter_map(|state| {
        let Variable { name, unit, default, .. } = state.clone();
        initial.get(&name).map(|drawn| Start { state: name, unit, default, drawn: *drawn })
    });
    given.collect()
}

/// The same ranges, half as wide on each side of the default.
pub(super) fn halved(starts: &[Start]) -> Vec<Start> {
    let halved = |start: &Start| {
        let nearer = |value: f64| short(start.default + 0.5 * (value - start.default));
        let Distribution::Uniform { low, high } = start.drawn else { return None };
        let (low, high) = (nearer(low), nearer(high));
        (low < high).then(|| Start { drawn: Distribution::Uniform { low, high }, ..start.clone() })
    };
    starts.iter().filter_map(halved).collect()
}

fn half_width(state: &Variable) -> Option<f64> {
    let Variable { min, max, scale, default, .. } = *state;
    if default <= min || default >= max {
        return None;
    }
    Some(if scale != 1.0 {
        IN_SCALES * scale
    } else if min.is_finite() && max.is_finite() {
        let half = SHARE * (max / 2.0 - min / 2.0);
        if default == 0.0 { half } else { half.min(MOST_IN_DEFAULTS * default.abs()) }
    } else if default != 0.0 {
        SHARE * default.abs()
    } else {
        SHARE
    })
}

/// Four digits.
fn short(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_start_around_their_defaults_within_their_bounds() {
        let states = [
            (Variable::new("plain", "rad"), Some((-0.1, 0.1))),
            (
                Variable::new("scaled", "K").scaled(350.0, 10.0).starting_at(350.0),
                Some((348.0, 352.0)),
            ),
            (Variable::new("hanging", "rad").starting_at(3.0), Some((2.7, 3.3))),
            (Variable::new("bounded", "m").bounded(-4.0, 4.0), Some((-0.4, 0.4))),
            (Variable::new("near a bound", "m").bounded(-0.05, f64::INFINITY), Some((-0.05, 0.1))),
            (Variable::new("flag", "").bounded(0.0, 1.0), None),
            // A tenth of the range would reach beyond the bound.
            (Variable::new("prey", "").bounded(0.0, 1000.0).starting_at(40.0), Some((32.0, 48.0))),
        ];
        for (state, range) in states {
            let name = state.name.clone();
            let description = Description {
                name: "p".into(),
                version: "1".into(),
                summary: String::new(),
                states: vec![state],
                controls: vec![],
                observations: vec![],
                parameters: vec![],
                structure: vec![],
                integrators: vec![],
                step_s: 0.1,
                sample_time_s: 0.1,
            };
            let found = starts(&description);
            let drawn = range.map(|(low, high)| Distribution::Uniform { low, high });
            assert_eq!(found.first().map(|start| start.drawn), drawn, "{name}");
        }
    }

    #[test]
    fn halved_starts_come_nearer_to_the_default_until_there_is_no_range() {
        let start = |low, high| Start {
            state: "x".into(),
            unit: "m".into(),
            default: 1.5,
            drawn: Distribution::Uniform { low, high },
        };
        assert_eq!(halved(&[start(1.0, 3.0)]), [start(1.25, 2.25)]);
        assert_eq!(halved(&[start(1.5, 1.5)]), []);
    }
}
