//! Operators that every vector type derives from its own few.

/// Implements the operators with an `f64` on the right, and the assigning ones, for a vector type.
macro_rules! derive_operators {
    ($name:ty $(, $generic:ident)*) => {
        impl<$($generic: $crate::Real),*> std::ops::Add<f64> for $name {
            type Output = Self;
            #[inline(always)]
            fn add(self, right: f64) -> Self {
                self + <Self as $crate::Real>::splat(right)
            }
        }
        impl<$($generic: $crate::Real),*> std::ops::Sub<f64> for $name {
            type Output = Self;
            #[inline(always)]
            fn sub(self, right: f64) -> Self {
                self - <Self as $crate::Real>::splat(right)
            }
        }
        impl<$($generic: $crate::Real),*> std::ops::Mul<f64> for $name {
            type Output = Self;
            #[inline(always)]
            fn mul(self, right: f64) -> Self {
                self * <Self as $crate::Real>::splat(right)
            }
        }
        impl<$($generic: $crate::Real),*> std::ops::Div<f64> for $name {
            type Output = Self;
            #[inline(always)]
            fn div(self, right: f64) -> Self {
                self / <Self as $crate::Real>::splat(right)
            }
        }
        impl<$($generic: $crate::Real),*> std::ops::AddAssign for $name {
            #[inline(always)]
            fn add_assign(&mut self, right: Self) {
                *self = *self + right;
            }
        }
        impl<$($generic: $crate::Real),*> std::ops::SubAssign for $name {
            #[inline(always)]
            fn sub_assign(&mut self, right: Self) {
                *self = *self - right;
            }
        }
    };
}

pub(super) use derive_operators;
