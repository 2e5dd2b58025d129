//! The shipped controller of the linear plant against the best that there is.

use bitloop_host::Registry;
use bitloop_lqr::Lqr;
use bitloop_plant::Isa;
use bitloop_random::Purpose;
use bitloop_scenario::{ControllerFile, ScenarioFile, Weights};
use bitloop_train::ClosedLoopSetup;

use crate::{name, ron_files};

#[test]
fn the_mass_on_a_spring_is_controlled_as_by_its_linear_quadratic_regulator() {
    let file = |folder| {
        let mut files = ron_files(folder).into_iter();
        files.find(|path| name(path) == "mass-spring-damper.ron").expect("it ships")
    };
    let saved = ControllerFile::read(file("controllers")).unwrap().value;
    let mut scenario = ScenarioFile::read(file("scenarios")).unwrap();
    // The test episodes are drawn by the seed of the training.
    scenario.value.seed = saved.made_by.seed;
    let setup = ClosedLoopSetup::new(&scenario, &Registry::built_in()).unwrap();
    // The stage cost weighs the force by itself; what is added to that is beyond its digits.
    let lqr = Lqr::new(&setup.closed_loop, &setup.nominal_parameters(), 1e-9).unwrap();

    let Weights::Codes(weights) = saved.weights;
    let epsilon = weights.max_weight / f64::from((1 << (weights.bits - 1)) - 1);
    let [constant, x, v] = weights.codes[..] else { panic!("{:?}", weights.codes) };
    assert_eq!(constant, 0);
    for (code, gain) in [x, v].into_iter().zip(&lqr.gains) {
        let off = f64::from(code) + gain / epsilon;
        assert!(off.abs() < 1.0, "{off} steps from -{gain}");
    }

    let test = scenario.require_test().unwrap();
    let set = setup.episodes(&scenario, "test", test, Purpose::TestEpisodes).unwrap();
    let best = setup.closed_loop.evaluate(Isa::best(), &lqr.controller, &set, 2).unwrap().error;
    let trained = saved.errors.test.expect("a test error");
    // A share of 1.5e-4 off in a gain, at the minimum, is the square of that in the error: 1e-9 came out.
    let above = trained / best - 1.0;
    assert!(above.abs() < 1e-7, "{trained:e} against {best:e}: 1 + {above:e}");
}
