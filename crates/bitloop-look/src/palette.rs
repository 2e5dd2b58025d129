//! Colors of marks.

use plotters::style::RGBColor;

/// Colors that the color-blind can tell apart, after Okabe and Ito (Color Universal Design, 2008), the yellow left out, which
/// is pale on white.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(80, 80, 80),
];

/// Shades from light to dark, which stay in order without color.
const SHADES: [(f64, f64, f64); 4] =
    [(240.0, 228.0, 120.0), (94.0, 190.0, 150.0), (40.0, 110.0, 150.0), (60.0, 10.0, 90.0)];

/// The color of a position in the list.
pub fn color_at(position: usize) -> RGBColor {
    COLORS[position % COLORS.len()]
}

/// The color of a shade from 0 to 1.
pub fn shade_at(shade: f64) -> RGBColor {
    let place = shade.clamp(0.0, 1.0) * (SHADES.len() - 1) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 3; NaN is 0")]
    let below = (place as usize).min(SHADES.len() - 2);
    let part = if place.is_nan() { 0.0 } else { place - below as f64 };
    let (from, to) = (SHADES[below], SHADES[below + 1]);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let mix = |from: f64, to: f64| (from + part * (to - from)).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}
