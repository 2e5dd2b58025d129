//! The command line of bitloop with one more plant, which is linked in and needs no library:
//!
//! ```sh
//! cargo run --release -- plant info tank
//! cargo run --release -- train tank.ron --isolate
//! cargo run --release -- replay runs/tank-seed1/controller.ron
//! ```

#![forbid(unsafe_code)]

mod tank;

use std::process::ExitCode;

use bitloop_host::Registry;

fn main() -> ExitCode {
    let mut plants = Registry::built_in();
    plants.add::<tank::Tank>();
    bitloop_cli::main_with(plants)
}
