//! Statements in C that encode inputs and decode outputs in double precision.

use std::fmt::Write as _;

use crate::portable::{Decoding, Encoding, Fit, Portable};
use crate::text::number;

/// Assignments to `x[0..]`, from `inputs`.
pub(super) fn encode(portable: &Portable) -> String {
    let mut text = String::new();
    let mut row = 0;
    for (position, input) in portable.inputs.iter().enumerate() {
        let from = format!("inputs[{position}]");
        match &input.encoding {
            Encoding::Scaled { center: 0.0, scale: 1.0 } => {
                let _ = writeln!(text, "    x[{row}] = {from};");
            }
            Encoding::Scaled { center, scale } => {
                let (center, scale) = (number(*center), number(*scale));
                let _ = writeln!(text, "    x[{row}] = ({from} - ({center})) / {scale};");
            }
            &Encoding::Range { min, max, low, high } => {
                let width = max - min;
                let position = if width > 0.0 {
                    format!("({from} - ({})) / {}", number(min), number(width))
                } else {
                    "0.5".to_owned()
                };
                let (low, range) = (number(low), number(high - low));
                let _ =
                    writeln!(text, "    x[{row}] = {low} + rounded_product({range}, {position});");
            }
            Encoding::Words(words) => {
                let n = words.len();
                let _ = writeln!(
                    text,
                    "    for (i = 0; i < {n}; ++i)\n        x[{row} + i] = {from} == i ? 1.0 : -1.0;"
                );
            }
        }
        row += input.encoding.n_variables();
    }
    text
}

/// Assignments to `outputs`, from `y[0..]`.
pub(super) fn decode(portable: &Portable) -> String {
    let mut text = String::new();
    let mut row = 0;
    for (position, output) in portable.outputs.iter().enumerate() {
        let to = format!("outputs[{position}]");
        let from = match output.fit {
            Some(Fit { scale, offset }) => {
                format!("({} + rounded_product({}, y[{row}]))", number(offset), number(scale))
            }
            None => format!("y[{row}]"),
        };
        match &output.decoding {
            &Decoding::Scaled { center, scale, min, max } => {
                let value = if center == 0.0 && scale == 1.0 {
                    from
                } else {
                    format!("{} + rounded_product({}, {from})", number(center), number(scale))
                };
                let _ = writeln!(text, "    {to} = {value};");
                if min > f64::NEG_INFINITY {
                    let min = number(min);
                    let _ = writeln!(text, "    {to} = {to} < {min} ? {min} : {to};");
                }
                if max < f64::INFINITY {
                    let max = number(max);
                    let _ = writeln!(text, "    {to} = {to} > {max} ? {max} : {to};");
                }
            }
            &Decoding::Range { min, max, low, high } => {
                let (min, width) = (number(min), number(max - min));
                let (low, range) = (number(low), number(high - low));
                let _ = writeln!(
                    text,
                    "    {to} = {min} + rounded_product({width}, ({from} - ({low})) / {range});"
                );
            }
            Decoding::Classes(classes) if classes.len() == 2 => {
                let _ = writeln!(text, "    {to} = {from} >= 0.5 ? 1.0 : 0.0;");
            }
            Decoding::Classes(classes) => {
                let n = classes.len();
                let _ = writeln!(
                    text,
                    "    {{\n        int largest = 0;\n        for (i = 1; i < {n}; ++i)\n            if (y[{row} + i] > y[{row} + largest])\n                largest = i;\n        {to} = largest;\n    }}"
                );
            }
        }
        row += output.decoding.n_variables();
    }
    text
}

/// Whether a product is rounded by itself somewhere.
pub(super) fn rounds_products(portable: &Portable) -> bool {
    let input = |encoding: &Encoding| matches!(encoding, Encoding::Range { .. });
    let output = |decoding: &Decoding| match *decoding {
        Decoding::Scaled { center, scale, .. } => center != 0.0 || scale != 1.0,
        Decoding::Range { .. } => true,
        Decoding::Classes(_) => false,
    };
    portable.inputs.iter().any(|i| input(&i.encoding))
        || portable.outputs.iter().any(|o| o.fit.is_some() || output(&o.decoding))
}

/// Whether a step needs the counter `i`.
pub(super) fn needs_counter(portable: &Portable) -> bool {
    let words = |encoding: &Encoding| matches!(encoding, Encoding::Words(_));
    let classes =
        |decoding: &Decoding| matches!(decoding, Decoding::Classes(list) if list.len() > 2);
    portable.inputs.iter().any(|i| words(&i.encoding))
        || portable.outputs.iter().any(|o| classes(&o.decoding))
}
