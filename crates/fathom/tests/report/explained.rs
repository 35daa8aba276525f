//! A page like that of `fathom explain`: who sent how much to whom, what each thread did when, and a source with figures.

use fathom_report::{
    Bars, Cell, Figures, Heading, HeatMap, Interval, Line, Listing, Note, Page, Section, Table, Text, Timeline, Tone,
    Unit,
};

const SOURCE: &str = include_str!("../../../../examples/heat.upc");

pub fn page() -> String {
    let figures = Figures::new()
        .card("Accesses", "1.2 million", "of shared data")
        .card("Far", "31.4 %", "of all bytes")
        .card("Time in communication", "41.7 ms", "of 90.1 ms")
        .card("</dd><script>", "<b>", "\"quoted\"");
    let small: Vec<Vec<f64>> = (0..8).map(|r: usize| (0..8).map(|c: usize| sent(r, c)).collect()).collect();
    let large: Vec<Vec<f64>> = (0..300).map(|r: usize| (0..300).map(|c: usize| sent(r / 5, c / 5)).collect()).collect();
    let intervals = (0..100_000usize).map(|i| {
        let (lane, nth) = (i % 16, i / 16);
        let start_ns = nth as f64 * 14_000.0 + (i * 7919 % 6000) as f64;
        Interval { lane, kind: (nth / 700 + i % 2) % 4, start_ns, end_ns: start_ns + (i * 104_729 % 12_000) as f64 }
    });
    let few =
        [(0, 0, 0.0, 400.0), (0, 1, 400.0, 520.0), (1, 0, 30.0, 350.0), (1, 2, 350.0, 520.0), (1, 0, 520.0, 900.0)]
            .map(|(lane, kind, start_ns, end_ns)| Interval { lane, kind, start_ns, end_ns });
    let mut listing = Listing::new("heat.upc", ["accesses", "bytes", "far", "time", "predicted"]);
    for (i, text) in SOURCE.lines().enumerate() {
        listing.push(line(i + 1, text));
    }
    let lines = Table::new(["line", "accesses", "time", "mechanism"])
        .row([
            Cell::from("heat.upc:30").link("heat.upc 30"),
            Cell::number(3000.0, "3000"),
            Cell::number(9000.0, "9 µs"),
            "direct".into(),
        ])
        .row([
            Cell::from("heat.upc:20").link("heat.upc 20"),
            Cell::number(2000.0, "2000"),
            Cell::number(12000.0, "12 µs"),
            "bulk".into(),
        ])
        .row([
            Cell::from("heat.upc:10").link("heat.upc 10"),
            Cell::number(1000.0, "1000"),
            Cell::number(500.0, "0.5 µs"),
            "message".into(),
        ]);
    let bars = Bars::new("Time by mechanism", Unit::Ns)
        .series(["measured", "predicted"])
        .bar("direct access", [9_000.0, 8_500.0])
        .bar("packed", [120_000.0, 90_500.0])
        .bar("a mechanism with a name that is far too long for a column of labels", [1_000.0, f64::NAN]);
    Page::new("heat.upc, explained")
        .subtitle("4 threads on 1 node")
        .section(
            Section::new("Overview")
                .part(figures)
                .part(Text::new("Half of the time goes to `upc_memget`."))
                .part(Note::new(
                    Tone::Warning,
                    "Aggregate.",
                    "Line 31 fetches 8 bytes 4096 times: one `upc_memget` would take 1/40 of the time.",
                ))
                .part(Note::new(
                    Tone::Good,
                    "Well blocked.",
                    "99 % of the accesses of line 40 are to the thread's own data.",
                ))
                .part(lines)
                .part(bars),
        )
        .section(
            Section::new("Who sends to whom")
                .part(HeatMap::new("Bytes sent", ("from thread", "to thread"), Unit::Bytes, small).log())
                .part(HeatMap::new("Bytes sent, many threads", ("from thread", "to thread"), Unit::Bytes, large))
                .part(HeatMap::new("Nothing sent", ("from thread", "to thread"), Unit::Bytes, vec![vec![0.0; 2]; 2])),
        )
        .section(
            Section::new("When")
                .part(
                    Timeline::new(
                        "Sixteen threads",
                        (0..16).map(|t| format!("thread {t}")),
                        ["get", "put", "barrier", "lock"],
                    )
                    .intervals(intervals),
                )
                .part(
                    Timeline::new("Two threads", ["thread 0", "thread 1"], ["compute", "<i>get", "barrier"])
                        .intervals(few),
                )
                .part(Timeline::new("None", ["0"], ["none"])),
        )
        .section(Section::new("Source").part(Heading::new("Line by line")).part(listing))
        .html()
}

fn sent(from: usize, to: usize) -> f64 {
    match from.abs_diff(to) {
        0 => 0.0,
        1 => 4_194_304.0,
        2 => 65_536.0,
        _ if (from + to).is_multiple_of(5) => 512.0,
        _ => 0.0,
    }
}

fn line(number: usize, text: &str) -> Line {
    let mut line = Line::new(number, text);
    if text.contains("upc_") || number.is_multiple_of(13) {
        let count = (number * 7919 % 4096) as f64;
        line.cells = vec![
            Cell::number(count, format!("{count}")),
            Cell::number(count * 8.0, Unit::Bytes.text(count * 8.0)),
            Cell::bar(count / 4096.0),
            Cell::number(count * 11.0, Unit::Ns.text(count * 11.0)).with_bar(count / 4096.0),
            Cell::number(count * 10.0, Unit::Ns.text(count * 10.0)),
        ];
        line.hot = count > 3000.0;
        if count > 3000.0 {
            line.notes.push((Tone::Warning, "Aggregate.".into(), "One `upc_memget` of the row would do.".into()));
        }
    }
    line
}
