//! Pages of campaigns, and of trainings that are under way.

use std::path::Path;

use bitloop_look::{Report, Section};

use super::figures::plot_args;
use crate::args::{PlotKind, ReportArgs};
use crate::campaign::{self, INTERVALS, Parts};
use crate::environment;
use crate::failure::Failure;
use crate::plot::{self, training};

/// The page of a campaign, finished or not.
pub fn campaign(args: &ReportArgs, folder: &Path) -> Result<Report, Failure> {
    let kept = campaign::kept(folder)?;
    let n_cores = kept.args.threads.unwrap_or_else(environment::n_cores).get();
    let parts = campaign::parts(&kept, n_cores);
    let (n_finished, n_all) = (kept.finished.n_finished(), kept.finished.n_trainings());
    let plot_args = plot_args(args, PlotKind::Campaign, folder);
    let picture = plot::campaign::campaign(&plot_args)?;
    let svg = picture.svg().map_err(|error| plot::of_look(&plot_args, &error))?;
    // A campaign without a finite error has no more to show.
    let more = [plot::campaign::over_evaluations(&plot_args), plot::campaign::errors(&plot_args)];
    let more = more.into_iter().filter_map(|picture| picture.ok()?.svg().ok());
    let part = format!("{n_finished} of {n_all} trainings are finished");
    let figures = [svg].into_iter().chain(more).collect();
    let mut sections = vec![Section::Figures("Successes and errors".to_owned(), figures)];
    let mut warnings: Vec<String> = (n_finished < n_all).then_some(part).into_iter().collect();
    if let Some(Parts { what, errors, warning, success, costs, notes, failures }) = parts {
        warnings.extend(failures.into_iter().chain(warning));
        sections.push(Section::Table("Variants side by side".to_owned(), errors.into_rows()));
        sections.push(Section::Note(what));
        sections.push(Section::Table("What a success costs".to_owned(), costs.into_rows()));
        sections.push(Section::Note(success));
        let notes = notes.into_iter().chain([INTERVALS.to_owned()]);
        sections.extend(notes.map(Section::Note));
    }
    Ok(Report {
        title: name_of(folder),
        subtitle: format!("A campaign of {n_all} trainings."),
        warnings,
        sections,
        ..Report::default()
    })
}

/// The page of a training that has found nothing to save yet.
pub fn unfinished(args: &ReportArgs, folder: &Path) -> Result<Report, Failure> {
    let svg = curves(args, folder)?;
    Ok(Report {
        title: name_of(folder),
        subtitle: "A training that is not finished.".to_owned(),
        sections: vec![Section::Figures("Training".to_owned(), vec![svg])],
        ..Report::default()
    })
}

/// The curves of a training, from the log in its folder.
pub fn curves(args: &ReportArgs, folder: &Path) -> Result<String, Failure> {
    let plot_args = plot_args(args, PlotKind::Training, folder);
    let picture = training::training(&plot_args)?;
    picture.svg().map_err(|error| plot::of_look(&plot_args, &error))
}

/// The last part of a path.
pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
