//! Plants as a host holds them: what is refused when they are linked, and what each call does.

use bitloop_plant::{
    Description, Integrator, Isa, Plant, PlantHandle, PlantLanes, Real, STATUS_BAD_CALL,
    STATUS_PANIC, Sizes, Stretch,
};

use crate::tank::{Tank, description};

/// A plant that is sound but for what `SPOILED` names.
#[derive(Default)]
struct Faulty<const SPOILED: u32>;

const PANICS_IN_DESCRIPTION: u32 = 0;
const WRONG_SIZES: u32 = 1;
const NO_RATES: u32 = 2;
const RATE_OUT_OF_RANGE: u32 = 3;
const RATE_OF_A_RATE: u32 = 4;
const PANICS_IN_OBSERVE: u32 = 5;
const PANICS_WITH_A_LONG_MESSAGE: u32 = 6;
const PANICS_WITH_NO_TEXT: u32 = 7;
const TOO_MANY_STATES: u32 = 8;
const NOT_COMPILED: u32 = 9;

impl<const SPOILED: u32> Plant for Faulty<SPOILED> {
    const INTEGRATORS: &'static [Integrator] = match SPOILED {
        NOT_COMPILED => &[Integrator::Euler],
        _ => &[Integrator::Euler, Integrator::RungeKutta4, Integrator::SemiImplicitEuler],
    };

    fn description(&self) -> Description {
        assert!(SPOILED != PANICS_IN_DESCRIPTION, "no words for it");
        let n = if SPOILED == TOO_MANY_STATES { 257 } else { 2 };
        let mut description = description(n);
        description.structure.clear();
        if matches!(SPOILED, NO_RATES | RATE_OUT_OF_RANGE | RATE_OF_A_RATE) {
            description.integrators.push(Integrator::SemiImplicitEuler);
        }
        description
    }
    fn sizes(&self) -> Sizes {
        let n_states = match SPOILED {
            WRONG_SIZES => 3,
            TOO_MANY_STATES => 257,
            _ => 2,
        };
        Sizes { n_states, n_controls: 1, n_observations: n_states, n_parameters: 1 }
    }
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        match (SPOILED, state_index) {
            (RATE_OUT_OF_RANGE, 0) => Some(2),
            (RATE_OF_A_RATE, index) => Some(1 - index),
            _ => None,
        }
    }
    fn observe<R: Real>(&self, _t_s: f64, _x: &[R], _p: &[R], _y: &mut [R]) {
        match SPOILED {
            PANICS_IN_OBSERVE => panic!("the glass is fogged"),
            PANICS_WITH_A_LONG_MESSAGE => panic!("{}", "é".repeat(300)),
            PANICS_WITH_NO_TEXT => std::panic::panic_any(42),
            _ => {}
        }
    }
    fn stage_cost<R: Real>(&self, _t_s: f64, _x: &[R], _u: &[R], _p: &[R]) -> R {
        R::splat(0.0)
    }
}

fn refused<P: Plant>(structure: Option<&[u64]>) -> String {
    PlantHandle::linked::<P>(structure).unwrap_err().to_string()
}

#[test]
fn faulty_plants_are_refused() {
    assert_eq!(
        refused::<Faulty<PANICS_IN_DESCRIPTION>>(None),
        "the plant panicked while describing itself: no words for it"
    );
    assert!(refused::<Faulty<WRONG_SIZES>>(None).contains("but its sizes are"));
    assert!(refused::<Faulty<NO_RATES>>(None).contains("names no rate"));
    assert!(refused::<Faulty<RATE_OUT_OF_RANGE>>(None).contains("names state 2 as a rate"));
    assert!(refused::<Faulty<RATE_OF_A_RATE>>(None).contains("no position itself"));
    assert!(refused::<Faulty<TOO_MANY_STATES>>(None).contains("at most 256"));
    assert_eq!(
        refused::<Faulty<NOT_COMPILED>>(None),
        "the plant lists RungeKutta4, which its `INTEGRATORS` leave out"
    );
}

#[test]
fn structures_that_do_not_fit_are_refused() {
    assert_eq!(refused::<Tank>(Some(&[])), "0 structural parameters given, but the plant has 1");
    assert_eq!(
        refused::<Tank>(Some(&[2, 2])),
        "2 structural parameters given, but the plant has 1"
    );
    for bad in [0, 1001, u64::MAX] {
        let error = refused::<Tank>(Some(&[bad]));
        let expected = format!("structural parameter `n_tanks` is {bad}: it must be in [1, 1000]");
        assert_eq!(error, expected);
    }
    assert_eq!(PlantHandle::linked::<Tank>(None).unwrap().sizes().n_states, 2);
    let handle = PlantHandle::linked::<Tank>(Some(&[200])).unwrap();
    assert_eq!(handle.sizes().n_states, 200);
    assert_eq!(handle.description().states.len(), 200);
    assert_eq!(format!("{handle:?}"), "PlantHandle { name: \"tanks\", .. }");
}

const STEP: Stretch =
    Stretch { tick: 0, n_steps: 1, step_s: 0.1, integrator: Integrator::Euler, counts_cost: true };

fn tanks(n_tanks: u64) -> (PlantHandle, PlantLanes) {
    let handle = PlantHandle::linked::<Tank>(Some(&[n_tanks])).unwrap();
    let mut lanes = handle.lanes(20);
    lanes.parameters.fill(0.5);
    lanes.state.fill(1.0);
    lanes.control.fill(1.0);
    (handle, lanes)
}

#[test]
fn broken_calls_are_told_with_the_words_of_the_plant() {
    fn observe<const SPOILED: u32>(isa: Isa) -> (i32, String) {
        let handle = PlantHandle::linked::<Faulty<SPOILED>>(None).unwrap();
        let error = handle.observe(isa, &mut handle.lanes(8), 8, STEP).unwrap_err();
        assert_eq!((error.plant.as_str(), error.function), ("tanks", "observe"));
        (error.status, error.message)
    }
    for isa in Isa::available() {
        let (status, message) = observe::<PANICS_IN_OBSERVE>(isa);
        assert_eq!((status, message.as_str()), (STATUS_PANIC, "the glass is fogged"));
        // Cut to 255 bytes, on a character.
        assert_eq!(observe::<PANICS_WITH_A_LONG_MESSAGE>(isa).1, "é".repeat(127));
        assert_eq!(observe::<PANICS_WITH_NO_TEXT>(isa).1, "a panic without a message");
    }
    let handle = PlantHandle::linked::<Faulty<PANICS_IN_OBSERVE>>(None).unwrap();
    let mut error = handle.observe(Isa::PORTABLE, &mut handle.lanes(8), 8, STEP).unwrap_err();
    assert_eq!(
        error.to_string(),
        "plant `tanks` broke in `observe` (status 2): the glass is fogged"
    );
    error.status = STATUS_BAD_CALL;
    error.message.clear();
    assert_eq!(error.to_string(), "plant `tanks` refused the call in `observe` (status 1)");
}

#[test]
fn a_stretch_is_the_sum_of_its_parts() {
    for n_tanks in [2, 40] {
        for isa in Isa::available() {
            for integrator in [Integrator::Euler, Integrator::RungeKutta4] {
                let (handle, mut whole) = tanks(n_tanks);
                let mut parts = whole.clone();
                let stretch = Stretch { integrator, n_steps: 7, ..STEP };
                assert_eq!(handle.advance(isa, &mut whole, 24, stretch), Ok(0));
                for (tick, n_steps) in [(0, 3), (3, 0), (3, 4)] {
                    let stretch = Stretch { tick, n_steps, ..stretch };
                    assert_eq!(handle.advance(isa, &mut parts, 24, stretch), Ok(0));
                }
                assert_eq!(whole.state.as_slice(), parts.state.as_slice());
                assert_eq!(whole.cost.as_slice(), parts.cost.as_slice());
            }
        }
    }
}

#[test]
fn costs_are_added_only_where_they_count_and_lanes_only_where_asked() {
    for isa in Isa::available() {
        let (handle, mut lanes) = tanks(2);
        let uncounted = Stretch { counts_cost: false, ..STEP };
        assert_eq!(handle.advance(isa, &mut lanes, 16, uncounted), Ok(0));
        assert!(lanes.cost.as_slice().iter().all(|&cost| cost == 0.0));
        assert!(lanes.state.row(0)[..16].iter().all(|&x| x == 0.05_f64.mul_add(1.0, 1.0)));
        assert!(lanes.state.row(0)[16..].iter().all(|&x| x == 1.0));
        assert_eq!(handle.advance(isa, &mut lanes, 16, STEP), Ok(0));
        assert!(lanes.cost.row(0)[..16].iter().all(|&cost| cost > 0.0));
        assert!(lanes.cost.row(0)[16..].iter().all(|&cost| cost == 0.0));
        assert_eq!(handle.advance(isa, &mut lanes, 0, STEP), Ok(0));
    }
}

#[test]
fn each_lane_ends_at_its_own_step_and_keeps_its_state() {
    for n_tanks in [2, 40] {
        for isa in Isa::available() {
            let (handle, mut lanes) = tanks(n_tanks);
            // Undrained, level 0 grows by 0.1 * inflow a step; it fails above 10.
            lanes.parameters.fill(0.0);
            lanes.state.row_mut(0).fill(9.0);
            for (lane, inflow) in lanes.control.row_mut(0).iter_mut().enumerate() {
                *inflow = [0.0, 5.5, 2.5, 11.0][lane % 4];
            }
            let stretch = Stretch { n_steps: 5, ..STEP };
            assert_eq!(handle.advance(isa, &mut lanes, 24, stretch), Ok(18));
            let last = usize::try_from(n_tanks).unwrap() - 1;
            for lane in 0..24 {
                let (end, level) = [(0, 9.0), (2, 10.1), (5, 10.25), (1, 10.1)][lane % 4];
                assert_eq!(lanes.take_end_step(lane), end, "lane {lane} on {}", isa.name());
                assert_eq!(lanes.take_end_step(lane), 0, "taken once");
                assert!((lanes.state.row(0)[lane] - level).abs() < 1e-12);
                // The last tank stays at 1 and costs that, but for the step at which the lane ended.
                assert_eq!(lanes.state.row(last)[lane], 1.0);
                let n_counted = if end == 0 { 5.0 } else { f64::from(end) - 1.0 };
                assert_eq!(lanes.cost.row(0)[lane], n_counted);
                if end > 0 {
                    assert_eq!(lanes.end_cost.row(0)[lane], 1.0);
                }
            }
        }
    }
}

#[test]
fn lanes_beyond_those_computed_do_not_end() {
    // 20 lanes are one block on AVX-512, and its last half must not be taken for a whole vector.
    for n_lanes in [4, 12, 20] {
        for isa in Isa::available() {
            let (handle, mut lanes) = tanks(2);
            lanes.state.fill(10.0);
            lanes.parameters.fill(0.0);
            let before = lanes.state.clone();
            let stretch = Stretch { n_steps: 3, ..STEP };
            let n_ended = handle.advance(isa, &mut lanes, n_lanes, stretch).unwrap();
            assert_eq!(usize::try_from(n_ended).unwrap(), n_lanes);
            for lane in n_lanes..24 {
                assert_eq!(lanes.take_end_step(lane), 0, "lane {lane} on {}", isa.name());
                assert_eq!(lanes.state.row(0)[lane], before.row(0)[lane]);
            }
        }
    }
}

#[test]
fn the_other_functions_write_what_the_plant_says() {
    for isa in Isa::available() {
        let (handle, mut lanes) = tanks(3);
        lanes.state.row_mut(0).fill(4.0);
        handle.observe(isa, &mut lanes, 24, STEP).unwrap();
        assert_eq!([0, 1, 2].map(|row| lanes.observation.row(row)[23]), [4.0, 1.0, 1.0]);
        handle.terminal_cost(isa, &mut lanes, 24).unwrap();
        assert!(lanes.end_cost.row(0).iter().all(|&cost| cost == 8.0));
        handle.failure_cost(isa, &mut lanes, 24).unwrap();
        assert!(lanes.end_cost.row(0).iter().all(|&cost| cost == 1.5));
    }
}

#[test]
fn a_plant_without_a_derivative_answers_nan() {
    let handle = PlantHandle::linked::<Faulty<PANICS_IN_OBSERVE>>(None).unwrap();
    let mut lanes = handle.lanes(8);
    handle.advance(Isa::best(), &mut lanes, 8, STEP).unwrap();
    assert!(lanes.state.row(0).iter().all(|x| x.is_nan()));
}

#[test]
fn an_integrator_that_a_plant_is_not_compiled_for_is_refused() {
    let (handle, mut lanes) = tanks(2);
    let stretch = Stretch { integrator: Integrator::PlantStep, ..STEP };
    let error = handle.advance(Isa::best(), &mut lanes, 24, stretch).unwrap_err();
    assert_eq!(error.status, STATUS_BAD_CALL);
}

#[test]
#[should_panic(expected = "the lanes were made for another plant")]
fn lanes_of_another_plant_are_reported() {
    let (handle, _) = tanks(2);
    let (_, mut lanes) = tanks(3);
    let _ = handle.advance(Isa::best(), &mut lanes, 24, STEP);
}

#[test]
#[should_panic(expected = "10 lanes")]
fn odd_numbers_of_lanes_are_reported() {
    let (handle, mut lanes) = tanks(2);
    let _ = handle.advance(Isa::best(), &mut lanes, 10, STEP);
}

#[test]
#[should_panic(expected = "32 lanes")]
fn more_lanes_than_there_are_is_reported() {
    let (handle, mut lanes) = tanks(2);
    let _ = handle.advance(Isa::best(), &mut lanes, 32, STEP);
}
