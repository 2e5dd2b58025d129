//! [`BlockedCholesky`]: the Cholesky factor of a large matrix, panel by panel.
//!
//! nalgebra's own factorization goes column by column, which at 4000 columns waits for memory; here it factors blocks on
//! the diagonal, and everything else is products of matrices.

use nalgebra::{Cholesky, DMatrix, DMatrixView};

/// Columns of a panel.
const PANEL: usize = 128;

/// Columns of a product.
const TILE: usize = 256;

/// A' = L L' under way, in place of the lower triangle of A; a panel a step, so that it can be stopped in between.
#[derive(Debug)]
pub(crate) struct BlockedCholesky {
    matrix: DMatrix<f64>,
    n_done: usize,
}

/// The outcome of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Panel {
    OneOfMany,
    Last,
    /// The matrix is not positive definite to rounding.
    Indefinite,
}

impl BlockedCholesky {
    /// The factor of a symmetric matrix, of which the lower triangle alone is read.
    pub fn new(matrix: DMatrix<f64>) -> Self {
        Self { matrix, n_done: 0 }
    }

    /// Factors the next panel and takes its part from the rest.
    pub fn step(&mut self) -> Panel {
        let n = self.matrix.nrows();
        let first = self.n_done;
        let width = PANEL.min(n - first);
        let next = first + width;
        let corner = self.matrix.view((first, first), (width, width)).into_owned();
        let Some(factor) = Cholesky::new(corner) else { return Panel::Indefinite };
        let factor = factor.unpack();
        self.matrix.view_mut((first, first), (width, width)).copy_from(&factor);
        self.n_done = next;
        if next == n {
            return Panel::Last;
        }
        // L21 = A21 L11^-T, by its transpose.
        let mut below = self.matrix.view((next, first), (n - next, width)).transpose();
        if !factor.solve_lower_triangular_mut(&mut below) {
            return Panel::Indefinite;
        }
        let below = below.transpose();
        self.matrix.view_mut((next, first), (n - next, width)).copy_from(&below);
        for tile in (next..n).step_by(TILE) {
            let n_columns = TILE.min(n - tile);
            let left = below.rows(tile - next, n - tile);
            // Rows of `below` from `tile` on, as columns.
            let right = DMatrixView::from_slice_with_strides(
                &below.as_slice()[tile - next..],
                width,
                n_columns,
                n - next,
                1,
            );
            let mut rest = self.matrix.view_mut((tile, tile), (n - tile, n_columns));
            rest.gemm(-1.0, &left, &right, 1.0);
        }
        Panel::OneOfMany
    }

    /// The solution X of A X = B, in place of B, once the last panel is factored; whether there is one.
    pub fn solve_mut(&self, b: &mut DMatrix<f64>) -> bool {
        self.matrix.solve_lower_triangular_mut(b) && self.matrix.tr_solve_lower_triangular_mut(b)
    }
}

#[cfg(test)]
mod tests {
    use bitloop_random::{Purpose, Stream};

    use super::*;

    #[test]
    fn solves_systems_larger_than_a_panel_and_a_tile() {
        let mut stream = Stream::new(1, Purpose::Baseline, 0, 0);
        for n in [1, PANEL, PANEL + 1, 2 * TILE + 37] {
            let mut random =
                |rows, columns| DMatrix::from_fn(rows, columns, |_, _| stream.uniform_f64() - 0.5);
            let (root, x) = (random(n, n), random(n, 2));
            let matrix = &root * root.transpose() + DMatrix::identity(n, n);
            let mut b = &matrix * &x;
            let mut cholesky = BlockedCholesky::new(matrix.lower_triangle());
            while cholesky.step() == Panel::OneOfMany {}
            assert!(cholesky.solve_mut(&mut b));
            // Eigenvalues lie between 1 and about n / 3, so errors grow by no more than that.
            assert!((b - x).amax() < 1e-11, "{n}");
        }
    }

    #[test]
    fn an_indefinite_matrix_is_reported_in_the_panel_where_it_shows() {
        let mut matrix = DMatrix::identity(2 * PANEL, 2 * PANEL);
        matrix[(PANEL + 3, PANEL + 3)] = -1.0;
        let mut cholesky = BlockedCholesky::new(matrix);
        assert_eq!([cholesky.step(), cholesky.step()], [Panel::OneOfMany, Panel::Indefinite]);
    }
}
