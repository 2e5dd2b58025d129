//! [`Lanes`]: a batch as slices, and where kernels take them from.

/// A batch as slices, for the kernels; fields are those of [`Batch`](crate::Batch).
#[expect(clippy::struct_field_names, reason = "named as in `Batch`")]
pub(crate) struct Lanes<'a> {
    pub n_lanes: usize,
    pub stride: usize,
    pub parameters: &'a [f64],
    pub state: &'a mut [f64],
    pub control: &'a [f64],
    pub observation: &'a mut [f64],
    pub cost: &'a mut [f64],
    pub end_step: &'a mut [u32],
    pub end_cost: &'a mut [f64],
    pub tick: u64,
    pub n_steps: u32,
    pub step_s: f64,
    pub counts_cost: bool,
}

/// Where a kernel takes its lanes from. It does so within itself: slices that it does not use cost nothing there, and the others
/// need no room in memory.
pub(crate) trait LanesSource {
    /// The batch as slices.
    fn lanes(&mut self) -> Lanes<'_>;
}

impl LanesSource for Lanes<'_> {
    #[inline(always)]
    fn lanes(&mut self) -> Lanes<'_> {
        Lanes {
            state: self.state,
            observation: self.observation,
            cost: self.cost,
            end_step: self.end_step,
            end_cost: self.end_cost,
            ..*self
        }
    }
}
