//! The nodes of the machines in `machines/`, under the streams of the T3D Split-C study.

use fathom_machine::{node, Data, Description, Node, Words};

fn described(name: &str) -> Description {
    let path = format!("{}/../../machines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

fn t3d() -> Node<()> {
    node(&described("t3d")).unwrap()
}

/// Mean ns of an access by `stride` over `bytes`, after two passes that nobody counts.
fn sawtooth<D: Data>(node: &mut Node<D>, bytes: u64, stride: u64, is_store: bool) -> f64 {
    let (mut now, mut began) = (0, 0);
    for pass in 0..4 {
        if pass == 2 {
            began = now;
        }
        for at in (0..bytes).step_by(stride as usize) {
            now = if is_store {
                node.processor.store(&mut node.memory, now, at, D::default())
            } else {
                node.processor.load(&mut node.memory, now, at).free
            };
        }
    }
    (now - began) as f64 / 1000.0 / (2 * (bytes / stride)) as f64
}

#[track_caller]
fn near(ours: f64, printed: f64, tolerance: f64) {
    assert!((ours / printed - 1.0).abs() <= tolerance, "{ours} instead of {printed}");
}

#[test]
fn reads_of_the_t3d_have_the_plateaus_of_figure_1() {
    for (bytes, stride, ns) in [
        (8192, 8, 6.67),
        (8192, 4096, 6.67),
        (65536, 8, 41.25),
        (65536, 16, 75.8),
        (65536, 32, 145.0),
        (32768, 16384, 205.0),
        (1 << 20, 16384, 205.0),
        (1 << 20, 32768, 205.0),
        (1 << 20, 65536, 264.0),
    ] {
        near(sawtooth(&mut t3d(), bytes, stride, false), ns, 0.01);
    }
}

#[test]
fn writes_of_the_t3d_have_the_plateaus_of_figure_2() {
    for (bytes, stride, ns) in
        [(65536, 8, 20.0), (65536, 16, 20.0), (65536, 32, 36.25), (65536, 64, 36.25), (1 << 20, 16384, 51.25)]
    {
        near(sawtooth(&mut t3d(), bytes, stride, true), ns, 0.01);
    }
}

#[test]
fn each_plateau_rests_on_its_mechanism() {
    let without = |what: &str| node::<()>(&described("t3d").without(what).unwrap()).unwrap();
    near(sawtooth(&mut without("buffer.merges"), 65536, 8, true), 36.25, 0.01);
    near(sawtooth(&mut without("buffer"), 65536, 32, true), 145.0, 0.01);
    near(sawtooth(&mut without("cache"), 8192, 8, false), 145.0, 0.01);
    let slower = described("t3d").with_factor("dram.off_page", 1.05).unwrap();
    // What is derived from it follows: the sum of the three stays what the study prints.
    near(sawtooth(&mut node::<()>(&slower).unwrap(), 1 << 20, 16384, false), 208.0, 0.001);
    near(sawtooth(&mut node::<()>(&slower).unwrap(), 1 << 20, 65536, false), 264.0, 0.001);
}

#[test]
fn the_workstation_has_three_levels_and_small_pages() {
    let ns = |bytes, stride| sawtooth(&mut node::<()>(&described("alpha-workstation")).unwrap(), bytes, stride, false);
    near(ns(8192, 32), 6.67, 0.01);
    near(ns(262_144, 32), 66.7, 0.01);
    // A page has 256 lines, so that translation adds a 256th of its time.
    near(ns(2 << 20, 32), 300.0 + 230.0 / 256.0, 0.01);
    near(ns(2 << 20, 8192), 530.0, 0.01);
}

#[test]
fn carrying_words_changes_no_time() {
    for (bytes, stride) in [(8192, 8), (65536, 8), (65536, 64), (1 << 20, 16384)] {
        for is_store in [false, true] {
            let mut carrying: Node<Words> = node(&described("t3d")).unwrap();
            assert_eq!(sawtooth(&mut t3d(), bytes, stride, is_store), sawtooth(&mut carrying, bytes, stride, is_store));
        }
    }
}

/// The Alpha architecture has pages of four sizes, each with as many bits of an address as three levels of tables reach.
#[test]
fn a_page_of_tables_is_the_least_that_reaches_all_of_an_address() {
    let description = described("alpha-workstation");
    let page = |d: &Description| d.of_part("translation").page();
    let by_bits = |bits: &str| page(&description.with_value("translation.address_bits", bits).unwrap());
    assert_eq!(["43", "47", "51", "55"].map(by_bits), [8, 16, 32, 64].map(|kb| Ok(kb << 10)));
    assert_eq!(by_bits("44"), Ok(16 << 10));
    assert!(by_bits("200").unwrap_err().contains("reach 200 bits by no page"), "{:?}", by_bits("200"));
    let changed = |figure, factor| page(&description.with_factor(figure, factor).unwrap());
    assert_eq!([changed("translation.levels", 2.0), changed("translation.entry", 2.0)], [Ok(512), Ok(16 << 10)]);
    // Probes are told what they should find.
    let seen = description.seen().unwrap();
    assert!(
        seen.iter().any(|(name, value, _)| name == "surface.translation.page.bytes" && *value == 8192.0),
        "{seen:?}"
    );
    let fixed = description.with_value("translation.page", "4 KB").unwrap();
    assert_eq!(page(&fixed), Ok(4096));
}
