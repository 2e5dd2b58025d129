//! Written and read again is the same, bit for bit.

use bitloop_scenario::{
    Codes, ControllerFile, Distribution, SavedController, ScenarioFile, ScenarioKind as _, Weights,
};
use proptest::prelude::*;

use crate::{bad_scenarios::GOOD, controllers::example};

/// Finite numbers of all sizes, zero of both signs and subnormal ones included.
fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |value| value.is_finite()),
        Just(-0.0),
        Just(f64::MAX),
        Just(f64::MIN_POSITIVE / 3.0),
    ]
}

proptest! {
    #[test]
    fn a_controller_reads_back(
        codes in prop::collection::vec(-32768i32..32768, 31),
        center in finite(), error in finite(), seed: u64, min in finite(),
        name in "\\PC{1,30}", command in any::<String>(),
    ) {
        let mut controller = example();
        controller.inputs[0].center = center;
        controller.inputs[1].name = name;
        controller.errors.test = Some(error);
        controller.outputs[0].min = Some(min);
        controller.made_by.seed = seed;
        controller.made_by.command = command;
        controller.weights = Weights::Codes(Codes { bits: 16, max_weight: 10.0, codes });
        let text = controller.to_text().unwrap();
        let read = ControllerFile::parse(&text, "a.ron").unwrap_or_else(|error| panic!("{error}"));
        let mut expected =
            SavedController { digest: controller.computed_digest(), ..controller };
        expected.content_digest = expected.computed_content_digest();
        prop_assert_eq!(read.value.inputs[0].center.to_bits(), center.to_bits());
        prop_assert_eq!(read.value, expected);
    }

    #[test]
    fn a_scenario_reads_back_from_both_of_its_texts(
        low in -1e6f64..0.0, width in 0.0f64..1e6, mean in finite(), bits in 11u32..=24, seed: u64,
        name in "\\PC{1,30}",
    ) {
        let mut scenario = ScenarioFile::parse(GOOD, "good.ron").unwrap().value;
        let uniform = Distribution::Uniform { low, high: low + width };
        scenario.initial.insert(name.clone(), uniform);
        scenario.parameters.insert(name, Distribution::Fixed(mean));
        scenario.seed = seed;
        let bitloop_scenario::Training::TelescopicBlm(blm) = scenario.training.as_mut().unwrap()
            else { unreachable!() };
        blm.bits = bits;
        for text in [scenario.canonical_text(), scenario.to_text()] {
            let read =
                ScenarioFile::parse(&text, "a.ron").unwrap_or_else(|error| panic!("{error}"));
            prop_assert_eq!(read.value.digest(), scenario.digest());
            prop_assert_eq!(&read.value, &scenario);
        }
    }
}
