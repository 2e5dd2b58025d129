//! A network with its weights, and what a change of one of them changes.

use crate::axis::Axis;
use crate::error::LookError;
use crate::picture::{Mark, Panel, Picture};

/// The most connections that can be told apart.
const MOST_LINKS: usize = 4000;

/// Colors of weights above and below 0, and of what is marked.
const COLORS: [usize; 3] = [0, 2, 1];

/// A column and a row of it: inputs are column 0.
pub type Node = (usize, usize);

/// A connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Where it comes from; in the same column as `to` where it is fed back.
    pub from: Node,
    /// Where it leads.
    pub to: Node,
    /// Its weight.
    pub weight: f64,
}

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// The names of inputs.
    pub inputs: Vec<String>,
    /// How many neurons each layer has.
    pub layers: Vec<usize>,
    /// The names of outputs.
    pub outputs: Vec<String>,
    /// All connections; biases are none.
    pub links: Vec<Link>,
    /// The neuron whose weight is changed, and the connection if it is one.
    pub changed: Option<(Node, Option<usize>)>,
}

/// Neurons in columns, and connections that are the darker the larger their weights. Where a weight is changed, its connection and
/// all neurons whose sums it changes are marked.
///
/// # Errors
/// [`LookError`] if there are too many connections to be seen.
pub fn network(title: &str, subtitle: &str, diagram: &Diagram) -> Result<Picture, LookError> {
    let Diagram { inputs, layers, outputs, links, changed } = diagram;
    if links.len() > MOST_LINKS {
        return Err(LookError::Nothing("more than 4000 connections cannot be told apart"));
    }
    let sizes: Vec<usize> = [inputs.len()].into_iter().chain(layers.iter().copied()).collect();
    let most = sizes.iter().copied().max().unwrap_or(1).max(1) as f64;
    let place = |node: Node| {
        let n = sizes.get(node.0).copied().unwrap_or(1).max(1) as f64;
        let spread = (most / n).clamp(1.0, 2.0);
        (node.0 as f64, spread * ((n - 1.0) / 2.0 - node.1 as f64))
    };
    let largest = links.iter().map(|link| link.weight.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let mut marks = Vec::new();
    for (index, link) in links.iter().enumerate() {
        let is_changed = changed.is_some_and(|(_, link)| link == Some(index));
        let color = if is_changed {
            COLORS[2]
        } else if link.weight >= 0.0 {
            COLORS[0]
        } else {
            COLORS[1]
        };
        let opacity = if is_changed { 1.0 } else { 0.05 + 0.75 * link.weight.abs() / largest };
        let points = if link.from.0 == link.to.0 {
            arc(place(link.from), place(link.to))
        } else {
            vec![place(link.from), place(link.to)]
        };
        marks.push(Mark::Stroke { color, opacity, points });
    }
    let nodes = |column: usize| (0..sizes[column]).map(move |row| (column, row));
    // A change of a neuron's sum reaches all later layers.
    let is_affected =
        |node: Node| changed.is_some_and(|(first, _)| node == first || node.0 > first.0);
    let all: Vec<Node> = (0..sizes.len()).flat_map(nodes).collect();
    for (name, color, is_shown) in [("neurons and inputs", 6, false), ("sums that change", 1, true)]
    {
        let points: Vec<_> =
            all.iter().filter(|&&node| is_affected(node) == is_shown).map(|&n| place(n)).collect();
        if !points.is_empty() {
            // Without a change there is nothing to tell apart.
            let name = if changed.is_some() { name.to_owned() } else { String::new() };
            marks.push(Mark::Dots { name, color, points });
        }
    }
    for (row, name) in inputs.iter().enumerate() {
        marks.push(Mark::Label { y: place((0, row)).1, text: name.clone() });
    }
    let last = sizes.len() - 1;
    for (row, name) in outputs.iter().enumerate() {
        let (x, y) = place((last, row));
        marks.push(Mark::Text { x: x + 0.08, y, text: name.clone() });
    }
    let half = 0.5 * most.max(2.0) + 0.3;
    let panel = Panel {
        x: Axis::bare("").over(-0.45, last as f64 + 0.45),
        y: Axis::bare("").over(-half, half),
        marks,
    };
    let rows = u32::try_from(sizes.iter().copied().max().unwrap_or(1)).unwrap_or(u32::MAX);
    Ok(Picture {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        panels: vec![panel],
        width: 760,
        panel_height: (90 + 24 * rows.min(100)).max(300),
        n_columns: 1,
    })
}

/// From a neuron to one of its layer, to the right of both.
fn arc(from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
    let bulge = 0.1 + 0.04 * (to.1 - from.1).abs().min(6.0);
    let point = |step: u32| {
        let part = f64::from(step) / 8.0;
        let out = 4.0 * part * (1.0 - part) * bulge;
        (from.0 + out, from.1 + part * (to.1 - from.1))
    };
    (0..=8).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_changed_weight_reaches_is_marked() {
        let link = |from, to, weight| Link { from, to, weight };
        let diagram = Diagram {
            inputs: vec!["x".to_owned(), "v".to_owned()],
            layers: vec![2, 1],
            outputs: vec!["u".to_owned()],
            links: vec![
                link((0, 0), (1, 0), 1.0),
                link((0, 1), (1, 1), -0.5),
                link((1, 0), (1, 1), 0.1),
                link((1, 0), (2, 0), 0.2),
                link((1, 1), (2, 0), 0.3),
            ],
            changed: Some(((1, 1), Some(1))),
        };
        let picture = network("t", "s", &diagram).unwrap();
        let marks = &picture.panels[0].marks;
        let affected = marks.iter().find_map(|mark| match mark {
            Mark::Dots { name, points, .. } if name == "sums that change" => Some(points.len()),
            _ => None,
        });
        // The neuron itself and the output behind it.
        assert_eq!(affected, Some(2));
        let svg = picture.svg().unwrap();
        assert!([">\nx", ">\nv", ">\nu"].iter().all(|name| svg.contains(name)), "{svg}");
        let many = Diagram { links: vec![diagram.links[0]; MOST_LINKS + 1], ..diagram };
        assert!(network("t", "s", &many).is_err());
    }
}
