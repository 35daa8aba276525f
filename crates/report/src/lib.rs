//! Tables and pictures for people: text for a terminal, one-file HTML pages with SVG plots for a browser.
//!
//! Knows nothing of machines or programs: who has something to show builds a page of its parts.
