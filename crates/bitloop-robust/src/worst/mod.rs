//! [`worst`]: the episode of a test that costs a controller most, within all that the test draws.
//!
//! Random episodes come first. From the worst of them on, CMA-ES searches over starts, parameters, biases, gains and
//! disturbances, each as a number from 0 to 1 mirrored back into that range; each candidate is run under a few keys of the noise
//! at once, which fill the lanes of a vector. An episode that fails costs the more the earlier it does.
//!
//! The same seed gives the same episode on one machine, for any number of threads; the linear algebra of `cmaes` picks
//! instructions by the CPU.

mod space;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bitloop_random::{Purpose, Stream};
use bitloop_scenario::{FileError, ScenarioFile};
use bitloop_sim::{EpisodeEnd, EpisodeResult};
use cmaes::{CMAESOptions, DVector, ObjectiveFunction};

use crate::error::RobustError;
use crate::tested::{Running, Tested};
use space::Space;

/// How much is searched.
#[derive(Clone, Copy, Debug)]
pub struct WorstOptions {
    /// Random episodes at the beginning.
    pub n_random: usize,
    /// Searches by CMA-ES.
    pub n_starts: usize,
    /// Generations of each.
    pub n_generations: usize,
    /// Root of the search's own random numbers.
    pub seed: u64,
}

impl Default for WorstOptions {
    fn default() -> Self {
        Self { n_random: 2048, n_starts: 8, n_generations: 40, seed: 1 }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Worst {
    /// The error of the worst episode.
    pub result: EpisodeResult,
    /// A scenario whose test is that episode alone.
    pub scenario: ScenarioFile,
    /// The error of the worst random episode, for comparison.
    pub random_error: f64,
    /// How many of the random episodes failed.
    pub n_random_failed: usize,
    /// Episodes in all.
    pub n_episodes: usize,
    /// How many numbers were searched over.
    pub n_dimensions: usize,
}

/// Called by any thread with the number of generations so far, of `n_starts` times `n_generations`.
pub type WorstProgress<'a> = &'a (dyn Fn(usize) + Sync);

/// Keys of the noise that a candidate is run under.
const N_KEYS: usize = 8;

/// The cost of an episode that is faulty: finite, since `cmaes` computes differences.
const MOST: f64 = 1e300;

/// A point of the space, the seed of its noise, and its result.
#[derive(Clone, Debug)]
struct Found {
    point: Vec<f64>,
    seed: u64,
    result: EpisodeResult,
}

impl Found {
    fn is_worse_than(&self, other: &Self) -> bool {
        self.result.error > other.result.error
    }
}

/// Searches for the worst episode; none if it is called off.
///
/// # Errors
/// If the plant breaks.
pub fn worst(
    tested: &Tested,
    options: WorstOptions,
    running: Running<'_>,
    progress: WorstProgress<'_>,
) -> Result<Option<Worst>, RobustError> {
    let space = Space::new(tested);
    let n_dimensions = space.n_dimensions();
    // What no scenario can say is refused before the search.
    let middle = vec![0.5; n_dimensions];
    scenario_of(tested, &space, &middle, options.seed)?;
    let Some(random) = random(tested, &space, options, running)? else { return Ok(None) };
    let n_random_failed =
        random.iter().filter(|found| found.result.end != EpisodeEnd::Horizon).count();
    let random_error = random[0].result.error;
    let n_starts = if n_dimensions == 0 { 0 } else { options.n_starts.min(random.len()) };
    let (next, n_episodes) = (AtomicUsize::new(0), AtomicUsize::new(random.len()));
    let n_generations = AtomicUsize::new(0);
    let searched = Mutex::new(vec![None; n_starts]);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..running.n_threads.get().min(n_starts) {
            scope.spawn(|| {
                loop {
                    let start = next.fetch_add(1, Ordering::Relaxed);
                    let Some(from) = random[..n_starts].get(start) else { break };
                    let counts = Counts { n_episodes: &n_episodes, n_generations: &n_generations };
                    let search = Search { tested, space: &space, running, counts, progress };
                    match search.run(from, options, start as u64) {
                        Ok(found) => {
                            if let Ok(mut all) = searched.lock() {
                                all[start] = found;
                            }
                        }
                        Err(error) => {
                            if let Ok(mut failure) = failure.lock() {
                                failure.get_or_insert(error);
                            }
                        }
                    }
                }
            });
        }
    });
    if let Some(error) = failure.into_inner().unwrap_or_default() {
        return Err(error);
    }
    if (running.stop)() {
        return Ok(None);
    }
    let mut worst = random[0].clone();
    // In the order of the starts, so that ties do not depend on threads.
    for found in searched.into_inner().unwrap_or_default().into_iter().flatten() {
        if found.is_worse_than(&worst) {
            worst = found;
        }
    }
    Ok(Some(Worst {
        result: worst.result,
        scenario: scenario_of(tested, &space, &worst.point, worst.seed)?,
        random_error,
        n_random_failed,
        n_episodes: n_episodes.into_inner(),
        n_dimensions,
    }))
}

/// The scenario of a point, with the path of the plant's library as an absolute one.
fn scenario_of(
    tested: &Tested,
    space: &Space,
    point: &[f64],
    seed: u64,
) -> Result<ScenarioFile, RobustError> {
    let episode = space.episode(point, seed);
    let scenario = space::scenario(tested, &episode, seed);
    let source = tested.replay().scenario().source.clone();
    let absolute = |mut file: ScenarioFile| -> Result<ScenarioFile, FileError> {
        file.make_absolute()?;
        Ok(file)
    };
    let file = ScenarioFile::inside(scenario, source).and_then(absolute);
    Ok(file.map_err(bitloop_train::TrainError::from)?)
}

/// Random episodes, the worst first; none if they are called off.
fn random(
    tested: &Tested,
    space: &Space,
    options: WorstOptions,
    running: Running<'_>,
) -> Result<Option<Vec<Found>>, RobustError> {
    let mut stream = Stream::new(options.seed, Purpose::ReplayEpisodes, 1, 0);
    let n = options.n_random.max(1);
    let points: Vec<(Vec<f64>, u64)> = (0..n)
        .map(|_| {
            let point = (0..space.n_dimensions()).map(|_| stream.uniform_f64()).collect();
            (point, stream.next_u64())
        })
        .collect();
    let episodes: Vec<_> = points.iter().map(|(point, seed)| space.episode(point, *seed)).collect();
    let set = tested.set(&episodes)?;
    let Some(evaluation) = tested.run(&set, running, false)? else { return Ok(None) };
    let found = points.into_iter().zip(evaluation.episodes);
    let mut found: Vec<Found> =
        found.map(|((point, seed), result)| Found { point, seed, result }).collect();
    found.sort_by(|a, b| b.result.error.total_cmp(&a.result.error));
    Ok(Some(found))
}

/// One search by CMA-ES.
struct Search<'a> {
    tested: &'a Tested,
    space: &'a Space,
    running: Running<'a>,
    counts: Counts<'a>,
    progress: WorstProgress<'a>,
}

/// What all searches together have done.
#[derive(Clone, Copy)]
struct Counts<'a> {
    n_episodes: &'a AtomicUsize,
    n_generations: &'a AtomicUsize,
}

impl Search<'_> {
    /// The worst that it finds; none if there is nothing worse than where it starts, or it is called off.
    fn run(
        &self,
        from: &Found,
        options: WorstOptions,
        start: u64,
    ) -> Result<Option<Found>, RobustError> {
        let mut stream = Stream::new(options.seed, Purpose::ReplayEpisodes, 2, start);
        let n_keys = if self.tested.closed_loop().uncertainty().has_noise() { N_KEYS } else { 1 };
        let more = (1..n_keys).map(|_| stream.next_u64());
        let seeds: Vec<u64> = std::iter::once(from.seed).chain(more).collect();
        let mut objective = Objective { search: self, seeds, best: None, failure: None };
        let mut strategy = CMAESOptions::new(from.point.clone(), 0.2).seed(stream.next_u64());
        strategy = strategy.max_generations(options.n_generations);
        // It is built of a mean that has numbers, and options that are valid.
        let Ok(mut strategy) = strategy.build(&mut objective) else { return Ok(None) };
        for generation in 1..=options.n_generations {
            let is_over = (self.running.stop)() || strategy.next().is_some();
            // A search that ends early is as good as a whole one.
            let n_done = if is_over { options.n_generations + 1 - generation } else { 1 };
            let counts = self.counts.n_generations;
            (self.progress)(counts.fetch_add(n_done, Ordering::Relaxed) + n_done);
            if is_over {
                break;
            }
        }
        drop(strategy);
        let Objective { best, failure, .. } = objective;
        failure.map_or(Ok(best), Err)
    }

    /// The results of a point under each key.
    fn results(&self, point: &[f64], seeds: &[u64]) -> Result<Vec<EpisodeResult>, RobustError> {
        let episodes: Vec<_> = seeds.iter().map(|&seed| self.space.episode(point, seed)).collect();
        let set = self.tested.set(&episodes)?;
        self.counts.n_episodes.fetch_add(episodes.len(), Ordering::Relaxed);
        let alone = Running { n_threads: std::num::NonZeroUsize::MIN, ..self.running };
        let evaluation = self.tested.run(&set, alone, false)?;
        Ok(evaluation.map(|evaluation| evaluation.episodes).unwrap_or_default())
    }
}

/// The cost that CMA-ES lowers: the error of the worst episode, negative.
struct Objective<'a> {
    search: &'a Search<'a>,
    seeds: Vec<u64>,
    best: Option<Found>,
    failure: Option<RobustError>,
}

impl ObjectiveFunction for &mut Objective<'_> {
    fn evaluate(&mut self, point: &DVector<f64>) -> f64 {
        let point: Vec<f64> = point.iter().map(|&place| mirrored(place)).collect();
        let results = match self.search.results(&point, &self.seeds) {
            Ok(results) => results,
            Err(error) => {
                self.failure.get_or_insert(error);
                Vec::new()
            }
        };
        let mut most = 0.0;
        for (&seed, result) in self.seeds.iter().zip(results) {
            let found = Found { point: point.clone(), seed, result };
            most = f64::max(most, result.error.min(MOST));
            if self.best.as_ref().is_none_or(|best| found.is_worse_than(best)) {
                self.best = Some(found);
            }
        }
        -most
    }
}

/// A number mirrored back into 0 to 1.
fn mirrored(place: f64) -> f64 {
    let folded = place.rem_euclid(2.0);
    if folded > 1.0 { 2.0 - folded } else { folded }
}
