//! FMI 2.0 and 3.0 co-simulation: archives with a description and the exact C as sources.

mod description;

use std::io::{Cursor, Write as _};

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::c;
use crate::error::ExportError;
use crate::files::{Export, ExportFile};
use crate::head;
use crate::portable::Portable;
use crate::python::{head_comment, string, vectors};
use crate::text::number;

const PROMISE: &str = "Co-simulation with sources in C: on the machine that compiles them, bit for bit what bitloop computes.";

/// Functions of FMI 3.0 that have nothing to do here.
const NOT_IN_FMI3: [&str; 62] = [
    "fmi3ActivateModelPartition",
    "fmi3EnterConfigurationMode",
    "fmi3ExitConfigurationMode",
    "fmi3EnterEventMode",
    "fmi3EnterStepMode",
    "fmi3GetFloat32",
    "fmi3GetInt8",
    "fmi3GetUInt8",
    "fmi3GetInt16",
    "fmi3GetUInt16",
    "fmi3GetInt32",
    "fmi3GetUInt32",
    "fmi3GetInt64",
    "fmi3GetUInt64",
    "fmi3GetBoolean",
    "fmi3GetString",
    "fmi3GetBinary",
    "fmi3GetClock",
    "fmi3SetFloat32",
    "fmi3SetInt8",
    "fmi3SetUInt8",
    "fmi3SetInt16",
    "fmi3SetUInt16",
    "fmi3SetInt32",
    "fmi3SetUInt32",
    "fmi3SetInt64",
    "fmi3SetUInt64",
    "fmi3SetBoolean",
    "fmi3SetString",
    "fmi3SetBinary",
    "fmi3SetClock",
    "fmi3GetNumberOfVariableDependencies",
    "fmi3GetVariableDependencies",
    "fmi3GetFMUState",
    "fmi3SetFMUState",
    "fmi3FreeFMUState",
    "fmi3SerializedFMUStateSize",
    "fmi3SerializeFMUState",
    "fmi3DeserializeFMUState",
    "fmi3GetDirectionalDerivative",
    "fmi3GetAdjointDerivative",
    "fmi3GetIntervalDecimal",
    "fmi3GetIntervalFraction",
    "fmi3GetShiftDecimal",
    "fmi3GetShiftFraction",
    "fmi3SetIntervalDecimal",
    "fmi3SetIntervalFraction",
    "fmi3SetShiftDecimal",
    "fmi3SetShiftFraction",
    "fmi3EvaluateDiscreteStates",
    "fmi3UpdateDiscreteStates",
    "fmi3EnterContinuousTimeMode",
    "fmi3CompletedIntegratorStep",
    "fmi3SetTime",
    "fmi3SetContinuousStates",
    "fmi3GetContinuousStateDerivatives",
    "fmi3GetEventIndicators",
    "fmi3GetContinuousStates",
    "fmi3GetNominalsOfContinuousStates",
    "fmi3GetNumberOfEventIndicators",
    "fmi3GetNumberOfContinuousStates",
    "fmi3GetOutputDerivatives",
];

/// Archives for both versions under the name `name`, and a self-test in Python.
pub(crate) fn fmu(portable: &Portable, name: &str) -> Result<Export, ExportError> {
    let Some(sample_time_s) = portable.origin.sample_time_s else {
        let message = "a model of examples has no sample time, which co-simulation needs";
        return Err(ExportError::refused(message, "export it to c, rust, numpy or onnx"));
    };
    let sources = c::exact(portable, name)?;
    let mut files = Vec::new();
    for (version, wrapper, description) in [
        (2, include_str!("fmi2.c").to_owned(), description::fmi2(portable, name)),
        (3, fmi3(), description::fmi3(portable, name)),
    ] {
        let wrapper = format!("{}{wrapper}", include_str!("instance.c"))
            .replace("@NAME@", name)
            .replace("@UPPER@", &name.to_ascii_uppercase())
            .replace("@TIME@", &number(sample_time_s))
            .replace("@TOKEN@", &description::token(portable, version));
        let mut entries = vec![
            ("modelDescription.xml".to_owned(), description.into_bytes()),
            (format!("sources/fmi{version}.c"), wrapper.into_bytes()),
        ];
        if version == 3 {
            let build = description::build(name).into_bytes();
            entries.push(("sources/buildDescription.xml".to_owned(), build));
        }
        for file in &sources.files[..2] {
            entries.push((format!("sources/{}", file.name), file.contents.clone()));
        }
        let contents = archive(&entries)?;
        files.push(ExportFile { name: format!("{name}_fmi{version}.fmu"), contents });
    }
    let test = format!(
        "{}\nimport numpy as np\n\nNAME = {}\nSAMPLE_TIME_S = {sample_time_s:?}\nINPUT_NAMES = {}\nOUTPUT_NAMES = {}\n{}\n{}",
        head_comment(&head::lines(portable, PROMISE)),
        string(name),
        description::variable_names(portable).0,
        description::variable_names(portable).1,
        vectors(portable),
        include_str!("self_test.py"),
    );
    files.push(ExportFile::text("self_test.py", test));
    let mut notes = sources.notes;
    notes.push(
        "`python3 self_test.py` adds a library for this machine to both archives, for tools that do not compile sources"
            .to_owned(),
    );
    Ok(Export { files, self_test: "python3 self_test.py".to_owned(), notes })
}

fn fmi3() -> String {
    let functions = NOT_IN_FMI3.map(|name| format!("NOT_HERE({name})")).join("\n");
    // `bool` is a word of C++, and a header's in C99.
    format!(
        "#ifndef __cplusplus\n#include <stdbool.h>\n#endif\n\n{}",
        include_str!("fmi3.c").replace("@NOT_HERE@", &functions)
    )
}

/// A zip archive, the same bytes each time.
fn archive(entries: &[(String, Vec<u8>)]) -> Result<Vec<u8>, ExportError> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default());
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let written = entries.iter().try_for_each(|(name, contents)| {
        writer.start_file(name.as_str(), options)?;
        writer.write_all(contents)?;
        Ok::<(), zip::result::ZipError>(())
    });
    let hint = "export it to c, and build the archive with your tool";
    let refused = |error: zip::result::ZipError| ExportError::refused(error.to_string(), hint);
    written.map_err(refused)?;
    Ok(writer.finish().map_err(refused)?.into_inner())
}
