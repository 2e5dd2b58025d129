//! One Python file that needs `NumPy` alone.

use std::fmt::Write as _;

use bitloop_net::Activation;

use super::{head_comment, list, names, vectors};
use crate::error::ExportError;
use crate::files::{Export, ExportFile};
use crate::head;
use crate::network_text::{check_size, layer_calls, n_layer_memory, n_window};
use crate::portable::{Decoding, Encoding, Fit, Portable, Weights};
use crate::text::{number, wrapped};

const PROMISE: &str =
    "Double precision by NumPy: within 1e-12 of what bitloop computes, not to the last bit.";

/// The file of `portable` under the name `name`.
pub(crate) fn numpy(portable: &Portable, name: &str) -> Result<Export, ExportError> {
    check_size(portable)?;
    let network = &portable.network;
    let mut text = head_comment(&head::lines(portable, PROMISE));
    text += "\nimport numpy as np\n\n";
    let _ =
        writeln!(text, "INPUT_NAMES = {}", names(portable.inputs.iter().map(|i| i.name.as_str())));
    let _ = writeln!(
        text,
        "OUTPUT_NAMES = {}",
        names(portable.outputs.iter().map(|o| o.name.as_str()))
    );
    for (at, input) in portable.inputs.iter().enumerate() {
        if let Encoding::Words(words) = &input.encoding {
            let _ = writeln!(text, "WORDS_{at} = {}", names(words.iter().map(String::as_str)));
        }
    }
    for (at, output) in portable.outputs.iter().enumerate() {
        if let Decoding::Classes(classes) = &output.decoding {
            let _ = writeln!(text, "CLASSES_{at} = {}", names(classes.iter().map(String::as_str)));
        }
    }
    if let Some(sample_time_s) = portable.origin.sample_time_s {
        let _ = writeln!(text, "SAMPLE_TIME_S = {sample_time_s:?}");
    }
    match &portable.weights {
        Weights::Codes(codes) => {
            let numbers = wrapped(codes.codes.iter().map(ToString::to_string), "    ");
            let _ = writeln!(
                text,
                "STEP = {}\nCODES = [\n{numbers}]\nWEIGHTS = STEP * np.array(CODES, dtype=float)",
                number(codes.step)
            );
        }
        Weights::Real(values) => {
            let _ = writeln!(text, "WEIGHTS = np.array({})", list(values, "").trim_end());
        }
    }
    text += include_str!("numpy_layer.py");
    let _ = write!(
        text,
        "\n\nclass Controller:\n    \"\"\"A controller with what it remembers from step to step.\"\"\"\n\n    \
         def __init__(self):\n        self.reset()\n\n    \
         def reset(self):\n        \"\"\"Forgets all past steps, as where an episode begins anew.\"\"\"\n        \
         self.window = np.zeros({})\n        self.memory = np.zeros({})\n\n    \
         def step(self, inputs):\n        \"\"\"One step: inputs and outputs in the order of their names.\"\"\"\n",
        n_window(network),
        n_layer_memory(network)
    );
    text += &encode(portable);
    text += &layers(portable);
    text += &decode(portable);
    let _ = write!(text, "\n\n{}\n{}", vectors(portable), include_str!("numpy_test.py"));
    let files = vec![ExportFile::text(format!("{name}.py"), text)];
    Ok(Export { files, self_test: format!("python3 {name}.py"), notes: Vec::new() })
}

fn encode(portable: &Portable) -> String {
    let parts = portable.inputs.iter().enumerate().map(|(at, input)| {
        let from = format!("inputs[{at}]");
        match &input.encoding {
            Encoding::Scaled { center, scale } => {
                format!("[({from} - {}) / {}]", number(*center), number(*scale))
            }
            &Encoding::Range { min, max, low, high } => {
                let width = max - min;
                let position = if width > 0.0 {
                    format!("(({from} - {}) / {})", number(min), number(width))
                } else {
                    "0.5".to_owned()
                };
                format!("[{} + {} * {position}]", number(low), number(high - low))
            }
            Encoding::Words(words) => {
                format!("np.where(np.arange({}) == {from}, 1.0, -1.0)", words.len())
            }
        }
    });
    let parts = wrapped(parts, "            ");
    format!("        x = np.concatenate([\n{parts}        ])\n")
}

fn layers(portable: &Portable) -> String {
    let network = &portable.network;
    let mut text = String::new();
    let n_window = n_window(network);
    if n_window > 0 {
        // Newest first.
        let _ = writeln!(
            text,
            "        self.window = np.concatenate([x, self.window])[:{n_window}]\n        x = self.window"
        );
    }
    if network.n_direct() > 0 {
        text += "        seen = x\n";
    }
    for call in layer_calls(network) {
        let n = call.n_neurons;
        if call.n_direct > 0 {
            text += "        x = np.concatenate([x, seen])\n";
        }
        let n_weights = n * (1 + call.n_fed + call.n_back);
        let (first, end) = (call.first_weight, call.first_weight + n_weights);
        let past = call.memory.map(|at| format!("self.memory[{at}:{}]", at + n));
        let seen = past.clone().unwrap_or_else(|| "np.zeros(0)".to_owned());
        let own = if call.own { "True" } else { "False" };
        let _ = writeln!(
            text,
            "        x = layer(WEIGHTS[{first}:{end}].reshape({n}, -1), x, {seen}, {own})"
        );
        match call.activation {
            Activation::Tanh => text += "        x = np.tanh(x)\n",
            Activation::Logistic => text += "        x = logistic(x)\n",
            Activation::Linear => {}
        }
        if let Some(past) = past {
            let _ = writeln!(text, "        {past} = x");
        }
    }
    text
}

fn decode(portable: &Portable) -> String {
    let mut row = 0;
    let parts = portable.outputs.iter().map(|output| {
        let n = output.decoding.n_variables();
        let first = row;
        row += n;
        let y = match output.fit {
            Some(Fit { scale, offset }) => {
                format!("({} + {} * x[{first}])", number(offset), number(scale))
            }
            None => format!("x[{first}]"),
        };
        match &output.decoding {
            Decoding::Scaled { center, scale, min, max } => {
                let mut value = format!("{} + {} * {y}", number(*center), number(*scale));
                if min.is_finite() {
                    value = format!("max({value}, {})", number(*min));
                }
                if max.is_finite() {
                    value = format!("min({value}, {})", number(*max));
                }
                value
            }
            &Decoding::Range { min, max, low, high } => format!(
                "{} + {} * (({y} - {}) / {})",
                number(min),
                number(max - min),
                number(low),
                number(high - low)
            ),
            Decoding::Classes(_) if n == 1 => format!("float({y} >= 0.5)"),
            Decoding::Classes(_) => format!("float(np.argmax(x[{first}:{}]))", first + n),
        }
    });
    let parts: Vec<String> = parts.collect();
    format!("        return np.array([\n{}        ])\n", wrapped(parts.into_iter(), "            "))
}
