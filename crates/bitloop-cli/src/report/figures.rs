//! Pictures beside what a page plays.

use std::path::Path;

use bitloop_look::Section;

use crate::args::{PlotArgs, PlotKind, ReportArgs};
use crate::plot::loops::Test;
use crate::plot::{self, training};

/// The most bytes of all pictures together.
const MOST_BYTES: usize = 600_000;

/// The pictures of a controller, and of its training where the folder of that is at hand. One that has nothing to show is left
/// out, and one that is too large is named with the command that draws it.
pub fn of_controller(
    args: &ReportArgs,
    controller: &Path,
    folder: Option<&Path>,
    test: &Test,
) -> Vec<Section> {
    let of = |kind| plot_args(args, kind, controller);
    let mut drawn = vec![
        ("phase", test.phase(&of(PlotKind::Phase))),
        ("error-map", test.error_map(&of(PlotKind::ErrorMap))),
    ];
    if let Some(folder) = folder {
        drawn.push(("training", training::training(&plot_args(args, PlotKind::Training, folder))));
    }
    drawn.push(("weights", plot::weights::weights(&of(PlotKind::Weights))));
    let (mut figures, mut large, mut n_bytes) = (Vec::new(), Vec::new(), 0);
    for (kind, picture) in drawn {
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
    }
}
