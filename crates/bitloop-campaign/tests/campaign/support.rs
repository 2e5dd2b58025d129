//! Small campaigns on a plant and on examples.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use bitloop_campaign::{Campaign, CampaignOptions, FinishedTrainings, TrainingRecord, variants};
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::AnyScenario;

pub const TINY: &str = r#"Scenario(
    plant: "inverted-pendulum",
    observations: ["x", "theta", "x_dot", "theta_dot"],
    initial: {"theta": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 3, horizon_s: 4), test: (count: 3, horizon_s: 6)),
    training: TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(1), validate_every: 5),
    stop: (target: 1e-9, evaluations: 300, seconds: 1000),
)"#;

/// Trainings that take long enough to be seen under way.
pub const LONGER: &str = r#"Scenario(
    plant: "inverted-pendulum",
    initial: {"theta": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [30]),
    episodes: (training: (count: 3, horizon_s: 4), test: (count: 3, horizon_s: 6)),
    training: TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(1), validate_every: 5),
    stop: (target: 1e-9, evaluations: 20000, seconds: 1000),
)"#;

pub const TINY_FIT: &str = "Supervised(
    data: Spirals(Cmu194),
    split: (training: 150, validation: 44),
    network: (hidden: [3]),
    training: TelescopicBlm(bits: 8, max_weight: 10, initialization: Bounded(1), validate_every: 5),
    stop: (evaluations: 300),
)";

/// The options of a campaign of four trainings.
pub fn options(folder: &Path) -> CampaignOptions {
    CampaignOptions {
        n_trainings: 4,
        n_folds: None,
        seed: 1,
        with_restarts: false,
        folder: folder.to_owned(),
        shard: None,
        earlier: Vec::new(),
        command: "bitloop campaign tiny.ron --seed 1".to_owned(),
        scenario_name: "tiny.ron".to_owned(),
        bitloop_version: "0.1.0".to_owned(),
    }
}

/// A campaign of a scenario in text.
pub fn campaign_of(text: &str, varied: &[&str], options: CampaignOptions) -> Campaign {
    let file = AnyScenario::parse(text, "tiny.ron").unwrap();
    let varied: Vec<_> = varied.iter().map(|text| text.parse().unwrap()).collect();
    Campaign::new(variants(&file, &varied).unwrap(), options, Registry::built_in()).unwrap()
}

/// A campaign of [`TINY`].
pub fn campaign(
    folder: &Path,
    varied: &[&str],
    change: impl FnOnce(&mut CampaignOptions),
) -> Campaign {
    let mut options = options(folder);
    change(&mut options);
    campaign_of(TINY, varied, options)
}

pub fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

/// Does all trainings that are missing.
pub fn train(campaign: &Campaign, n_threads: usize) -> FinishedTrainings {
    let mut finished = campaign.finished().unwrap();
    let never = AtomicBool::new(false);
    let isa = Isa::best();
    let is_done =
        campaign.train(&mut finished, isa, threads(n_threads), &never, &mut |_| {}).unwrap();
    assert!(is_done && finished.is_complete());
    finished
}

/// The records, without what depends on how a campaign is carried out.
pub fn bits(finished: &FinishedTrainings) -> Vec<TrainingRecord> {
    let records = finished.by_variant().flatten().cloned();
    records.map(|record| TrainingRecord { cost: None, ..record }).collect()
}

/// Does work with an interrupt, which comes as soon as a search was kept in `state`; before that, `at_sight` is called.
pub fn interrupted_once_kept<T: Send>(
    state: &Path,
    at_sight: impl FnOnce(),
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> T {
    let interrupt = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let working = scope.spawn(|| work(&interrupt));
        while !state.exists() {
            assert!(!working.is_finished(), "it was never kept");
        }
        at_sight();
        interrupt.store(true, Ordering::Relaxed);
        working.join().unwrap()
    })
}

/// Writes into a search that was kept that it took a thousand seconds, so that its record shows whether it was gone on with.
pub fn add_time(state: &Path) {
    let text = fs::read_to_string(state).unwrap();
    let (before, after) = text.split_once("wall_s:").unwrap();
    let (_, after) = after.split_once(',').unwrap();
    fs::write(state, format!("{before}wall_s:1000,{after}")).unwrap();
}
