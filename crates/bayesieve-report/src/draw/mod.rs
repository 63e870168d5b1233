//! Drawings as SVG: one file that looks the same everywhere.
//!
//! - [`Svg`]: elements, with texts escaped.
//! - [`Scale`]: from numbers to places, with round numbers to mark.
//! - [`Plot`]: a field with axes, for lines and bars.
//!
//! No script, no link, no font from elsewhere. A drawing that is a file has a background of its
//! own; one within a page takes the page's colors.

mod plot;
mod scale;
mod svg;

pub use plot::{Plot, Stroke};
pub use scale::{Scale, Tick};
pub(crate) use svg::{Anchor, number};
pub use svg::{Box2, Svg, Text};
