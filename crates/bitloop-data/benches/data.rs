//! Reading a file of house16H's size, a step of OSS on its shape with 200 hidden units, and a small ELM.
//!
//! The rows are generated, so that the figures need no file.

use std::fmt::Write as _;

use bitloop_data::{
    ColumnChoice, Columns, Descent, Encoding, ErrorFunction, Examples, ExtremeLearning,
    ExtremeLearningOptions, ExtremeLearningStep, Format, Limits, Missing, OneStepSecant, Scaling,
    Table, Targets, initial_weights,
};
use bitloop_net::{Activation, Layer, Loss, Network};
use bitloop_random::{Purpose, Stream};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

const N_ROWS: usize = 22_784;
const N_TRAINING: usize = 15_948;
const N_INPUTS: usize = 16;

fn main() {
    divan::main();
}

/// Rows of 17 numbers of sixteen digits, separated by tabs.
fn text() -> String {
    let mut stream = Stream::new(1, Purpose::SyntheticData, 0, 0);
    let mut text = String::new();
    for _ in 0..N_ROWS {
        for column in 0..=N_INPUTS {
            let end = if column == N_INPUTS { '\n' } else { '\t' };
            write!(text, "{:?}{end}", stream.uniform_f64()).expect("a string takes all text");
        }
    }
    text
}

fn examples() -> Examples {
    let mut stream = Stream::new(2, Purpose::SyntheticData, 0, 0);
    let mut variable = || -> Vec<f64> { (0..N_TRAINING).map(|_| stream.uniform_f64()).collect() };
    Examples {
        n_samples: N_TRAINING,
        inputs: (0..N_INPUTS).map(|_| variable()).collect(),
        targets: vec![variable()],
        weights: None,
    }
}

/// Text to scaled examples; items are rows.
#[divan::bench(sample_count = 10)]
fn read_house_16h(bencher: Bencher<'_, '_>) {
    let text = text();
    let columns = Columns {
        inputs: None,
        ignored: vec![],
        nominal: vec![],
        targets: Targets::Numbers(vec![ColumnChoice::Number(1 + N_INPUTS)]),
    };
    let training: Vec<usize> = (0..N_TRAINING).collect();
    bencher.counter(ItemsCount::new(N_ROWS)).counter(BytesCount::of_str(&text)).bench_local(|| {
        let table =
            Table::parse("bench", &text, Format::Tsv, false, &Limits::default()).expect("a table");
        let encoding =
            Encoding::learn(&table, &columns, Scaling::default(), Missing::Refuse, &training)
                .expect("numbers alone");
        encoding.examples(&table).expect("numbers alone")
    });
}

/// A line search and a gradient; items are samples.
#[divan::bench(sample_count = 10)]
fn oss_step_house_16h_200_units(bencher: Bencher<'_, '_>) {
    let layers = vec![Layer::new(200, Activation::Tanh), Layer::new(1, Activation::Linear)];
    let network = Network::new(N_INPUTS, 1, layers).expect("a valid shape");
    let function = ErrorFunction::new(&network, &examples(), Loss::SquaredError, 0.0)
        .expect("examples of this shape");
    let mut oss = OneStepSecant::new(function, initial_weights(network.n_weights(), 0.01, 1, 0));
    bencher.counter(ItemsCount::new(N_TRAINING)).bench_local(|| black_box(oss.step()));
}

/// 200 hidden units, from the first block of samples to the output weights; items are samples.
#[divan::bench(sample_count = 10)]
fn elm_house_16h_200_units(bencher: Bencher<'_, '_>) {
    let examples = examples();
    let options = ExtremeLearningOptions {
        n_hidden: 200,
        activation: Activation::Tanh,
        hidden_range: 1.0,
        ridges: vec![1.0],
    };
    bencher.counter(ItemsCount::new(N_TRAINING)).bench_local(|| {
        let mut elm = ExtremeLearning::new(&examples, &Examples::default(), &options, 1, 0)
            .expect("sound options");
        while elm.step() == ExtremeLearningStep::Working {}
        elm.best().cloned()
    });
}
