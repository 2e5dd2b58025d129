//! [`Picture`]: panels one below the other, and what is drawn in them.

use crate::axis::Axis;

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Above all panels.
    pub title: String,
    /// Below the title, in smaller letters, or nothing.
    pub subtitle: String,
    /// Row by row, from left to right.
    pub panels: Vec<Panel>,
    /// Width in pixels.
    pub width: u32,
    /// Height of each panel in pixels.
    pub panel_height: u32,
    /// Panels side by side, at least 1.
    pub n_columns: usize,
}

/// A pair of axes with what is drawn between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// Drawn in this order.
    pub marks: Vec<Mark>,
}

/// Something that is drawn; a color is a position in a list of seven.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Points joined by lines; it is interrupted where a number has no place.
    Line {
        /// In the legend, if it is there.
        name: Option<String>,
        /// Position of the color.
        color: usize,
        /// `(x, y)`.
        points: Vec<(f64, f64)>,
    },
    /// The area between two curves.
    Band {
        /// In the legend, if it is there.
        name: Option<String>,
        /// Position of the color.
        color: usize,
        /// `(x, low, high)`.
        points: Vec<(f64, f64, f64)>,
    },
    /// A thin line at a value, from left to right.
    Level {
        /// In the legend.
        name: String,
        /// The value.
        value: f64,
    },
    /// Dots of one color.
    Dots {
        /// In the legend, unless it is empty.
        name: String,
        /// Position of the color.
        color: usize,
        /// `(x, y)`.
        points: Vec<(f64, f64)>,
    },
    /// Dots, each in a shade from light to dark.
    Shades {
        /// `(x, y, shade)`, shades from 0 to 1.
        points: Vec<(f64, f64, f64)>,
    },
    /// Dots of one color, which let others shine through.
    Pale {
        /// Position of the color.
        color: usize,
        /// `(x, y)`.
        points: Vec<(f64, f64)>,
    },
    /// Points joined by lines, more or less opaque.
    Stroke {
        /// Position of the color.
        color: usize,
        /// From 0 to 1.
        opacity: f64,
        /// `(x, y)`.
        points: Vec<(f64, f64)>,
    },
    /// A filled outline.
    Area {
        /// Position of the color.
        color: usize,
        /// `(x, y)`.
        points: Vec<(f64, f64)>,
    },
    /// A filled circle whose radius is as long as along the axis x.
    Disc {
        /// Position of the color.
        color: usize,
        /// Its middle.
        at: (f64, f64),
        /// Its radius.
        radius: f64,
    },
    /// A line of text that begins at a point.
    Text {
        /// Where.
        x: f64,
        /// Its middle.
        y: f64,
        /// The text.
        text: String,
    },
    /// A line of text at the left edge, centered on a height.
    Label {
        /// The height.
        y: f64,
        /// The text.
        text: String,
    },
    /// Rectangles side by side, each in a shade from light to dark.
    Tiles {
        /// `((left, bottom), (right, top), shade)`, shades from 0 to 1.
        tiles: Vec<Tile>,
    },
    /// Squares of side 1 around their middle, each in a shade from light to dark.
    Cells {
        /// `(x, y, shade)`, shades from 0 to 1.
        cells: Vec<(f64, f64, f64)>,
    },
}

/// What a color is shown on in a legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sample {
    Line,
    Band,
    Dot,
}

/// Position of the color of levels, which no line has.
pub(crate) const LEVEL_COLOR: usize = 6;

/// A rectangle: a corner, the opposite one, and the shade.
pub type Tile = ((f64, f64), (f64, f64), f64);

impl Mark {
    /// Its name in the legend, the color, and what that is shown on.
    pub(crate) fn legend(&self) -> Option<(&str, usize, Sample)> {
        match self {
            Self::Line { name, color, .. } => Some((name.as_deref()?, *color, Sample::Line)),
            Self::Band { name, color, .. } => Some((name.as_deref()?, *color, Sample::Band)),
            Self::Dots { name, color, .. } => {
                Some((name.as_str(), *color, Sample::Dot)).filter(|entry| !entry.0.is_empty())
            }
            Self::Level { name, .. } => Some((name, LEVEL_COLOR, Sample::Line)),
            _ => None,
        }
    }

    /// All numbers along the axis x.
    pub(crate) fn xs(&self) -> Box<dyn Iterator<Item = f64> + '_> {
        match self {
            Self::Line { points, .. }
            | Self::Dots { points, .. }
            | Self::Pale { points, .. }
            | Self::Stroke { points, .. }
            | Self::Area { points, .. } => Box::new(points.iter().map(|point| point.0)),
            Self::Band { points, .. } | Self::Shades { points } => {
                Box::new(points.iter().map(|point| point.0))
            }
            Self::Cells { cells } => Box::new(sides(cells.iter().map(|cell| cell.0))),
            Self::Tiles { tiles } => Box::new(tiles.iter().flat_map(|tile| [tile.0.0, tile.1.0])),
            Self::Text { x, .. } | Self::Disc { at: (x, _), .. } => Box::new(std::iter::once(*x)),
            Self::Level { .. } | Self::Label { .. } => Box::new(std::iter::empty()),
        }
    }

    /// All numbers along the axis y.
    pub(crate) fn ys(&self) -> Box<dyn Iterator<Item = f64> + '_> {
        match self {
            Self::Line { points, .. }
            | Self::Dots { points, .. }
            | Self::Pale { points, .. }
            | Self::Stroke { points, .. }
            | Self::Area { points, .. } => Box::new(points.iter().map(|point| point.1)),
            Self::Band { points, .. } => {
                Box::new(points.iter().flat_map(|point| [point.1, point.2]))
            }
            Self::Shades { points } => Box::new(points.iter().map(|point| point.1)),
            Self::Cells { cells } => Box::new(sides(cells.iter().map(|cell| cell.1))),
            Self::Tiles { tiles } => Box::new(tiles.iter().flat_map(|tile| [tile.0.1, tile.1.1])),
            Self::Level { value, .. } => Box::new(std::iter::once(*value)),
            Self::Label { y, .. } | Self::Text { y, .. } | Self::Disc { at: (_, y), .. } => {
                Box::new(std::iter::once(*y))
            }
        }
    }
}

/// Both sides of squares.
fn sides<'a>(middles: impl Iterator<Item = f64> + 'a) -> impl Iterator<Item = f64> + 'a {
    middles.flat_map(|middle| [middle - 0.5, middle + 0.5])
}
