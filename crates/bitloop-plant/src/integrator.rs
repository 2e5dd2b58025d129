//! [`Integrator`]: the integration methods.

use crate::codes;

/// How a control period is cut into integration steps of `h` seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Integrator {
    /// `x += h f(t, x, u)`, of first order.
    Euler,
    /// Rates first, then positions with the new rates (see [`crate::Plant::rate_of`]); of first order, and symplectic
    /// for mechanical plants.
    SemiImplicitEuler,
    /// The classical method of fourth order.
    RungeKutta4,
    /// The plant's own discrete step.
    PlantStep,
}

impl Integrator {
    /// Every integrator, in the order of the codes that cross the plant boundary.
    pub const ALL: [Self; 4] =
        [Self::Euler, Self::SemiImplicitEuler, Self::RungeKutta4, Self::PlantStep];

    /// The name in scenarios and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Euler => "Euler",
            Self::SemiImplicitEuler => "SemiImplicitEuler",
            Self::RungeKutta4 => "RungeKutta4",
            Self::PlantStep => "PlantStep",
        }
    }

    /// The code that crosses the plant boundary.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::Euler => codes::INTEGRATOR_EULER,
            Self::SemiImplicitEuler => codes::INTEGRATOR_SEMI_IMPLICIT_EULER,
            Self::RungeKutta4 => codes::INTEGRATOR_RUNGE_KUTTA_4,
            Self::PlantStep => codes::INTEGRATOR_PLANT_STEP,
        }
    }

    /// Whether it is one of `list`.
    pub(crate) const fn is_in(self, list: &[Self]) -> bool {
        let mut index = 0;
        while index < list.len() {
            if list[index].code() == self.code() {
                return true;
            }
            index += 1;
        }
        false
    }

    /// The integrator of a code, if there is one.
    #[inline]
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|integrator| integrator.code() == code)
    }
}
