//! Pictures beside what a page plays.

use std::path::Path;

use bitloop_look::{Picture, Section};

use crate::args::{Over, PlotArgs, PlotKind, ReportArgs};
use crate::failure::Failure;
use crate::plot::loops::Test;
use crate::plot::{self, training};

/// The most bytes of all pictures together.
const MOST_BYTES: usize = 600_000;

/// A picture with the kind that `plot` has for it.
pub type Figure = (&'static str, Result<Picture, Failure>);

/// Those pictures of a controller that are drawn from files, its training's where the folder of that is at hand.
pub fn of_files(args: &ReportArgs, controller: &Path, folder: Option<&Path>) -> Vec<Figure> {
    let training = folder.map(|folder| {
        ("training", training::training(&plot_args(args, PlotKind::Training, folder)))
    });
    let weights = plot::weights::weights(&plot_args(args, PlotKind::Weights, controller));
    training.into_iter().chain([("weights", weights)]).collect()
}

/// The pictures of a controller's test, and those that were drawn before. One that has nothing to show is left out, and one that is too
/// large is named with the command that draws it.
pub fn of_controller(
    args: &ReportArgs,
    controller: &Path,
    before: Vec<Figure>,
    test: &Test,
) -> Vec<Section> {
    let of = |kind| plot_args(args, kind, controller);
    let of_test = [
        ("phase", test.phase(&of(PlotKind::Phase))),
        ("error-map", test.error_map(&of(PlotKind::ErrorMap))),
    ];
    let (mut figures, mut large, mut n_bytes) = (Vec::new(), Vec::new(), 0);
    for (kind, picture) in of_test.into_iter().chain(before) {
        let Ok(Ok(svg)) = picture.map(|picture| picture.svg()) else { continue };
        if n_bytes + svg.len() > MOST_BYTES {
            large.push(kind);
            continue;
        }
        n_bytes += svg.len();
        figures.push(svg);
    }
    let mut sections = vec![Section::Figures("Pictures".to_owned(), figures)];
    if !large.is_empty() {
        let kinds = large.join(", ");
        sections.push(Section::Note(format!(
            "Too large for this page: {kinds}; `bitloop plot` draws them."
        )));
    }
    sections
}

/// What a picture of a kind is asked for.
pub fn plot_args(args: &ReportArgs, kind: PlotKind, source: &Path) -> PlotArgs {
    PlotArgs {
        kind,
        source: source.to_owned(),
        out: args.out.clone(),
        test: args.test.clone(),
        count: args.count.clone(),
        episode: None,
        x: None,
        y: None,
        data: None,
        weights: Vec::new(),
        times: Vec::new(),
        over: Over::Evaluations,
        log_x: false,
    }
}
