//! FMUs as plants, of a small model in C, compiled and packed by the tests.

mod bad_input;
mod co_simulation;
mod equal_twin;
mod reset;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use bitloop_host::{FmuPlant, FmuPlantFault};
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::support::Bench;

const MODEL: &str = include_str!("model.c");

/// The version's number, its description, and where its library belongs.
pub const FMI2: Version = (2, include_str!("fmi2.xml"), "binaries/linux64/oscillator.so");
pub const FMI3: Version = (3, include_str!("fmi3.xml"), "binaries/x86_64-linux/oscillator.so");
pub type Version = (u32, &'static str, &'static str);

/// A whole file beside an FMU.
pub const SETTINGS: &str = r#"Fmu(
    controls: {"u": ()},
    observations: {"x0": (), "speed": (value: "x1", scale: 2)},
    parameters: {"mu": (max: 10)},
    cost: "x0^2 + x1^2 + 0.1*u^2",
    failure: "abs(x0) > 10",
    failure_cost: 300,
)
"#;

/// An FMU that is packed anew for each test.
pub struct Model {
    bench: Bench,
    pub version: Version,
    pub description: String,
    pub settings: String,
    /// What is wrong with the code: a number in `model.c`.
    pub spoil: u32,
    pub compiler_arguments: Vec<String>,
    /// Further files.
    pub files: Vec<(String, Vec<u8>)>,
    pub platform: String,
}

impl Model {
    pub fn new(version: Version) -> Self {
        Self {
            bench: Bench::new(),
            version,
            description: version.1.to_owned(),
            settings: SETTINGS.to_owned(),
            spoil: 0,
            compiler_arguments: Vec::new(),
            files: Vec::new(),
            platform: version.2.to_owned(),
        }
    }

    pub fn described(mut self, from: &str, to: &str) -> Self {
        assert!(self.description.contains(from), "{from}");
        self.description = self.description.replace(from, to);
        self
    }

    pub fn set(mut self, from: &str, to: &str) -> Self {
        assert!(self.settings.contains(from), "{from}");
        self.settings = self.settings.replace(from, to);
        self
    }

    /// The same model, which takes its own steps.
    pub fn stepped(version: Version) -> Self {
        Self::new(version).described("<ModelExchange", "<CoSimulation")
    }

    pub fn spoiled(self, spoil: u32) -> Self {
        Self { spoil, ..self }
    }

    pub fn bench(&self) -> &Bench {
        &self.bench
    }

    /// Writes the FMU and the file beside it.
    pub fn write(&self) -> PathBuf {
        let number = self.version.0;
        let mut arguments = vec![format!("-DFMI={number}"), format!("-DID=\"{{0815-{number}}}\"")];
        arguments.push(format!("-DSPOIL={}", self.spoil));
        arguments.extend(self.compiler_arguments.iter().cloned());
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let library = self.bench.compile_with("model.so", MODEL, &arguments);
        let mut files = vec![
            ("modelDescription.xml".to_owned(), self.description.clone().into_bytes()),
            (self.platform.clone(), fs::read(library).unwrap()),
        ];
        files.extend(self.files.iter().cloned());
        let path = self.bench.path("Oscillator.fmu");
        fs::write(&path, packed(&files)).unwrap();
        fs::write(self.bench.path("Oscillator.fmu.ron"), &self.settings).unwrap();
        path
    }

    #[track_caller]
    pub fn open(&self) -> FmuPlant {
        FmuPlant::open(&self.write()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What is wrong with an FMU that must not open, as text.
    #[track_caller]
    pub fn refused(&self) -> String {
        self.fault().to_string()
    }

    #[track_caller]
    pub fn fault(&self) -> FmuPlantFault {
        match FmuPlant::open(&self.write()) {
            Ok(plant) => panic!("{plant:?}"),
            Err(error) => error.fault,
        }
    }
}

/// An archive of these files.
pub fn packed(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
