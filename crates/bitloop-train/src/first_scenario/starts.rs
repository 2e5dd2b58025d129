//! Where episodes start, by rules of thumb.

use bitloop_plant::{Description, Variable};

/// Half the width of a start, in scales of the state that the plant has given.
const IN_SCALES: f64 = 0.2;

/// Half the width of a start, in the range of the state, in its default or, where there is neither, in its unit.
const SHARE: f64 = 0.1;

/// The range that a state is drawn from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Start {
    pub state: String,
    pub unit: String,
    pub low: f64,
    pub high: f64,
}

/// The ranges of the states that are drawn. One that starts at a bound of its own stays there: it may be a flag or a clock.
pub(super) fn starts(description: &Description) -> Vec<Start> {
    let drawn = description.states.iter().filter_map(|state| {
        let half = half_width(state)?;
        let low = short(state.default - half).max(state.min);
        let high = short(state.default + half).min(state.max);
        let is_range = low < high && low.is_finite() && high.is_finite();
        is_range.then(|| Start { state: state.name.clone(), unit: state.unit.clone(), low, high })
    });
    drawn.collect()
}

/// The same ranges, a tenth as wide.
pub(super) fn narrower(starts: &[Start]) -> Vec<Start> {
    let narrower = |start: &Start| {
        let middle = start.low + 0.5 * (start.high - start.low);
        let half = 0.05 * (start.high - start.low);
        Start { low: middle - half, high: middle + half, ..start.clone() }
    };
    starts.iter().map(narrower).filter(|start| start.low < start.high).collect()
}

fn half_width(state: &Variable) -> Option<f64> {
    let Variable { min, max, scale, default, .. } = *state;
    if default <= min || default >= max {
        return None;
    }
    Some(if scale != 1.0 {
        IN_SCALES * scale
    } else if min.is_finite() && max.is_finite() {
        SHARE * (max / 2.0 - min / 2.0)
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
            assert_eq!(found.first().map(|start| (start.low, start.high)), range, "{name}");
        }
    }

    #[test]
    fn narrower_starts_keep_their_middle() {
        let start = Start { state: "x".into(), unit: "m".into(), low: 1.0, high: 3.0 };
        let [narrow] = &narrower(&[start])[..] else { panic!("one") };
        assert_eq!((narrow.low, narrow.high), (1.9, 2.1));
    }
}
