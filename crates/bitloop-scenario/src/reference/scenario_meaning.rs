//! Fields of a scenario of a closed loop, its trainers aside.

use bitloop_sim::Penalties;

use crate::{
    controller::{FeedForward, Recurrent, TappedDelay},
    curriculum::Curriculum,
    episodes::{EpisodeSet, Episodes},
    scenario::{Scaling, Scenario},
    simulation::Simulation,
    stop::{Patience, Stop},
};

use super::meaning::{ChoiceMeaning, RecordMeaning, field, spelled_out};

pub(super) const RECORDS: &[RecordMeaning] = &[
    RecordMeaning {
        name: "Scenario",
        minimal: r#"Scenario(plant: "p")"#,
        written: spelled_out::<Scenario>,
        fields: &[
            field(
                "plant",
                "",
                "",
                "The plant. A name is one that `bitloop plant list` shows; a relative path starts at the folder of the scenario.",
            ),
            field(
                "parameters",
                "",
                "the plant's",
                "Plant parameters by name, in the parameter's unit: a fixed value, or one drawn for each episode.",
            ),
            field("observations", "", "all of the plant's", "What the controller sees, in order."),
            field("simulation", "", "the plant's", "How the plant is stepped in time."),
            field(
                "initial",
                "",
                "the plant's",
                "Where episodes start, by name of the state, in the state's unit; drawn for each episode.",
            ),
            field(
                "failure_cost",
                "cost",
                "the plant's",
                "What a failed episode is charged in place of its stage cost until its horizon, 0 or more.",
            ),
            field(
                "failure_charge",
                "",
                "AtLeast",
                "Whether the stage cost of the step that failed is charged in its place where that is higher.",
            ),
            field(
                "penalties",
                "",
                "none",
                "Costs on the controls, added to the plant's stage cost at each step that counts; the error is that of both.",
            ),
            field(
                "scaling",
                "",
                "the plant's",
                "Center and scale of observations and controls, by name.",
            ),
            field(
                "uncertainty",
                "",
                "none",
                "Sensors and actuators that are not perfect, and disturbances, in all episodes.",
            ),
            field("controller", "", "none: a test alone", "The controller to train."),
            field("episodes", "", "", "Numbers and lengths of episodes."),
            field(
                "aggregate",
                "",
                "Mean",
                "How the errors of the training episodes become the one that is minimized, and those of validation and confirmation the ones that select and that a target is about. The test error is always the mean; whether it meets the target is decided by this aggregate of its episodes.",
            ),
            field(
                "against",
                "",
                "none",
                "Hard episodes, which are added to the training episodes as they are; `bitloop train --against FILE` writes them. They are in no other set.",
            ),
            field(
                "fresh_every",
                "",
                "never: the same episodes for all candidates",
                "Evaluations of a run after which its training episodes are drawn anew, at least 2; for TelescopicBlm. The current weights are evaluated on the new ones, which counts as an evaluation, and what was known of the neighborhood is forgotten. The k-th draw is the same in each run. Hard episodes, validation, confirmation and test stay.",
            ),
            field(
                "fresh_after_miss",
                "",
                "true without `fresh_every` where `stop` has a target and neither `runs` nor `run_evaluations`, for CmaEs and for TelescopicBlm without preset Paper, `validate_every` and `validate_at_target`; otherwise false",
                "Whether the training episodes of a run are drawn anew after weights that are at the target on them have missed it in validation or confirmation, since they may fit these episodes alone; while `stop.refine` has a run go on, after each validation of such weights. For TelescopicBlm, which goes on as after `fresh_every`, whose next draw then comes that many evaluations later, and for CmaEs, which keeps its distribution.",
            ),
            field(
                "curriculum",
                "",
                "none: all episodes as they are",
                "Shorter and easier training episodes to begin with.",
            ),
            field("training", "", "none: a test alone", "The trainer, with its settings."),
            field("start", "", "Random", "What the first run starts from."),
            field("stop", "", "after one run", "When the training ends."),
            field("seed", "", "", "Root of all random streams."),
        ],
    },
    RecordMeaning {
        name: "Simulation",
        minimal: "()",
        written: spelled_out::<Simulation>,
        fields: &[
            field("integrator", "", "the plant's", "How the plant's equation becomes steps."),
            field("step_s", "s", "the plant's", "Integration step, above 0."),
            field(
                "sample_time_s",
                "s",
                "the plant's",
                "Control period, a whole multiple of the step: the controller is asked once in it, and its answer held.",
            ),
        ],
    },
    RecordMeaning {
        name: "Penalties",
        minimal: "()",
        written: spelled_out::<Penalties>,
        fields: &[
            field(
                "effort",
                "cost",
                "",
                "Times the mean over the controls of the squared control, scaled: v = (u - center) / scale after saturation; 0 or more.",
            ),
            field(
                "rate",
                "cost",
                "",
                "Times the mean over the controls of the squared change of v since the query before; 0 or more.",
            ),
            field(
                "saturation",
                "cost",
                "",
                "Times the share of the controls within a thousandth of their range of a bound; 0 or more.",
            ),
        ],
    },
    RecordMeaning {
        name: "Scaling",
        minimal: "()",
        written: spelled_out::<Scaling>,
        fields: &[
            field(
                "center",
                "the signal's",
                "",
                "A controller's input is (observation - center) / scale, a control center + scale * output.",
            ),
            field("scale", "the signal's", "", "See center; above 0."),
        ],
    },
    RecordMeaning {
        name: "FeedForward",
        minimal: "(hidden: [])",
        written: spelled_out::<FeedForward>,
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
                "",
                "Activation of the output layer. `Linear` does not confine the output to [-1, 1] times its scale.",
            ),
            field(
                "direct",
                "",
                "false",
                "Whether the output layer also sees what the first layer does, so that the hidden units only bend a linear law.",
            ),
        ],
    },
    RecordMeaning {
        name: "Recurrent",
        minimal: "(hidden: [])",
        written: spelled_out::<Recurrent>,
        fields: &[
            field(
                "hidden",
                "",
                "",
                "Units of each hidden layer, from the input on; at least one layer.",
            ),
            field(
                "feedback",
                "",
                "",
                "Which of its layer's last outputs a neuron sees. They are 0 at the start of an episode.",
            ),
            field(
                "window",
                "queries",
                "1",
                "Number of queries, one control period apart, whose observations the first layer sees, the present one included; from 1 to 1000.",
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
                "",
                "Activation of the output layer, which has no feedback.",
            ),
            field(
                "direct",
                "",
                "false",
                "Whether the output layer also sees what the first layer does, so that the hidden units only bend a linear law.",
            ),
        ],
    },
    RecordMeaning {
        name: "TappedDelay",
        minimal: "(window: 1, hidden: [])",
        written: spelled_out::<TappedDelay>,
        fields: &[
            field(
                "window",
                "queries",
                "",
                "Number of queries, one control period apart, whose observations the network sees, the present one included; from 1 to 1000.",
            ),
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
            field("output_activation", "", "", "Activation of the output layer."),
            field(
                "direct",
                "",
                "false",
                "Whether the output layer also sees what the first layer does, so that the hidden units only bend a linear law.",
            ),
        ],
    },
    RecordMeaning {
        name: "Episodes",
        minimal: "()",
        written: spelled_out::<Episodes>,
        fields: &[
            field("training", "", "none: a test alone", "What the search minimizes over."),
            field(
                "validation",
                "",
                "like training",
                "What selects the best controller of a search.",
            ),
            field(
                "confirmation",
                "",
                "200 episodes like those of the test",
                "What must agree before a target counts as met.",
            ),
            field(
                "test",
                "",
                "50 episodes, ten times as long as in training",
                "What is reported in the end; used once.",
            ),
        ],
    },
    RecordMeaning {
        name: "EpisodeSet",
        minimal: "(horizon_s: 1)",
        written: spelled_out::<EpisodeSet>,
        fields: &[
            field("count", "episodes", "", "Number of episodes, from 1 to 1000000."),
            field(
                "horizon_s",
                "s",
                "required in training; validation: as in training; test: ten times as long; confirmation: as in the test",
                "Length of an episode.",
            ),
            field(
                "transient_s",
                "s",
                "0 in training; elsewhere as for the horizon",
                "Time at the start that does not count into the error; less than the horizon.",
            ),
        ],
    },
    RecordMeaning {
        name: "Curriculum",
        minimal: "()",
        written: spelled_out::<Curriculum>,
        fields: &[
            field(
                "horizon_s",
                "s",
                "that of the training episodes",
                "First horizon, above the transient of the training episodes and at most their horizon.",
            ),
            field(
                "initial_scale",
                "",
                "",
                "First scale of the initial states, above 0 and up to 1: a state that is drawn as s starts at d + scale * (s - d), where d is the plant's default.",
            ),
            field(
                "uncertainty_scale",
                "",
                "1",
                "First share of what is uncertain, from 0 for none to 1: what sensors, actuators, disturbances and references are given, drawn or fixed, and what is drawn for parameters, around the middle of a parameter's distribution, and around what it is without uncertainty. Delays, limits of rates, times and profiles stay. After 0 comes a quarter.",
            ),
            field(
                "advance_below",
                "cost",
                "",
                "Training error below which horizon and scales are doubled, until they are the full ones; above 0.",
            ),
        ],
    },
    RecordMeaning {
        name: "Stop",
        minimal: "()",
        written: spelled_out::<Stop>,
        fields: &[
            field(
                "target",
                "cost",
                "none",
                "Error at which the search is done: validation and confirmation must both be at or below it. On examples it is an error as `select_by` has it, over the rows that select. It needs one of the budgets beside it.",
            ),
            field(
                "refine",
                "evaluations",
                "none: the target ends the training",
                "Evaluations for which the run goes on once the target is reached, to lower the error further; it ends before by its patience. The weights are kept whose worse error, of validation and confirmation, is the lowest. Needs a target.",
            ),
            field(
                "runs",
                "runs",
                "no limit; 1 if there is no other budget and no target",
                "Number of runs, that is, of random starts.",
            ),
            field(
                "evaluations",
                "evaluations",
                "no limit",
                "Evaluations of the objective over all runs.",
            ),
            field(
                "seconds",
                "s",
                "no limit",
                "Wall-clock time; the one budget that is not reproducible.",
            ),
            field(
                "run_evaluations",
                "evaluations",
                "no limit; 500000 for TelescopicBlm on examples without `max_weight` and `preset`",
                "Evaluations after which a run gives way to the next start.",
            ),
            field(
                "patience",
                "",
                "(evaluations: 1000, improvement: 0.1) for TelescopicBlm on a plant; none with preset Paper, where `runs` or `run_evaluations` is given, or where nothing is",
                "Progress that a run must make, or else give way to the next start.",
            ),
        ],
    },
    RecordMeaning {
        name: "Patience",
        minimal: "(evaluations: 1)",
        written: spelled_out::<Patience>,
        fields: &[
            field(
                "evaluations",
                "evaluations",
                "",
                "A run whose training error has not fallen by the share `improvement` within so many evaluations is given up; at least 1.",
            ),
            field(
                "improvement",
                "",
                "",
                "Share of the error, from 0 to below 1: 0.1 asks for an error of 90 % or less.",
            ),
        ],
    },
];

pub(super) const CHOICES: &[ChoiceMeaning] = &[
    ChoiceMeaning {
        name: "FailureCharge",
        variants: &[
            (
                "AtLeast",
                "The failure cost, or the stage cost of the step that failed where that is higher: a failure never pays off.",
            ),
            ("Flat", "The failure cost alone, so that all failures at one time cost the same."),
        ],
    },
    ChoiceMeaning {
        name: "Aggregate",
        variants: &[
            ("Mean", "The mean over the episodes."),
            ("Worst", "The largest error of all episodes."),
            (
                "CVaR",
                "Conditional value at risk: the mean of the worst share of the episodes, above 0 and at most 1, rounded up to whole episodes.",
            ),
        ],
    },
    ChoiceMeaning {
        name: "Start",
        variants: &[
            ("Random", "Random weights, as the trainer draws them."),
            (
                "FromController",
                "The weights of a saved controller of the same shape and signals, rounded to the trainer's grid.",
            ),
            (
                "FromLqr",
                "The gains of the linear-quadratic regulator that is best on the training episodes, rounded to the trainer's grid: for linear feedback, or for a direct path beside hidden units. Equal bits on one machine only.",
            ),
            ("FromModel", "The weights of a saved model of the same shape and columns."),
        ],
    },
    ChoiceMeaning {
        name: "Integrator",
        variants: &[
            ("Euler", "Explicit Euler."),
            ("SemiImplicitEuler", "Velocities first, positions with the new velocities."),
            ("RungeKutta4", "Classical Runge-Kutta of order 4."),
            ("PlantStep", "The plant's own step function."),
        ],
    },
    ChoiceMeaning {
        name: "ControllerSpec",
        variants: &[
            ("Linear", "Linear feedback and a constant: a network without hidden layers."),
            (
                "Pid",
                "For each control a constant, linear feedback of the observations now and at the query before (the proportional and derivative parts), and of one linear unit that remembers itself (the integral part; its leak is trained too, and TelescopicBlm begins with none).",
            ),
            ("FeedForward", "A multi-layer perceptron without memory."),
            (
                "Recurrent",
                "A multi-layer perceptron whose hidden layers see their own last outputs.",
            ),
            ("TappedDelay", "A multi-layer perceptron that sees the last observations too."),
        ],
    },
    ChoiceMeaning {
        name: "Feedback",
        variants: &[
            ("Full", "Each neuron sees all neurons of its layer."),
            ("SelfOnly", "Each neuron sees itself alone."),
        ],
    },
    ChoiceMeaning {
        name: "Activation",
        variants: &[
            ("Tanh", "Hyperbolic tangent, from -1 to 1."),
            ("Logistic", "1 / (1 + exp(-s)), from 0 to 1."),
            ("Linear", "The sum itself."),
        ],
    },
];
