//! [`Purpose`]: what keeps the streams of one seed apart.

/// What a stream is used for; streams of different purposes are independent.
///
/// The tags are part of the reproducibility promise: never renumber, only add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u64)]
#[non_exhaustive]
pub enum Purpose {
    /// Initial weights of a run.
    Initialization = 1,
    /// The order in which one neighborhood is explored.
    Permutation = 2,
    /// Start states and disturbances of the training episodes.
    TrainingEpisodes = 3,
    /// The same for validation.
    ValidationEpisodes = 4,
    /// The same for confirming that a target is met.
    ConfirmationEpisodes = 5,
    /// The same for the test, used once.
    TestEpisodes = 6,
    /// The same for replays of saved controllers.
    ReplayEpisodes = 7,
    /// Random moves out of a local minimum.
    Kick = 8,
    /// Points of a random search.
    RandomSearch = 9,
    /// Extra flips of a candidate of several bits.
    CandidateFlips = 10,
    /// Splits of a data set into training and held-out rows.
    DataSplit = 11,
    /// Generated data sets.
    SyntheticData = 12,
    /// Draws of the baselines that bitloop is compared with.
    Baseline = 13,
    /// Noise on measurements.
    SensorNoise = 14,
    /// Noise on the plant.
    Disturbance = 15,
    /// Root seeds of the runs of a campaign.
    CampaignRun = 16,
    /// Resamples that intervals are computed from.
    Bootstrap = 17,
    /// Controls of the rollouts that show what signals come to.
    SignalRanges = 18,
    /// Rows dealt out anew, to see what a column says about them.
    RowPermutation = 19,
}
