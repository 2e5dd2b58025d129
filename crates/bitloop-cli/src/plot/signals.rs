//! Which signals are shown, and where their values are found.

use bitloop_look::{MotionSignal, SignalKind};
use bitloop_plant::Variable;
use bitloop_plant::picture::{Affine, Kind, Picture};
use bitloop_replay::Replay;

use super::record::Source;

/// The most controls, states and observations that are drawn over time.
const MOST_STRIPS: [usize; 3] = [8, 10, 6];

/// The most states of a plant without picture that have a bar.
const MOST_BARS: usize = 40;

/// Where the values of a signal are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the loop.
    Loop(Source),
    /// The mean of the stage costs since the query before.
    Cost,
}

/// The signals of a page.
pub struct Signals {
    /// Their places.
    pub places: Vec<Place>,
    /// How they are shown.
    pub shown: Vec<MotionSignal>,
    /// How many are not drawn over time.
    pub n_left_out: usize,
}

impl Signals {
    /// Those of a test: controls, cost, states, observations; and whatever else the picture uses.
    pub fn of(replay: &Replay, picture: Option<&Picture>) -> Self {
        let plant = replay.plant();
        let mut signals = Self { places: Vec::new(), shown: Vec::new(), n_left_out: 0 };
        let [controls, states, observations] = MOST_STRIPS;
        for (at, control) in plant.controls.iter().enumerate() {
            let limits = vec![control.min, control.max];
            signals.add(Source::Control(at), &control.name, control, limits, at < controls);
        }
        signals.places.push(Place::Cost);
        signals.shown.push(MotionSignal {
            name: "cost".to_owned(),
            unit: String::new(),
            kind: SignalKind::Cost,
            strip: true,
            held: true,
            wraps: false,
            limits: Vec::new(),
        });
        for (at, state) in plant.states.iter().enumerate() {
            signals.add(Source::State(at), &state.name, state, Vec::new(), at < states);
        }
        for (position, (at, name)) in replay.shown_observations().into_iter().enumerate() {
            let observation = &plant.observations[at];
            let is_shown = position < observations;
            signals.add(Source::Observation(at), &name, observation, Vec::new(), is_shown);
        }
        signals.add_used(replay, picture);
        let n = signals.shown.len();
        signals.n_left_out = n - signals.shown.iter().filter(|signal| signal.strip).count();
        signals.keep_used(picture);
        signals
    }

    fn add(
        &mut self,
        source: Source,
        name: &str,
        variable: &Variable,
        limits: Vec<f64>,
        strip: bool,
    ) {
        self.places.push(Place::Loop(source));
        self.shown.push(MotionSignal {
            name: name.to_owned(),
            unit: variable.unit.clone(),
            kind: match source {
                Source::State(_) => SignalKind::State,
                Source::Observation(_) => SignalKind::Observation,
                Source::Control(_) => SignalKind::Control,
            },
            strip,
            held: matches!(source, Source::Control(_)),
            wraps: matches!(variable.unit.as_str(), "rad" | "deg"),
            limits: limits.into_iter().filter(|limit| limit.is_finite()).collect(),
        });
    }

    /// Adds observations that the picture uses and that are not shown.
    fn add_used(&mut self, replay: &Replay, picture: Option<&Picture>) {
        for source in used(picture) {
            if let Source::Observation(at) = source
                && self.position(source).is_none()
            {
                let observation = &replay.plant().observations[at];
                self.add(source, &observation.name, observation, Vec::new(), false);
            }
        }
    }

    /// Drops what is neither drawn over time nor used by the picture or a bar.
    fn keep_used(&mut self, picture: Option<&Picture>) {
        let used = used(picture);
        let is_kept = |place: &Place, signal: &MotionSignal| {
            let is_used = matches!(place, Place::Loop(source) if used.contains(source));
            let is_bar = matches!(place, Place::Loop(Source::State(at)) if *at < MOST_BARS);
            signal.strip || is_used || (picture.is_none() && is_bar)
        };
        let pairs = self.places.drain(..).zip(self.shown.drain(..));
        (self.places, self.shown) = pairs.filter(|(place, signal)| is_kept(place, signal)).unzip();
    }

    /// The position of a signal.
    pub fn position(&self, source: Source) -> Option<usize> {
        self.places.iter().position(|place| *place == Place::Loop(source))
    }
}

/// The place of a value of a picture; none for parameters.
pub const fn source_of(kind: Kind, index: usize) -> Option<Source> {
    match kind {
        Kind::State => Some(Source::State(index)),
        Kind::Observation => Some(Source::Observation(index)),
        Kind::Control => Some(Source::Control(index)),
        Kind::Parameter => None,
    }
}

/// What a picture uses.
fn used(picture: Option<&Picture>) -> Vec<Source> {
    let Some(picture) = picture else { return Vec::new() };
    let frames = picture.frames.iter().flat_map(|frame| [&frame.x, &frame.y, &frame.angle]);
    let numbers: Vec<&Affine> =
        frames.chain(picture.shapes.iter().flat_map(|shape| &shape.numbers)).collect();
    let terms = numbers.into_iter().flat_map(|number| &number.terms);
    terms.filter_map(|term| source_of(term.kind, term.index)).collect()
}
