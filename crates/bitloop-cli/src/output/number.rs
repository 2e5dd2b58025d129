//! Numbers for people; what must be exact is printed as JSON.

/// A value in the shortest form that reads back, with an exponent only where it is very small or large.
pub fn plain(value: f64) -> String {
    match value.abs() {
        0.0 | 1e-3..1e7 | f64::INFINITY => format!("{value}"),
        _ => format!("{value:e}"),
    }
}

/// An error, or another number of any size, with four or five significant digits: `0.01234`, `1.234e-5`.
pub fn error(value: f64) -> String {
    match value.abs() {
        0.01..0.1 => format!("{value:.5}"),
        0.1..10.0 => format!("{value:.4}"),
        10.0..100.0 => format!("{value:.2}"),
        100.0..1000.0 => format!("{value:.1}"),
        0.0 | f64::INFINITY => value.to_string(),
        _ if value.is_nan() => "NaN".to_owned(),
        _ => format!("{value:.3e}"),
    }
}

/// An error that may not be known.
pub fn error_or_dash(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), error)
}

/// A count that may be large, with three digits and a prefix: `950`, `12.3 k`, `4.56 G`.
pub fn with_prefix(count: f64) -> String {
    let prefixes = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match prefixes.into_iter().find(|(factor, _)| count >= *factor) {
        None => format!("{count:.0}"),
        Some((factor, prefix)) => {
            let value = count / factor;
            match value {
                ..10.0 => format!("{value:.2} {prefix}"),
                ..100.0 => format!("{value:.1} {prefix}"),
                _ => format!("{value:.0} {prefix}"),
            }
        }
    }
}

/// A count and what it counts: `1 run`, `2 runs`.
pub fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A time span: `3.2 s`, `12 min 05 s`, `2 h 03 min`.
pub fn span(seconds: f64) -> String {
    if seconds < 10.0 {
        return format!("{:.1} s", seconds.max(0.0));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let whole = seconds.round() as u64;
    match whole {
        0..100 => format!("{whole} s"),
        100..6000 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(plain(0.01), "0.01");
        assert_eq!(plain(1e-7), "1e-7");
        assert_eq!(plain(-1000.0), "-1000");
        assert_eq!(plain(0.0), "0");
        assert_eq!(plain(5e-4), "5e-4");
        assert_eq!(plain(f64::INFINITY), "inf");
        assert_eq!(plain(f64::NAN), "NaN");
        assert_eq!(error(0.123_456), "0.1235");
        assert_eq!(error(0.012_345_6), "0.01235");
        assert_eq!(error(1.234_56e-4), "1.235e-4");
        assert_eq!(error(0.0), "0");
        assert_eq!(error(10.0), "10.00");
        assert_eq!(error(f64::INFINITY), "inf");
        assert_eq!(with_prefix(950.0), "950");
        assert_eq!(with_prefix(12_345.0), "12.3 k");
        assert_eq!(with_prefix(4.56e9), "4.56 G");
        assert_eq!(span(3.21), "3.2 s");
        assert_eq!(span(725.0), "12 min 05 s");
        assert_eq!(span(1e300).split(' ').next_back(), Some("min"));
        assert_eq!(counted(1, "run"), "1 run");
    }
}
