//! The findings as a page: advice, the lines, the communication between threads, a timeline, and the source with its
//! figures.

use super::text::{
    alone, comparison, count, distances, forms, percent, predicted, read_source, reason, shares, short, time, total,
};
use super::Findings;
use fathom_explain::site::Kind;
use fathom_explain::{Job, Line};
use fathom_report::{
    slug, Cell, Figures, HeatMap, Interval, Listing, Note, Page, Section, Table, Text, Timeline, Tone, Unit,
};
use std::collections::{BTreeMap, HashMap};

/// A line with at least this share of the time is marked.
const HOT: f64 = 0.05;

pub fn html(job: &Job, f: &Findings) -> String {
    let name = short(f.program);
    let subtitle = format!("{} threads by {}, {}", f.threads, f.conduit, Unit::Ns.text(f.wall_ns));
    let mut page = Page::new(name.to_string()).subtitle(subtitle).footer("fathom explain");
    page = page.section(summary(job, f)).section(advice(f)).section(lines(job, f));
    if let Some(section) = service(f) {
        page = page.section(section);
    }
    page = page.section(matrix(job, f));
    page = page.section(timeline(job, f));
    page.section(source(job, f)).html()
}

fn summary(job: &Job, f: &Findings) -> Section {
    let (mut accesses, mut bytes) = (fathom_explain::job::ByDistance::default(), 0.0);
    for l in f.lines {
        accesses.add(l.accesses);
        bytes += l.bytes.remote();
    }
    let share = |n: f64| {
        if accesses.all() > 0.0 {
            format!("{:.1} % of all", n / accesses.all() * 100.0)
        } else {
            String::new()
        }
    };
    let waiting: f64 =
        job.sites.iter().filter(|s| s.about.kind() == Kind::Barrier).filter_map(|s| s.measured_ns()).sum();
    let waiting = waiting / job.thread_ns().max(1.0);
    let mut s = Section::new("At a glance").part(
        Figures::new()
            .card("Accesses to own memory", count(accesses.own), share(accesses.own))
            .card("To near threads", count(accesses.near), share(accesses.near))
            .card("To far threads", count(accesses.far), share(accesses.far))
            .card("Far ones served by a mechanism", f.far_share_served.map_or("·".into(), percent), shares(&f.far))
            .card("Bytes from or to others", Unit::Bytes.text(bytes), "")
            .card("In barriers", Unit::Share.text(waiting), "of the threads' time"),
    );
    for r in f.remarks {
        s.push(Note::new(Tone::Warning, "Incomplete", r.clone()));
    }
    if job.crowded {
        let text = format!(
            "{} threads share {} processors: waits include waiting for a processor.",
            f.threads, job.processors
        );
        s.push(Note::new(Tone::Plain, "Crowded", text));
    }
    s
}

fn advice(f: &Findings) -> Section {
    let mut s = Section::new("Advice");
    if f.advice.is_empty() {
        s.push(Text::new("Nothing was found that would save more than 2 % of the time."));
    }
    for a in f.advice {
        let title = format!(
            "{}:{} · may save {:.0} % · confidence {:.0} %",
            short(&a.file),
            a.line,
            a.gain_share * 100.0,
            a.confidence * 100.0
        );
        s.push(Note::new(Tone::Good, title, format!("{}. {}.", capital(&a.what), a.evidence.join("; "))));
    }
    s
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().collect::<String>() + chars.as_str())
}

fn anchor(l: &Line) -> String {
    slug(&format!("{} {}", short(&l.file), l.line))
}

fn lines(job: &Job, f: &Findings) -> Section {
    let mut t =
        Table::new(["line", "what", "own", "near", "far", "bytes", "calls", "measured", "predicted", "form and why"])
            .caption("Lines of the program. Times are of all threads together.");
    let total = job.thread_ns().max(1.0);
    for l in f.lines {
        let number = |n: f64| Cell::number(n, count(n));
        let mut whys: Vec<String> = vec![];
        for p in &l.places {
            let why = if p.why.is_empty() { p.how.clone() } else { format!("{}: {}", p.how, p.why) };
            if !whys.contains(&why) {
                whys.push(why);
            }
            for t in &p.mechanisms {
                let profile = match comparison(t) {
                    none if none == "·" => String::new(),
                    times => format!(", by the profile {times}"),
                };
                let taken = format!("{} ({}{profile})", t.mechanism, reason(t));
                if !whys.contains(&taken) {
                    whys.push(taken);
                }
            }
        }
        let texts: Vec<&str> = l.places.iter().map(|p| p.text.as_str()).collect();
        let mut what: Vec<&str> = vec![];
        texts.into_iter().for_each(|t| {
            if !what.contains(&t) {
                what.push(t)
            }
        });
        t.push([
            Cell::from(format!("{}:{}", short(&l.file), l.line)).link(&anchor(l)),
            Cell::from(what.join(", ")),
            number(l.accesses.own),
            number(l.accesses.near),
            number(l.accesses.far),
            Cell::number(l.bytes.all(), Unit::Bytes.text(l.bytes.all())),
            number(l.calls),
            Cell::number(l.measured_ns.unwrap_or(0.0), time(l.measured_ns))
                .with_bar((l.measured_ns.unwrap_or(0.0) / total).min(1.0)),
            Cell::number(l.predicted_ns.unwrap_or(0.0), predicted(l)),
            Cell::from(whys.join("; ")),
        ]);
    }
    Section::new("Lines").part(Text::new(f.prediction)).part(t)
}

/// How far accesses were served, by line; none if there are none.
fn service(f: &Findings) -> Option<Section> {
    let total = total(&f.far)?;
    let mut t = Table::new(["line", "far", "served", "by", "messages", "not served"]).caption(
        "A message that several lines fill counts where it was begun; one that is fetched for a loop, at the loop.",
    );
    for l in f.lines.iter().filter(|l| l.far.accesses > 0.0 || l.far.messages > 0.0) {
        let share = l.far.share();
        t.push([
            Cell::from(format!("{}:{}", short(&l.file), l.line)).link(&anchor(l)),
            Cell::number(l.far.accesses, count(l.far.accesses)),
            Cell::number(share.unwrap_or(0.0), share.map_or("·".into(), percent)),
            Cell::from(shares(&l.far)),
            Cell::number(l.far.messages, count(l.far.messages)),
            Cell::from(alone(l)),
        ]);
    }
    Some(Section::new("How far accesses were served").part(Text::new(total)).part(t))
}

fn matrix(job: &Job, f: &Findings) -> Section {
    let axes = ("from thread", "to thread");
    let mut s = Section::new("Communication between threads");
    s.push(
        HeatMap::new("Bytes", axes, Unit::Bytes, f.bytes.clone())
            .log()
            .note("Accesses by the thread of a row to the memory of the thread of a column, own memory included."),
    );
    s.push(HeatMap::new("Accesses and calls", axes, Unit::None, f.accesses.clone()).log());
    let _ = job;
    s
}

/// The meaning of the timeline's colours.
const KINDS: [&str; 6] = ["computing", "barrier", "lock", "transfer", "collective", "other call"];

fn kind(k: Kind) -> usize {
    match k {
        Kind::Barrier | Kind::Fence => 1,
        Kind::Lock => 2,
        Kind::Transfer | Kind::Read | Kind::Write | Kind::Update | Kind::Atomic => 3,
        Kind::Collective => 4,
        Kind::Allocation | Kind::Other => 5,
    }
}

fn timeline(job: &Job, f: &Findings) -> Section {
    let mut intervals = vec![];
    for thread in 0..job.threads {
        if job.run_ns[thread] == 0.0 {
            continue;
        }
        let end = job.run_ns[thread];
        let mut at = 0.0;
        let mut computing = |from: f64, to: f64| {
            if to > from {
                intervals.push(Interval { lane: thread, kind: 0, start_ns: from, end_ns: to });
            }
        };
        for e in job.events.iter().filter(|e| e.thread == thread) {
            computing(at, e.start_ns);
            at = e.end_ns.max(at);
        }
        computing(at, end);
    }
    let of = |e: &fathom_explain::job::Event| Interval {
        lane: e.thread,
        kind: kind(job.sites[e.site].about.kind()),
        start_ns: e.start_ns,
        end_ns: e.end_ns,
    };
    intervals.extend(job.events.iter().map(of));
    let lanes: Vec<String> = (0..job.threads).map(|t| format!("thread {t}")).collect();
    let mut line = Timeline::new("Threads", lanes, KINDS).intervals(intervals);
    if f.events_left_out > 0 {
        line = line.note(format!(
            "{} calls, {} in all, were too short to be drawn; time outside of calls counts as computing.",
            count(f.events_left_out as f64),
            Unit::Ns.text(job.events_lost_ns)
        ));
    }
    Section::new("When").part(line)
}

fn source(job: &Job, f: &Findings) -> Section {
    let mut files: BTreeMap<&str, Vec<&Line>> = BTreeMap::new();
    for l in f.lines {
        files.entry(&l.file).or_default().push(l);
    }
    let total = job.thread_ns().max(1.0);
    let mut s = Section::new("Source");
    for (file, lines) in files {
        let text = read_source(file);
        if text.is_empty() {
            s.push(Text::new(format!("`{file}` is not where it was when the program was compiled.")));
            continue;
        }
        let by_number: HashMap<usize, &&Line> = lines.iter().map(|l| (l.line as usize, l)).collect();
        let mut listing = Listing::new(short(file), ["accesses", "to others", "time", "predicted"]);
        for (i, t) in text.iter().enumerate() {
            let number = i + 1;
            let mut out = fathom_report::Line::new(number, t.clone());
            if let Some(l) = by_number.get(&number) {
                let share = l.measured_ns.unwrap_or(0.0) / total;
                out.hot = share >= HOT;
                let (all, remote) = (l.accesses.all(), l.accesses.remote());
                out.cells = vec![
                    Cell::number(all, count(all)),
                    Cell::number(remote, count(remote)),
                    Cell::number(share, time(l.measured_ns)).with_bar(share.min(1.0)),
                    Cell::number(l.predicted_ns.unwrap_or(0.0), predicted(l)),
                ];
                if out.hot {
                    out.notes.push((Tone::Plain, forms(l), distances(l.accesses)));
                }
            }
            for a in f.advice.iter().filter(|a| a.file == file && a.line as usize == number) {
                out.notes.push((Tone::Good, format!("may save {:.0} %", a.gain_share * 100.0), capital(&a.what)));
            }
            listing.push(out);
        }
        s.push(listing);
    }
    s
}
