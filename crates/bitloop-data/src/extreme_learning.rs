//! [`ExtremeLearning`]: ELM, a random hidden layer under a linear one that is solved for.

use bitloop_net::{Activation, Layer, Loss, Network, Samples, TargetKind, report};
use bitloop_plant::{Isa, dispatch};
use bitloop_random::{Purpose, Stream};
use nalgebra::{DMatrix, DMatrixView};

use crate::cholesky::{BlockedCholesky, Panel};
use crate::error_function::Activate;
use crate::examples::Examples;
use crate::fit_error::FitError;

/// Samples whose hidden outputs are added to the normal equations at once.
const BLOCK: usize = 512;

/// Columns of a product.
const TILE: usize = 256;

/// Products with a side shorter than this take the plain way. Where a side is 5 or less, nalgebra 0.33 goes column by column
/// too, and over a view whose rows are not neighbors it takes too long steps, beyond the end of the result.
const NARROW: usize = 8;

/// The most hidden units: their normal equations fill 2 GiB.
pub const MAX_HIDDEN: usize = 1 << 14;

/// Settings of [`ExtremeLearning`].
#[derive(Clone, Debug, PartialEq)]
pub struct ExtremeLearningOptions {
    /// Units of the hidden layer, 1 to [`MAX_HIDDEN`].
    pub n_hidden: usize,
    /// Their transfer function.
    pub activation: Activation,
    /// Weights and biases of the hidden layer are uniform in plus and minus this.
    pub hidden_range: f64,
    /// Regularization constants to be tried, each above 0. Of several, the one of the lowest RMSE on the validation part
    /// is kept, the first of equals.
    pub ridges: Vec<f64>,
}

/// Extreme learning machine (Huang, Zhu, Siew, Neurocomputing 70, 2006, doi 10.1016/j.neucom.2005.12.126), with the
/// regularization of Huang, Zhou, Ding, Zhang (IEEE TSMC-B 42(2), 2012, doi 10.1109/TSMCB.2011.2168604):
/// ```text
/// H = f(X W + b)    beta = (H'H + ridge I)^-1 H'T
/// ```
/// with W and b random, from stream (seed, [`Purpose::Baseline`], run, 0), neuron by neuron, bias first. The output layer
/// has no bias. H itself is never held: blocks of samples are added to the normal equations, which take `n_hidden^2`
/// numbers, twice while they are factored.
///
/// The promise of equal bits holds for one machine only, since nalgebra picks instructions by the CPU.
#[derive(Debug)]
pub struct ExtremeLearning<'a> {
    network: Network,
    examples: &'a Examples,
    validation: Option<Samples>,
    ridges: Vec<f64>,
    activation: Activation,
    /// Weights of the hidden layer: `[1 + n_inputs][n_hidden]`, bias first.
    hidden: DMatrix<f64>,
    /// The lower triangle of H'H.
    gram: DMatrix<f64>,
    /// H'T.
    right: DMatrix<f64>,
    n_added: usize,
    n_tried: usize,
    cholesky: Option<BlockedCholesky>,
    best: Option<ExtremeLearningFit>,
}

/// What an [`ExtremeLearning`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtremeLearningFit {
    /// Weights of the whole network, in the order of [`Network`].
    pub weights: Vec<f64>,
    /// The regularization constant.
    pub ridge: f64,
    /// The RMSE on the validation part, if it has rows.
    pub validation_rmse: Option<f64>,
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum ExtremeLearningStep {
    /// There is more to do.
    Working,
    /// All regularization constants are tried.
    Done,
}

impl<'a> ExtremeLearning<'a> {
    /// Draws the hidden layer. `validation` chooses among several regularization constants, and may be empty for one.
    ///
    /// # Errors
    /// [`FitError`] where an option is out of its range, or the examples do not fit each other.
    pub fn new(
        examples: &'a Examples,
        validation: &Examples,
        options: &ExtremeLearningOptions,
        seed: u64,
        run: u64,
    ) -> Result<Self, FitError> {
        let n_hidden = options.n_hidden;
        check(options, examples, validation)?;
        let layers = vec![
            Layer::new(n_hidden, options.activation),
            Layer::new(examples.n_outputs(), Activation::Linear),
        ];
        let network = Network::new(examples.n_inputs(), 1, layers).map_err(|_| {
            let expected = "such that the network has at most as many weights as any may have";
            FitError::Option { name: "the number of hidden units", expected }
        })?;
        let mut stream = Stream::new(seed, Purpose::Baseline, run, 0);
        let range = options.hidden_range;
        let hidden = DMatrix::from_fn(1 + examples.n_inputs(), n_hidden, |_, _| {
            range * (2.0 * stream.uniform_f64() - 1.0)
        });
        Ok(Self {
            network,
            examples,
            validation: Samples::new(&validation.inputs, &validation.targets).ok(),
            ridges: options.ridges.clone(),
            activation: options.activation,
            hidden,
            gram: DMatrix::zeros(n_hidden, n_hidden),
            right: DMatrix::zeros(n_hidden, examples.n_outputs()),
            n_added: 0,
            n_tried: 0,
            cholesky: None,
            best: None,
        })
    }

    /// The network that is fitted.
    #[must_use]
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The best fit so far.
    #[must_use]
    pub const fn best(&self) -> Option<&ExtremeLearningFit> {
        self.best.as_ref()
    }

    /// Adds a block of samples to the normal equations or, when all are in, factors a panel of them. A regularization
    /// constant too small for the equations to be solved is passed over.
    pub fn step(&mut self) -> ExtremeLearningStep {
        if self.n_added < self.examples.n_samples {
            self.add_block();
            return ExtremeLearningStep::Working;
        }
        let Some(&ridge) = self.ridges.get(self.n_tried) else { return ExtremeLearningStep::Done };
        let cholesky = self.cholesky.get_or_insert_with(|| {
            let mut matrix = self.gram.clone();
            for i in 0..matrix.nrows() {
                matrix[(i, i)] += ridge;
            }
            BlockedCholesky::new(matrix)
        });
        match cholesky.step() {
            Panel::OneOfMany => return ExtremeLearningStep::Working,
            Panel::Last => {
                let mut output = self.right.clone();
                if cholesky.solve_mut(&mut output) {
                    self.judge(ridge, &output);
                }
            }
            Panel::Indefinite => {}
        }
        self.cholesky = None;
        self.n_tried += 1;
        if self.n_tried < self.ridges.len() {
            ExtremeLearningStep::Working
        } else {
            ExtremeLearningStep::Done
        }
    }

    fn add_block(&mut self) {
        let first = self.n_added;
        let n = BLOCK.min(self.examples.n_samples - first);
        // A column per unit, as long as vectors need; rows that only fill it up are left out again.
        let n_rows = n.next_multiple_of(8);
        let inputs =
            DMatrix::from_fn(n_rows, 1 + self.examples.n_inputs(), |k, column| {
                match column.checked_sub(1) {
                    None => 1.0,
                    Some(input) if k < n => self.examples.inputs[input][first + k],
                    Some(_) => 0.0,
                }
            });
        let mut outputs = inputs * &self.hidden;
        let values = outputs.as_mut_slice();
        dispatch(Isa::best(), Activate { activation: self.activation, values });
        let n_hidden = outputs.ncols();
        let live = outputs.rows(0, n);
        for tile in (0..n_hidden).step_by(TILE) {
            let n_columns = TILE.min(n_hidden - tile);
            let n_below = n_hidden - tile;
            let mut part = self.gram.view_mut((tile, tile), (n_below, n_columns));
            let right = live.columns(tile, n_columns);
            if n < NARROW || n_below < NARROW || n_columns < NARROW {
                part.gemm_tr(1.0, &live.columns(tile, n_below), &right, 1.0);
                continue;
            }
            let transposed = DMatrixView::from_slice_with_strides(
                &outputs.as_slice()[tile * n_rows..],
                n_below,
                n,
                n_rows,
                1,
            );
            part.gemm(1.0, &transposed, &right, 1.0);
        }
        let targets = DMatrix::from_fn(n, self.examples.n_outputs(), |k, output| {
            self.examples.targets[output][first + k]
        });
        self.right.gemm_tr(1.0, &live, &targets, 1.0);
        self.n_added += n;
    }

    /// Keeps the output weights of a regularization constant if they are the best so far.
    fn judge(&mut self, ridge: f64, output: &DMatrix<f64>) {
        let mut weights = self.hidden.as_slice().to_vec();
        for of_neuron in output.column_iter() {
            weights.push(0.0);
            weights.extend(of_neuron.iter());
        }
        let validation_rmse = self.validation.as_ref().and_then(|validation| {
            let (loss, kind) = (Loss::SquaredError, TargetKind::Numbers);
            report(Isa::best(), &self.network, &weights, validation, loss, kind)
                .expect("the validation part was checked to fit")
                .rmse
        });
        let is_better = match &self.best {
            None => true,
            Some(best) => validation_rmse < best.validation_rmse,
        };
        if is_better {
            self.best = Some(ExtremeLearningFit { weights, ridge, validation_rmse });
        }
    }
}

fn check(
    options: &ExtremeLearningOptions,
    examples: &Examples,
    validation: &Examples,
) -> Result<(), FitError> {
    let fail = |name, expected| Err(FitError::Option { name, expected });
    if examples.n_samples == 0 || examples.n_inputs() == 0 || examples.n_outputs() == 0 {
        return Err(FitError::NoSamples);
    }
    if options.n_hidden == 0 || options.n_hidden > MAX_HIDDEN {
        return fail("the number of hidden units", "1 to 16384");
    }
    if !(options.hidden_range.is_finite() && options.hidden_range > 0.0) {
        return fail("the range of hidden weights", "a finite number above 0");
    }
    let is_sound = |ridge: &f64| ridge.is_finite() && *ridge > 0.0;
    if options.ridges.is_empty() || !options.ridges.iter().all(is_sound) {
        return fail("each regularization constant", "a finite number above 0, one at least");
    }
    if validation.n_samples == 0 {
        if options.ridges.len() > 1 {
            return fail("the regularization constant", "a single one without validation rows");
        }
        return Ok(());
    }
    let [expected, found] =
        [examples, validation].map(|examples| [examples.n_inputs(), examples.n_outputs()]);
    if expected == found { Ok(()) } else { Err(FitError::Sizes { expected, found }) }
}
