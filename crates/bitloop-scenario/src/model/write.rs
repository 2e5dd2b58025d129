//! A model as text and digest.

use bitloop_text::{Problem, ron_options, wrap_long_lines};
use ron::ser::PrettyConfig;

use crate::{digest, model::SavedModel};

impl SavedModel {
    /// The text of the file, with its digest and a comment on top. It reads back as the same model, bit for bit.
    ///
    /// # Errors
    /// If a rule of [`SavedModel::check`] is broken; such a file could not be read back.
    ///
    /// # Panics
    /// Never: RON can hold each field.
    pub fn to_text(&self) -> Result<String, Problem> {
        self.check()?;
        let format = Self::FORMAT_NUMBER;
        let mut model = Self { format, digest: self.computed_digest(), ..self.clone() };
        model.content_digest = model.computed_content_digest();
        // Depth 2 puts each column and each layer on one line.
        let pretty = PrettyConfig::new().new_line("\n").struct_names(false).depth_limit(2);
        let body = ron_options().to_string_pretty(&model, pretty).expect("every field has a form");
        let head = "// A network trained on examples by bitloop. `bitloop controller show` explains it, `bitloop\n\
             // predict` applies it. Of codes, weight = code * max_weight / (2^(bits-1) - 1). The digests\n\
             // guard the whole file: an edited one is refused.\n";
        let scaled = "// The sums of a layer are multiplied by 2^layer_scale before its activation; an output becomes\n\
             // scale * output + offset.\n";
        let has_scales = !self.layer_scales.is_empty() || !self.output_fits.is_empty();
        let scaled = if has_scales { scaled } else { "" };
        Ok(wrap_long_lines(&format!("{head}{scaled}Model{body}")))
    }

    /// BLAKE3 over all values of the file except the digests.
    ///
    /// # Panics
    /// Never: RON can hold each field.
    pub fn computed_content_digest(&self) -> String {
        let none = String::new;
        let guarded = Self { digest: none(), content_digest: none(), ..self.clone() };
        digest::content_digest("model", &guarded)
    }

    /// BLAKE3 over columns, shape, weights and, if there are any, their scales and the threshold in RON, a line each: 64 hexadecimal digits.
    ///
    /// # Panics
    /// Never: RON can hold each field.
    pub fn computed_digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"bitloop model 1\n");
        let lines = [
            ron_options().to_string(&(&self.inputs, &self.targets)),
            ron_options().to_string(&self.network),
            ron_options().to_string(&self.weights),
        ];
        for line in lines {
            hasher.update(line.expect("every field has a form").as_bytes()).update(b"\n");
        }
        // A model without scales keeps the digest that it had before there were any.
        if !self.layer_scales.is_empty() || !self.output_fits.is_empty() {
            let line = ron_options().to_string(&(&self.layer_scales, &self.output_fits));
            hasher.update(line.expect("every field has a form").as_bytes()).update(b"\n");
        }
        if let Some(threshold) = self.threshold {
            let line = ron_options().to_string(&threshold).expect("every field has a form");
            hasher.update(b"threshold ").update(line.as_bytes()).update(b"\n");
        }
        hasher.finalize().to_hex().to_string()
    }
}
