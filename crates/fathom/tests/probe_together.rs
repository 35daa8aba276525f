//! The kernels that need several threads, on the prober of each conduit that every computer has, with more and fewer threads
//! than cores. Nothing here asserts a time: only that each kernel answers, or says why it cannot, and that a prober goes on.

use crate::support;
use fathom_probe::host::{Host, Launch};
use fathom_toolchain::probe::Prober;
use std::time::Duration;

fn host(conduit: &str, threads: usize) -> Host {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| std::env::set_var("FATHOM_CACHE", support::cache()));
    let (command, env) = Prober::find(Some(conduit)).unwrap().command(threads, &[]).unwrap();
    let launch = Launch { command: command.words, env, threads, guard: |_| Box::new(()) };
    Host::start(launch).unwrap().with_grace(Duration::from_secs(60))
}

/// What takes so many threads on cores of their own.
const COMMUNICATION: [(&str, usize); 24] = [
    ("place", 2),
    ("put", 2),
    ("put bytes=4096 area=65536 stride=4096", 2),
    ("put way=explicit group=7 bytes=100 stride=128", 2),
    ("get way=implicit group=8", 2),
    ("get way=value with=0", 1),
    ("get bytes=100000", 2),
    ("block_put way=pieces bytes=10000", 2),
    ("block_put way=long bytes=10000", 2),
    ("block_put way=medium bytes=100000", 2),
    ("block_get way=whole bytes=10000", 2),
    ("block_get way=long bytes=100000", 2),
    ("block_get way=medium bytes=100000", 2),
    ("scatter way=strided bytes=1000 stride=64", 2),
    ("scatter way=elements bytes=1000 stride=24", 2),
    ("scatter way=packed bytes=100000 element=24 stride=64", 2),
    ("round_trip kind=short", 2),
    ("round_trip kind=medium bytes=100", 2),
    ("round_trip kind=long bytes=100000", 2),
    ("flood kind=medium bytes=64", 2),
    ("funnel senders=1", 2),
    ("funnel senders=2 bytes=8", 3),
    ("send_overhead burst=3", 2),
    ("fetch_add with=1 others=1", 2),
];

const SHARING: [(&str, usize); 8] = [
    ("pass what=war stride=4", 2),
    ("pass what=raw flushed=1", 2),
    ("pass what=raw way=dependent", 2),
    ("pass what=waw bytes=4096", 2),
    ("sharers what=invalidate sharers=2", 3),
    ("sharers what=read sharers=1", 2),
    ("ping_pong lines=2", 2),
    ("false_sharing distance_bytes=8", 2),
];

fn cores(host: &mut Host) -> usize {
    let place = host.ask("place with=0", 1, Duration::from_millis(500)).unwrap();
    let cores = place.split_whitespace().find_map(|fact| fact.strip_prefix("cores="));
    cores.unwrap_or_else(|| panic!("{place}")).parse().unwrap()
}

fn answers(conduit: &str, threads: usize) {
    let mut host = host(conduit, threads);
    let room = cores(&mut host).min(threads);
    let shares = conduit != "template";
    let all = COMMUNICATION.iter().map(|c| (c, true)).chain(SHARING.iter().map(|c| (c, shares)));
    for ((stimulus, needed), is_there) in all {
        let line = format!("{stimulus} sample_us=30");
        let said = host.ask(&line, 2, Duration::from_millis(60)).unwrap();
        let expected = if room >= *needed && is_there { "samples " } else { "impossible " };
        assert!(said.starts_with(expected), "{conduit}, {threads} threads, room for {room}: `{line}`: {said}");
        let samples = said.strip_prefix("samples ").and_then(|s| s.split(';').next()).unwrap_or("");
        for sample in samples.split_whitespace() {
            // What it took, and what a cycle took meanwhile if that is known.
            for ns in sample.split('@') {
                assert!(ns.parse::<f64>().is_ok_and(|ns| ns.is_finite() && ns >= 0.0), "{line}: {said}");
            }
        }
    }
}

#[test]
fn kernels_of_several_threads_answer_or_say_why_not_in_shared_memory() {
    for threads in 1..=4 {
        answers("smp", threads);
    }
}

#[test]
fn kernels_of_several_threads_answer_or_say_why_not_by_messages() {
    for threads in 1..=3 {
        answers("template", threads);
    }
}

#[test]
fn what_makes_no_sense_is_an_error_and_harms_nothing() {
    let mut host = host("smp", 2);
    for (line, part) in [
        ("put bytes=0", "`bytes` must be from 1"),
        ("put bytes=16 way=value", "a transfer by value has 8 bytes"),
        ("put group=3 bytes=4000000", "`area`"),
        ("get area=1000", "power of two"),
        ("get way=hopefully", "`way` cannot be `hopefully`"),
        ("put with=9", "impossible threads there are 2 threads"),
        ("round_trip kind=medium bytes=100000000", "`bytes` must be from 1"),
        ("funnel senders=0", "`senders` must be from 1"),
        ("scatter stride=4", "`stride` must be from 8"),
        ("pass what=rar", "`what` must be one of `war raw waw`"),
        ("pass stride=0", "`stride` must be from 1"),
        ("pass what=war way=dependent", "only reads"),
        ("sharers what=read sharers=0", "`sharers` must be from 1"),
        ("ping_pong lines=3", "`lines`"),
        ("ping_pong processor=99999", "impossible processors there is no such core"),
        ("false_sharing distance_bytes=9", "multiple of 8"),
        ("send_overhead burst=0", "`burst`"),
    ] {
        let said = host.ask(line, 2, Duration::from_millis(60)).unwrap();
        assert!(said.contains(part), "`{line}` was answered by `{said}`");
    }
    let said = host.ask("clock sample_us=30", 2, Duration::from_millis(60)).unwrap();
    assert!(said.starts_with("samples "), "{said}");
}
