//! The elementary functions, which every vector type takes from [`crate::math`].

/// Implements the elementary functions of [`Real`](crate::Real), within its implementation.
macro_rules! derive_functions {
    () => {
        #[inline(always)]
        fn round_ties_even(self) -> Self {
            $crate::math::round_ties_even(self)
        }
        #[inline(always)]
        fn wrap_angle(self) -> Self {
            $crate::math::wrap_angle(self)
        }
        #[inline(always)]
        fn sin_cos(self) -> (Self, Self) {
            $crate::math::sin_cos(self)
        }
        #[inline(always)]
        fn sin(self) -> Self {
            $crate::math::sin_cos(self).0
        }
        #[inline(always)]
        fn cos(self) -> Self {
            $crate::math::sin_cos(self).1
        }
        #[inline(always)]
        fn tan(self) -> Self {
            $crate::math::tan(self)
        }
        #[inline(always)]
        fn atan2(self, other: Self) -> Self {
            $crate::math::atan2(self, other)
        }
        #[inline(always)]
        fn exp(self) -> Self {
            $crate::math::exp(self)
        }
        #[inline(always)]
        fn expm1(self) -> Self {
            $crate::math::expm1(self)
        }
        #[inline(always)]
        fn ln(self) -> Self {
            $crate::math::ln(self)
        }
        #[inline(always)]
        fn pow(self, exponent: Self) -> Self {
            $crate::math::pow(self, exponent)
        }
        #[inline(always)]
        fn tanh(self) -> Self {
            $crate::math::tanh(self)
        }
        #[inline(always)]
        fn logistic(self) -> Self {
            $crate::math::logistic(self)
        }
    };
}

pub(super) use derive_functions;
