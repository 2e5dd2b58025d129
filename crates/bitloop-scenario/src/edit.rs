//! A scenario with values changed in its text.
//!
//! The text is edited and not the value, so that whatever is wrong with the change is told as for
//! any other file: in its line, with a hint. Only the extent of values is known here; what is legal
//! RON, and what the schema has, is for the parser to say.

use std::ops::Range;

use crate::{
    any_scenario::AnyScenario,
    error::{ErrorKind, FileError},
    source::{Located, Source},
    tokens::{Kind, Tokens},
};

impl AnyScenario {
    /// The scenario of the same text with other values, each a piece of RON, at their paths (see
    /// [`Source::locate`]). A field that the text leaves to its default is added, and so are
    /// brackets around it that are missing too, as in `stop.patience.evaluations`. Only the text
    /// with all of them must make sense.
    ///
    /// Changes that were made to the scenario and are not in the text are lost.
    ///
    /// # Errors
    /// If one of `values` is not one value, if nothing in the text can hold a field of that name, or
    /// as for [`AnyScenario::parse`], with places in the edited text.
    pub fn with_values(&self, values: &[(&str, &str)]) -> Result<Self, FileError> {
        let mut source = self.source().clone();
        for (path, value) in values {
            source = with_value(&source, path, value)?;
        }
        let mut file = Self::parse(source.text(), source.file())?;
        let placed = file.source().clone().in_folder(self.source().folder());
        *file.source_mut() = placed;
        Ok(file)
    }
}

fn with_value(source: &Source, path: &str, value: &str) -> Result<Source, FileError> {
    check_one_value(path, value)?;
    let segments: Vec<&str> = path.split('.').collect();
    let is_name = |segment: &&str| !segment.is_empty();
    let located = source
        .locate_in(&segments)
        .filter(|_| segments.iter().all(is_name))
        .ok_or_else(|| source.error_at("", no_path(path), PATH_HINT))?;
    let (place, text) = match &segments[located.n_found..] {
        [] => (extent(source.text(), located.value.start), value.to_owned()),
        [first, rest @ ..] => {
            let (at, bracket) = inside(source, &segments, &located)?;
            let nested = rest
                .iter()
                .rev()
                .fold(value.to_owned(), |inner, name| format!("({name}: {inner})"));
            let key = if bracket == '{' { format!("{first:?}") } else { (*first).to_owned() };
            (at..at, format!("{key}: {nested}, "))
        }
    };
    let mut edited = source.text().to_owned();
    edited.replace_range(place, &text);
    let joint = if source.file().contains(" with ") { ", " } else { " with " };
    Ok(Source::new(format!("{}{joint}{path}={value}", source.file()), edited))
}

const PATH_HINT: &str = "a path is field names joined by dots, such as training.bits";

fn no_path(path: &str) -> String {
    format!("`{path}` is no path of fields")
}

/// Refuses what would change more of the text than one value.
fn check_one_value(path: &str, value: &str) -> Result<(), FileError> {
    let source = Source::new(format!("the value for {path}"), value);
    let refuse = |span: Range<usize>, message: &str| {
        let hint = "write one value as in a scenario: 12, [5], Threshold(phi: 0.1, eta: 0.95)";
        Err(source.error(ErrorKind::Syntax, Some(span), message.to_owned(), Some(hint.to_owned())))
    };
    if value.trim().is_empty() {
        return refuse(0..0, "there is no value");
    }
    let start = value.len() - value.trim_start().len();
    let end = extent(value, start).end;
    let mut depth = 0usize;
    let mut read = 0;
    for token in Tokens::new(value) {
        let gap = read..token.span.start;
        if !value[gap.clone()].trim().is_empty() {
            return refuse(gap, "comments have no place in a value");
        }
        read = token.span.end;
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close if depth == 0 => return refuse(token.span, "this bracket was not opened"),
            Kind::Close => depth -= 1,
            Kind::Comma | Kind::Colon if depth == 0 => {
                return refuse(token.span, "this is more than one value");
            }
            _ => {}
        }
    }
    if depth > 0 {
        return refuse(start..value.len(), "a bracket is not closed");
    }
    let rest = end..value.len();
    if !value[rest.clone()].trim().is_empty() {
        return refuse(rest, "this is more than one value");
    }
    Ok(())
}

/// Bytes of the value that begins at `start`: a token, a bracket with all in it, or a name with the
/// bracket that follows it.
fn extent(text: &str, start: usize) -> Range<usize> {
    let mut depth = 0usize;
    let mut end = start;
    let mut was_named = false;
    for token in Tokens::new(&text[start..]) {
        if depth == 0 && end > start && !(was_named && token.kind == Kind::Open) {
            break;
        }
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        was_named = depth == 0 && token.kind == Kind::Identifier;
        end = start + token.span.end;
    }
    start..end
}

/// Where a field can be added to the value found: right after its bracket, and which bracket that is.
fn inside(
    source: &Source,
    segments: &[&str],
    located: &Located,
) -> Result<(usize, char), FileError> {
    let text = source.text();
    let start = located.value.start;
    let mut tokens = Tokens::new(&text[start..]);
    let mut token = tokens.next();
    if token.as_ref().is_some_and(|first| first.kind == Kind::Identifier) {
        token = tokens.next();
    }
    let opened = token.filter(|token| token.kind == Kind::Open);
    let missing = &segments[located.n_found..];
    if let Some(token) = opened {
        let end = start + token.span.end;
        match &text[start..][token.span] {
            "(" if missing.iter().all(|name| is_field(name)) => return Ok((end, '(')),
            "{" if missing[1..].iter().all(|name| is_field(name)) => return Ok((end, '{')),
            _ => {}
        }
    }
    let message =
        format!("there is no `{}` in this, so `{}` cannot be set", missing[0], segments.join("."));
    let span = Some(extent(text, start));
    Err(source.error(ErrorKind::Value, span, message, Some(PATH_HINT.to_owned())))
}

fn is_field(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario_file::ScenarioFile;

    const TEXT: &str = r#"Scenario( // training: none
    plant: "inverted-pendulum",
    initial: {"theta": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [5 /* few */]),
    episodes: (training: (horizon_s: 100)),
    training: TelescopicBlm(bits: 16, growth: Threshold(phi: 0.1, eta: 0.95), moves: BestOf(40)),
    stop: (evaluations: 10),
)"#;

    fn edited(path: &str, value: &str) -> ScenarioFile {
        with(&[(path, value)])
    }

    fn with(values: &[(&str, &str)]) -> ScenarioFile {
        match AnyScenario::parse(TEXT, "a.ron").unwrap().with_values(values).unwrap() {
            AnyScenario::ClosedLoop(file) => file,
            AnyScenario::Supervised(_) => panic!("a plant's"),
        }
    }

    fn mistake(path: &str, value: &str) -> String {
        let file = AnyScenario::parse(TEXT, "a.ron").unwrap();
        file.with_values(&[(path, value)]).unwrap_err().to_string()
    }

    #[test]
    fn a_value_is_replaced_in_its_whole_extent() {
        for (path, value, line) in [
            ("controller.hidden", "[7,3]", "    controller: FeedForward(hidden: [7,3]),"),
            ("training.growth", "Fixed", "(bits: 16, growth: Fixed, moves: BestOf(40)),"),
            ("training.growth.phi", "0.2", "growth: Threshold(phi: 0.2, eta: 0.95),"),
            ("training.moves", "FirstImproving", "eta: 0.95), moves: FirstImproving),"),
            ("training.moves.0", " 7 ", "moves: BestOf( 7 )),"),
            ("initial.theta.1", "0.3", "initial: {\"theta\": Uniform(-0.4, 0.3)},"),
            ("training", "TelescopicBlm()", "    training: TelescopicBlm(),\n    stop"),
        ] {
            let file = edited(path, value);
            assert!(file.source.text().contains(line), "{path}: {}", file.source.text());
        }
    }

    #[test]
    fn a_missing_field_is_added_with_the_brackets_around_it() {
        assert_eq!(edited("seed", "9").scenario.seed, 9);
        assert_eq!(edited("failure_cost", "2").scenario.failure_cost, Some(2.0));
        let patience = edited("stop.patience.evaluations", "500").scenario.stop.patience;
        assert_eq!(patience.unwrap().evaluations, 500);
        let file = with(&[("initial.x", "0.5"), ("simulation.step_s", "0.01")]);
        assert_eq!(file.scenario.initial.len(), 2);
        assert_eq!(file.scenario.simulation.step_s, Some(0.01));
        assert_eq!(file.source.file(), "a.ron with initial.x=0.5, simulation.step_s=0.01");
    }

    #[test]
    fn values_may_make_sense_only_together() {
        let file = AnyScenario::parse(TEXT, "a.ron").unwrap();
        let few_bits = ("training.bits", "4");
        assert!(file.with_values(&[few_bits]).is_err(), "all weights would start at 0");
        let both = [few_bits, ("training.initialization", "Full")];
        assert_eq!(with(&both).scenario.seed, 1);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (path, value, fragments) in [
            ("training.bits", "99", &["a.ron with training.bits=99:6:35", "^^"][..]),
            ("training.bitts", "9", &["did you mean `bits`?", "TelescopicBlm(bitts: 9, bits"]),
            ("controller.hidden", "5", &["hidden: 5)", "^"]),
            ("training.moves.1.x", "5", &["there is no `1` in this", "BestOf(40)"]),
            ("plant.name", "5", &["there is no `name` in this"]),
            ("controller.hidden.3", "5", &["there is no `3` in this", "[5 /* few */]"]),
            ("training..bits", "5", &["`training..bits` is no path of fields"]),
            ("", "5", &["`` is no path of fields"]),
            ("training.bits", " ", &["there is no value", "--> the value for training.bits"]),
            ("training.bits", "5, seed: 3", &["more than one value"]),
            ("training.bits", "5 6", &["more than one value"]),
            ("training.bits", "5) (", &["was not opened"]),
            ("training.bits", "[5", &["is not closed"]),
            ("training.bits", "5 // few", &["more than one value"]),
            ("training.bits", "/* few */ 5", &["comments have no place"]),
        ] {
            let text = mistake(path, value);
            for fragment in fragments {
                assert!(text.contains(fragment), "{path}={value}: `{fragment}` not in\n{text}");
            }
        }
    }
}
