//! Black-box tests of the search on tiny landscapes that can be enumerated.

mod called_off;
mod helping;
mod kicks;
mod landscape;
mod outcomes;
mod reference;
mod resume;
mod sparsity;
mod threads;
