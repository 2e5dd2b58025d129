//! A controller as text, made to be read by people too.
//!
//! Owns the layout: `ron`'s pretty form, and the codes wrapped to lines. Numbers are in the shortest
//! form that reads back as the same bits.

use std::fmt::Write as _;

use ron::ser::PrettyConfig;

use crate::{decode::options, problem::Problem, saved::SavedController};

/// Longest line of codes, in characters.
const LINE: usize = 100;

impl SavedController {
    /// The text of the file, with the digest of these weights and a comment on top. It reads back
    /// as the same controller, bit for bit.
    ///
    /// # Errors
    /// If a rule of [`SavedController::check`] is broken, or a number is not finite; such a file
    /// could not be read back.
    ///
    /// # Panics
    /// Never: RON can hold each field.
    pub fn to_text(&self) -> Result<String, Problem> {
        self.check()?;
        self.check_finite()?;
        let controller = SavedController { digest: self.computed_digest(), ..self.clone() };
        // Depth 2 puts each signal, each layer and the identity on one line.
        let pretty = PrettyConfig::new().new_line("\n").struct_names(false).depth_limit(2);
        let body = options().to_string_pretty(&controller, pretty).expect("every field has a form");
        let mut text = String::from(
            "// A controller trained by bitloop. `bitloop controller show` explains it, `bitloop replay`\n\
             // runs it. Weight = code * max_weight / (2^(bits-1) - 1). The digest guards shape and\n\
             // weights: an edited file is refused.\nController",
        );
        for line in body.lines() {
            push_wrapped(&mut text, line);
        }
        Ok(text)
    }

    fn check_finite(&self) -> Result<(), Problem> {
        let bounds = self.outputs.iter().flat_map(|output| [output.min, output.max]);
        let errors = &self.errors;
        let errors = [
            errors.training,
            errors.unrounded_training,
            errors.validation,
            errors.confirmation,
            errors.test,
        ];
        if bounds.chain(errors).flatten().all(f64::is_finite) {
            return Ok(());
        }
        let hint = "leave out what is not measured or not bounded";
        Err(Problem::new("errors", "an error or a bound is not finite", hint))
    }
}

/// Breaks a long line after commas outside of strings.
pub(crate) fn push_wrapped(text: &mut String, line: &str) {
    if line.chars().count() <= LINE {
        let _ = writeln!(text, "{line}");
        return;
    }
    let indent = line.len() - line.trim_start().len();
    let mut width = 0;
    for (index, part) in split_after_commas(line).enumerate() {
        let part_width = part.trim_end().chars().count();
        if index > 0 && width + part_width > LINE {
            text.truncate(text.trim_end().len());
            let _ = write!(text, "\n{}", " ".repeat(indent + 4));
            width = indent + 4;
        }
        text.push_str(part);
        width += part.chars().count();
    }
    text.push('\n');
}

fn split_after_commas(line: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    line.split_inclusive(move |c: char| {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ => {}
        }
        c == ' ' && !quoted
    })
}
