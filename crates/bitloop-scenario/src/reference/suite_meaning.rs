//! Fields of a test, for the reference.

use crate::suite::{Pass, Test};

use super::meaning::{RecordMeaning, field, spelled_out};

const AS_TRAINED: &str = "as in the training";
const ANY: &str = "any value";

pub(super) const RECORDS: &[RecordMeaning] = &[
    RecordMeaning {
        name: "Test",
        minimal: r#"(name: "t")"#,
        written: spelled_out::<Test>,
        fields: &[
            field("name", "", "", "Its name, which no other test of the suite has."),
            field(
                "parameters",
                "",
                AS_TRAINED,
                "Plant parameters by name, in place of those of the training.",
            ),
            field(
                "initial",
                "",
                AS_TRAINED,
                "Where episodes start, by name of the state, in place of the training's.",
            ),
            field(
                "simulation",
                "",
                AS_TRAINED,
                "Integrator, step and control period, in place of the training's.",
            ),
            field(
                "uncertainty",
                "",
                AS_TRAINED,
                "Sensors and actuators that are not perfect, and disturbances, in place of those of the training.",
            ),
            field(
                "failure_cost",
                "cost",
                AS_TRAINED,
                "What a failed episode is charged in place of its stage cost until its horizon, 0 or more.",
            ),
            field(
                "episodes",
                "",
                "as in the test of the training",
                "Number of episodes, from 1 to 1 000 000.",
            ),
            field("horizon_s", "s", "as in the test of the training", "Length of an episode."),
            field(
                "transient_s",
                "s",
                "as in the test of the training",
                "Time at the start which does not count into the error.",
            ),
            field(
                "seed",
                "",
                AS_TRAINED,
                "Root of the random streams; controllers of different seeds meet the same episodes only if it is given.",
            ),
            field("pass", "", "nothing must hold", "What must hold of the result."),
        ],
    },
    RecordMeaning {
        name: "Pass",
        minimal: "()",
        written: spelled_out::<Pass>,
        fields: &[
            field("mean_error", "cost", ANY, "The largest mean error over episodes that passes."),
            field("median", "cost", ANY, "The largest median of the errors."),
            field(
                "p90",
                "cost",
                ANY,
                "The largest 90 % quantile of the errors, interpolated between two episodes.",
            ),
            field("p99", "cost", ANY, "The largest 99 % quantile of the errors, likewise."),
            field("worst", "cost", ANY, "The largest error that an episode may have."),
            field("failed", "", ANY, "The most episodes that may end before their horizon."),
            field(
                "settling_s",
                "s",
                ANY,
                "The longest time that an episode may take to settle; one that does not settle misses it.",
            ),
            field(
                "steady_error",
                "cost",
                ANY,
                "The largest mean cost that an episode may have in the last tenth of its horizon.",
            ),
        ],
    },
];
