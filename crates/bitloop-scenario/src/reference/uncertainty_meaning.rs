//! Fields of sensors and actuators that are not perfect, and of disturbances.

use crate::disturbance::{FilteredNoise, Impulse, Ramp, Sine, Step};
use crate::hard_episode::HardEpisode;
use crate::profile::Profile;
use crate::uncertainty::{Actuator, Sensor, Uncertainty};

use super::meaning::{ChoiceMeaning, RecordMeaning, field, spelled_out};

pub(super) const RECORDS: &[RecordMeaning] = &[
    RecordMeaning {
        name: "Uncertainty",
        minimal: "()",
        written: spelled_out::<Uncertainty>,
        fields: &[
            field("sensors", "", "none", "How observations are measured, by name."),
            field("actuators", "", "none", "How commands become controls, by name."),
            field(
                "disturbances",
                "",
                "none",
                "What acts on the plant beside the controller, by name of a control, or else a parameter, or else a state. Each changes what those before it in the list give. On a control it is added to what the actuator gives, 0 without it; a parameter stays within the plant's bounds; on a state it is a rate of change.",
            ),
            field(
                "references",
                "",
                "none",
                "How set points change within an episode, by name. A set point is a parameter that the plant lets be observed under the same name, so that a controller can follow it; in the parameter's unit, within the plant's bounds.",
            ),
        ],
    },
    RecordMeaning {
        name: "Sensor",
        minimal: "()",
        written: spelled_out::<Sensor>,
        fields: &[
            field(
                "jitter_s",
                "s",
                "0",
                "The longest time before a query at which the reading may be taken, up to the control period: drawn at each query, uniform from 0. Between two queries the observation is taken as a straight line.",
            ),
            field("bias", "the signal's", "", "A constant that is added, drawn for each episode."),
            field("noise", "", "", "What is added at each query, after the bias."),
            field(
                "noise_time_constant_s",
                "s",
                "0",
                "The time constant of a low-pass filter of normal noise; 0 for white noise.",
            ),
            field(
                "quantum",
                "the signal's",
                "",
                "Readings are multiples of this, after bias and noise; 0 for none. May be drawn for each episode.",
            ),
            field(
                "delay_s",
                "s",
                "",
                "Age of a reading, a whole multiple of the control period; where it is drawn for each episode, uniform, it is rounded to one. Until there is a reading, the first is repeated.",
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
                "backlash",
                "the signal's",
                "0",
                "The play, after the limit of the rate: the position stays until a command is half of it away; drawn for each episode.",
            ),
            field(
                "quantum",
                "the signal's",
                "",
                "Positions are multiples of this away from rest, after the backlash; 0 for none. May be drawn for each episode.",
            ),
            field(
                "stuck_at_s",
                "s",
                "never",
                "From when on the position stays as it is, rounded to a control period; drawn for each episode.",
            ),
            field(
                "delay_s",
                "s",
                "",
                "How long a position takes to act, a whole multiple of the integration step; where it is drawn for each episode, uniform, it is rounded to one. Until then the actuator is at rest.",
            ),
        ],
    },
    RecordMeaning {
        name: "HardEpisode",
        minimal: "()",
        written: spelled_out::<HardEpisode>,
        fields: &[
            field(
                "initial",
                "",
                "the plant's",
                "Where it starts, a number by name of the state, in the state's unit.",
            ),
            field(
                "parameters",
                "",
                "the plant's",
                "Plant parameters, a number by name, in the parameter's unit.",
            ),
            field(
                "uncertainty",
                "",
                "none",
                "Its sensors, actuators and disturbances: those of the scenario, with a number for all that is drawn there.",
            ),
            field("seed", "", "", "Root of its noise."),
        ],
    },
    RecordMeaning {
        name: "Impulse",
        minimal: "(at_s: 1, area: 1)",
        written: spelled_out::<Impulse>,
        fields: &[
            field("at_s", "s", "", "When it begins, rounded to a control period."),
            field("area", "the signal's s", "", "Its integral over time."),
            field(
                "width_s",
                "s",
                "",
                "How long it lasts, a whole multiple of the control period; 0 for one of them.",
            ),
        ],
    },
    RecordMeaning {
        name: "Step",
        minimal: "(at_s: 1, to: 1)",
        written: spelled_out::<Step>,
        fields: &[
            field("at_s", "s", "", "When it begins, rounded to a control period."),
            field("to", "the signal's", "", "The value from then on."),
        ],
    },
    RecordMeaning {
        name: "Ramp",
        minimal: "(at_s: 1, to: 1, over_s: 1)",
        written: spelled_out::<Ramp>,
        fields: &[
            field("at_s", "s", "", "When it begins."),
            field("to", "the signal's", "", "The value at its end, and from then on."),
            field("over_s", "s", "", "How long it lasts, above 0."),
        ],
    },
    RecordMeaning {
        name: "Sine",
        minimal: "(amplitude: 1, period_s: 1)",
        written: spelled_out::<Sine>,
        fields: &[
            field("amplitude", "the signal's", "", "Its amplitude."),
            field("period_s", "s", "", "The length of a period, at least two control periods."),
            field("phase", "rad", "", "Its phase at the start of an episode."),
        ],
    },
    RecordMeaning {
        name: "Profile",
        minimal: "()",
        written: spelled_out::<Profile>,
        fields: &[
            field(
                "file",
                "",
                "none",
                "A table of comma-separated values, whose first line names its columns, the time in seconds first; a relative path starts at the folder of the scenario. A training keeps its values.",
            ),
            field("column", "", "the second", "The column of the table that has the values."),
            field(
                "points",
                "s and the signal's",
                "none",
                "The values themselves, in place of a file: [(time, value), ..].",
            ),
            field("gain", "", "1", "A factor of all values, drawn for each episode."),
        ],
    },
    RecordMeaning {
        name: "FilteredNoise",
        minimal: "(sd: 1)",
        written: spelled_out::<FilteredNoise>,
        fields: &[
            field("sd", "the signal's", "", "The standard deviation of what is added."),
            field(
                "time_constant_s",
                "s",
                "",
                "The time constant of the low-pass filter; 0 for white noise, a new value at each control period.",
            ),
        ],
    },
];

pub(super) const CHOICES: &[ChoiceMeaning] = &[
    ChoiceMeaning {
        name: "Noise",
        variants: &[
            ("None", "None."),
            ("Normal", "White, normal with this standard deviation, in the signal's unit."),
            ("Uniform", "White, uniform up to this on each side, in the signal's unit."),
        ],
    },
    ChoiceMeaning {
        name: "Disturbance",
        variants: &[
            ("Impulse", "Adds a pulse with a given integral over time."),
            ("Step", "Takes the signal to another value for the rest of the episode."),
            ("Ramp", "Takes the signal to another value in a straight line."),
            ("Sine", "Adds a sine from the start of the episode on."),
            (
                "Profile",
                "Takes the signal along given values over time, with straight lines between them. Before the first, the signal is as it is without; the last one stays.",
            ),
            ("Noise", "Adds normal noise, white or through a low-pass filter of first order."),
        ],
    },
];
