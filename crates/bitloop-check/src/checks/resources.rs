//! What a plant costs: memory and time.

use std::fs;
use std::time::{Duration, Instant};

use bitloop_plant::{Isa, PlantCallError, PlantHandle, PlantLanes};
use serde::{Deserialize, Serialize};

use crate::episodes::{Episodes, Manner};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// Lanes of the check of memory: few, so that there are many calls.
const FEW_LANES: usize = 8;

/// Short episodes, all functions called in each.
fn short_episodes(
    plant: &PlantHandle,
    episodes: &Episodes,
    lanes: &mut PlantLanes,
    n_episodes: usize,
) -> Result<(), PlantCallError> {
    let order = episodes.in_order();
    let manner = Manner { n_steps: 2, ..Manner::first(plant) };
    for _ in 0..n_episodes / FEW_LANES {
        episodes.run_in(plant, lanes, &order, manner)?;
    }
    Ok(())
}

/// Short episodes before memory is looked at, and between two looks.
const WARM_UP: usize = 10_000;
const N_EPISODES: usize = 100_000;

/// Memory stays where it is over 100000 short episodes.
pub(super) fn memory(subject: &Subject, numbers: &mut Numbers) -> Checked {
    // A leak of a byte a call, rounded up by the allocator to 32, would come to more than a megabyte.
    const SLACK_BYTES: u64 = 256 << 10;
    let plant = &subject.plant;
    let Some(_) = resident_bytes() else {
        return Ok(Finding::skip("this system does not show how much memory a process has"));
    };
    let episodes = Episodes::draw(plant, (FEW_LANES, 2), 0.5, numbers);
    let mut lanes = plant.lanes(FEW_LANES);
    short_episodes(plant, &episodes, &mut lanes, WARM_UP)?;
    let before = resident_bytes().unwrap_or_default();
    short_episodes(plant, &episodes, &mut lanes, N_EPISODES)?;
    let growth = resident_bytes().unwrap_or_default().saturating_sub(before);
    let measured = format!("{} KiB more after {N_EPISODES} episodes", growth >> 10);
    Ok(if growth > SLACK_BYTES { Finding::fail(measured) } else { Finding::pass(measured) })
}

/// Memory of this process that is in use, as the system counts it.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// Measures what lanes gain over one episode at a time, and the fastest instruction set over portable code. It passes always:
/// a machine's speed is no contract.
pub(super) fn lane_speed_up(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let (best, portable) = (Isa::best(), Isa::PORTABLE);
    let many = steps_per_second(plant, best, 56, numbers)?;
    let one = steps_per_second(plant, best, 1, numbers)?;
    let plain = steps_per_second(plant, portable, 56, numbers)?;
    let m_steps = 1e-6 * many;
    let n_decimals = [100.0, 10.0, 1.0].iter().filter(|&&limit| m_steps < limit).count();
    Ok(Finding::pass(format!(
        "56 lanes do {m_steps:.n_decimals$} M steps/s on {}: {:.1} x one episode at a time, {:.1} x portable code",
        best.name(),
        many / one,
        many / plain
    )))
}

/// How fast a plant is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Speed {
    /// How long a short episode takes.
    pub seconds_per_episode: f64,
    /// How long it takes to begin in a fresh lane: a plant that owns its state makes a slot for it.
    pub seconds_per_lane: f64,
}

impl Speed {
    /// The time of the longest check for this plant, in seconds.
    pub fn longest_check_s(self) -> f64 {
        let memory = self.seconds_per_episode * (WARM_UP + N_EPISODES) as f64;
        let batch_sizes = self.seconds_per_lane * super::lanes::N_FRESH_LANES as f64;
        memory + batch_sizes
    }
}

/// Measures the speed, by the episodes of one call, or of some where they are fast.
pub(crate) fn speed(plant: &PlantHandle, numbers: &mut Numbers) -> Result<Speed, PlantCallError> {
    const ENOUGH: Duration = Duration::from_millis(2);
    // Few, since a plant may leave something behind with each call, which later checks look for.
    const MOST_CALLS: usize = 4;
    let episodes = Episodes::draw(plant, (FEW_LANES, 2), 0.5, numbers);
    let mut lanes = plant.lanes(FEW_LANES);
    // The first call may set up what all later ones use.
    let start = Instant::now();
    short_episodes(plant, &episodes, &mut lanes, FEW_LANES)?;
    let seconds_per_lane = start.elapsed().as_secs_f64() / FEW_LANES as f64;
    let start = Instant::now();
    let mut n_episodes = 0;
    while n_episodes == 0 || (start.elapsed() < ENOUGH && n_episodes < MOST_CALLS * FEW_LANES) {
        short_episodes(plant, &episodes, &mut lanes, FEW_LANES)?;
        n_episodes += FEW_LANES;
    }
    let seconds_per_episode = start.elapsed().as_secs_f64() / n_episodes as f64;
    Ok(Speed { seconds_per_episode, seconds_per_lane })
}

/// Steps of so many episodes that continue, by the fastest of some measurements.
fn steps_per_second(
    plant: &PlantHandle,
    isa: Isa,
    n_episodes: usize,
    numbers: &mut Numbers,
) -> Result<f64, PlantCallError> {
    const MEASUREMENT: Duration = Duration::from_millis(4);
    let episodes = Episodes::draw(plant, (n_episodes, 1), 0.1, numbers);
    let order = episodes.in_order();
    let manner = Manner { isa, ..Manner::first(plant) };
    let n_lanes = n_episodes.next_multiple_of(4);
    let mut lanes = plant.lanes(n_episodes);
    episodes.hold(&mut lanes, &order, 0);
    let mut fastest = 0.0_f64;
    for _ in 0..5 {
        let (mut n_steps, mut time) = (0.0, Duration::ZERO);
        let start = Instant::now();
        while start.elapsed() < MEASUREMENT {
            episodes.load(&mut lanes, &order);
            let call = Instant::now();
            plant.advance(isa, &mut lanes, n_lanes, manner.stretch(0, manner.n_steps))?;
            time += call.elapsed();
            n_steps += f64::from(manner.n_steps) * n_episodes as f64;
        }
        fastest = fastest.max(n_steps / time.as_secs_f64().max(1e-9));
    }
    Ok(fastest)
}
