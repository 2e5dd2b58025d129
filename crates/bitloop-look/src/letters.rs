//! Letters of the bundled font as outlines, for pictures in pixels.

use tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Liberation Sans, which has the widths that browsers without fonts of their own use for `sans-serif`.
const FONT: &[u8] = include_bytes!("../font/LiberationSans-Regular.ttf");

/// The font, ready to be asked.
pub struct Letters {
    face: Face<'static>,
}

impl Letters {
    pub fn new() -> Self {
        Self { face: Face::parse(FONT, 0).expect("the bundled font can be read") }
    }

    fn glyph(&self, letter: char) -> GlyphId {
        // The first glyph is an empty box, which stands for all that the font does not have.
        self.face.glyph_index(letter).unwrap_or_default()
    }

    fn advance(&self, letter: char) -> f32 {
        let advance = self.face.glyph_hor_advance(self.glyph(letter)).unwrap_or_default();
        f32::from(advance) / f32::from(self.face.units_per_em())
    }

    /// The width of a line of text, in sizes of the font.
    pub fn width(&self, text: &str) -> f32 {
        text.chars().map(|letter| self.advance(letter)).sum()
    }

    /// A line of text of a size, its baseline beginning at the origin; none where nothing of it has ink.
    pub fn outline(&self, text: &str, size: f32) -> Option<Path> {
        let scale = size / f32::from(self.face.units_per_em());
        let mut all = PathBuilder::new();
        let mut at = 0.0;
        for letter in text.chars() {
            let mut outline = Outline(PathBuilder::new());
            self.face.outline_glyph(self.glyph(letter), &mut outline);
            let placed = Transform::from_row(scale, 0.0, 0.0, -scale, at, 0.0);
            if let Some(path) = outline.0.finish().and_then(|path| path.transform(placed)) {
                all.push_path(&path);
            }
            at += size * self.advance(letter);
        }
        all.finish()
    }
}

/// A glyph as a path.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_their_own_widths_and_unknown_ones_a_box() {
        let letters = Letters::new();
        assert!(letters.width("iii") < letters.width("mmm"));
        assert!(letters.outline("theta [rad/s]", 12.0).is_some());
        assert!(letters.outline("θ µ °", 12.0).is_some());
        assert!(letters.outline(" ", 12.0).is_none() && letters.outline("", 12.0).is_none());
        assert!(letters.outline("\u{10ffff}", 12.0).is_some());
    }
}
