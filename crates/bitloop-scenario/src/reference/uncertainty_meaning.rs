//! Fields of sensors and actuators that are not perfect.

use crate::uncertainty::{Actuator, Sensor, Uncertainty};

use super::meaning::{ChoiceMeaning, RecordMeaning, field, spelled_out};

pub(super) const RECORDS: &[RecordMeaning] = &[
    RecordMeaning {
        name: "Uncertainty",
        minimal: "()",
        written: spelled_out::<Uncertainty>,
        fields: &[
            field("sensors", "", "", "How observations are measured, by name."),
            field("actuators", "", "", "How commands become controls, by name."),
        ],
    },
    RecordMeaning {
        name: "Sensor",
        minimal: "()",
        written: spelled_out::<Sensor>,
        fields: &[
            field("bias", "the signal's", "", "A constant that is added, drawn for each episode."),
            field("noise", "", "", "What is added at each query, after the bias."),
            field(
                "quantum",
                "the signal's",
                "",
                "Readings are multiples of this, after bias and noise; 0 for none.",
            ),
            field(
                "delay_s",
                "s",
                "",
                "Age of a reading, a whole multiple of the control period. Until there is one, the first is repeated.",
            ),
            field(
                "dropout",
                "",
                "",
                "Probability that a query repeats the reading of the one before, after the delay. The first never does.",
            ),
        ],
    },
    RecordMeaning {
        name: "Actuator",
        minimal: "()",
        written: spelled_out::<Actuator>,
        fields: &[
            field(
                "gain",
                "",
                "",
                "A factor, drawn for each episode. It, the dead band and the quantum count from rest: the control of an output of 0, within the bounds.",
            ),
            field(
                "dead_band",
                "the signal's",
                "",
                "Commands that are closer to rest than this do nothing, after the gain; drawn for each episode.",
            ),
            field(
                "rate",
                "the signal's per s",
                "none",
                "The fastest change, after the dead band, above 0. The first command is reached at once.",
            ),
            field(
                "quantum",
                "the signal's",
                "",
                "Positions are multiples of this away from rest, after the limit of the rate; 0 for none.",
            ),
            field(
                "delay_s",
                "s",
                "",
                "How long a position takes to act, a whole multiple of the integration step. Until then the actuator is at rest.",
            ),
        ],
    },
];

pub(super) const CHOICES: &[ChoiceMeaning] = &[ChoiceMeaning {
    name: "Noise",
    variants: &[
        ("None", "None."),
        ("Normal", "White, normal with this standard deviation, in the signal's unit."),
        ("Uniform", "White, uniform up to this on each side, in the signal's unit."),
    ],
}];
