//! [`FmuFault`]: why an FMU cannot be used as a plant.

use bitloop_text::FileError;
use thiserror::Error;

/// What is wrong with an FMU, or with the file beside it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FmuFault {
    /// There is no such file.
    #[error("no such file")]
    Missing,
    /// The file cannot be read, and why.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// The file is no zip archive, or a damaged one.
    #[error("it is no FMU, which is a zip archive: {0}")]
    NotAnArchive(String),
    /// Something in the archive is larger than is read.
    #[error("{0}")]
    TooLarge(String),
    /// The archive holds a file whose place would be outside of the folder that it is unpacked to.
    #[error("it holds the file {0:?}, which would be written outside of its folder")]
    UnsafePath(String),
    /// The archive has no model description.
    #[error("it holds no modelDescription.xml")]
    NoDescription,
    /// The description is faulty.
    #[error("modelDescription.xml: {0}")]
    Description(String),
    /// The description is of another version of the interface.
    #[error("it is of FMI {0:?}; 2.0 and 3.0 are read")]
    Version(String),
    /// A state that is no scalar `f64`.
    #[error("its state `{0}` is {1}")]
    State(String, String),
    /// It offers no interface that is asked for.
    #[error("it offers no {0}")]
    NoInterface(&'static str),
    /// It needs the tool that made it.
    #[error("it runs only beside the tool that made it{}", by(.0))]
    NeedsTool(String),
    /// It has event indicators.
    #[error("it has {0} event indicators, and a plant is a differential equation without events")]
    Events(usize),
    /// It has no continuous states.
    #[error("it has no continuous states")]
    NoStates,
    /// One instance in a process is not enough.
    #[error("it allows one instance in a process, and Co-Simulation needs one for each episode")]
    OncePerProcess,
    /// It has no library for this machine; the platforms that it has, and the one that is needed.
    #[error("it holds no library for this machine, {needed}: {}", platforms(.found))]
    OtherPlatform {
        /// What it has.
        found: Vec<String>,
        /// What it would have to have.
        needed: String,
    },
    /// The file beside it is missing, by its path.
    #[error("there is no {0} beside it, which says what is controlled and what it costs")]
    NoSettings(String),
    /// The file beside it is faulty.
    #[error(transparent)]
    Settings(#[from] FileError),
}

fn by(tool: &str) -> String {
    if tool.is_empty() { String::new() } else { format!(", {tool}") }
}

fn platforms(found: &[String]) -> String {
    if found.is_empty() {
        return "it holds none at all".to_owned();
    }
    format!("it holds libraries for {}", found.join(", "))
}

impl FmuFault {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        let hint = match self {
            Self::Missing => "check the path",
            Self::Unreadable(_) => "name a file that can be read",
            Self::NotAnArchive(_) | Self::NoDescription => {
                "name the .fmu file itself, as the tool exported it"
            }
            Self::TooLarge(_) => "is it the right file?",
            Self::UnsafePath(_) => "do not use it: a sound tool does not write such an archive",
            Self::Description(_) => "export it again",
            Self::Version(_) => "export it as FMI 2.0 or 3.0",
            Self::State(..) => "export it with scalar states, or as FMI 2.0",
            Self::NoInterface(_) => "export it for Model Exchange or Co-Simulation",
            Self::NeedsTool(_) => "export it with its solver and without the tool, if the tool can",
            Self::Events(_) => {
                "export a model without switches: smooth functions in place of `if`, noEvent in Modelica"
            }
            Self::NoStates => "export a model with differential equations, or for Co-Simulation",
            Self::OncePerProcess => "export it for Model Exchange, or without that limit",
            Self::OtherPlatform { .. } => {
                "export it for Linux on this processor, or compile its sources with its tool"
            }
            Self::NoSettings(_) => {
                "`bitloop plant new --fmu FILE.fmu` writes it, with all variables"
            }
            Self::Settings(error) => return error.hint.clone().unwrap_or_default(),
        };
        hint.to_owned()
    }
}
