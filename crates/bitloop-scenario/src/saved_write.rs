//! A controller as text, made to be read by people too.
//!
//! Owns the layout: `ron`'s pretty form, and the codes wrapped to lines. Numbers are in the shortest
//! form that reads back as the same bits.

use bitloop_text::{Problem, ron_options, wrap_long_lines};
use ron::ser::PrettyConfig;

use crate::saved::SavedController;

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
        let format = Self::FORMAT_NUMBER;
        let mut controller = Self { format, digest: self.computed_digest(), ..self.clone() };
        controller.content_digest = controller.computed_content_digest();
        // Depth 2 puts each signal, each layer and the identity on one line.
        let pretty = PrettyConfig::new().new_line("\n").struct_names(false).depth_limit(2);
        let body =
            ron_options().to_string_pretty(&controller, pretty).expect("every field has a form");
        let head = "// A controller trained by bitloop. `bitloop controller show` explains it, `bitloop replay`\n\
             // runs it. Weight = code * max_weight / (2^(bits-1) - 1). The digests guard the whole\n\
             // file: an edited one is refused.\n";
        Ok(wrap_long_lines(&format!("{head}Controller{body}")))
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
