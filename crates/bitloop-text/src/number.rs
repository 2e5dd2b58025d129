//! Numbers in messages.

/// The shortest digits that read back as `value`, with an exponent where many zeros would stand.
///
/// ```
/// # use bitloop_text::number;
/// assert_eq!([number(0.1), number(50.0), number(-1e300)], ["0.1", "50", "-1e300"]);
/// ```
#[must_use]
pub fn number(value: f64) -> String {
    let size = value.abs();
    let is_plain = size == 0.0 || (1e-5..1e16).contains(&size) || !value.is_finite();
    if is_plain { value.to_string() } else { format!("{value:e}") }
}
