//! The style of pages: colours in two schemes, the style sheet, the markers, the small script.
//!
//! Colours of series differ for colour-blind eyes (after the palettes of Okabe and Ito and of Paul Tol, adjusted so
//! that each has enough contrast to its background), and a series has a marker of its own besides. The tests below
//! measure the contrasts.

use maud::{html, Markup};
use std::fmt::Write;

/// A page loads nothing: the browser would refuse any reference to another file.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

pub const SCRIPT: &str = include_str!("script.js");

/// Shown by the script, which it needs.
pub fn switch() -> Markup {
    html! {
        button #theme type="button" hidden {
            svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" {
                circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" stroke-width="1.6" {}
                path d="M9 2a7 7 0 0 1 0 14z" fill="currentColor" {}
            }
            span { "Dark" }
        }
    }
}

/// Colours of series in turn, and markers.
pub const COLOURS: usize = 8;
pub const MARKERS: usize = 8;
/// Steps of the colours of ordered series, and of a heat map (which also has step 0 for nothing).
const STEPS: usize = 12;
pub const HEAT: usize = 9;

const LIGHT: &[(&str, &str)] = &[
    ("bg", "#ffffff"),
    ("card", "#f5f6f8"),
    ("line", "#d5d9df"),
    ("grid", "#e4e7eb"),
    ("text", "#1b1f24"),
    ("soft", "#575f69"),
    ("link", "#0a58ca"),
    ("mark", "#a3126b"),
    ("good", "#12703c"),
    ("warning", "#8a4b00"),
    ("bar", "#cfe0f7"),
    ("s0", "#0e68b3"),
    ("s1", "#dd654f"),
    ("s2", "#005439"),
    ("s3", "#9a337e"),
    ("s4", "#855f01"),
    ("s5", "#1793b8"),
    ("s6", "#4d535b"),
    ("s7", "#db3172"),
    ("r", "#461878 #312c8a #00418e #005275 #005d6b #006764 #007156 #037c2c #5b7a00 #817701 #a07300 #bf6b04"),
    ("h", "#e6effc #c2d7f2 #9ebfe7 #79a8dc #5390d0 #2478c3 #0061a7 #004c83 #003761"),
];

const DARK: &[(&str, &str)] = &[
    ("bg", "#14171c"),
    ("card", "#1d2127"),
    ("line", "#3a414b"),
    ("grid", "#2a3038"),
    ("text", "#e6e9ed"),
    ("soft", "#a3acb8"),
    ("link", "#7db4ff"),
    ("mark", "#ff8fcf"),
    ("good", "#5fd08f"),
    ("warning", "#f2b84b"),
    ("bar", "#25405f"),
    ("s0", "#59b6fc"),
    ("s1", "#f28549"),
    ("s2", "#44d6aa"),
    ("s3", "#cc7cb8"),
    ("s4", "#dfd35e"),
    ("s5", "#91c9e2"),
    ("s6", "#d0d5de"),
    ("s7", "#fb7c8c"),
    ("r", "#8e62bc #7c73d2 #6286df #3c99e3 #06aada #16b8ca #0ec5ba #3bd1a4 #78d68a #a9d772 #d5d661 #fbd35f"),
    ("h", "#242f3d #28435e #275981 #125f8c #008bc1 #10a4d8 #40bee8 #6dd6f6 #a1ecfe"),
];

/// From this step of a heat map's colours on, letters have the colour of the background.
const INVERTED: [usize; 2] = [5, 4];

/// The class of a series' colour in a picture with this number of series.
pub fn colour(i: usize, series: usize, ordered: bool) -> String {
    if ordered && series > 2 {
        return format!("r{}", i * (STEPS - 1) / (series - 1));
    }
    series_class(i)
}

pub fn series_class(i: usize) -> String {
    format!("s{}", i % COLOURS)
}

/// The style sheet for a page whose pictures have at most this number of series.
pub fn sheet(series: usize) -> String {
    let (light, dark) = (variables(LIGHT, INVERTED[0]), variables(DARK, INVERTED[1]));
    let mut out = format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n\
         :root[data-theme=light]{{color-scheme:light}}\n:root[data-theme=dark]{{color-scheme:dark;{dark}}}\n\
         @media print{{:root:root{{color-scheme:light;{light}}}}}\n"
    );
    out.push_str(include_str!("style.css"));
    for i in 0..COLOURS {
        let _ = writeln!(out, ".s{i}{{color:var(--s{i})}}");
    }
    for i in 0..STEPS {
        let _ = writeln!(out, ".r{i}{{color:var(--r{i})}}");
    }
    for i in 0..HEAT {
        let _ = writeln!(out, ".h{i}{{fill:var(--h{i})}}.picture .k{i}{{fill:var(--k{i})}}");
    }
    for i in 0..series {
        let _ = writeln!(out, "figure:has([data-t=\"{i}\"]:not(:checked)) .t{i}{{display:none}}");
    }
    out
}

fn variables(colours: &[(&str, &str)], inverted: usize) -> String {
    let mut out = String::new();
    for (name, values) in colours {
        let several = values.contains(' ');
        for (i, value) in values.split(' ').enumerate() {
            let number = if several { i.to_string() } else { String::new() };
            let _ = write!(out, "--{name}{number}:{value};");
        }
    }
    for i in 0..HEAT {
        let _ = write!(out, "--k{i}:var(--{});", if i < inverted { "text" } else { "bg" });
    }
    out
}

/// Markers that pictures refer to: large ones, small ones for many points, and the ring around evidence.
pub fn symbols() -> Markup {
    // Within -1 to 1; the last two are strokes.
    let shapes = [
        "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
        "M-.9-.9h1.8v1.8h-1.8z",
        "M0-1.15L1.1.8H-1.1z",
        "M0-1.25L1.25 0L0 1.25L-1.25 0z",
        "M0 1.15L1.1-.8H-1.1z",
        "M0-1.2L1.14-.37L.7.97H-.7L-1.14-.37z",
        "M-1.1 0h2.2M0-1.1v2.2",
        "M-.9-.9l1.8 1.8M.9-.9l-1.8 1.8",
    ];
    let class = |i| if i < 6 { "filled" } else { "stroked" };
    html! {
        svg.symbols width="0" height="0" aria-hidden="true" {
            defs {
                @for (i, shape) in shapes.iter().enumerate() {
                    @for (name, size) in [('m', 3.7), ('d', 2.3)] {
                        path id={ (name) (i) } class=(class(i)) transform={ "scale(" (size) ")" } d=(shape) {}
                    }
                }
                circle #ring r="8" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|i| f64::from(u8::from_str_radix(&colour[i..i + 2], 16).expect("a colour")) / 255.0)
    }

    fn linear(colour: &str) -> [f64; 3] {
        channels(colour).map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
    }

    /// WCAG 2: contrast ratio.
    fn contrast(a: &str, b: &str) -> f64 {
        let light = |c: &str| {
            let [r, g, b] = linear(c);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn get(scheme: &[(&str, &'static str)], name: &str) -> Vec<&'static str> {
        scheme.iter().find(|(n, _)| *n == name).expect(name).1.split(' ').collect()
    }

    #[test]
    fn text_and_lines_stand_out_in_both_schemes() {
        for scheme in [LIGHT, DARK] {
            for ground in ["bg", "card"] {
                let ground = get(scheme, ground)[0];
                for (name, least) in
                    [("text", 7.0), ("soft", 4.5), ("link", 4.5), ("mark", 4.5), ("good", 4.5), ("warning", 4.5)]
                {
                    let found = contrast(get(scheme, name)[0], ground);
                    assert!(found >= least, "{name} on {ground}: {found:.2}");
                }
                for i in 0..COLOURS {
                    let found = contrast(get(scheme, &format!("s{i}"))[0], ground);
                    assert!(found >= 3.0, "s{i} on {ground}: {found:.2}");
                }
                for colour in get(scheme, "r") {
                    assert!(contrast(colour, ground) >= 3.0, "{colour} on {ground}");
                }
            }
            assert!(contrast(get(scheme, "text")[0], get(scheme, "bar")[0]) >= 4.5);
            assert_eq!((get(scheme, "r").len(), get(scheme, "h").len()), (STEPS, HEAT));
        }
    }

    #[test]
    fn numbers_in_a_heat_map_can_be_read() {
        for (scheme, inverted) in [(LIGHT, INVERTED[0]), (DARK, INVERTED[1])] {
            for (i, cell) in get(scheme, "h").into_iter().enumerate() {
                let letters = get(scheme, if i < inverted { "text" } else { "bg" })[0];
                assert!(contrast(letters, cell) >= 4.5, "step {i}: {:.2}", contrast(letters, cell));
            }
        }
    }

    /// A colour as seen by eyes without one kind of cone. Machado, Oliveira and Fernandes (2009), severity 1.
    fn seen(colour: &str, matrix: [[f64; 3]; 3]) -> [f64; 3] {
        let c = linear(colour);
        let rgb = matrix.map(|row| row.iter().zip(c).map(|(m, c)| m * c).sum::<f64>().clamp(0.0, 1.0));
        // Oklab (Ottosson 2020): distances in it are close to perceived ones.
        let lms = [
            0.412_221_470_8 * rgb[0] + 0.536_332_536_3 * rgb[1] + 0.051_445_992_9 * rgb[2],
            0.211_903_498_2 * rgb[0] + 0.680_699_545_1 * rgb[1] + 0.107_396_956_6 * rgb[2],
            0.088_302_461_9 * rgb[0] + 0.281_718_837_6 * rgb[1] + 0.629_978_700_5 * rgb[2],
        ]
        .map(f64::cbrt);
        [
            0.210_454_255_3 * lms[0] + 0.793_617_785_0 * lms[1] - 0.004_072_046_8 * lms[2],
            1.977_998_495_1 * lms[0] - 2.428_592_205_0 * lms[1] + 0.450_593_709_9 * lms[2],
            0.025_904_037_1 * lms[0] + 0.782_771_766_2 * lms[1] - 0.808_675_766_0 * lms[2],
        ]
    }

    #[test]
    fn series_differ_for_colour_blind_eyes() {
        let normal = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let without_red =
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]];
        let without_green =
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]];
        for scheme in [LIGHT, DARK] {
            for eyes in [normal, without_red, without_green] {
                for i in 0..COLOURS {
                    for j in 0..i {
                        let [a, b] = [i, j].map(|k| seen(get(scheme, &format!("s{k}"))[0], eyes));
                        let distance = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                        // The first five, which most plots use, must differ clearly; the others may differ less,
                        // because their markers differ, too.
                        let least = if i < 5 { 0.07 } else { 0.03 };
                        assert!(distance >= least, "s{j} and s{i} for {eyes:?}: {distance:.3}");
                    }
                }
            }
        }
    }
}
