//! Fields of the trainers of both kinds of scenarios.

use bitloop_blm::{Candidates, Growth, Kicks};

use crate::{
    cma_es::CmaEs,
    random_search::RandomSearch,
    supervised::{Backpropagation, ExtremeLearning, OneStepSecant},
    telescopic_blm::TelescopicBlm,
};

use super::meaning::{ChoiceMeaning, RecordMeaning, field, spelled_out};

pub(super) const RECORDS: &[RecordMeaning] = &[
    RecordMeaning {
        name: "TelescopicBlm",
        minimal: "()",
        written: spelled_out::<TelescopicBlm>,
        fields: &[
            field(
                "preset",
                "",
                "Measured; on examples Paper, or values of their own where `max_weight` is left out too",
                "Which values the fields below have where they are left out.",
            ),
            field("bits", "bits", "", "Bits of a weight, from 2 to 24."),
            field(
                "start_bits",
                "bits",
                "4, Paper: 2; `bits` with growth `Fixed`",
                "Bits that are free to change at first, from 2 to `bits`.",
            ),
            field(
                "max_weight",
                "",
                "10; on examples without `preset` 1",
                "Largest weight: weights are multiples of epsilon = max_weight / (2^(bits-1) - 1). Where neither it nor `preset` is given, the scales of layers and outputs on examples are found on them, see `layer_scales` and `output_scale`.",
            ),
            field(
                "initialization",
                "",
                "Bounded(0.01), on examples without `max_weight` and `preset`: Bounded(0.15); epsilon where that is larger",
                "Weights at the start of a run.",
            ),
            field("coding", "", "", "How an integer weight becomes bits."),
            field("freezing", "", "", "What the bits that are not free leave to the weight."),
            field(
                "moves",
                "",
                "BestOf(40), Paper and on examples without `preset`: FirstImproving",
                "Which improving move is taken.",
            ),
            field(
                "candidates",
                "",
                "SeveralFlips(extra: 0.9), Paper, on examples without `preset` or where `moves` is given: SingleFlips",
                "What a move changes.",
            ),
            field(
                "kicks",
                "",
                "none: the run ends there; on examples without `max_weight` and `preset`: (count: 30, flips: 3)",
                "What follows a local minimum: random bits are flipped, and the search continues from there, which is kept only if it ends lower.",
            ),
            field(
                "zero_share",
                "",
                "none: all weights alike",
                "Share of weights that start at zero, from 0 to below 1; weights at zero move only when no other one improves, with a share of 0 too. The paper's is 0.5.",
            ),
            field(
                "hold_zeros",
                "",
                "false",
                "With `zero_share`: whether there are never fewer weights at zero than at the start. Without it, weights that help by leaving zero do so, and the share at the end is lower.",
            ),
            field(
                "growth",
                "",
                "Threshold(phi: 0.1, eta: 0.95); on examples without `max_weight` and `preset`: Fixed",
                "When one more bit becomes free.",
            ),
            field(
                "validate_every",
                "moves",
                "100; on examples without `max_weight` and `preset`: 10",
                "Accepted moves between two validations, at least 1.",
            ),
            field(
                "validate_at_target",
                "",
                "true; Paper, on examples without `preset` or where `validate_every` is given: false",
                "Whether weights are also validated as soon as their training error is at or below the target.",
            ),
        ],
    },
    RecordMeaning {
        name: "SeveralFlips",
        minimal: "SeveralFlips(extra: 0.5)",
        written: spelled_out::<Candidates>,
        fields: &[field("extra", "", "", "Probability of each further flip, above 0 and below 1.")],
    },
    RecordMeaning {
        name: "Threshold",
        minimal: "Threshold()",
        written: spelled_out::<Growth>,
        fields: &[
            field("phi", "", "", "Share of improving moves, above 0 and up to 1."),
            field(
                "eta",
                "",
                "",
                "Decay of the moving average that estimates the share, from 0 to below 1.",
            ),
        ],
    },
    RecordMeaning {
        name: "Kicks",
        minimal: "(count: 1, flips: 1)",
        written: spelled_out::<Kicks>,
        fields: &[
            field(
                "count",
                "kicks",
                "",
                "Kicks in a row without success after which the run ends, at least 1.",
            ),
            field("flips", "bits", "", "Bits flipped by a kick, at least 1."),
        ],
    },
    RecordMeaning {
        name: "CmaEs",
        minimal: "()",
        written: spelled_out::<CmaEs>,
        fields: &[
            field(
                "bits",
                "bits",
                "",
                "Bits of a weight in the saved controller, from 2 to 24: the best real weights are rounded to the grid in the end.",
            ),
            field(
                "max_weight",
                "",
                "",
                "Largest weight, above 0; candidates stay within plus and minus it.",
            ),
            field(
                "sigma",
                "",
                "",
                "Standard deviation of the first generation, in units of a weight, above 0 and at most max_weight.",
            ),
            field(
                "population",
                "candidates",
                "4 + floor(3 ln n) for n weights",
                "Candidates in a generation, from 4 to 100000; with restarts, those of the first run.",
            ),
            field("restarts", "", "", "How a run that has converged is followed by another."),
            field(
                "initial_range",
                "",
                "",
                "The mean of the first generation is uniform within plus and minus this, from 0 (the origin) to max_weight.",
            ),
            field(
                "validate_every",
                "generations",
                "",
                "Generations between two validations, at least 1.",
            ),
        ],
    },
    RecordMeaning {
        name: "RandomSearch",
        minimal: "()",
        written: spelled_out::<RandomSearch>,
        fields: &[
            field("bits", "bits", "", "Bits of a weight, from 2 to 24."),
            field(
                "max_weight",
                "",
                "",
                "Largest weight, above 0: weights are multiples of epsilon = max_weight / (2^(bits-1) - 1).",
            ),
            field(
                "initialization",
                "",
                "",
                "Distribution of the candidates, `Full` or `Bounded`; there is no coarse grid.",
            ),
            field(
                "validate_every",
                "improvements",
                "",
                "Improvements (candidates better than all before) between two validations, at least 1.",
            ),
        ],
    },
    RecordMeaning {
        name: "OneStepSecant",
        minimal: "()",
        written: spelled_out::<OneStepSecant>,
        fields: &[
            field(
                "initial_range",
                "",
                "",
                "Initial weights are uniform within plus and minus this, above 0.",
            ),
            field("validate_every", "steps", "", "Steps between two validations, at least 1."),
        ],
    },
    RecordMeaning {
        name: "Backpropagation",
        minimal: "()",
        written: spelled_out::<Backpropagation>,
        fields: &[
            field("learning_rate", "", "", "The learning rate, above 0."),
            field("momentum", "", "", "The momentum, from 0 to below 1."),
            field(
                "initial_range",
                "",
                "",
                "Initial weights are uniform within plus and minus this, above 0.",
            ),
            field("validate_every", "steps", "", "Steps between two validations, at least 1."),
        ],
    },
    RecordMeaning {
        name: "ExtremeLearning",
        minimal: "()",
        written: spelled_out::<ExtremeLearning>,
        fields: &[
            field(
                "units",
                "",
                "the network's only hidden layer",
                "Units of the hidden layer, from 1 to 16384.",
            ),
            field(
                "hidden_range",
                "",
                "",
                "Weights and biases of the hidden layer are uniform within plus and minus this, above 0.",
            ),
            field(
                "ridges",
                "",
                "",
                "Regularization constants to be tried, each above 0; the validation rows choose among several.",
            ),
        ],
    },
];

pub(super) const CHOICES: &[ChoiceMeaning] = &[
    ChoiceMeaning {
        name: "Training",
        variants: &[
            (
                "TelescopicBlm",
                "Telescopic binary learning machine: local search over the bits of the weights.",
            ),
            (
                "CmaEs",
                "Covariance matrix adaptation evolution strategy over real weights, as a baseline.",
            ),
            ("RandomSearch", "Independent random weights, as a baseline."),
        ],
    },
    ChoiceMeaning {
        name: "SupervisedTraining",
        variants: &[
            (
                "TelescopicBlm",
                "Telescopic binary learning machine: local search over the bits of the weights.",
            ),
            (
                "CmaEs",
                "Covariance matrix adaptation evolution strategy over real weights, as a baseline.",
            ),
            ("RandomSearch", "Independent random weights, as a baseline."),
            (
                "OneStepSecant",
                "Descent along gradients with a memory of one step (Battiti 1992), as a baseline. Equal bits on one machine only.",
            ),
            (
                "Backpropagation",
                "Gradient descent over the whole batch, as a baseline. Equal bits on one machine only.",
            ),
            (
                "ExtremeLearning",
                "A random hidden layer under a linear one that is solved for, as a baseline. Equal bits on one machine only.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "Preset",
        variants: &[
            ("Measured", "Those that reach a target soonest on plants, by campaigns."),
            ("Paper", "Those of the paper."),
        ],
    },
    ChoiceMeaning {
        name: "Initialization",
        variants: &[
            ("Full", "All codes alike: from about -max_weight to max_weight."),
            ("Bounded", "Uniform within plus and minus this bound, which is not below epsilon."),
            (
                "BoundedOnCoarseGrid",
                "Uniform over the multiples of the coarse step, 2^(bits-start_bits) epsilon, within plus and minus this bound, which is not below that step.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "Coding",
        variants: &[
            ("Gray", "Gray code: neighboring weights are one bit apart."),
            ("Binary", "Plain two's complement."),
        ],
    },
    ChoiceMeaning {
        name: "Freezing",
        variants: &[
            (
                "CoarseGrid",
                "The low bits of the number are frozen, and the free high bits Gray-coded: the reachable weights are a regular coarse grid.",
            ),
            ("GrayBits", "The low bits of the Gray code are frozen."),
        ],
    },
    ChoiceMeaning {
        name: "MoveRule",
        variants: &[
            ("FirstImproving", "The first one found in a random order. The paper's choice."),
            ("BestImproving", "The best of all, ties to the lowest index."),
            (
                "BestOf",
                "The best of at least so many candidates in a random order, at least 1; if none of them improves, the first one after them that does. Not in the paper.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "Candidates",
        variants: &[
            ("SingleFlips", "One bit. The paper's choice."),
            (
                "SeveralFlips",
                "One bit, and a geometric number of further ones at random places. Not in the paper.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "Growth",
        variants: &[
            ("Fixed", "Never."),
            ("AtLocalMinimum", "When no move improves."),
            (
                "Threshold",
                "When the share of improving moves, estimated from the failed probes before each accepted move, falls below phi; at the latest at a local minimum.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "CmaRestarts",
        variants: &[
            ("None", "By a run like the first, with other random numbers."),
            ("Ipop", "With the population doubled each time (Auger & Hansen, CEC 2005)."),
            (
                "Bipop",
                "By turns with doubled populations, and with small ones at small sigma (Hansen, BBOB 2009).",
            ),
        ],
    },
];
