//! [`Vary`]: a field of a scenario that takes several values, and the scenarios that this makes.

use std::str::FromStr;

use bitloop_scenario::{AnyScenario, FileError};

/// The most scenarios that varied fields may make together.
const MAX_VARIANTS: usize = 1000;

/// The most values that are compared with each other.
const MOST_VALUES: usize = 10_000;

/// A field and its values, read from `controller.hidden=[5],[10]`: a path as in [`bitloop_scenario::Source::locate`], and values in
/// RON, separated by commas outside of brackets and quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vary {
    /// Field names, map keys and list positions, joined by dots.
    pub path: String,
    /// The values, one or more.
    pub values: Vec<String>,
}

/// A scenario with a value for each varied field.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The varied fields and their values: `controller.hidden=[5] training.bits=8`; empty if nothing is varied.
    pub name: String,
    /// The scenario.
    pub scenario: AnyScenario,
}

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, values) = text
            .split_once('=')
            .ok_or("it must be a field and its values, as in training.bits=8,16")?;
        let path = path.trim();
        if path.is_empty() || path.split('.').any(str::is_empty) {
            return Err(format!("`{path}` is no path of fields, such as training.bits"));
        }
        let values = split_values(values)?;
        // Before they are compared, each with each.
        if values.len() > MOST_VALUES {
            return Err(format!("{} values, more than {MOST_VALUES}", values.len()));
        }
        if let Some(twice) = values.iter().enumerate().find(|(i, v)| values[..*i].contains(v)) {
            return Err(format!("the value {} is given twice", twice.1));
        }
        Ok(Self { path: path.to_owned(), values })
    }
}

/// The scenarios of all combinations of values, in the order given; the last field changes first.
///
/// # Errors
/// A value that does not fit its field, with its place in the scenario that it makes; a message if there are too many
/// scenarios, or a field is varied twice.
pub fn variants<'a>(scenario: &AnyScenario, varied: &'a [Vary]) -> Result<Vec<Variant>, VaryError> {
    // Before they are compared, each with each.
    if varied.len() > MAX_VARIANTS {
        return Err(VaryError::TooMany { count: varied.len(), limit: MAX_VARIANTS });
    }
    let twice = varied
        .iter()
        .enumerate()
        .find(|(i, vary)| varied[..*i].iter().any(|before| before.path == vary.path));
    if let Some((_, vary)) = twice {
        return Err(VaryError::Twice { path: vary.path.clone() });
    }
    let counts = varied.iter().map(|vary| vary.values.len());
    let count = counts.fold(1, usize::saturating_mul);
    if count > MAX_VARIANTS {
        return Err(VaryError::TooMany { count, limit: MAX_VARIANTS });
    }
    let mut combinations: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
    for Vary { path, values } in varied {
        let with = |before: &Vec<(&'a str, &'a str)>, value: &'a String| {
            let mut combination = before.clone();
            combination.push((path, value));
            combination
        };
        combinations = combinations
            .iter()
            .flat_map(|before| values.iter().map(|value| with(before, value)))
            .collect();
    }
    if varied.is_empty() {
        return Ok(vec![Variant { name: String::new(), scenario: scenario.clone() }]);
    }
    let variant = |combination: &Vec<(&str, &str)>| {
        let parts: Vec<String> =
            combination.iter().map(|(path, value)| format!("{path}={value}")).collect();
        Ok(Variant { name: parts.join(" "), scenario: scenario.with_values(combination)? })
    };
    combinations.iter().map(variant).collect()
}

/// Why fields cannot be varied as asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VaryError {
    /// A value does not fit.
    #[error(transparent)]
    File(#[from] FileError),
    /// A field is varied twice.
    #[error("`{path}` is varied twice; give all its values at once")]
    Twice {
        /// The field.
        path: String,
    },
    /// The combinations are too many.
    #[error("the varied fields make {count} scenarios, more than {limit}")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
}

/// Splits at commas outside of brackets and quotes.
fn split_values(text: &str) -> Result<Vec<String>, String> {
    let mut values = vec![String::new()];
    let mut depth = 0usize;
    let mut is_quoted = false;
    let mut is_escaped = false;
    for c in text.chars() {
        let mut is_separator = false;
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Err(format!("a `{c}` too many in {text}")),
            ')' | ']' | '}' => depth -= 1,
            ',' => is_separator = depth == 0,
            _ => {}
        }
        if is_separator {
            values.push(String::new());
        } else if let Some(value) = values.last_mut() {
            value.push(c);
        }
    }
    if depth > 0 || is_quoted {
        return Err(format!("a bracket or quote is not closed in {text}"));
    }
    let values: Vec<String> = values.iter().map(|value| value.trim().to_owned()).collect();
    if values.iter().any(String::is_empty) {
        return Err(format!("a value is missing in `{text}`"));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vary(text: &str) -> Vary {
        text.parse().unwrap()
    }

    #[test]
    fn values_are_split_at_commas_outside_of_brackets_and_quotes() {
        assert_eq!(vary("training.bits=8, 16").values, ["8", "16"]);
        assert_eq!(vary("controller.hidden=[5],[5,3]").values, ["[5]", "[5,3]"]);
        assert_eq!(
            vary(r#"a=T(x: 1, y: [2, 3]),"p,q","\",[""#).values,
            ["T(x: 1, y: [2, 3])", r#""p,q""#, r#""\",[""#]
        );
        assert_eq!(vary(" training.bits =8").path, "training.bits");
        assert_eq!(vary("plant=\"a=b\"").values, ["\"a=b\""]);
    }

    #[test]
    fn what_cannot_be_split_is_refused() {
        for (text, fragment) in [
            ("training.bits", "as in training.bits=8,16"),
            ("=5", "no path"),
            ("a..b=5", "no path"),
            ("a=", "a value is missing"),
            ("a=5,,6", "a value is missing"),
            ("a=5,", "a value is missing"),
            ("a=[5,6", "not closed"),
            ("a=\"5,6", "not closed"),
            ("a=5],[6", "a `]` too many"),
            ("a=5,6,5", "the value 5 is given twice"),
        ] {
            let error = text.parse::<Vary>().unwrap_err();
            assert!(error.contains(fragment), "{text}: {error}");
        }
    }

    const SCENARIO: &str = r#"Scenario(
        plant: "inverted-pendulum",
        controller: FeedForward(hidden: [5]),
        episodes: (training: (horizon_s: 10)),
        training: TelescopicBlm(bits: 16),
    )"#;

    #[test]
    fn several_fields_multiply_and_the_last_changes_first() {
        let file = AnyScenario::parse(SCENARIO, "a.ron").unwrap();
        let varied = [vary("controller.hidden=[1],[2,3]"), vary("training.bits=12,16")];
        let variants = variants(&file, &varied).unwrap();
        let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "controller.hidden=[1] training.bits=12",
                "controller.hidden=[1] training.bits=16",
                "controller.hidden=[2,3] training.bits=12",
                "controller.hidden=[2,3] training.bits=16",
            ]
        );
        let AnyScenario::ClosedLoop(file) = &variants[2].scenario else { panic!("a plant's") };
        let controller = file.value.controller.as_ref().unwrap();
        assert_eq!(controller.hidden(), [2, 3]);
    }

    #[test]
    fn what_the_file_leaves_out_is_added_in_the_form_of_its_default() {
        let file = AnyScenario::parse(SCENARIO, "a.ron").unwrap();
        for (varied, added) in [
            ("parameters.mass=0.5", r#"parameters: {"mass": 0.5, }, "#),
            ("parameters.length=Uniform(0.9, 1.1)", r#"{"length": Uniform(0.9, 1.1), }"#),
            ("scaling.force.scale=2", r#"scaling: {"force": (scale: 2), }, "#),
            ("episodes.test.count=20", "test: (count: 20), training: (horizon_s: 10)"),
            ("simulation.step_s=0.02", "simulation: (step_s: 0.02), "),
            ("stop.patience.evaluations=500", "stop: (patience: (evaluations: 500)), "),
            ("curriculum.initial_scale=0.5", "curriculum: (initial_scale: 0.5), "),
            ("training.growth.phi=0.2", "growth: Threshold(phi: 0.2), bits: 16"),
            ("training.initialization.0=0.2", "initialization: Bounded(0.2), bits: 16"),
        ] {
            let variants = variants(&file, &[vary(varied)]).unwrap_or_else(|e| panic!("{e}"));
            let text = variants[0].scenario.source().text();
            assert!(text.contains(added), "{varied}: {text}");
        }
        let both = [vary("parameters.mass=0.5,2"), vary("parameters.length=0.5")];
        let variants = variants(&file, &both).unwrap();
        let AnyScenario::ClosedLoop(second) = &variants[1].scenario else { panic!("a plant's") };
        let parameters: Vec<_> = second.value.parameters.iter().collect();
        assert_eq!(format!("{parameters:?}"), r#"[("length", Fixed(0.5)), ("mass", Fixed(2.0))]"#);
    }

    #[test]
    fn what_no_default_can_hold_is_refused() {
        let file = AnyScenario::parse(SCENARIO, "a.ron").unwrap();
        for (varied, fragments) in [
            ("parameters.mass.x.0=1", ["there is no `parameters` in this", "parameters.mass.x.0"]),
            ("training.initialization.1=0.2", ["there is no `initialization`", "cannot be set"]),
            ("initial.theta.1=0.3", ["there is no `initial`", "`initial.theta.1` cannot be set"]),
            ("training.growth.psi=0.2", ["unknown field `psi`", "Threshold(psi: 0.2)"]),
        ] {
            let error = variants(&file, &[vary(varied)]).unwrap_err().to_string();
            for fragment in fragments {
                assert!(error.contains(fragment), "{varied}: {error}");
            }
        }
    }

    #[test]
    fn values_that_do_not_fit_are_told_in_their_scenario() {
        let file = AnyScenario::parse(SCENARIO, "a.ron").unwrap();
        let error = variants(&file, &[vary("training.bits=16,99")]).unwrap_err().to_string();
        assert!(error.contains("a.ron with training.bits=99:5:39"), "{error}");
        let twice = [vary("seed=1"), vary("seed=2")];
        assert!(variants(&file, &twice).unwrap_err().to_string().contains("varied twice"));
        let many: Vec<String> = (1..=1001).map(|i| i.to_string()).collect();
        let many = vary(&format!("seed={}", many.join(",")));
        assert!(variants(&file, &[many]).unwrap_err().to_string().contains("1001 scenarios"));
    }
}
