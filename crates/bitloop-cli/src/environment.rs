//! What is read from the surroundings: environment variables, the number of cores, the name of the command, signals.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use bitloop_host::{ProcessState, StatePart};
use bitloop_plant::Isa;
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use crate::failure::Failure;
use crate::output::{print_note, shell};

/// What is said when a plant calls `exit` in this process, unless a command knows more.
pub const EXIT_MESSAGE: &str = "a plant has ended this program by calling `exit`\n = hint: `bitloop plant check` looks for the cause";

/// How often it is looked what plants have changed.
const WATCH_PERIOD: Duration = Duration::from_millis(100);

/// The state of this process before plants were called.
static STATE: OnceLock<ProcessState> = OnceLock::new();

/// The parts of it that a plant has changed, each reported once.
static CHANGED: Mutex<Vec<StatePart>> = Mutex::new(Vec::new());

/// From now on, looks ten times a second what calls of plants have changed in this process, and puts it back: the working
/// directory, the handling of signals, the umask, standard streams.
pub fn watch_process() {
    if STATE.set(ProcessState::capture()).is_err() {
        return;
    }
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(WATCH_PERIOD);
            restore_process();
        }
    });
}

/// Puts back at once what calls of plants have changed in this process.
pub fn restore_process() {
    let Some(state) = STATE.get() else { return };
    let mut known = CHANGED.lock().unwrap_or_else(PoisonError::into_inner);
    for part in state.restore_shared().parts() {
        if !known.contains(&part) {
            known.push(part);
            print_note(&format!(
                "warning: a call of the plant changes {part}, which was put back; `bitloop plant check` has more"
            ));
        }
    }
}

/// The instruction set of `BITLOOP_ISA`, or the fastest one; empty counts as unset.
pub fn isa() -> Result<Isa, Failure> {
    match std::env::var_os("BITLOOP_ISA") {
        Some(name) if !name.is_empty() => Ok(Isa::named(&name.to_string_lossy())?),
        _ => Ok(Isa::best()),
    }
}

/// A command that starts this very program again, even if its file was replaced meanwhile.
pub fn this_program() -> Command {
    Command::new("/proc/self/exe")
}

/// As many threads as there are cores for this process.
pub fn n_cores() -> NonZeroUsize {
    available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// This program as it was called, to be shown in commands to type next.
pub fn program() -> String {
    std::env::args_os().next().map_or("bitloop".to_owned(), |name| shell::quoted(&name))
}

/// The file of this program.
pub fn program_file() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::Usage {
        message: format!("--isolate: the file of this program is not known: {error}"),
        hint: None,
    })
}

/// The command line of this process, as one would type it.
pub fn command_line() -> String {
    let words = std::env::args_os().map(|word| shell::quoted(&word));
    words.collect::<Vec<_>>().join(" ")
}

/// The name of this machine; empty if the system does not tell it.
pub fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

/// This program as it can be called from any folder.
pub fn program_from_anywhere() -> String {
    let name = std::env::args_os().next().unwrap_or_default();
    let is_path = name.to_string_lossy().contains('/');
    match std::path::absolute(&name) {
        Ok(path) if is_path => shell::quoted(path),
        _ => program(),
    }
}

/// Beyond the largest size of a file (`ulimit -f`), writing fails, instead of ending the program.
pub fn outlive_file_limit() {
    // With any handler at all, the call to the system returns an error. Nothing needs the flag; where the system refuses the
    // handler, the program ends as it would have without.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Ctrl-C and SIGTERM turned into a flag. A second signal ends the program at once.
#[derive(Debug)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Starts to listen.
    pub fn listen() -> Self {
        let interrupt = Self { flag: Arc::default(), signal: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            // The order matters: the flag is looked at before the same signal sets it. Where the system refuses a
            // handler, the signal ends the program as usual, which is no reason to fail.
            let _ = flag::register_conditional_shutdown(
                signal,
                128 + signal,
                Arc::clone(&interrupt.flag),
            );
            let number = usize::try_from(signal).unwrap_or_default();
            let _ = flag::register_usize(signal, Arc::clone(&interrupt.signal), number);
            let _ = flag::register(signal, Arc::clone(&interrupt.flag));
        }
        // The handlers are part of what a plant must not change.
        watch_process();
        interrupt
    }

    /// Set once a signal came.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    /// The same flag, to be kept.
    pub fn shared_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Whether a signal came.
    pub fn came(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// The number of the signal that came; SIGINT if none did.
    pub fn signal(&self) -> u8 {
        match self.signal.load(Ordering::Relaxed) {
            0 => 2,
            number => u8::try_from(number).unwrap_or(2),
        }
    }
}
