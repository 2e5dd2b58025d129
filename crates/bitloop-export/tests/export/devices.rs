//! C on emulated microcontrollers: the same bits, the size of code and memory, and the instructions of a step.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bitloop_export::{Codes, Fixed, Portable, Target, Weights, export};
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

/// The program for `device` that runs the file `steps` of its folder, compiled for speed (`-O2`) or for size (`-Os`).
fn compiled(
    device: &Device,
    portable: &Portable,
    name: &str,
    optimization: &str,
    home: &Path,
) -> PathBuf {
    write("device.c", include_str!("c/device.c"), home);
    write("start.c", include_str!("c/start.c"), home);
    write("device.ld", include_str!("c/device.ld"), home);
    let mut command = Command::new(COMPILER);
    command.current_dir(home).args(device.options);
    command.args(["-mthumb", "-std=c99", optimization, "-ffreestanding", "-nostartfiles"]);
    command.arg("-Tdevice.ld");
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

/// Steps, those of them that differ, ticks of the clock, and bytes of the stack below the caller of a step.
fn emulated(device: &Device, program: &Path, home: &Path) -> [usize; 4] {
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
            let program = compiled(device, &portable, &id, "-O2", &home);
            let [found, n_differing, n_ticks, stack] = emulated(device, &program, &home);
            assert_eq!([found, n_differing], [n_steps, 0], "{name} on {}", device.name);
            let n_instructions = device.instructions_per_tick * n_ticks as f64 / n_steps as f64;
            let flash = flash(device, &id, &home);
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
fn twenty_recurrent_units_take_few_bytes_of_flash_and_memory() {
    let what = "the size of an export";
    if !is_there(COMPILER, what) || !is_there(EMULATOR, what) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("c");
    let portable = twenty_recurrent_units();
    let exported = export(&portable, Target::CFixed, "net").unwrap();
    exported.write(&home).unwrap();
    assert!(exported.notes.iter().any(|note| note.contains("80 bytes of memory")));
    fs::write(home.join("steps"), steps_of(&portable)).unwrap();
    let n_weight_bytes = (521 * 12_usize).div_ceil(8);
    for device in &DEVICES[..3] {
        let code = flash(device, "net", &home) - n_weight_bytes;
        assert!(code < 4096, "{}: {code} bytes", device.name);
        let program = compiled(device, &portable, "net", "-Os", &home);
        let [n_steps, n_differing, _, stack] = emulated(device, &program, &home);
        assert_eq!([n_steps, n_differing], [N_STEPS, 0], "{}", device.name);
        let memory = 80 + stack;
        println!("{}: {code} bytes without weights, 80 + {stack} of memory", device.name);
        // A Cortex-M0 multiplies 64 bits by a function, which has a stack of its own.
        let limit = if device.name == "Cortex-M0" { 300 } else { 256 };
        assert!(memory <= limit, "{}: {memory} bytes", device.name);
    }
}

const N_STEPS: usize = 200;

/// Steps of `portable` in fixed point, as the emulated program reads them.
fn steps_of(portable: &Portable) -> Vec<u8> {
    let fixed = Fixed::new(portable).unwrap();
    let mut memory = vec![0; fixed.n_memory()];
    let mut steps = Vec::new();
    for step in 0..N_STEPS {
        let mut inputs: Vec<i32> = vec![0; portable.inputs.len()];
        for (input, salt) in inputs.iter_mut().zip([104_729, 15_485_863, 7919, 1_299_709]) {
            *input = ((i32::try_from(step).unwrap() * 31_337 + salt) % 2001 - 1000) << 16;
        }
        let mut outputs = vec![0; portable.outputs.len()];
        fixed.step(&mut memory, &inputs, &mut outputs);
        let begins = i32::from(step == 0);
        let numbers = [begins].into_iter().chain(inputs).chain(outputs);
        steps.extend(numbers.flat_map(i32::to_le_bytes));
    }
    steps
}

/// Bytes of code and constants.
fn flash(device: &Device, name: &str, home: &Path) -> usize {
    let mut command = Command::new(COMPILER);
    command.current_dir(home).args(device.options).args(["-mthumb", "-std=c99", "-Os"]);
    run(command.arg("-c").arg(format!("{name}.c")));
    let object = format!("{name}.o");
    let sizes = run(Command::new("arm-none-eabi-size").arg(object).current_dir(home));
    // Under a line of titles: code with constants, initialized data, other data.
    let [flash, data, bss, ..] = counts(sizes.lines().nth(1).unwrap())[..] else {
        panic!("{sizes}")
    };
    assert_eq!([data, bss], [0, 0], "nothing is kept outside the state");
    flash
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
