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

/// Trainings that take long enough to be interrupted.
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

/// The most times that work begins anew because it was done before it was interrupted.
const MOST_ATTEMPTS: u32 = 100;

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

/// Interrupts work in its first item, at a checkpoint of it: `at_sight` is called when the file `checkpoint` is seen, and tells
/// whether it found that file still there. The work tells how many items it finished. A fast or busy machine may be done
/// before the interrupt is noticed: the work then begins anew, in an empty folder.
pub fn interrupt_at_checkpoint(
    checkpoint: &Path,
    at_sight: impl Fn() -> bool,
    work: impl Fn(&AtomicBool) -> usize + Sync,
) {
    for _ in 0..MOST_ATTEMPTS {
        let interrupt = AtomicBool::new(false);
        let was_in_time = std::thread::scope(|scope| {
            let working = scope.spawn(|| work(&interrupt));
            while !checkpoint.exists() && !working.is_finished() {
                std::hint::spin_loop();
            }
            let was_seen = at_sight();
            interrupt.store(true, Ordering::Relaxed);
            working.join().unwrap() == 0 && was_seen
        });
        if was_in_time {
            return;
        }
        for file in fs::read_dir(checkpoint.parent().unwrap()).unwrap() {
            fs::remove_file(file.unwrap().path()).unwrap();
        }
    }
    panic!("no checkpoint was seen in {MOST_ATTEMPTS} attempts");
}

/// Changes the text of a checkpoint, with a digest that fits.
pub fn change_checkpoint(checkpoint: &Path, change: impl FnOnce(&str) -> String) {
    let bytes = fs::read(checkpoint).unwrap();
    let body = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let text = std::str::from_utf8(&bytes[body + blake3::OUT_LEN..]).unwrap();
    let changed = change(text);
    assert_ne!(changed, text);
    let digest = blake3::hash(changed.as_bytes());
    fs::write(checkpoint, [&bytes[..body], digest.as_bytes(), changed.as_bytes()].concat())
        .unwrap();
}

/// Sets the time that was spent until a checkpoint to 1000 s, so that the record shows whether its search was resumed.
pub fn add_time(checkpoint: &Path) {
    change_checkpoint(checkpoint, |text| {
        let (before, after) = text.split_once("wall_s:").unwrap();
        let (_, after) = after.split_once(',').unwrap();
        format!("{before}wall_s:1000,{after}")
    });
}
