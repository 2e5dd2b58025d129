//! The descriptions of an archive in XML.

use std::fmt::Write as _;

use crate::head;
use crate::portable::{Encoding, Portable};
use crate::python;
use crate::text::number;

/// What ties a library to its description: the digest of the controller, which covers its weights, and the version.
pub fn token(portable: &Portable, version: u32) -> String {
    let digest: String =
        portable.origin.digest.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    format!("bitloop-{digest}-fmi{version}")
}

/// Names of inputs and outputs as lists in Python: those of the plant, or with a number where one is there already.
pub fn variable_names(portable: &Portable) -> (String, String) {
    let all = names(portable);
    let (inputs, outputs) = all.split_at(portable.inputs.len());
    let list = |names: &[String]| python::names(names.iter().map(String::as_str));
    (list(inputs), list(outputs))
}

fn names(portable: &Portable) -> Vec<String> {
    let inputs = portable.inputs.iter().map(|input| &input.name);
    let outputs = portable.outputs.iter().map(|output| &output.name);
    let mut all: Vec<String> = vec!["time".to_owned()];
    for name in inputs.chain(outputs) {
        let plain: String = name.chars().filter(|c| !c.is_control()).collect();
        let mut unique = plain.clone();
        let mut number = 2;
        while all.contains(&unique) {
            unique = format!("{plain} {number}");
            number += 1;
        }
        all.push(unique);
    }
    all.split_off(1)
}

/// A text inside a quoted attribute.
fn attribute(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let text = text.replace('"', "&quot;");
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Name, unit and start value of each variable: an input that the network sees as 0, or 0.
fn variables(portable: &Portable) -> Vec<(String, String, Option<f64>)> {
    let start = |encoding: &Encoding| match encoding {
        Encoding::Scaled { center, .. } => *center,
        Encoding::Range { min, max, .. } => min + 0.5 * (max - min),
        Encoding::Words(_) => 0.0,
    };
    let inputs = portable.inputs.iter().map(|i| (&i.unit, Some(start(&i.encoding))));
    let outputs = portable.outputs.iter().map(|o| (&o.unit, None));
    let names = names(portable).into_iter();
    names
        .zip(inputs.chain(outputs))
        .map(|(name, (unit, start))| (name, unit.clone(), start))
        .collect()
}

fn units(portable: &Portable) -> String {
    let mut all: Vec<String> = variables(portable).into_iter().map(|(_, unit, _)| unit).collect();
    all.sort();
    all.dedup();
    let units = all.iter().filter(|unit| !unit.is_empty());
    let mut text = String::new();
    for unit in units {
        let _ = writeln!(text, "    <Unit name=\"{}\"/>", attribute(unit));
    }
    if text.is_empty() {
        text
    } else {
        format!("  <UnitDefinitions>\n{text}  </UnitDefinitions>\n")
    }
}

fn head_of(portable: &Portable) -> String {
    attribute(&head::lines(portable, "").join("; "))
}

/// `modelDescription.xml` of FMI 2.0.
pub fn fmi2(portable: &Portable, name: &str) -> String {
    let n_inputs = portable.inputs.len();
    let time = number(portable.origin.sample_time_s.unwrap_or(1.0));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{name}\" guid=\"{}\"\n    \
         description=\"{}\"\n    generationTool=\"bitloop {}\" variableNamingConvention=\"flat\">\n  \
         <CoSimulation modelIdentifier=\"{name}\" canHandleVariableCommunicationStepSize=\"true\" canNotUseMemoryManagementFunctions=\"true\">\n    \
         <SourceFiles>\n      <File name=\"fmi2.c\"/>\n      <File name=\"{name}.c\"/>\n    </SourceFiles>\n  </CoSimulation>\n{}  \
         <DefaultExperiment startTime=\"0\" stepSize=\"{time}\"/>\n  <ModelVariables>\n",
        token(portable, 2),
        head_of(portable),
        attribute(&portable.origin.bitloop_version),
        units(portable),
    );
    for (at, (variable, unit, start)) in variables(portable).into_iter().enumerate() {
        let unit = if unit.is_empty() { unit } else { format!(" unit=\"{}\"", attribute(&unit)) };
        let (causality, start) = match start {
            Some(start) => ("input", format!(" start=\"{}\"", number(start))),
            None => ("output", String::new()),
        };
        let initial = if at < n_inputs { "" } else { " initial=\"calculated\"" };
        let _ = writeln!(
            text,
            "    <ScalarVariable name=\"{}\" valueReference=\"{at}\" causality=\"{causality}\" variability=\"discrete\"{initial}>\n      <Real{unit}{start}/>\n    </ScalarVariable>",
            attribute(&variable)
        );
    }
    text += "  </ModelVariables>\n  <ModelStructure>\n";
    let unknowns = (0..portable.outputs.len()).fold(String::new(), |text, at| {
        text + &format!("      <Unknown index=\"{}\"/>\n", n_inputs + at + 1)
    });
    let _ = write!(
        text,
        "    <Outputs>\n{unknowns}    </Outputs>\n    <InitialUnknowns>\n{unknowns}    </InitialUnknowns>\n  </ModelStructure>\n</fmiModelDescription>\n"
    );
    text
}

/// `modelDescription.xml` of FMI 3.0.
pub fn fmi3(portable: &Portable, name: &str) -> String {
    let (n_inputs, n_outputs) = (portable.inputs.len(), portable.outputs.len());
    let time = number(portable.origin.sample_time_s.unwrap_or(1.0));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{name}\" instantiationToken=\"{}\"\n    \
         description=\"{}\"\n    generationTool=\"bitloop {}\" variableNamingConvention=\"flat\">\n  \
         <CoSimulation modelIdentifier=\"{name}\" canHandleVariableCommunicationStepSize=\"true\"/>\n{}  \
         <DefaultExperiment startTime=\"0\" stepSize=\"{time}\"/>\n  <ModelVariables>\n    \
         <Float64 name=\"time\" valueReference=\"{}\" causality=\"independent\" variability=\"continuous\"/>\n",
        token(portable, 3),
        head_of(portable),
        attribute(&portable.origin.bitloop_version),
        units(portable),
        n_inputs + n_outputs,
    );
    for (at, (variable, unit, start)) in variables(portable).into_iter().enumerate() {
        let unit = if unit.is_empty() { unit } else { format!(" unit=\"{}\"", attribute(&unit)) };
        let kind = match start {
            Some(start) => {
                format!("causality=\"input\" variability=\"discrete\" start=\"{}\"", number(start))
            }
            None => {
                "causality=\"output\" variability=\"discrete\" initial=\"calculated\"".to_owned()
            }
        };
        let _ = writeln!(
            text,
            "    <Float64 name=\"{}\" valueReference=\"{at}\" {kind}{unit}/>",
            attribute(&variable)
        );
    }
    text += "  </ModelVariables>\n  <ModelStructure>\n";
    for (kind, at) in ["Output", "InitialUnknown"]
        .into_iter()
        .flat_map(|kind| (n_inputs..n_inputs + n_outputs).map(move |at| (kind, at)))
    {
        let _ = writeln!(text, "    <{kind} valueReference=\"{at}\"/>");
    }
    text + "  </ModelStructure>\n</fmiModelDescription>\n"
}

/// `sources/buildDescription.xml` of FMI 3.0.
pub fn build(name: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n  \
         <BuildConfiguration modelIdentifier=\"{name}\">\n    <SourceFileSet language=\"C99\">\n      \
         <SourceFile name=\"fmi3.c\"/>\n      <SourceFile name=\"{name}.c\"/>\n    </SourceFileSet>\n  \
         </BuildConfiguration>\n</fmiBuildDescription>\n"
    )
}
