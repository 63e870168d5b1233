//! Drawings as SVG: one file that looks the same everywhere.
//!
//! - [`Svg`]: elements, with texts escaped.
//! - [`Scale`]: from numbers to places, with round numbers to mark.
//! - [`Plot`]: a field with axes, for lines and bars.
//!
//! No script, no link, no font from elsewhere; a background of its own, so that it can stand
//! on a page of any color.

mod plot;
mod scale;
mod svg;

pub(crate) use plot::{Bars, Line, Mark, Plot, Stroke};
pub(crate) use scale::Scale;
pub(crate) use svg::{Box2, SOFT_INK, Svg, Text};
