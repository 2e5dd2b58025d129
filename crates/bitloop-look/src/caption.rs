//! Texts of pictures: their size, and what of them fits.

use plotters::style::{BLACK, IntoFont, TextStyle};

use crate::plain_text::shown;

const FONT: &str = "sans-serif";
/// Of a letter, about, as a part of the size of its font.
const LETTER_WIDTH: f64 = 0.5;

/// Text of a size in pixels.
pub fn style(size: i32) -> TextStyle<'static> {
    (FONT, size).into_font().color(&BLACK)
}

/// The width of a text, about.
pub fn text_width(text: &str, size: i32) -> i32 {
    let letters = i32::try_from(text.chars().count()).unwrap_or(i32::MAX);
    #[expect(clippy::cast_possible_truncation, reason = "a width in pixels")]
    let width = (f64::from(letters) * f64::from(size) * LETTER_WIDTH) as i32;
    width
}

/// The text, cut off where it would be wider than `room` pixels, and without what cannot be printed.
pub fn fitting(text: &str, size: i32, room: u32) -> String {
    let text = shown(text);
    let room = i32::try_from(room).unwrap_or(i32::MAX);
    if text_width(&text, size) <= room {
        return text;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few letters")]
    let n_letters = (f64::from(room) / (f64::from(size) * LETTER_WIDTH)) as usize;
    let mut cut: String = text.chars().take(n_letters.saturating_sub(3)).collect();
    cut.push_str("...");
    cut
}
