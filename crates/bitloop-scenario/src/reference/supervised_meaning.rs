//! Fields of a scenario on examples, its trainers aside.

use bitloop_data::{Fold, Scaling};

use crate::supervised::{DataFile, Split, Supervised, SupervisedNetwork};

use super::meaning::{ChoiceMeaning, RecordMeaning, field, spelled_out};

pub(super) const RECORDS: &[RecordMeaning] = &[
    RecordMeaning {
        name: "Supervised",
        minimal: "(data: File(path: \"d\", targets: Numbers([1])), network: (hidden: []), training: TelescopicBlm())",
        written: spelled_out::<Supervised>,
        fields: &[
            field("data", "", "", "Where the examples come from."),
            field(
                "scaling",
                "",
                "inputs to (-1, 1), targets to (0, 1); `(method: Standard)` with TelescopicBlm without `max_weight` and `preset`",
                "What numbers are scaled to, from the training rows alone.",
            ),
            field(
                "split",
                "",
                "required for a file unless parts have files of their own: all rows are for training then; the spirals have their own",
                "Which rows are for training, validation and test.",
            ),
            field(
                "network",
                "",
                "",
                "A feed-forward network; its inputs and outputs are those of the data.",
            ),
            field(
                "loss",
                "",
                "SquaredError; SoftmaxCrossEntropy for classes with TelescopicBlm without `max_weight` and `preset`",
                "What is minimized.",
            ),
            field(
                "class_weights",
                "",
                "Equal",
                "How much a row of each class counts in the loss, in training and where networks are selected and reported.",
            ),
            field(
                "threshold",
                "",
                "Half",
                "From which output on the second of two classes, in alphabetic order, is answered.",
            ),
            field(
                "select_by",
                "",
                "Loss",
                "What selects among networks, and what `stop.target` is of.",
            ),
            field(
                "regularization",
                "",
                "0; Auto with TelescopicBlm without `max_weight` and `preset`",
                "Weight of the mean of the squared weights beside the sum of the losses, 0 or more. `Auto` tries 0.03 and 0.1 for each training row with a cross-entropy, 0, 0.3, 3 and 10 with the squared error, a run each, which `stop.runs` counts as one, and the validation rows choose, of numbers the larger one unless its error is more than 3 % larger for each of these steps; with 2000 training rows or more, or no validation rows, it is 0.",
            ),
            field("training", "", "", "The trainer, with its settings."),
            field("start", "", "Random", "What the first run starts from."),
            field("stop", "", "after one run", "When the training ends."),
            field("seed", "", "", "Root of all random streams, that of the split too."),
        ],
    },
    RecordMeaning {
        name: "DataFile",
        minimal: "(path: \"d\", targets: Numbers([1]))",
        written: spelled_out::<DataFile>,
        fields: &[
            field(
                "path",
                "",
                "",
                "A file of rows, which may be packed with gzip; a relative path starts at the folder of the scenario.",
            ),
            field(
                "validation",
                "",
                "none: `split` chooses among the rows of `path`",
                "A file of the same columns with the validation rows.",
            ),
            field(
                "test",
                "",
                "none: `split` chooses among the rows of `path`",
                "A file of the same columns with the test rows.",
            ),
            field("format", "", "", "How its lines are cut into cells."),
            field("header", "", "", "Whether its first line names the columns."),
            field(
                "inputs",
                "",
                "all columns that are neither targets nor ignored",
                "The inputs, in order.",
            ),
            field("ignored", "", "", "Columns that are no inputs though `inputs` is left out."),
            field(
                "nominal",
                "",
                "",
                "Those of the inputs that hold words; each word becomes an input, 1 where it stands, else -1. Inputs that hold nothing but words need not be named.",
            ),
            field("targets", "", "", "What the network is to answer."),
            field("missing", "", "Refuse", "What becomes of cells without a value."),
        ],
    },
    RecordMeaning {
        name: "Scaling",
        minimal: "()",
        written: spelled_out::<Scaling>,
        fields: &[
            field("method", "", "Range", "How numbers are scaled."),
            field("inputs", "", "", "Range of inputs; `None` leaves numbers as they are."),
            field(
                "targets",
                "",
                "",
                "Range of targets that are numbers; `None` leaves them as they are.",
            ),
        ],
    },
    RecordMeaning {
        name: "Split",
        minimal: "(training: 1)",
        written: spelled_out::<Split>,
        fields: &[
            field(
                "training",
                "",
                "",
                "Rows for training, at least 1: the first ones of the order.",
            ),
            field(
                "validation",
                "",
                "",
                "The next rows, which select among weights; with 0, the training rows select.",
            ),
            field("test", "", "", "The rows after them, for a single test at the end."),
            field("order", "", "", "The order of rows before they are counted off."),
            field("stratified", "", "false", "Whether each class has the same share in each part."),
            field(
                "grouped_by",
                "",
                "none: each row is on its own",
                "A column, which is no input unless `inputs` names it: rows with the same value are in the same part.",
            ),
            field(
                "fold",
                "",
                "none",
                "One of several parts of equal size: it is the test, and the others are shared out in the proportion of training and validation.",
            ),
            field("seed", "", "the scenario's seed", "Root of the random numbers of the order."),
        ],
    },
    RecordMeaning {
        name: "Fold",
        minimal: "(index: 0, of: 5)",
        written: spelled_out::<Fold>,
        fields: &[
            field("index", "", "", "Which part, from 0."),
            field("of", "", "", "Of how many."),
        ],
    },
    RecordMeaning {
        name: "Network",
        minimal: "(hidden: [])",
        written: spelled_out::<SupervisedNetwork>,
        fields: &[
            field(
                "hidden",
                "",
                "",
                "Units of each hidden layer, from the input on; an empty list makes a network without.",
            ),
            field(
                "hidden_activation",
                "",
                "",
                "Activation of the hidden layers: one for all, or a list with one for each.",
            ),
            field(
                "output_activation",
                "",
                "`Logistic` for classes, `Linear` for numbers, unless loss or trainer need the other",
                "Activation of the output layer.",
            ),
            field(
                "layer_scales",
                "",
                "Same; FromData with TelescopicBlm without `max_weight` and `preset`",
                "Powers of two by which the sums of each layer are multiplied, of TelescopicBlm: weights of few bits then have the size that each layer needs, and stay integers.",
            ),
            field(
                "output_scale",
                "",
                "Fixed; Fitted with TelescopicBlm without `max_weight` and `preset`, SquaredError and Linear outputs",
                "Scale and offset of each output, of TelescopicBlm.",
            ),
        ],
    },
];

pub(super) const CHOICES: &[ChoiceMeaning] = &[
    ChoiceMeaning {
        name: "ScalingMethod",
        variants: &[
            (
                "Range",
                "The least and the greatest value in the training rows become the ends of the ranges.",
            ),
            (
                "Standard",
                "The mean becomes 0, and a standard deviation 1; the ranges do not matter.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "LayerScales",
        variants: &[
            ("Same", "None: weights have the same size in all layers."),
            (
                "FromData",
                "Those at which sums have the size that the layer is for, by bits, fan-in and training rows.",
            ),
            ("PowersOfTwo", "These exponents, one for each layer, the output layer last."),
        ],
    },
    ChoiceMeaning {
        name: "OutputScale",
        variants: &[
            ("Fixed", "None: outputs are what the last layer answers."),
            (
                "Fitted",
                "Those of least squares on the training rows, for whatever weights; the model keeps them.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "DataSource",
        variants: &[
            (
                "Spirals",
                "The two spirals, from their formula, with the columns `x`, `y` and `class`.",
            ),
            ("File", "A file of rows."),
        ],
    },
    ChoiceMeaning {
        name: "Spirals",
        variants: &[
            ("Cmu194", "194 points, all for training."),
            (
                "Halves193",
                "The paper's 193 + 193 points, of which the first 193 are for training, the others for the test.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "Format",
        variants: &[
            ("Csv", "By commas; a cell may stand in double quotes."),
            ("Tsv", "By tabs."),
            ("Semicolon", "By semicolons; numbers may have a decimal comma."),
            ("Whitespace", "By blanks and tabs, any number of them."),
        ],
    },
    ChoiceMeaning {
        name: "Missing",
        variants: &[
            ("Refuse", "The file is refused."),
            (
                "Mean",
                "Inputs get the mean of their column over the training rows, or its most frequent word there; targets are refused.",
            ),
            (
                "Word",
                "Nominal inputs get a word of its own for it, numbers the mean; targets are refused.",
            ),
            ("Drop", "The row is left out, before rows are split."),
        ],
    },
    ChoiceMeaning {
        name: "Targets",
        variants: &[
            ("Numbers", "The numbers in these columns."),
            (
                "Classes",
                "The class in this column: of two classes one output, of more an output each.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "RowOrder",
        variants: &[("Random", "Drawn by the scenario's seed."), ("File", "That of the file.")],
    },
    ChoiceMeaning {
        name: "Loss",
        variants: &[
            ("SquaredError", "The squared difference, averaged over outputs."),
            (
                "LogisticCrossEntropy",
                "Cross-entropy of logistic outputs, each a question of its own, summed over outputs.",
            ),
            (
                "SoftmaxCrossEntropy",
                "Cross-entropy of the softmax of linear outputs; of two classes, which have one output, LogisticCrossEntropy.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "ClassWeights",
        variants: &[
            ("Equal", "All rows alike."),
            (
                "Balanced",
                "By the inverse of the number of training rows of the class, so that classes count alike.",
            ),
            (
                "ByClass",
                "These weights, by class, and 1 for a class that is not named; only their proportions matter.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "Threshold",
        variants: &[
            ("Half", "0.5."),
            ("At", "This one."),
            (
                "ByBalancedAccuracy",
                "That of the highest balanced accuracy on the validation rows; without any, on the training rows.",
            ),
            ("ByF1", "That of the highest F1 of the second class on the same rows."),
        ],
    },
    ChoiceMeaning {
        name: "SelectBy",
        variants: &[
            ("Loss", "The loss that is trained; of the squared error, its root."),
            ("Accuracy", "The share of rows whose class is wrong."),
            (
                "Rmse",
                "The root mean squared error, of losses whose outputs are on the scale of the targets.",
            ),
        ],
    },
];
