//! Trains a 2-20-20-1 network on the two spirals by telescopic BLM, and says how fast and how well.
//!
//! `cargo run --release -p bitloop-data --example two_spirals -- [SEED] [SECONDS] [squares|entropy] [sparse]`
//!
//! One line at each unlocked bit and each 100000 moves, and the fit at the end. One core.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bitloop_blm::{
    Candidates, Coding, Explorer, Freezing, Growth, Initialization, LocalSearch, MoveRule,
    SearchOptions, SearchState, Sequential, Sparsity, Step, WeightGrid,
};
use bitloop_data::{
    ClassWeights, ColumnChoice, Columns, DataSource, DataSpec, Limits, Missing, OwnFiles, Scaling,
    Spirals, Split, Supervised, Targets,
};
use bitloop_net::{Activation, Layer, Loss, Network, Samples, TargetKind, report};
use bitloop_plant::Isa;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seed: u64 = arguments.next().as_deref().unwrap_or("1").parse()?;
    let budget = Duration::from_secs(arguments.next().as_deref().unwrap_or("60").parse()?);
    let loss = match arguments.next().as_deref() {
        None | Some("squares") => Loss::SquaredError,
        Some("entropy") => Loss::LogisticCrossEntropy,
        Some(other) => return Err(format!("expected squares or entropy, found {other}").into()),
    };
    let sparsity = arguments.next().map(|_| Sparsity { zero_share: 0.5, is_held: false });

    let samples = Arc::new(training()?);
    let layers = vec![
        Layer::new(20, Activation::Tanh),
        Layer::new(20, Activation::Tanh),
        Layer::new(1, Activation::Logistic),
    ];
    let network = Network::new(2, 1, layers)?;
    let objective =
        Supervised::new(network.clone(), Arc::clone(&samples), loss, options(sparsity)?.grid, 0.0)?;
    let mut explorer = Sequential::new(objective);

    let started = Instant::now();
    let mut search = LocalSearch::begin(options(sparsity)?, seed, 0, &mut explorer)?;
    while started.elapsed() < budget {
        match search.step(&mut explorer, 100_000) {
            Step::LocalMinimum => break,
            Step::BitUnlocked { .. } => show(started, search.state()),
            Step::Moved { .. } if search.state().n_moves.is_multiple_of(100_000) => {
                show(started, search.state());
            }
            _ => {}
        }
    }
    show(started, search.state());
    let weights = explorer.with_objective(|o| o.evaluation().weights().to_vec());
    let (loss, kind) = (Loss::SquaredError, TargetKind::Classes);
    let fit = report(Isa::best(), &network, &weights, &samples, loss, kind)?;
    let classified = 100.0 * fit.classified.unwrap_or(f64::NAN);
    let zeros = 100.0 * search.state().zero_share();
    let rmse = fit.rmse.unwrap_or(f64::NAN);
    println!("RMSE {rmse:.5}, {classified:.2} % classified, {zeros:.1} % zeros");
    Ok(())
}

/// The paper's: 12 bits from 2 on, up to 6, growing at local minima. Its initial range, 0.001, is below the step of this
/// grid, where all weights would start at zero and stay there; one step is the smallest that will do.
fn options(sparsity: Option<Sparsity>) -> Result<SearchOptions, Box<dyn Error>> {
    let grid = WeightGrid::new(12, 6.0)?;
    Ok(SearchOptions {
        grid,
        coding: Coding::Gray,
        freezing: Freezing::CoarseGrid,
        move_rule: MoveRule::FirstImproving,
        growth: Growth::AtLocalMinimum,
        start_bits: 2,
        initialization: Initialization::Bounded(grid.epsilon()),
        candidates: Candidates::SingleFlips,
        kicks: None,
        sparsity,
    })
}

fn show(started: Instant, state: &SearchState) {
    let spent_s = started.elapsed().as_secs_f64();
    println!(
        "{spent_s:7.2} s  {:2} bits  {:7} moves  {:9} probes  cost {:.6}  {:.0} moves/s",
        state.unlocked_bits,
        state.n_moves,
        state.n_evaluations,
        state.current_cost,
        state.n_moves as f64 / spent_s,
    );
}

/// The paper's 193 points for training, scaled to [-1, 1].
fn training() -> Result<Samples, Box<dyn Error>> {
    let spirals = Spirals::Halves193;
    let spec = DataSpec {
        source: DataSource::Spirals(spirals),
        columns: Columns {
            inputs: None,
            ignored: vec![],
            nominal: vec![],
            targets: Targets::Classes(ColumnChoice::Name("class".to_owned())),
        },
        scaling: Scaling::default(),
        own_files: OwnFiles::default(),
        missing: Missing::Refuse,
        class_weights: ClassWeights::Equal,
        split: Split::all(spirals.n_training()),
        limits: Limits::default(),
    };
    Ok(Samples::try_from(&spec.load()?.training)?)
}
