//! [`Lanes`]: a batch as slices.

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
