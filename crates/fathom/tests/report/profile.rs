//! A profile of a machine that there is not, with every kind of value and curve, and with what a page must bear: hostile
//! names, no points, one point, no numbers.

use fathom_profile::{
    About, Claim, Coefficient, Curve, Evidence, FittedCurve, Missing, Profile, Reading, Reason, Series, Value, FORMAT,
};

const MACHINE: &str = "name = 'synthetic'\n[loggp]\nL_us = { value = 0.61, source = 'invented' }\n";

pub const HOSTILE: &str = "</script><script>alert('\"&#x27;')</script><img src=x onerror=alert(1)>";

/// A number from 0 to 1 that looks as if by chance.
fn noise(i: usize) -> f64 {
    fastrand::Rng::with_seed(i as u64).f64()
}

fn reading(x: f64, y: f64, spread: f64, i: usize) -> Reading {
    let y = y * (1.0 + spread * (noise(i) - 0.5));
    let half = y * spread * (0.3 + noise(i + 77));
    let outliers = if noise(i + 5) > 0.9 { (noise(i) * 8.0) as usize } else { 0 };
    Reading { x, y, low: y - half, high: y + half, samples: 25, outliers }
}

fn value(name: &str, value: f64, unit: &str, confidence: f64, rule: &str, evidence: &[(&str, &str, &[f64])]) -> Value {
    let evidence = evidence.iter().map(|(curve, series, at)| Evidence {
        curve: (*curve).into(),
        series: (*series).into(),
        at: at.to_vec(),
    });
    Value::known(name, value, unit, confidence, rule).between(value * 0.98, value * 1.02).resting_on(evidence.collect())
}

fn curve(name: &str, title: &str, axes: (&str, &str), log: (bool, bool), series: Vec<Series>) -> Curve {
    let (x, y) = (axes.0.into(), axes.1.into());
    Curve { name: name.into(), title: title.into(), x, y, log_x: log.0, log_y: log.1, series }
}

const KIB: f64 = 1024.0;

/// The sawtooth of a machine with two caches.
fn chase() -> Curve {
    let time = |bytes: f64, stride: f64| {
        let per_line = (stride / 64.0).min(1.0);
        match bytes {
            b if b <= 32.0 * KIB => 1.2,
            b if b <= 1024.0 * KIB => 1.2 + 3.3 * per_line,
            _ => 1.2 + 3.3 * per_line + 90.0 * per_line,
        }
    };
    let sizes = || (0..=48).map(|i| 4.0 * KIB * f64::from(i).mul_add(0.25, 0.0).exp2());
    let series = |stride: f64| {
        let points = sizes().enumerate().map(|(i, b)| reading(b, time(b, stride), 0.04, i + stride as usize));
        Series::new(format!("stride {stride} B"), points.collect())
    };
    let strides = (3..=12).map(|e| f64::from(1 << e));
    curve(
        "memory.chase",
        "Time of a dependent load by size and stride",
        ("bytes", "ns"),
        (true, true),
        strides.map(series).collect(),
    )
}

fn bandwidth() -> Curve {
    let series = |(k, (name, top)): (usize, (&str, f64))| {
        let points = (0..24).map(|i| {
            let bytes = 4.0 * KIB * f64::from(1u32 << (i / 2)) * if i % 2 == 1 { 1.5 } else { 1.0 };
            let rate = if bytes <= 32.0 * KIB {
                top
            } else if bytes <= 1024.0 * KIB {
                top / 3.0
            } else {
                top / 9.0
            };
            reading(bytes, rate, 0.08, i + 100 * k)
        });
        Series::new(name, points.collect())
    };
    let kinds = [("load", 92_000.0), ("store", 51_000.0), ("copy", 60_000.0), ("copy, non-temporal", 21_000.0)];
    curve(
        "memory.bandwidth",
        "Bandwidth by size",
        ("bytes", "mb_s"),
        (true, false),
        kinds.into_iter().enumerate().map(series).collect(),
    )
}

fn many_points() -> Curve {
    let points = (0..6000).map(|i| reading(f64::from(i), 100.0 + noise(i as usize).powi(8) * 900.0, 0.0, i as usize));
    curve(
        "memory.samples",
        "Six thousand loads, one after the other",
        ("load", "ns"),
        (false, true),
        vec![Series::new("in the order of time", points.collect())],
    )
}

fn hostile() -> Vec<Curve> {
    let nan = Reading { x: f64::NAN, y: f64::NAN, low: f64::NAN, high: f64::INFINITY, samples: 0, outliers: 0 };
    let zero = Reading { x: 0.0, y: 0.0, low: -1.0, high: 0.0, samples: 1, outliers: 1 };
    let long = "a name of three hundred characters and no blank_".replace(' ', "_").repeat(7);
    vec![
        curve("sharing.empty", "No series at all", ("threads", "ns"), (true, true), vec![]),
        curve(
            "sharing.none",
            "A series without points",
            ("threads", "ns"),
            (false, false),
            vec![Series::new("none", vec![])],
        ),
        curve(
            "sharing.one",
            "One point",
            ("bytes", "ns"),
            (true, true),
            vec![Series::new("one", vec![reading(64.0, 12.5, 0.0, 1)])],
        ),
        curve(
            "sharing.wrong",
            "No numbers, and zeros on logarithmic axes",
            ("bytes", "ns"),
            (true, true),
            vec![
                Series::new("wrong", vec![zero, nan]),
                Series::new("right", vec![reading(8.0, 3.0, 0.5, 1), nan, reading(4096.0, 5.0, 0.9, 2)]),
            ],
        ),
        curve(
            "sharing.equal",
            "All the same",
            ("threads", "turns"),
            (false, false),
            vec![Series::new("same", (1..9).map(|i| reading(f64::from(i), 7.0, 0.0, 1)).collect())],
        ),
        curve(
            HOSTILE,
            HOSTILE,
            ("bytes\"><b>", "ns'><i>"),
            (false, false),
            vec![
                Series::new(HOSTILE, vec![reading(1.0, 1.0, 0.1, 1), reading(2.0, 2.0, 0.1, 2)]),
                Series::new(long, vec![reading(1.0, 2.0, 0.1, 1), reading(2.0, 1.0, 0.1, 2)]),
            ],
        ),
    ]
}

fn barrier() -> (Curve, FittedCurve) {
    let points = |c: f64| {
        (0..7).map(|e| f64::from(1 << e)).map(|p: f64| reading(p, c * p.log2().max(0.3), 0.06, p as usize)).collect()
    };
    let curve = curve(
        "synchronisation.barrier",
        "Time of a barrier",
        ("threads", "ns"),
        (true, false),
        vec![Series::new("dissemination", points(310.0)), Series::new("central counter", points(520.0))],
    );
    let coefficient =
        |name: &str, value: f64| Coefficient { name: name.into(), value, low: value - 9.0, high: value + 9.0 };
    let fit = FittedCurve {
        curve: "synchronisation.barrier".into(),
        series: "dissemination".into(),
        form: "logarithm".into(),
        formula: "12 + 308 log2 x".into(),
        coefficients: vec![coefficient("a", 12.0), coefficient("b", 308.0)],
        residual_sd: 0.031,
        relative: true,
        from: 2.0,
        to: 64.0,
        points: 6,
        left_out: vec![],
        reason: "AICc is 7.1 less than that of the next, affine".into(),
        tried: vec![("logarithm".into(), -31.0), ("affine".into(), -24.0)],
    };
    (curve, fit)
}

pub fn profile() -> Profile {
    let (barrier, fit) = barrier();
    let mut curves = vec![chase(), bandwidth(), many_points(), barrier];
    curves.extend(hostile());
    let l1: &[f64] = &[16.0 * KIB, 32.0 * KIB, 64.0 * KIB];
    let flat: &[f64] = &[4.0 * KIB, 8.0 * KIB, 16.0 * KIB];
    let mut values = vec![
        value(
            "memory.l1d.bytes",
            32.0 * KIB,
            "bytes",
            0.97,
            "the last size at 1.2 ns; the next takes 3.7 times as long",
            &[("memory.chase", "stride 64 B", l1), ("memory.bandwidth", "load", l1)],
        ),
        value(
            "memory.l2.bytes",
            1024.0 * KIB,
            "bytes",
            0.91,
            "the last size at 4.5 ns",
            &[("memory.chase", "stride 64 B", &[1024.0 * KIB])],
        ),
        value(
            "memory.l1d.ns",
            1.2,
            "ns",
            0.98,
            "the median of the times up to 32 KiB",
            &[("memory.chase", "stride 64 B", flat)],
        ),
        value(
            "memory.line.bytes",
            64.0,
            "bytes",
            0.99,
            "from a stride of 64 bytes on the time stays",
            &[("memory.chase", "stride 64 B", &[1024.0 * KIB])],
        ),
        value(
            "memory.bandwidth.memory.load.mb_s",
            10_222.0,
            "mb_s",
            0.8,
            "load over an array of 64 MiB",
            &[("memory.bandwidth", "load", &[4096.0 * KIB])],
        ),
        value(
            "synchronisation.barrier.ns",
            318.0,
            "ns",
            0.85,
            "the fitted curve at 2 threads",
            &[("synchronisation.barrier", "dissemination", &[2.0, 4.0])],
        ),
        value("memory.l1d.usable.bytes", 28.0 * KIB, "bytes", 0.95, "there the time passes 1.3 ns", &[]),
        value("memory.latency.idle.ns", 81.0, "ns", 0.9, "a chase while the other threads sleep", &[]),
        value("sharing.raw.ns", 88.0, "ns", 0.6, "no such points", &[("sharing.nowhere", "x", &[1.0])]),
        value(&format!("sharing.{HOSTILE}"), f64::NAN, HOSTILE, f64::NAN, HOSTILE, &[(HOSTILE, HOSTILE, &[1.0])]),
    ];
    let (name, unit, evidence) = (values[1].name.clone(), values[1].unit.clone(), values[1].evidence.clone());
    let unknown = Value::unknown(name, &unit, "physical addresses are not known here");
    values.push(unknown.resting_on(evidence));
    Profile {
        format: FORMAT.into(),
        about: About {
            machine: "A machine <that> there is not, 64 processors, 1 TB".into(),
            taken_unix_s: 1_700_000_000,
            fathom: "0.1.0".into(),
            effort: "normal".into(),
            seconds: 118.4,
            processors: 64,
            compiler: "a compiler & its version".into(),
            median_spread: 0.0072,
            samples: 41_000,
            outliers: 512,
            disturbances: vec!["sharing: the processor's frequency changed by -7.3 % meanwhile".into()],
            runs: 3,
            repeatability: Some(0.021),
            ..About::default()
        },
        values,
        curves,
        fits: vec![fit],
        missing: vec![Missing::new(
            "memory.huge_pages",
            Reason::System,
            "this system gives none: `vm.nr_hugepages` is 0",
        )],
        claims: [
            ("memory.l1.bytes", 32.0 * KIB),
            ("memory.l2.bytes", 2048.0 * KIB),
            ("memory.l3.bytes", 1e8),
            (HOSTILE, 1.0),
        ]
        .map(|(name, value)| Claim { name: name.into(), value, source: format!("sysfs {HOSTILE}") })
        .to_vec(),
        machine: toml::from_str(MACHINE).expect("a machine file"),
    }
}
