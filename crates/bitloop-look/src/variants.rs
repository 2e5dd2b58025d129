//! Errors that the trainings of a campaign end with, variant by variant, and on one set against another.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture};

/// The largest error must be so many times the smallest for a logarithmic axis.
const WIDE: f64 = 10.0;

/// A variant of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantErrors {
    /// Its name; of those that have a number, without that.
    pub name: String,
    /// The number that is varied, such as that of hidden units.
    pub number: Option<f64>,
    /// Of each training.
    pub errors: Vec<f64>,
}

/// Errors of trainings as dots, and their mean with its standard error: over a number that is varied, or variant by variant.
/// `what` is that number, where all variants have one.
///
/// # Errors
/// [`LookError`] if no error is finite.
pub fn variant_errors(
    title: &str,
    subtitle: &str,
    what: &str,
    variants: &[VariantErrors],
) -> Result<Picture, LookError> {
    let errors = || variants.iter().flat_map(|variant| &variant.errors).copied();
    let axis = error_axis("error", errors()).ok_or(LookError::Nothing("no error is finite"))?;
    let n_lost = errors().filter(|error| !error.is_finite()).count();
    let lost = if n_lost == 0 { String::new() } else { format!("; {n_lost} are not finite") };
    let subtitle = format!("{subtitle}{lost}");
    if variants.iter().all(|variant| variant.number.is_some()) {
        return Ok(over_a_number((title, &subtitle), what, axis, variants));
    }
    Ok(row_by_row((title, &subtitle), axis, variants))
}

/// An axis for errors, logarithmic if they are far apart; none if none is finite.
fn error_axis(title: &str, errors: impl Iterator<Item = f64>) -> Option<Axis> {
    let finite = errors.filter(|error| error.is_finite());
    let (low, high) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), e| (low.min(e), high.max(e)));
    if low > high {
        return None;
    }
    let is_wide = low > 0.0 && high > WIDE * low;
    Some(if is_wide { Axis::log(title) } else { Axis::linear(title) })
}

/// The mean of what is finite, and its standard error on either side; none without anything.
fn mean(errors: &[f64]) -> Option<(f64, f64, f64)> {
    let finite: Vec<f64> = errors.iter().copied().filter(|error| error.is_finite()).collect();
    if finite.is_empty() {
        return None;
    }
    let n = finite.len() as f64;
    let mean = finite.iter().sum::<f64>() / n;
    let squares: f64 = finite.iter().map(|error| (error - mean) * (error - mean)).sum();
    let deviation = if finite.len() > 1 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 };
    Some((mean - deviation, mean, mean + deviation))
}

fn over_a_number(
    (title, subtitle): (&str, &str),
    what: &str,
    y: Axis,
    variants: &[VariantErrors],
) -> Picture {
    let mut names: Vec<&str> = Vec::new();
    for variant in variants {
        if !names.contains(&variant.name.as_str()) {
            names.push(&variant.name);
        }
    }
    let mut marks = Vec::new();
    for (color, name) in names.into_iter().enumerate() {
        let (mut dots, mut line, mut bars) = (Vec::new(), Vec::new(), Vec::new());
        let mut own: Vec<_> = variants.iter().filter(|variant| variant.name == name).collect();
        own.sort_by(|a, b| a.number.partial_cmp(&b.number).unwrap_or(std::cmp::Ordering::Equal));
        for variant in own {
            let Some(number) = variant.number else { continue };
            dots.extend(variant.errors.iter().map(|&error| (number, error)));
            let Some((low, mean, high)) = mean(&variant.errors) else { continue };
            line.push((number, mean));
            bars.extend([(number, low), (number, high), (f64::NAN, f64::NAN)]);
        }
        marks.push(Mark::Pale { color, points: dots });
        marks.push(Mark::Line { name: None, color, points: bars });
        let name = if name.is_empty() { "mean, with its standard error" } else { name };
        marks.push(Mark::Line { name: Some(name.to_owned()), color, points: line });
    }
    Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels: vec![Panel { x: Axis::linear(what), y, marks }],
        width: 760,
        panel_height: 420,
        n_columns: 1,
    }
}

fn row_by_row((title, subtitle): (&str, &str), x: Axis, variants: &[VariantErrors]) -> Picture {
    let n = variants.len() as f64;
    let mut marks = Vec::new();
    for (at, variant) in variants.iter().enumerate() {
        let y = n - 1.0 - at as f64;
        let dots = variant.errors.iter().map(|&error| (error, y));
        marks.push(Mark::Pale { color: 0, points: dots.collect() });
        if let Some((low, mean, high)) = mean(&variant.errors) {
            let name = |text: &str| (at == 0).then(|| text.to_owned());
            let bar = vec![(low, y), (high, y)];
            marks.push(Mark::Line { name: name("standard error"), color: 1, points: bar });
            let dot = vec![(mean, y)];
            let name = if at == 0 { "mean" } else { "" };
            marks.push(Mark::Dots { name: name.to_owned(), color: 1, points: dot });
        }
        marks.push(Mark::Label { y: y + 0.34, text: variant.name.clone() });
    }
    let y = Axis::bare("").over(-0.5, n - 0.4);
    let rows = u32::try_from(variants.len()).unwrap_or(u32::MAX).min(400);
    Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels: vec![Panel { x, y, marks }],
        width: 760,
        panel_height: 90 + 48 * rows,
        n_columns: 1,
    }
}

/// Trainings of a variant, each with its errors on two sets.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantPairs {
    /// Its name.
    pub name: String,
    /// `(x, y)`.
    pub errors: Vec<(f64, f64)>,
}

/// Errors on one set over errors on another, a dot for each training; on the line both are the same.
///
/// # Errors
/// [`LookError`] if no training has finite errors on both.
pub fn pairs(
    title: &str,
    subtitle: &str,
    (x, y): (&str, &str),
    variants: &[VariantPairs],
) -> Result<Picture, LookError> {
    let both = || variants.iter().flat_map(|variant| &variant.errors).copied();
    let finite = || both().filter(|pair| pair.0.is_finite() && pair.1.is_finite());
    let nothing = LookError::Nothing("no training has finite errors on both sets");
    let axis = error_axis("", finite().flat_map(|pair| [pair.0, pair.1])).ok_or(nothing.clone())?;
    let ends = axis.ends(finite().flat_map(|pair| [pair.0, pair.1])).ok_or(nothing)?;
    let of = |title: &str| Axis { title: title.to_owned(), ..axis.clone() };
    let value = |end: f64| if axis.is_log { crate::logarithm::power(end) } else { end };
    let (low, high) = (value(ends.0), value(ends.1));
    let equal = Mark::Line {
        name: Some("equal".to_owned()),
        color: crate::picture::LEVEL_COLOR,
        points: vec![(low, low), (high, high)],
    };
    let dots = variants.iter().enumerate().map(|(color, variant)| Mark::Dots {
        name: variant.name.clone(),
        color,
        points: variant.errors.clone(),
    });
    let marks = [equal].into_iter().chain(dots).collect();
    let panels = vec![Panel { x: of(x).over(low, high), y: of(y).over(low, high), marks }];
    Ok(Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels,
        width: 640,
        panel_height: 560,
        n_columns: 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(name: &str, number: Option<f64>, errors: &[f64]) -> VariantErrors {
        VariantErrors { name: name.to_owned(), number, errors: errors.to_vec() }
    }

    #[test]
    fn variants_with_numbers_are_lines_and_others_are_rows_with_their_names() {
        let numbers = [
            variant("a", Some(20.0), &[0.1, 0.2, 0.3]),
            variant("a", Some(10.0), &[0.4]),
            variant("b", Some(10.0), &[0.5, f64::INFINITY]),
        ];
        let picture = variant_errors("t", "s", "hidden units", &numbers).unwrap();
        assert_eq!(picture.subtitle, "s; 1 are not finite");
        let lines: Vec<_> = picture.panels[0]
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Line { name: Some(name), points, .. } => Some((name.as_str(), points)),
                _ => None,
            })
            .collect();
        assert_eq!(lines.iter().map(|line| line.0).collect::<Vec<_>>(), ["a", "b"]);
        let [first, second] = lines[0].1[..] else { panic!("two places") };
        assert_eq!((first, second.0), ((10.0, 0.4), 20.0));
        assert!((second.1 - 0.2).abs() < 1e-12);
        let named = [variant("x=A", None, &[1.0]), variant("x=B", None, &[100.0, 120.0])];
        let svg = variant_errors("t", "s", "", &named).unwrap().svg().unwrap();
        for text in ["x=A", "x=B", "standard error"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(variant_errors("t", "s", "", &[variant("x", None, &[f64::NAN])]).is_err());
    }

    #[test]
    fn the_mean_has_the_standard_error_of_a_sample() {
        let (low, mean, high) = mean(&[1.0, 2.0, 3.0, f64::INFINITY]).unwrap();
        assert_eq!(mean, 2.0);
        let expected = (1.0_f64 / 3.0).sqrt();
        assert!((high - 2.0 - expected).abs() < 1e-12 && (2.0 - low - expected).abs() < 1e-12);
        assert_eq!(super::mean(&[f64::NAN]), None);
    }

    #[test]
    fn pairs_have_one_scale_on_both_axes() {
        let variant = VariantPairs { name: "v".to_owned(), errors: vec![(0.01, 1.0), (2.0, 0.5)] };
        let picture = pairs("t", "s", ("validation", "test"), &[variant]).unwrap();
        let panel = &picture.panels[0];
        assert_eq!(panel.x.range, panel.y.range);
        assert!(panel.x.is_log && picture.svg().unwrap().contains("validation"));
        let nothing = VariantPairs { name: "v".to_owned(), errors: vec![(f64::NAN, 1.0)] };
        assert!(pairs("t", "s", ("a", "b"), &[nothing]).is_err());
    }
}
