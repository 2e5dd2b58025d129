//! Trains a 2-20-20-1 network on the two spirals by telescopic BLM, on one core, and tells how fast and how well.
//!
//! `cargo run --release -p bitloop-data --example two_spirals -- [SEED] [SECONDS]`

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use bitloop_blm::{
    Candidates, Coding, Explorer, Freezing, Growth, Initialization, LocalSearch, MoveRule,
    SearchOptions, Sequential, Step, WeightGrid,
};
use bitloop_data::{
    ColumnChoice, Columns, DataSource, DataSpec, Limits, Scaling, Spirals, Split, Supervised,
    Targets,
};
use bitloop_net::{Activation, Layer, Loss, Network, Samples, report};
use bitloop_plant::Isa;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seed: u64 = arguments.next().as_deref().unwrap_or("1").parse()?;
    let seconds: f64 = arguments.next().as_deref().unwrap_or("60").parse()?;
    let gain: f64 = arguments.next().as_deref().unwrap_or("1").parse()?;

    let is_scaled = arguments.next().as_deref() == Some("scaled");
    let samples = Arc::new(training(is_scaled)?);
    let layers = vec![
        Layer::new(20, Activation::Tanh),
        Layer::new(20, Activation::Tanh),
        Layer::new(1, Activation::Logistic),
    ];
    let network = Network::new(2, 1, layers)?;
    let objective =
        Supervised::new(network.clone(), Arc::clone(&samples), Loss::SquaredError, 0.0)?;
    let grid = WeightGrid::new(12, 6.0)?;
    let options = SearchOptions {
        grid,
        coding: Coding::Gray,
        freezing: Freezing::Number,
        move_rule: MoveRule::FirstImproving,
        growth: Growth::AtLocalMinimum,
        start_bits: 2,
        initialization: Initialization::Bounded { initial_range: gain * grid.epsilon() },
        candidates: Candidates::SingleFlips,
        kicks: None,
    };
    let mut explorer = Sequential::new(objective);
    let started = Instant::now();
    let mut run = 0;
    while started.elapsed().as_secs_f64() < seconds {
        let run_started = Instant::now();
        let mut search = LocalSearch::begin(options, seed, run, &mut explorer)?;
        run += 1;
        loop {
            let step = search.step(&mut explorer, 100_000);
            let state = search.state();
            let show = |what: &str| {
                let spent = run_started.elapsed().as_secs_f64();
                println!(
                    "{:7.2} s  run {run}  {what:10} bits {:2}  moves {:7}  probes {:9}  rmse {:.4}  {:.0} moves/s  {:.0} probes/s",
                    started.elapsed().as_secs_f64(),
                    state.unlocked_bits,
                    state.n_moves,
                    state.n_evaluations,
                    state.current_cost.sqrt(),
                    state.n_moves as f64 / spent,
                    state.n_evaluations as f64 / spent,
                );
            };
            match step {
                Step::BitUnlocked { .. } => show("unlocked"),
                Step::Moved { .. } if state.n_moves.is_multiple_of(100_000) => show("moves"),
                Step::LocalMinimum => {
                    show("minimum");
                    break;
                }
                _ => {}
            }
            if started.elapsed().as_secs_f64() > seconds {
                break;
            }
        }
        let weights = explorer.with_objective(|o| o.evaluation().weights().to_vec());
        println!("{:?}", report(Isa::best(), &network, &weights, &samples)?);
    }
    Ok(())
}

/// The 193 points for training.
fn training(is_scaled: bool) -> Result<Samples, Box<dyn Error>> {
    let spirals = Spirals::Halves193;
    let dataset = DataSpec {
        source: DataSource::Spirals(spirals),
        columns: Columns {
            inputs: None,
            ignored: vec![],
            nominal: vec![],
            targets: Targets::Classes(ColumnChoice::Name("class".to_owned())),
        },
        scaling: Scaling { inputs: is_scaled.then_some([-1.0, 1.0]), targets: None },
        split: Split::all(spirals.n_training()),
        limits: Limits::default(),
    }
    .load()?;
    Ok(Samples::try_from(&dataset.training)?)
}
