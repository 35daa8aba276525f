//! Tables and pictures for people: text for a terminal, one-file HTML pages with SVG plots for a browser.
//!
//! It knows nothing of machines or programs: a caller builds a page from parts.
//!
//! ```
//! use fathom_report::{Axis, Page, Plot, Section, Series, Text, Unit};
//! let plot = Plot::new("Chase", Axis::new("array").unit(Unit::Bytes).log(), Axis::new("time").unit(Unit::Ns))
//!     .series(Series::line("64 B apart", [(1024.0, 1.2), (1048576.0, 4.0)]))
//!     .mark_x(32768.0, "L1d");
//! let html = Page::new("A machine").section(Section::new("Memory").part(Text::new("Read `bytes`.")).part(plot)).html();
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! ```
//!
//! A page loads nothing from the network (its own policy forbids it), stores nothing, and can be read without
//! JavaScript, which only adds sorting, tooltips and the switch between light and dark. `maud` escapes all text; text that
//! must not be escaped is in `PreEscaped`, with the reason beside it.
//!
//! The plots are drawn here and not by a plotting crate: theirs have fixed colours and a fixed size, and ours must follow
//! the reader's colour scheme (classes and CSS variables), be as readable on a phone as on a desk (positions are
//! percentages, text is not scaled), link to the points that a value rests on, and hide a series without a script.

mod axis;
mod bars;
mod figures;
mod heat_map;
mod inline;
mod listing;
mod page;
mod plot;
mod style;
mod table;
mod text;
mod timeline;
mod unit;

pub use axis::Axis;
pub use bars::Bars;
pub use figures::Figures;
pub use heat_map::HeatMap;
pub use inline::slug;
pub use listing::{Line, Listing};
pub use page::{Page, Part, Section};
pub use plot::{Plot, Point, Series};
pub use table::{Cell, Table};
pub use text::{Heading, Links, Note, Text, Tone};
pub use timeline::{Interval, Timeline};
pub use unit::{significant, Unit};
