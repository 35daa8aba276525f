//! A profile in the terminal: the most important values, with how sure they are, and what disturbed the measuring.

use fathom_probe::area::AREAS;
use fathom_probe::{Profile, Value};
use fathom_report::{Cell, Table, Unit};

/// Values of an area that are shown; areas name the most important ones first.
const OF_AN_AREA: usize = 12;
/// Where no terminal says how wide it is.
const COLUMNS: usize = 100;

pub fn print(profile: &Profile) {
    println!("{}\n", profile.about.machine);
    for area in AREAS {
        let values: Vec<&Value> = profile.values.iter().filter(|v| of_area(v) == area.name).collect();
        if values.is_empty() {
            continue;
        }
        let mut table = Table::new([area.name, "", "between", "sure"]);
        for value in values.iter().take(OF_AN_AREA) {
            table.push(row(value));
        }
        print!("{}", table.text(width()));
        if values.len() > OF_AN_AREA {
            println!("and {} more in the profile", values.len() - OF_AN_AREA);
        }
        println!();
    }
    for missing in &profile.missing {
        println!("missing: {}: {}", missing.what, missing.why);
    }
    let about = &profile.about;
    for disturbance in &about.disturbances {
        println!("disturbed: {disturbance}");
    }
    if let Some(spread) = about.repeatability {
        println!("{} runs: half of the values were repeated within {:.1} %", about.runs, spread * 100.0);
    }
    let outliers = 100.0 * about.outliers as f64 / about.samples.max(1) as f64;
    println!(
        "{:.0} s, {} samples, {outliers:.1} % of them outliers; half of the points are known within {:.1} %",
        about.seconds,
        about.samples,
        about.median_spread * 100.0
    );
}

fn of_area(value: &Value) -> &str {
    value.name.split('.').next().unwrap_or_default()
}

fn row(value: &Value) -> [Cell; 4] {
    let unit = Unit::named(&value.unit);
    let name = value.name.split_once('.').map_or(value.name.as_str(), |(_, rest)| rest);
    let Some(v) = value.value else {
        return [name.into(), "unknown".into(), value.rule.as_str().into(), Cell::default()];
    };
    let between = match (value.low, value.high) {
        (Some(low), Some(high)) if low != high => format!("{} – {}", unit.text(low), unit.text(high)),
        _ => String::new(),
    };
    let sure = Cell::number(value.confidence, format!("{:.0} %", value.confidence * 100.0));
    [name.into(), unit.text(v).into(), between.into(), sure]
}

pub fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).filter(|c| *c >= 40).unwrap_or_else(|| {
        // SAFETY: ioctl writes to `size`, for which zeros are a value.
        let columns = unsafe {
            let mut size: libc::winsize = std::mem::zeroed();
            libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &mut size);
            usize::from(size.ws_col)
        };
        if columns >= 40 {
            columns
        } else {
            COLUMNS
        }
    })
}
