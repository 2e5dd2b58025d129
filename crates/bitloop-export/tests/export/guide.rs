//! The code in GUIDE.md compiles, for a PC and for a microcontroller.

use std::fs;
use std::path::Path;
use std::process::Command;

use bitloop_export::{Target, export};

use crate::tools::{can_compile, run};

const GUIDE: &str = include_str!("../../GUIDE.md");

#[test]
fn the_interrupt_in_the_guide_compiles_against_the_export() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../controllers/pendulum-positions.ron");
    let (_, code) = GUIDE.split_once("```c\n").unwrap();
    let (code, _) = code.split_once("```").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let portable = bitloop_export::read(&file).unwrap();
    let exported = export(&portable, Target::CFixed, "pendulum-positions").unwrap();
    exported.write(folder.path()).unwrap();
    fs::write(folder.path().join("interrupt.c"), code).unwrap();
    for (compiler, options) in [
        ("cc", &["-std=c99"][..]),
        ("arm-none-eabi-gcc", &["-std=c99", "-mcpu=cortex-m0", "-mthumb", "--specs=nosys.specs"]),
    ] {
        if !can_compile(compiler, options, "the interrupt in the guide") {
            continue;
        }
        let mut command = Command::new(compiler);
        command.current_dir(folder.path()).args(options);
        command.args(["-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
        run(command.args(["-c", "interrupt.c", "pendulum_positions.c"]));
    }
}
