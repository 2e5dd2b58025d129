//! The graph of one step, over rows that are answered at once.

use bitloop_net::Activation;

use super::proto::{
    Attribute, DOUBLE, Dimension, Extent, Graph, INT, INT64, Node, Shape, Tensor, TensorType, Type,
    ValueInfo,
};
use crate::network_text::layer_calls;
use crate::portable::{Decoding, Encoding, Output, Portable};

/// The graph of `portable`.
pub fn graph(portable: &Portable, name: &str) -> Graph {
    let mut builder = Builder::default();
    let network = &portable.network;
    let n_past_inputs = network.n_inputs() * (network.window() - 1);
    let mut x = builder.encode(portable);
    let mut memory = Vec::new();
    if n_past_inputs > 0 {
        let past = builder.slice("memory", 0, n_past_inputs);
        x = builder.concat(vec![x, past]);
        memory.push(builder.slice(&x, 0, n_past_inputs));
    }
    let weights = portable.weights.values();
    let seen = x.clone();
    for call in layer_calls(network) {
        let n = call.n_neurons;
        if call.n_direct > 0 {
            x = builder.concat(vec![x, seen.clone()]);
        }
        let per_neuron = 1 + call.n_fed + call.n_back;
        let own = &weights[call.first_weight..][..n * per_neuron];
        // Columns of neurons: weight `row` of each.
        let rows = |from: usize, to: usize| -> Vec<f64> {
            (from..to).flat_map(|row| (0..n).map(move |j| own[j * per_neuron + row])).collect()
        };
        let bias = builder.doubles(&[n], &rows(0, 1));
        let fed = builder.doubles(&[call.n_fed, n], &rows(1, 1 + call.n_fed));
        let products = builder.node("MatMul", vec![x, fed], vec![]);
        let mut sums = builder.node("Add", vec![products, bias], vec![]);
        if let Some(at) = call.memory {
            let start = n_past_inputs + at;
            let past = builder.slice("memory", start, start + n);
            let back = rows(1 + call.n_fed, per_neuron);
            let products = if call.own {
                let back = builder.doubles(&[n], &back);
                builder.node("Mul", vec![past, back], vec![])
            } else {
                let back = builder.doubles(&[n, n], &back);
                builder.node("MatMul", vec![past, back], vec![])
            };
            sums = builder.node("Add", vec![sums, products], vec![]);
        }
        x = match call.activation {
            Activation::Tanh => builder.node("Tanh", vec![sums], vec![]),
            Activation::Logistic => builder.node("Sigmoid", vec![sums], vec![]),
            Activation::Linear => sums,
        };
        if call.memory.is_some() {
            memory.push(x.clone());
        }
    }
    let outputs = builder.decode(portable, &x);
    builder.name_it("outputs", outputs);
    let n_memory = network.n_memory();
    let mut graph = Graph {
        name: name.to_owned(),
        input: vec![value("inputs", portable.inputs.len())],
        output: vec![value("outputs", portable.outputs.len())],
        ..Graph::default()
    };
    if n_memory > 0 {
        let memory = builder.concat(memory);
        builder.name_it("memory_out", memory);
        graph.input.push(value("memory", n_memory));
        graph.output.push(value("memory_out", n_memory));
    }
    (graph.node, graph.initializer) = (builder.nodes, builder.constants);
    graph
}

fn value(name: &str, n: usize) -> ValueInfo {
    let dim = [Extent::Name("N".to_owned()), Extent::Value(size(n))];
    let dim = dim.into_iter().map(|extent| Dimension { extent: Some(extent) }).collect();
    let tensor_type = TensorType { elem_type: DOUBLE, shape: Some(Shape { dim }) };
    ValueInfo { name: name.to_owned(), kind: Some(Type { tensor_type: Some(tensor_type) }) }
}

fn size(n: usize) -> i64 {
    i64::try_from(n).expect("sizes of networks are limited")
}

/// Nodes and constants so far; values go by their names.
#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    constants: Vec<Tensor>,
}

impl Builder {
    fn node(&mut self, op: &str, input: Vec<String>, attribute: Vec<Attribute>) -> String {
        let output = format!("v{}", self.nodes.len());
        self.nodes.push(Node {
            input,
            output: vec![output.clone()],
            name: format!("n{}", self.nodes.len()),
            op_type: op.to_owned(),
            attribute,
        });
        output
    }

    fn constant(&mut self, dims: &[usize], data_type: i32, raw_data: Vec<u8>) -> String {
        let name = format!("c{}", self.constants.len());
        let dims = dims.iter().map(|&n| size(n)).collect();
        self.constants.push(Tensor { dims, data_type, name: name.clone(), raw_data });
        name
    }

    fn doubles(&mut self, dims: &[usize], values: &[f64]) -> String {
        self.constant(dims, DOUBLE, values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    fn integer(&mut self, value: i64) -> String {
        self.constant(&[1], INT64, value.to_le_bytes().to_vec())
    }

    /// Columns `from..to` of rows.
    fn slice(&mut self, of: &str, from: usize, to: usize) -> String {
        let (from, to) = (self.integer(size(from)), self.integer(size(to)));
        let axis = self.integer(1);
        self.node("Slice", vec![of.to_owned(), from, to, axis], vec![])
    }

    fn concat(&mut self, parts: Vec<String>) -> String {
        if let [one] = parts.as_slice() {
            return one.clone();
        }
        self.node("Concat", parts, vec![integer("axis", 1)])
    }

    fn name_it(&mut self, name: &str, value: String) {
        self.nodes.push(Node {
            input: vec![value],
            output: vec![name.to_owned()],
            name: name.to_owned(),
            op_type: "Identity".to_owned(),
            attribute: vec![],
        });
    }

    /// Applies an operator with a constant for each column, unless it changes nothing.
    fn each(&mut self, op: &str, to: String, constants: &[f64], neutral: f64) -> String {
        if constants.iter().all(|&constant| constant == neutral) {
            return to;
        }
        let constants = self.doubles(&[constants.len()], constants);
        self.node(op, vec![to, constants], vec![])
    }

    /// (value - a) / b * c + d in each column.
    fn affine(&mut self, mut value: String, columns: &[[f64; 4]]) -> String {
        for (op, row, neutral) in
            [("Sub", 0, 0.0), ("Div", 1, 1.0), ("Mul", 2, 1.0), ("Add", 3, 0.0)]
        {
            let constants: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            value = self.each(op, value, &constants, neutral);
        }
        value
    }

    /// The network's inputs.
    fn encode(&mut self, portable: &Portable) -> String {
        let affine = |encoding: &Encoding| match *encoding {
            Encoding::Scaled { center, scale } => [center, scale, 1.0, 0.0],
            Encoding::Range { min, max, low, high } if max > min => {
                [min, max - min, high - low, low]
            }
            Encoding::Range { low, high, .. } => [0.0, 1.0, 0.0, low + (high - low) * 0.5],
            Encoding::Words(_) => [0.0, 1.0, 1.0, 0.0],
        };
        let inputs = &portable.inputs;
        let columns: Vec<_> = inputs.iter().map(|input| affine(&input.encoding)).collect();
        let scaled = self.affine("inputs".to_owned(), &columns);
        if !inputs.iter().any(|input| matches!(input.encoding, Encoding::Words(_))) {
            return scaled;
        }
        let mut parts = Vec::new();
        for (at, input) in inputs.iter().enumerate() {
            let mut part = self.slice(&scaled, at, at + 1);
            if let Encoding::Words(words) = &input.encoding {
                let positions: Vec<f64> = (0..words.len()).map(|word| word as f64).collect();
                let positions = self.doubles(&[words.len()], &positions);
                let found = self.node("Equal", vec![part, positions], vec![]);
                let (yes, no) = (self.doubles(&[1], &[1.0]), self.doubles(&[1], &[-1.0]));
                part = self.node("Where", vec![found, yes, no], vec![]);
            }
            parts.push(part);
        }
        self.concat(parts)
    }

    /// The outputs, from those of the network.
    fn decode(&mut self, portable: &Portable, y: &str) -> String {
        let outputs = &portable.outputs;
        if !outputs.iter().any(|output| matches!(output.decoding, Decoding::Classes(_))) {
            return self.numbers(y.to_owned(), outputs);
        }
        let mut parts = Vec::new();
        let mut row = 0;
        for output in outputs {
            let n = output.decoding.n_variables();
            let own = self.slice(y, row, row + n);
            row += n;
            let part = match &output.decoding {
                Decoding::Classes(_) if n == 1 => {
                    let half = self.doubles(&[1], &[0.5]);
                    let is_second = self.node("GreaterOrEqual", vec![own, half], vec![]);
                    self.node("Cast", vec![is_second], vec![integer("to", i64::from(DOUBLE))])
                }
                Decoding::Classes(_) => {
                    let attributes = vec![integer("axis", 1), integer("keepdims", 1)];
                    let largest = self.node("ArgMax", vec![own], attributes);
                    self.node("Cast", vec![largest], vec![integer("to", i64::from(DOUBLE))])
                }
                _ => self.numbers(own, std::slice::from_ref(output)),
            };
            parts.push(part);
        }
        self.concat(parts)
    }

    fn numbers(&mut self, y: String, outputs: &[Output]) -> String {
        let fit = |output: &Output| {
            output.fit.map_or([0.0, 1.0, 1.0, 0.0], |fit| [0.0, 1.0, fit.scale, fit.offset])
        };
        let affine = |output: &Output| match output.decoding {
            Decoding::Scaled { center, scale, .. } => [0.0, 1.0, scale, center],
            Decoding::Range { min, max, low, high } => [low, high - low, max - min, min],
            Decoding::Classes(_) => [0.0, 1.0, 1.0, 0.0],
        };
        let bounds = |output: &Output| match output.decoding {
            Decoding::Scaled { min, max, .. } => (min, max),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        let (fits, columns): (Vec<_>, Vec<_>) =
            outputs.iter().map(|output| (fit(output), affine(output))).unzip();
        let (lows, highs): (Vec<f64>, Vec<f64>) = outputs.iter().map(bounds).unzip();
        let value = self.affine(y, &fits);
        let value = self.affine(value, &columns);
        let value = self.each("Max", value, &lows, f64::NEG_INFINITY);
        self.each("Min", value, &highs, f64::INFINITY)
    }
}

fn integer(name: &str, value: i64) -> Attribute {
    Attribute { name: name.to_owned(), i: value, kind: INT }
}
