//! What every export says of itself at its head.

use std::fmt::Write as _;

use crate::portable::{Decoding, Encoding, Fit, Portable, Weights};
use crate::text::{comment, number};

/// The lines of the head, without the marks of a comment.
pub(crate) fn lines(portable: &Portable, promise: &str) -> Vec<String> {
    let origin = &portable.origin;
    let mut lines = vec![match &origin.plant {
        Some(plant) => {
            format!("A controller for the plant {}, trained by bitloop.", comment(plant))
        }
        None => "A network trained on examples by bitloop.".to_owned(),
    }];
    lines.push(promise.to_owned());
    lines.push(String::new());
    lines.push(format!("scenario         {}", comment(&origin.scenario)));
    lines.push(format!("scenario digest  {}", comment(&origin.scenario_digest)));
    lines.push(format!("digest           {}", comment(&origin.digest)));
    lines.push(format!("bitloop          {}", comment(&origin.bitloop_version)));
    if let Some(sample_time_s) = origin.sample_time_s {
        let time = number(sample_time_s);
        lines.push(format!("sample time      {time} s: one step for each, and none in between"));
    }
    lines.push(format!("network          {}", shape(portable)));
    for (position, input) in portable.inputs.iter().enumerate() {
        let meaning = match &input.encoding {
            Encoding::Scaled { center, scale } => {
                format!("center {}, scale {}", number(*center), number(*scale))
            }
            Encoding::Range { min, max, low, high } => format!(
                "from [{}, {}] to [{}, {}]",
                number(*min),
                number(*max),
                number(*low),
                number(*high)
            ),
            Encoding::Words(words) => format!("position from 0 in: {}", list(words)),
        };
        lines.push(channel("input", position, &input.name, &input.unit, &meaning));
    }
    for (position, output) in portable.outputs.iter().enumerate() {
        let meaning = match &output.decoding {
            Decoding::Scaled { center, scale, min, max } => format!(
                "center {}, scale {}, from {} to {}",
                number(*center),
                number(*scale),
                number(*min),
                number(*max)
            ),
            Decoding::Range { min, max, low, high } => format!(
                "from [{}, {}] to [{}, {}]",
                number(*low),
                number(*high),
                number(*min),
                number(*max)
            ),
            Decoding::Classes(classes) => format!("position from 0 in: {}", list(classes)),
        };
        let meaning = match output.fit {
            Some(Fit { scale, offset }) => {
                format!("times {} plus {}; then {meaning}", number(scale), number(offset))
            }
            None => meaning,
        };
        lines.push(channel("output", position, &output.name, &output.unit, &meaning));
    }
    lines
}

fn channel(kind: &str, position: usize, name: &str, unit: &str, meaning: &str) -> String {
    let unit = if unit.is_empty() { String::new() } else { format!(" [{}]", comment(unit)) };
    format!("{:<17}{}{unit}: {meaning}", format!("{kind} {position}"), comment(name))
}

fn list(words: &[String]) -> String {
    words.iter().map(|word| comment(word)).collect::<Vec<_>>().join(", ")
}

/// The shape of the network in words.
pub(crate) fn shape(portable: &Portable) -> String {
    let network = &portable.network;
    let mut text = format!("{} inputs", network.n_inputs());
    if network.window() > 1 {
        let _ = write!(text, " at the last {} steps", network.window());
    }
    for layer in network.layers() {
        let feedback = match layer.feedback {
            bitloop_net::Feedback::None => "",
            bitloop_net::Feedback::Full => " with feedback",
            bitloop_net::Feedback::SelfOnly => " with feedback of each unit to itself",
        };
        let _ = write!(text, " -> {} {}{feedback}", layer.n_neurons, layer.activation.name());
    }
    if network.n_direct() > 0 {
        text.push_str(", the inputs also straight to the last layer");
    }
    let weights = match &portable.weights {
        Weights::Codes(codes) => format!("{} weights of {} bits", codes.codes.len(), codes.bits),
        Weights::Real(values) => format!("{} real weights", values.len()),
    };
    format!("{text}; {weights}")
}
