//! Names of files in a run folder.

/// The scenario as it was given.
pub const SCENARIO: &str = "scenario.ron";
/// The scenario as it is run.
pub const RESOLVED: &str = "resolved.ron";
/// A line for each move and validation.
pub const LOG: &str = "log.jsonl";
pub const BEGIN: &str = "begin";
pub const CHECKPOINT: &str = "checkpoint";
pub const PREVIOUS: &str = "checkpoint.previous";
pub const DAMAGED: &str = "checkpoint.damaged";
/// The result, which says that the run is finished.
pub const RESULT: &str = "result.json";
/// What a campaign has in its folder, which no training shares.
pub const CAMPAIGN: &str = "campaign.json";
/// The trained controller.
pub const CONTROLLER: &str = "controller.ron";
/// The trained model.
pub const MODEL: &str = "model.ron";

/// What says that there is a run.
pub const OF_A_RUN: [&str; 4] = [BEGIN, CHECKPOINT, PREVIOUS, RESULT];
/// What a finished run leaves; the result, which says that it is finished, last.
pub const OF_A_FINISHED_RUN: [&str; 8] =
    [SCENARIO, RESOLVED, LOG, CHECKPOINT, PREVIOUS, CONTROLLER, MODEL, RESULT];
