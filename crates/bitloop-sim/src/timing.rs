//! [`Timing`]: simulated time in integer ticks, so that no sum of steps drifts.

use bitloop_decimal::TickTime;

use crate::error::SimError;

/// The most integration steps that an episode may take.
pub const MAX_TICKS: u64 = 1 << 40;

/// The integration step, and the control period as a multiple of it. A tick is one integration step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    step_s: f64,
    sample_time_s: f64,
    steps_per_period: u32,
}

impl Timing {
    /// An integration step and a control period (sample time), both in seconds.
    ///
    /// # Errors
    /// [`SimError`] if one is not positive and finite, or the period is no multiple of the step (to one part in 10^9), or
    /// more than 10^6 steps long.
    pub fn new(step_s: f64, sample_time_s: f64) -> Result<Self, SimError> {
        positive("integration step", step_s)?;
        positive("control period", sample_time_s)?;
        let steps = multiple("control period", sample_time_s, "integration step", step_s)?;
        let steps_per_period =
            u32::try_from(steps).ok().filter(|&n| n <= 1_000_000).ok_or(SimError::TooLarge {
                what: "integration steps in a control period",
                value: sample_time_s / step_s,
                limit: 1e6,
            })?;
        Ok(Self { step_s, sample_time_s, steps_per_period })
    }

    /// The integration step in seconds.
    #[must_use]
    pub const fn step_s(self) -> f64 {
        self.step_s
    }

    /// The control period (sample time) in seconds, as it was given.
    #[must_use]
    pub const fn sample_time_s(self) -> f64 {
        self.sample_time_s
    }

    /// How many integration steps a control period has.
    #[must_use]
    pub(crate) fn steps_per_query(self) -> u64 {
        u64::from(self.steps_per_period())
    }

    /// The number of the last query up to a tick.
    pub(crate) fn query(self, tick: u64) -> u64 {
        tick / self.steps_per_query()
    }

    /// Integration steps in a control period.
    #[must_use]
    pub const fn steps_per_period(self) -> u32 {
        self.steps_per_period
    }

    /// The ticks of a horizon or transient of `seconds`, which may be 0.
    ///
    /// # Errors
    /// [`SimError`] if `seconds` is negative or not finite, no multiple of the integration step, or over [`MAX_TICKS`].
    pub fn ticks(self, what: &'static str, seconds: f64) -> Result<u64, SimError> {
        if seconds == 0.0 {
            return Ok(0);
        }
        positive(what, seconds)?;
        multiple(what, seconds, "integration step", self.step_s)
    }

    /// The control periods of a delay of `seconds`, which may be 0.
    ///
    /// # Errors
    /// [`SimError`] if `seconds` is negative or not finite, no multiple of the control period, or over 2^32 of them.
    pub fn queries(self, what: &'static str, seconds: f64) -> Result<u32, SimError> {
        if seconds == 0.0 {
            return Ok(0);
        }
        positive(what, seconds)?;
        let n_queries = multiple(what, seconds, "control period", self.sample_time_s())?;
        u32::try_from(n_queries).map_err(|_| SimError::TooLarge {
            what: "control periods",
            value: n_queries as f64,
            limit: f64::from(u32::MAX),
        })
    }

    /// The time of a tick in seconds for people and files: the number nearest to as many steps, so that it is printed without the
    /// tail of a product. What is computed goes by [`seconds`](Self::seconds), on whose bits results depend.
    #[must_use]
    pub fn decimal_seconds(self, tick: u64) -> f64 {
        TickTime::new(self.step_s).seconds(tick)
    }

    /// The time of a tick in seconds.
    #[must_use]
    pub fn seconds(self, tick: u64) -> f64 {
        tick as f64 * self.step_s
    }
}

fn positive(what: &'static str, value_s: f64) -> Result<(), SimError> {
    if value_s > 0.0 && value_s.is_finite() {
        Ok(())
    } else {
        Err(SimError::NotPositive { what, value_s })
    }
}

/// How many times `unit_s` goes into `value_s`.
fn multiple(
    what: &'static str,
    value_s: f64,
    of: &'static str,
    of_s: f64,
) -> Result<u64, SimError> {
    let ratio = value_s / of_s;
    let within = ratio <= MAX_TICKS as f64;
    if !within {
        return Err(SimError::TooLarge {
            what: "integration steps",
            value: ratio,
            limit: MAX_TICKS as f64,
        });
    }
    let whole = ratio.round();
    // 0.1 / 0.01 and the like miss their whole number by a few units in the last place.
    if whole < 1.0 || (ratio - whole).abs() > 1e-9 * whole {
        return Err(SimError::NotMultiple { what, value_s, of, of_s });
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in 1..=2^40")]
    Ok(whole as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_whole_numbers_of_steps() {
        assert_eq!(Timing::new(0.01, 0.1).unwrap().steps_per_period(), 10);
        assert_eq!(Timing::new(0.1, 0.1).unwrap().steps_per_period(), 1);
        let timing = Timing::new(0.01, 0.1).unwrap();
        assert_eq!(timing.ticks("horizon", 100.0).unwrap(), 10_000);
        assert_eq!(timing.ticks("transient", 0.0).unwrap(), 0);
    }

    #[test]
    fn steps_that_are_not_positive_numbers_are_refused() {
        for bad in [0.0, -0.01, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(Timing::new(bad, 0.1), Err(SimError::NotPositive { .. })), "{bad}");
            assert!(matches!(Timing::new(0.01, bad), Err(SimError::NotPositive { .. })), "{bad}");
        }
        let timing = Timing::new(0.01, 0.1).unwrap();
        assert!(matches!(timing.ticks("horizon", -1.0), Err(SimError::NotPositive { .. })));
        assert!(matches!(timing.ticks("horizon", f64::NAN), Err(SimError::NotPositive { .. })));
    }

    #[test]
    fn periods_that_are_no_multiple_of_the_step_are_refused() {
        for (step, period) in [(0.01, 0.105), (0.03, 0.1), (0.2, 0.1), (0.1, 0.1 + 1e-6)] {
            let error = Timing::new(step, period).unwrap_err();
            assert!(matches!(error, SimError::NotMultiple { .. }), "{step} {period}: {error}");
        }
        let error = Timing::new(0.03, 0.1).unwrap_err().to_string();
        assert_eq!(
            error,
            "the control period of 0.1 s is no multiple of the integration step of 0.03 s; the nearest are 0.09 s and 0.12 s"
        );
        let timing = Timing::new(0.01, 0.1).unwrap();
        let nearest = |seconds| timing.ticks("horizon", seconds).unwrap_err().to_string();
        assert!(nearest(33.333).ends_with("; the nearest are 33.33 s and 33.34 s"));
        assert!(nearest(0.004).ends_with("; the nearest is 0.01 s"));
    }

    #[test]
    fn times_of_too_many_steps_are_refused() {
        assert!(matches!(Timing::new(1e-300, 1e300), Err(SimError::TooLarge { .. })));
        assert!(matches!(Timing::new(1e-9, 1.0), Err(SimError::TooLarge { .. })));
        let timing = Timing::new(0.01, 0.1).unwrap();
        assert!(matches!(timing.ticks("horizon", 1e18), Err(SimError::TooLarge { .. })));
    }
}
