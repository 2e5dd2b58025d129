//! How well a network fits rows, as saved models hold it, and which of the figures is its error.

use bitloop_net::{DeltaError, Loss, Network, OutputFit, Samples, TargetKind, report_fitted};
use bitloop_plant::Isa;
use bitloop_scenario::{ErrorFigure, Fit};

/// All figures of a network, with what becomes of its outputs, on rows.
pub(super) fn fit(
    isa: Isa,
    (network, weights, fits): (&Network, &[f64], &[OutputFit]),
    samples: &Samples,
    loss: Loss,
    kind: TargetKind,
) -> Result<Fit, DeltaError> {
    let found = report_fitted(isa, (network, weights, fits), samples, loss, kind)?;
    Ok(Fit {
        rows: samples.n_samples() as u64,
        rmse: found.rmse,
        // The mean of the squared error is the square of the RMSE.
        loss: (loss != Loss::SquaredError).then_some(found.loss),
        classified: found.classified,
    })
}

/// The figure that is the error; infinite where the fit lacks it, which a checked scenario does not ask for.
pub(super) fn error_of(figure: ErrorFigure, fit: &Fit) -> f64 {
    let found = match figure {
        ErrorFigure::Rmse => fit.rmse,
        ErrorFigure::CrossEntropy => fit.loss,
        ErrorFigure::WrongShare => fit.classified.map(|share| 1.0 - share),
    };
    found.unwrap_or(f64::INFINITY)
}
