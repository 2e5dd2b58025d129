//! C on emulated microcontrollers: the same bits, the size of code and memory, and the instructions of a step.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bitloop_export::{Codes, Portable, Target, Weights, export};
use bitloop_net::{Activation, Feedback, Layer, Network};

use crate::episodes::{FixedStep, Shipped, Step, fixed_steps, shipped};
use crate::networks::{controller, sample};
use crate::tools::{counts, run, skipped};

const COMPILER: &str = "arm-none-eabi-gcc";
const EMULATOR: &str = "qemu-system-arm";

/// A processor, the options that compile for it, the machine that emulates it, and the target that it can run.
///
/// `instructions_per_tick` is how many instructions pass from one tick of its clock to the next, the emulator counting one for each
/// nanosecond.
struct Device {
    name: &'static str,
    options: &'static [&'static str],
    machine: &'static str,
    instructions_per_tick: f64,
    target: Target,
}

const DEVICES: [Device; 5] = [
    Device {
        name: "Cortex-M0",
        options: &["-mcpu=cortex-m0"],
        machine: "microbit",
        instructions_per_tick: 1e3 / 16.0,
        target: Target::CFixed,
    },
    Device {
        name: "Cortex-M3",
        options: &["-mcpu=cortex-m3"],
        machine: "mps2-an385",
        instructions_per_tick: 1e3 / 25.0,
        target: Target::CFixed,
    },
    Device {
        name: "Cortex-M4",
        options: &["-mcpu=cortex-m4"],
        machine: "mps2-an386",
        instructions_per_tick: 1e3 / 25.0,
        target: Target::CFixed,
    },
    Device {
        name: "Cortex-M7 in fixed point",
        options: &["-mcpu=cortex-m7"],
        machine: "mps2-an500",
        instructions_per_tick: 1e3 / 25.0,
        target: Target::CFixed,
    },
    Device {
        name: "Cortex-M7 in double precision",
        options: &["-mcpu=cortex-m7", "-mfloat-abi=hard", "-mfpu=fpv5-d16"],
        machine: "mps2-an500",
        instructions_per_tick: 1e3 / 25.0,
        target: Target::C,
    },
];

fn is_there(program: &str, what_is_skipped: &str) -> bool {
    let answer = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    let is_there = answer.is_ok_and(|status| status.success());
    if !is_there {
        skipped(what_is_skipped, &format!("there is no `{program}`"));
    }
    is_there
}

fn write(name: &str, text: &str, folder: &Path) {
    fs::write(folder.join(name), text).unwrap();
}

/// The program for `device` that runs the file `steps` of its folder.
fn compiled(device: &Device, portable: &Portable, name: &str, home: &Path) -> PathBuf {
    write("device.c", include_str!("c/device.c"), home);
    write("start.c", include_str!("c/start.c"), home);
    write("device.ld", include_str!("c/device.ld"), home);
    let mut command = Command::new(COMPILER);
    command.current_dir(home).args(device.options);
    command.args(["-mthumb", "-std=c99", "-O2", "-ffreestanding", "-nostartfiles", "-Tdevice.ld"]);
    command.args(["-Wall", "-Wextra", "-Werror", "-I."]);
    if device.target == Target::CFixed {
        command.arg("-DFIXED");
    }
    command.arg(format!("-DNAME={name}")).arg(format!("-DHEADER=\"{name}.h\""));
    command.arg(format!("-DN_IN={}", portable.inputs.len()));
    command.arg(format!("-DN_OUT={}", portable.outputs.len()));
    command.args(["start.c", "device.c"]).arg(format!("{name}.c")).args(["-o", "device"]);
    run(&mut command);
    home.join("device")
}

/// Steps, those of them that differ, and instructions.
fn emulated(device: &Device, program: &Path, home: &Path) -> [usize; 3] {
    let mut command = Command::new(EMULATOR);
    command.current_dir(home).args(["-machine", device.machine, "-nographic", "-monitor", "none"]);
    command.args(["-serial", "none", "-semihosting-config", "enable=on,target=native"]);
    // The clock counts instructions, so that no result depends on the speed of this machine.
    command.args(["-icount", "shift=0"]).arg("-kernel").arg(program);
    run(command.stdin(Stdio::null()));
    let found = fs::read_to_string(home.join("found")).unwrap();
    counts(&found).try_into().unwrap()
}

#[test]
fn shipped_controllers_give_the_same_bits_on_emulated_devices() {
    // The smallest of them, and the one with doubles.
    shipped_controllers_on_devices(&[&DEVICES[0], &DEVICES[4]], 1);
}

#[test]
#[ignore = "takes half a minute; `.ci/run` runs it"]
fn shipped_controllers_give_the_same_bits_on_emulated_devices_over_twenty_episodes() {
    shipped_controllers_on_devices(&DEVICES.each_ref(), 20);
}

fn shipped_controllers_on_devices(devices: &[&Device], n_episodes: u32) {
    let what = "shipped controllers on emulated devices";
    if !is_there(COMPILER, what) || !is_there(EMULATOR, what) {
        return;
    }
    for Shipped { name, portable, steps } in shipped(n_episodes) {
        let id = name.replace('-', "_");
        let fixed = fixed_steps(&name, n_episodes);
        for &device in devices {
            let folder = tempfile::tempdir().unwrap();
            let home = folder.path().join("c");
            export(&portable, device.target, &id).unwrap().write(&home).unwrap();
            let (n_steps, bytes): (usize, Vec<u8>) = if device.target == Target::CFixed {
                (fixed.len(), fixed.iter().flat_map(FixedStep::bytes).collect())
            } else {
                (steps.len(), steps.iter().flat_map(Step::bytes).collect())
            };
            fs::write(home.join("steps"), bytes).unwrap();
            let program = compiled(device, &portable, &id, &home);
            let [found, n_differing, n_ticks] = emulated(device, &program, &home);
            assert_eq!([found, n_differing], [n_steps, 0], "{name} on {}", device.name);
            let n_instructions = device.instructions_per_tick * n_ticks as f64 / n_steps as f64;
            let [flash, stack] = sizes(device, &id, &home);
            println!(
                "{name}, {}: {flash} bytes of code and constants, {stack} of stack, {n_instructions:.0} instructions a step",
                device.name
            );
        }
    }
}

/// 4 inputs, 20 units that see each other's past, 1 output, with 12 bits a weight.
fn twenty_recurrent_units() -> Portable {
    let mut portable = sample(&controller(), 1).remove(0);
    let (input, output) = (portable.inputs[0].clone(), portable.outputs[0].clone());
    portable.inputs = vec![input; 4];
    portable.outputs = vec![output];
    let hidden = Layer { n_neurons: 20, activation: Activation::Tanh, feedback: Feedback::Full };
    let layers = vec![hidden, Layer::new(1, Activation::Linear)];
    portable.network = Network::new(4, 1, layers).unwrap();
    let codes = (0..521).map(|at| (at * 577) % 4095 - 2047).collect();
    portable.weights = Weights::Codes(Codes::new(12, 3.0, codes).unwrap());
    portable
}

#[test]
fn twenty_recurrent_units_take_less_than_4_kib_and_keep_80_bytes() {
    if !is_there(COMPILER, "the size of an export") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("c");
    let exported = export(&twenty_recurrent_units(), Target::CFixed, "net").unwrap();
    exported.write(&home).unwrap();
    assert!(exported.notes.iter().any(|note| note.contains("80 bytes of memory")));
    let n_weight_bytes = (521 * 12_usize).div_ceil(8);
    for device in &DEVICES[..3] {
        let [flash, stack] = sizes(device, "net", &home);
        let code = flash - n_weight_bytes;
        assert!(code < 4096, "{}: {code} bytes", device.name);
        println!("{}: {code} bytes without weights, stack of {stack}", device.name);
    }
}

/// Bytes of code and constants, and of the stack of all functions together.
fn sizes(device: &Device, name: &str, home: &Path) -> [usize; 2] {
    let mut command = Command::new(COMPILER);
    command.current_dir(home).args(device.options).args(["-mthumb", "-std=c99", "-Os"]);
    run(command.arg("-c").arg(format!("{name}.c")).arg("-fstack-usage"));
    let object = format!("{name}.o");
    let sizes = run(Command::new("arm-none-eabi-size").arg(object).current_dir(home));
    // Under a line of titles: code with constants, initialized data, other data.
    let [flash, data, bss, ..] = counts(sizes.lines().nth(1).unwrap())[..] else {
        panic!("{sizes}")
    };
    assert_eq!([data, bss], [0, 0], "nothing is kept outside the state");
    let usage = fs::read_to_string(home.join(format!("{name}.su"))).unwrap();
    // Place and name of a function, its bytes, and whether they are fixed, with tabs between them.
    let stack = |line: &str| counts(line.split('\t').nth(1).unwrap())[0];
    [flash, usage.lines().map(stack).sum()]
}

#[test]
fn processors_without_double_precision_are_refused_the_exact_export() {
    if !is_there(COMPILER, "the refusal of soft double precision") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("c");
    export(&twenty_recurrent_units(), Target::C, "net").unwrap().write(&home).unwrap();
    let single = ["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"];
    for options in [&single[..], &["-mcpu=cortex-m3"], &["-mcpu=cortex-m0"]] {
        let mut command = Command::new(COMPILER);
        command.current_dir(&home).args(options).args(["-mthumb", "-std=c99", "-c", "net.c"]);
        let output = command.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{options:?}");
        assert!(message.contains("export to c-fixed instead"), "{message}");
    }
}
