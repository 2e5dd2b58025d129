//! ONNX: a graph of one step in double precision, with the memory as input and output.

mod graph;
mod proto;

use prost::Message as _;

use crate::error::ExportError;
use crate::files::{Export, ExportFile};
use crate::head;
use crate::network_text::check_size;
use crate::portable::Portable;
use crate::python::{head_comment, names, string, vectors};
use proto::{Entry, Model, OperatorSet};

const PROMISE: &str =
    "Double precision by ONNX: within 1e-12 of what bitloop computes, not to the last bit.";

/// Of the oldest format that has all operators in double precision.
const IR_VERSION: i64 = 8;
const OPSET: i64 = 13;

/// The model of `portable` under the name `name`, and a self-test in Python.
pub(crate) fn onnx(portable: &Portable, name: &str) -> Result<Export, ExportError> {
    check_size(portable)?;
    let lines = head::lines(portable, PROMISE);
    let entry = |key: &str, value: String| Entry { key: key.to_owned(), value };
    let origin = &portable.origin;
    let mut metadata = vec![
        entry("scenario", origin.scenario.clone()),
        entry("scenario_digest", origin.scenario_digest.clone()),
        entry("digest", origin.digest.clone()),
        entry("inputs", names(portable.inputs.iter().map(|input| input.name.as_str()))),
        entry("input_units", names(portable.inputs.iter().map(|input| input.unit.as_str()))),
        entry("outputs", names(portable.outputs.iter().map(|output| output.name.as_str()))),
        entry("output_units", names(portable.outputs.iter().map(|output| output.unit.as_str()))),
    ];
    if let Some(plant) = &origin.plant {
        metadata.push(entry("plant", plant.clone()));
    }
    if let Some(sample_time_s) = origin.sample_time_s {
        metadata.push(entry("sample_time_s", format!("{sample_time_s:?}")));
    }
    let model = Model {
        ir_version: IR_VERSION,
        producer_name: "bitloop".to_owned(),
        producer_version: origin.bitloop_version.clone(),
        doc_string: lines.join("\n"),
        graph: Some(graph::graph(portable, name)),
        opset_import: vec![OperatorSet { domain: String::new(), version: OPSET }],
        metadata_props: metadata,
    };
    let file = format!("{name}.onnx");
    let test = format!(
        "{}\nimport numpy as np\nimport onnxruntime\n\nFILE = {}\nN_MEMORY = {}\n{}\n{}",
        head_comment(&lines),
        string(&file),
        portable.network.n_memory(),
        vectors(portable),
        include_str!("self_test.py")
    );
    let files = vec![
        ExportFile { name: file, contents: model.encode_to_vec() },
        ExportFile::text("self_test.py", test),
    ];
    let notes = vec![
        "the graph is one step: feed `memory_out` back as `memory`, and zeros at the start"
            .to_owned(),
    ];
    let notes = if portable.network.n_memory() > 0 { notes } else { Vec::new() };
    Ok(Export { files, self_test: "python3 self_test.py".to_owned(), notes })
}
