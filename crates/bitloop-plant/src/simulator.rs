//! [`Simulator`]: a plant whose equations are known only when the program runs, such as those of another tool's model.
//!
//! A [`Plant`](crate::Plant) is a type, and its equations are compiled into kernels. A model that is read from a file is a
//! value, and often has working memory that only one thread may use at a time: a simulator makes [`Equations`], one for each
//! thread that calls the plant at once, and the kernels of scalar plants run them.

/// Equations that one thread uses at a time. Whatever memory they have, each answer is a function of the arguments alone.
///
/// An error ends the call of the plant with its text, and these equations are used no more.
pub trait Equations: Send {
    /// Writes dx/dt to `dx`; NaN where there is none.
    ///
    /// # Errors
    /// If the equations cannot be evaluated any more.
    fn derivative(
        &mut self,
        t_s: f64,
        x: &[f64],
        u: &[f64],
        p: &[f64],
        dx: &mut [f64],
    ) -> Result<(), String>;

    /// Writes the observations to `y`.
    ///
    /// # Errors
    /// As [`derivative`](Self::derivative).
    fn observe(&mut self, t_s: f64, x: &[f64], p: &[f64], y: &mut [f64]) -> Result<(), String>;

    /// The stage cost; negative or NaN is a fault, which ends the episode.
    ///
    /// # Errors
    /// As [`derivative`](Self::derivative).
    fn stage_cost(&mut self, t_s: f64, x: &[f64], u: &[f64], p: &[f64]) -> Result<f64, String>;

    /// The cost of ending at `x`.
    ///
    /// # Errors
    /// As [`derivative`](Self::derivative).
    fn terminal_cost(&mut self, x: &[f64], p: &[f64]) -> Result<f64, String>;

    /// Whether `x` lies in the failure set.
    ///
    /// # Errors
    /// As [`derivative`](Self::derivative).
    fn failed(&mut self, t_s: f64, x: &[f64], p: &[f64]) -> Result<bool, String>;

    /// What is charged after a failure.
    ///
    /// # Errors
    /// As [`derivative`](Self::derivative).
    fn failure_cost(&mut self, p: &[f64]) -> Result<f64, String>;
}

/// A plant that makes its equations when the program runs.
pub trait Simulator: Send + Sync {
    /// Equations for one more thread.
    ///
    /// # Errors
    /// If there can be none, and why.
    fn equations(&self) -> Result<Box<dyn Equations>, String>;

    /// How many there may be at once; threads beyond that wait for each other.
    fn max_equations(&self) -> usize {
        usize::MAX
    }
}
