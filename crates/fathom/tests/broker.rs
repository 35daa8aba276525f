//! `fathom broker` and `fathom queues` with real programs: several processes that do what the test says, one line at a time
//! (tests/runtime/broker_puppet.c). Nothing here depends on how long something takes: a wait that is too long is a
//! deadlock, and fails as one.

use crate::support;
#[path = "broker/place.rs"]
mod place;
use place::*;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::FATHOM;

// ---- what works ------------------------------------------------------------------------------------------------------

#[test]
fn a_server_reaches_its_clients_and_the_clients_the_server_and_not_each_other() {
    let (_place, _broker, mut server, [mut a, mut b]) = met("sums");
    assert_eq!(server.event("came sums 0 ").split(' ').nth(4), Some(a.pid().to_string().as_str()));
    server.event("came sums 1 ");
    // Sources are the broker's numbers, whatever the client does.
    assert_eq!(a.say("express 0 3 7 11"), "ok");
    server.receives(0, "express 11 7 0");
    assert_eq!(b.say("express 0 3 8 22"), "ok");
    server.receives(0, "express 22 8 1");
    assert_eq!(server.say("who sums 1").split(' ').nth(2), Some(b.pid().to_string().as_str()));
    assert_eq!(server.say("express 1 0 1 111"), "ok");
    assert_eq!(server.say("express 1 1 2 222"), "ok");
    a.receives(0, "express 111 1 3");
    b.receives(0, "express 222 2 3");
    // No row leads from one client to another, and no name does.
    for row in [0, 1, 2, 4, 5, 6, 7] {
        assert_eq!(a.say(&format!("express 0 {row} 0 1")), "no-row");
    }
    assert_eq!(server.say("express 1 2 0 1"), "no-row");
    a.ok("copy 0 3 100");
    server.receives(0, "data 0 1 0 100 300");
}

#[test]
fn threads_of_a_client_share_a_row_and_every_message_comes_once_and_in_order() {
    let place = Place::new();
    let _broker = place.broker("");
    let (mut server, mut client) = (place.server("echo"), place.puppet());
    server.begin("echo 0 1 40000");
    client.ok("queue 0 256 0");
    client.ok("transmit 0 1");
    client.ok("connect");
    client.ok(&format!("open echo 0 0 0 {NEVER_MS}"));
    client.ok("threads 0 0 0 4 10000");
    assert_eq!(server.answer(), "ok");
}

#[test]
fn the_listing_says_who_and_how_full_and_how_old() {
    let place = Place::new();
    let _broker = place.broker("");
    assert_eq!(place.queues()["queues"], Value::Array(vec![]));
    let mut server = place.server("sums");
    let mut client = place.client("sums");
    for i in 0..5 {
        assert_eq!(client.say(&format!("express 0 3 0 {i}")), "ok");
    }
    let lane = |v: &Value, n: usize| v["queues"][0]["lanes"][n].clone();
    let seen =
        place.until("5 wait", |v| lane(v, 0)["waiting"] == 5 && lane(v, 0)["oldest_ns"].as_u64() > Some(50_000_000));
    let queue = &seen["queues"][0];
    assert_eq!((&queue["name"], &queue["clients"], &queue["slots"]), (&"sums".into(), &1.into(), &16.into()));
    assert_eq!((&queue["server"]["pid"], &queue["server"]["state"]), (&server.pid().into(), &"runs".into()));
    assert_eq!((&lane(&seen, 0)["client"]["pid"], &lane(&seen, 0)["room"]), (&client.pid().into(), &16.into()));
    assert_eq!((&lane(&seen, 1)["direction"], &lane(&seen, 1)["waiting"]), (&"answers".into(), &0.into()));
    // The server is stopped: the client's end says that its queue fills.
    server.signal(libc::SIGSTOP);
    for i in 5..16 {
        assert_eq!(client.say(&format!("express 0 3 0 {i}")), "ok");
    }
    assert_eq!(client.say("express 0 3 0 16"), "full");
    place.until("a stopped server with 16", |v| {
        v["queues"][0]["server"]["state"] == "stopped" && lane(v, 0)["waiting"] == 16
    });
    let text =
        place.command(&["queues", "--socket", place.socket().to_str().expect("UTF-8")]).output().expect("it runs");
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("stopped") && text.contains("sums") && text.contains("16"), "{text}");
    server.signal(libc::SIGCONT);
    for i in 0..16 {
        server.receives(0, &format!("express {i} 0 0"));
    }
    place.until("it is empty", |v| lane(v, 0)["waiting"] == 0);
}

#[test]
fn the_listing_counts_moves_into_the_large_ring() {
    let place = Place::new();
    let _broker = place.broker("");
    let mut server = place.puppet();
    for line in ["queue 0 64 0", "transmit 1 64", "connect", "register wide 0 1"] {
        server.ok(line);
    }
    let mut client = place.client("wide");
    for i in 0..40 {
        assert_eq!(client.say(&format!("express 0 3 0 {i}")), "ok");
    }
    for i in 0..40 {
        server.receives(0, &format!("express {i} 0 0"));
    }
    let lane = |v: &Value, n: usize| v["queues"][0]["lanes"][n].clone();
    let seen = place.until("it has moved, and stays", |v| lane(v, 0)["moves"] == 1 && lane(v, 0)["waiting"] == 0);
    assert_eq!((&lane(&seen, 1)["direction"], &lane(&seen, 1)["moves"]), (&"answers".into(), &0.into()));
}

// ---- ends ------------------------------------------------------------------------------------------------------------

#[test]
fn a_client_that_is_killed_is_received_to_the_end_and_then_its_source_is_free() {
    let (place, _broker, mut server, [mut a, mut b]) = met("sums");
    for n in 0..2 {
        server.event(&format!("came sums {n} "));
    }
    a.ok("copy 0 3 50");
    assert_eq!(a.say("express 0 3 0 1"), "ok");
    let pid = a.kill();
    assert!(server.event("gone sums 0 ").contains(&format!("process {pid}")));
    assert_eq!(server.say("express 1 0 0 1"), "no-row", "nobody is there to answer to");
    // The other goes on, and a third does not get the source while messages of the first are waiting.
    let mut c = place.client("sums");
    server.event("came sums 2 ");
    assert_eq!(server.say(&format!("keep 0 {NEVER_MS}")), "data 0 1 0 50 150");
    server.receives(0, "express 1 0 0");
    assert_eq!(b.say("express 0 3 0 2"), "ok");
    server.receives(0, "express 2 0 1");
    // Data in use keep the lane; then it goes.
    assert_eq!(place.queues()["queues"][0]["clients"], 3);
    assert_eq!(server.say("release"), "ok 150");
    place.until("the lane is given back", |v| v["queues"][0]["clients"] == 2);
    let mut d = place.client("sums");
    server.event("came sums 0 ");
    assert_eq!((d.say("express 0 3 0 4"), c.say("express 0 3 0 3")), ("ok".into(), "ok".into()));
    let mut got = [server.say(&format!("wait 0 {NEVER_MS}")), server.say(&format!("wait 0 {NEVER_MS}"))];
    got.sort();
    assert_eq!(got, ["express 3 0 2", "express 4 0 0"]);
}

#[test]
fn what_a_client_has_sent_that_is_killed_before_it_tells_wakes_a_server_that_sleeps_in_epoll() {
    let (_place, _broker, mut server, [mut client]) = met("inbox");
    server.ok("arm 0");
    client.ok("untold 0 3 3 41");
    client.kill();
    server.ok("sleep 0");
    server.receives(0, "express 41 3 0");
}

#[test]
fn more_clients_than_a_queue_has_lanes_come_and_go_and_leave_nothing() {
    let place = Place::new();
    let _broker = place.broker("");
    let mut server = place.server("sums");
    let mut client = place.puppet();
    client.ok("transmit 0 1");
    client.ok("queue 0 4 0");
    client.ok("connect");
    for i in 0..600 {
        client.ok(&format!("open sums 0 0 0 {NEVER_MS}"));
        assert_eq!(client.say(&format!("express 0 0 0 {i}")), "ok");
        let got = server.say(&format!("wait 0 {NEVER_MS}"));
        assert!(got.starts_with(&format!("express {i} 0 ")), "{got}");
        client.ok("hangup 0 0");
        assert_eq!(client.say("express 0 0 0 1"), "no-row");
        if i % 50 == 49 {
            place.until("they are given back", |v| v["queues"][0]["clients"] == 0);
        }
    }
}

#[test]
fn clients_that_are_killed_at_any_step_of_coming_and_going_leave_nothing() {
    let place = Place::new();
    let broker = place.broker("");
    let mut server = place.server("sums");
    let of_broker = || std::fs::read_dir(format!("/proc/{}/fd", broker.child.id())).expect("it lives").count();
    let before = (server.say("fds"), of_broker());
    let mut random: u64 = 1;
    for _ in 0..25 {
        let mut clients: [Puppet; 3] = std::array::from_fn(|_| place.puppet());
        for client in &mut clients {
            client.ok("queue 0 16 0");
            client.ok("transmit 0 8");
            client.ok("connect");
            client.begin("churn sums 0 0");
        }
        for client in clients {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            std::thread::sleep(Duration::from_micros((random >> 33) % 20_000));
            client.kill();
        }
    }
    place.until("all are gone", |v| v["queues"][0]["clients"] == 0);
    let begun = Instant::now();
    while (server.say("fds"), of_broker()) != before {
        assert!(begun.elapsed() < NEVER, "descriptors: {} and {}, before {before:?}", server.say("fds"), of_broker());
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut client = place.client("sums");
    assert_eq!(client.say("express 0 3 7 1"), "ok");
    server.receives(0, "express 1 7 0");
}

#[test]
fn a_row_that_was_opened_is_given_back_like_any_other() {
    let (place, _broker, mut server, [mut client]) = met("sums");
    server.fails("disconnect 1 0", &["row 0 of transmit queue 1 answers a client, and ends with it"]);
    assert_eq!(client.say("express 0 3 0 41"), "ok");
    client.ok("disconnect 0 3");
    assert_eq!(client.say("express 0 3 0 1"), "no-row");
    client.fails("disconnect 0 3", &["row 3 of transmit queue 0 is not connected"]);
    server.receives(0, "express 41 0 0");
    server.event("came sums 0 ");
    server.event("gone sums 0 ");
    place.until("it is given back", |v| v["queues"][0]["clients"] == 0);
    client.ok(&format!("open sums 0 3 0 {NEVER_MS}"));
    assert_eq!(client.say("express 0 3 0 42"), "ok");
    server.receives(0, "express 42 0 0");
}

#[test]
fn what_a_thread_is_sending_while_another_gives_the_row_back_is_received() {
    let (place, _broker, mut server, [mut client]) = met("sums");
    server.event("came sums 0 ");
    assert_eq!(client.say("express 0 3 7 1"), "ok");
    server.receives(0, "express 1 7 0");
    client.ok("enter 0 3");
    client.ok("hangup 0 3");
    // What the broker and the server hear comes in order: the server would have heard of the end before it hears of this.
    client.ok(&format!("open sums 0 4 - {NEVER_MS}"));
    server.event("came sums 1 ");
    client.ok("leave 9 2");
    server.event("gone sums 0 ");
    server.receives(0, "express 2 9 0");
    place.until("it is given back", |v| v["queues"][0]["clients"] == 1);
}

#[test]
fn a_row_that_is_given_back_while_there_is_no_broker_is_free_when_there_is_one() {
    let (place, broker, mut server, [mut client]) = met("sums");
    server.event("came sums 0 ");
    broker.end(libc::SIGKILL);
    server.event("broker-lost");
    client.event("broker-lost");
    assert_eq!(client.say("express 0 3 7 1"), "ok");
    client.ok("hangup 0 3");
    assert_eq!(client.say("express 0 3 7 2"), "no-row");
    let _broker = place.broker("");
    server.event("broker-back");
    server.event("gone sums 0 ");
    server.receives(0, "express 1 7 0");
    place.until("it is given back", |v| v["queues"][0]["clients"] == 0);
    client.ok(&format!("open sums 0 3 0 {NEVER_MS}"));
    server.event("came sums 0 ");
}

#[test]
fn an_endpoint_that_is_closed_first_ends_its_connections() {
    let (_place, _broker, mut server, [mut client]) = met("sums");
    assert_eq!(client.say("express 0 3 0 41"), "ok");
    server.ok("close endpoint");
    client.event("server-gone sums 3 ");
    server.fails("withdraw sums", &["'sums' is not registered by this connection"]);
    server.ok("close connection");
}

#[test]
fn a_server_that_is_killed_leaves_rows_that_can_be_opened_again() {
    let (place, _broker, server, [mut client]) = met("sums");
    let pid = server.kill();
    assert!(client.event("server-gone sums 3 ").contains(&format!("process {pid}")));
    assert_eq!(client.say("express 0 3 0 1"), "no-row");
    client.fails("open sums 0 3 0 1000", &["nobody has registered the name 'sums'"]);
    let mut server = place.server("sums");
    client.ok(&format!("open sums 0 3 0 {NEVER_MS}"));
    assert_eq!(client.say("express 0 3 0 5"), "ok");
    server.receives(0, "express 5 0 0");
}

#[test]
fn a_child_of_a_server_does_not_keep_its_connection_and_may_have_its_own() {
    let (place, _broker, mut server, [mut client]) = met("sums");
    let child: i32 = server.say("fork").strip_prefix("ok ").expect("a child").parse().expect("its number");
    place.until("the child's name", |seen| seen.to_string().contains("child"));
    let pid = server.kill();
    assert!(client.event("server-gone sums 3 ").contains(&format!("process {pid}")));
    assert!(place.queues().to_string().contains("child"));
    // SAFETY: the test has started it.
    unsafe { libc::kill(child, libc::SIGKILL) };
    place.until("without the child", |seen| !seen.to_string().contains("child"));
}

#[test]
fn programs_that_end_well_give_everything_back() {
    let (place, _broker, mut server, [mut client]) = met("sums");
    client.ok("close");
    server.event("came sums 0 ");
    server.event("gone sums 0 ");
    client.ok("connect");
    client.ok(&format!("open sums 0 5 0 {NEVER_MS}"));
    client.ok("exit");
    server.event("came sums");
    server.event("gone sums");
    server.ok("withdraw sums");
    place.until("nothing is left", |v| v["queues"] == Value::Array(vec![]));
    server.ok("exit");
}

#[test]
fn the_broker_is_killed_and_traffic_goes_on_and_names_are_registered_again() {
    let (place, broker, mut server, [mut a, b]) = met("sums");
    for n in 0..2 {
        server.event(&format!("came sums {n} "));
    }
    broker.end(libc::SIGKILL);
    server.event("broker-lost");
    a.event("broker-lost");
    assert_eq!(a.say("express 0 3 0 1"), "ok");
    server.receives(0, "express 1 0 0");
    assert_eq!(server.say("express 1 0 0 2"), "ok");
    a.receives(0, "express 2 0 3");
    a.fails("open sums 0 4 0 1000", &["the broker of", "has ended"]);
    // One client ends while nobody looks.
    let pid = b.kill();
    let _broker = place.broker("");
    server.event("broker-back");
    a.event("broker-back");
    let gone = server.event("gone sums 1 ");
    assert!(gone.contains(&format!("process {pid} has ended")), "{gone}");
    place.until("its lane is given back", |v| v["queues"][0]["clients"] == 1);
    // A new client gets a source that is not in use.
    let mut c = place.client("sums");
    server.event("came sums 1 ");
    assert_eq!(c.say("express 0 3 0 9"), "ok");
    server.receives(0, "express 9 0 1");
    assert_eq!(a.say("express 0 3 0 8"), "ok");
    server.receives(0, "express 8 0 0");
    // The channel that lived through it still ends as one.
    a.kill();
    server.event("gone sums 0 ");
}

#[test]
fn a_stopped_program_keeps_what_it_has_while_the_broker_is_restarted() {
    let (place, broker, mut server, [mut a]) = met("sums");
    server.event("came sums 0 ");
    a.signal(libc::SIGSTOP);
    broker.end(libc::SIGTERM);
    server.event("broker-lost");
    let _broker = place.broker("");
    server.event("broker-back");
    assert_eq!(server.say("express 1 0 0 6"), "ok");
    let mut b = place.client("sums"); // the broker has had time to look, and does not take `a` for ended
    server.event("came sums 1 ");
    a.signal(libc::SIGCONT);
    a.receives(0, "express 6 0 3");
    a.event("broker-lost");
    a.event("broker-back");
    assert_eq!((a.say("express 0 3 0 7"), b.say("express 0 3 0 8")), ("ok".into(), "ok".into()));
    let mut got = [server.say(&format!("wait 0 {NEVER_MS}")), server.say(&format!("wait 0 {NEVER_MS}"))];
    got.sort();
    assert_eq!(got, ["express 7 0 0", "express 8 0 1"]);
}

#[test]
fn a_stopped_server_makes_only_its_own_clients_wait() {
    let place = Place::new();
    let _broker = place.broker("");
    let (server, mut other) = (place.server("slow"), place.server("fast"));
    server.signal(libc::SIGSTOP);
    let mut client = place.puppet();
    client.ok("transmit 0 4");
    client.ok("connect");
    client.fails("open slow 0 0 - 50", &["'slow'", &format!("process {}", server.pid()), "50 ms"]);
    client.ok(&format!("open fast 0 0 - {NEVER_MS}"));
    assert_eq!(client.say("express 0 0 1 2"), "ok");
    other.receives(0, "express 2 1 0");
    server.signal(libc::SIGCONT);
    client.ok(&format!("open slow 0 1 - {NEVER_MS}"));
}

// ---- mistakes --------------------------------------------------------------------------------------------------------

#[test]
fn each_mistake_gets_an_error_that_says_what_to_do() {
    let place = Place::new();
    let socket = place.socket().display().to_string();
    let mut early = place.puppet();
    early.fails("connect", &["no broker runs", &socket, "fathom broker"]);
    let broker = place.broker("[limits]\nqueues = 2\nlanes = 3\nlanes_per_queue = 2\n");
    let mut server = place.server("sums");
    let mut other = place.puppet();
    other.ok("queue 0 16 0");
    other.ok("queue 1 16 0");
    other.ok("transmit 0 16");
    other.ok("transmit 1 8");
    other.ok("connect");
    let pid = format!("process {} (broker-puppet", server.pid());
    other.fails("register sums 0 -", &["'sums' is taken", &pid, "user "]);
    other.fails("register two+words 0 -", &["not a valid name", "letters"]);
    other.fails("open nothing 0 0 - 1000", &["nobody has registered the name 'nothing'"]);
    other.fails("withdraw sums", &["not registered by this connection"]);
    other.ok("register plain 0 -");
    other.fails("register third 1 -", &["limit reached", "2 names", "limits.queues"]);
    other.fails("open plain 0 0 - 1000", &["this program's own queue", "msg_connect"]);
    server.ok("transmit 2 8");
    server.fails("open plain 2 0 0 1000", &["'plain' gives no answers"]);
    server.ok(&format!("open plain 2 0 - {NEVER_MS}"));
    server.fails("open plain 2 0 - 1000", &["connected already"]);
    server.fails("open plain 2 9 - 1000", &["no row 9"]);
    server.ok(&format!("open plain 2 1 - {NEVER_MS}"));
    server.fails("open plain 2 2 - 1000", &["limit reached", "'plain' has 2 clients", "lanes_per_queue"]);
    other.ok(&format!("open sums 0 0 - {NEVER_MS}"));
    other.fails("open sums 0 1 - 1000", &["limit reached", "3 rows", "limits.lanes"]);
    // A second broker.
    let second = place.command(&["broker", "--socket", &socket]).output().expect("it runs");
    let why = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(!second.status.success() && why.contains("a broker runs already") && why.contains(&socket), "{why}");
    // Its end leaves no socket; a crash does, and the next broker takes its place.
    broker.end(libc::SIGTERM);
    assert!(!place.socket().exists());
    place.broker("").end(libc::SIGKILL);
    assert!(place.socket().exists());
    let mut late = place.puppet();
    late.fails("connect", &["was left by one that ended", "fathom broker"]);
    let listed = place.command(&["queues", "--socket", &socket]).output().expect("it runs");
    let why = String::from_utf8_lossy(&listed.stderr).into_owned();
    assert!(!listed.status.success() && why.contains("was left by one that ended"), "{why}");
    place.broker("");
    std::fs::write(place.socket().with_extension("txt"), "mine").expect("a file");
    let wrong = place.socket().with_extension("txt").display().to_string();
    let file = place.command(&["broker", "--socket", &wrong]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&file.stderr).contains("is no socket"));
    std::fs::write(place.dir.path().join("bad.toml"), "[limits]\nqueus = 1\n").expect("a file");
    let bad = place.dir.path().join("bad.toml").display().to_string();
    let checked = place.command(&["broker", "--check", "--config", &bad]).output().expect("it runs");
    let why = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(
        !checked.status.success() && why.contains("queus") && why.contains("line 2") && why.contains(&bad),
        "{why}"
    );
}

/// What it would end with, without its making anything.
#[test]
fn check_looks_at_the_place_of_the_socket_too() {
    let place = Place::new();
    let at = |path: &Path| {
        let out = place.command(&["broker", "--check", "--socket"]).arg(path).output().expect("it runs");
        let said = if out.status.success() { out.stdout } else { out.stderr };
        (out.status.success(), String::from_utf8_lossy(&said).into_owned())
    };
    let folder = place.dir.path();
    std::fs::write(folder.join("file"), "mine").expect("a file");
    for (path, words) in [
        (folder.to_path_buf(), &["exists and is no socket", "--socket"][..]),
        (folder.join("file"), &["exists and is no socket", "--socket"]),
        (folder.join("file/broker.sock"), &["file is no folder", "--socket"]),
        (folder.join("x".repeat(120)), &["too long (107 bytes are the most)", "--socket"]),
    ] {
        let (valid, why) = at(&path);
        assert!(!valid && words.iter().all(|w| why.contains(w)), "{}: {why}", path.display());
        // As without --check.
        let started = place.command(&["broker", "--socket"]).arg(&path).output().expect("it runs");
        assert!(!started.status.success(), "{}", path.display());
    }
    let (valid, said) = at(&folder.join("new/folders/broker.sock"));
    assert!(valid && said.contains("would listen at") && !folder.join("new").exists(), "{said}");
    let broker = place.broker("");
    let (valid, said) = at(&place.socket());
    assert!(valid && said.contains(&format!("a broker (process {}) listens at", broker.child.id())), "{said}");
    broker.end(libc::SIGKILL);
    let (valid, said) = at(&place.socket());
    assert!(valid && said.contains("would listen at") && place.socket().exists(), "{said}");
}

#[test]
fn a_listing_without_the_names_that_are_asked_for_says_so() {
    let (place, _broker, _server, []) = met("sums");
    let socket = place.socket().display().to_string();
    let said = |names: &[&str]| {
        let out = place.command(&["queues", "--socket", &socket]).args(names).output().expect("it runs");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    assert!(said(&["um"]).contains("sums"));
    assert_eq!(said(&["db", "log"]), "No queue is registered with 'db' or 'log' in its name that you may see.\n");
}

/// Not the server is named, which it has not asked; and nothing is left of either when it goes on.
#[test]
fn a_stopped_broker_is_what_a_program_hears_of() {
    let (place, broker, mut server, []) = met("sums");
    let mut client = place.puppet();
    client.ok("queue 0 16 0");
    client.ok("transmit 0 8");
    client.ok("connect");
    broker.signal(libc::SIGSTOP);
    client.fails("open sums 0 3 0 50", &["the broker of", "has not answered in 50 ms", "stopped?"]);
    server.fails("register more 0 -", &["the broker of", "has not answered in 10 s", "stopped?"]);
    server.fails("withdraw more", &["not registered"]);
    broker.signal(libc::SIGCONT);
    place.until("only 'sums', without clients", |v| {
        v["queues"].as_array().is_some_and(|q| q.len() == 1) && v["queues"][0]["clients"] == 0
    });
    server.ok("register more 0 -");
    client.ok(&format!("open sums 0 3 0 {NEVER_MS}"));
    assert_eq!(client.say("express 0 3 7 1"), "ok");
    server.receives(0, "express 1 7 0");
}

#[test]
fn memory_has_a_limit() {
    let place = Place::new();
    let _broker = place.broker("[limits]\nbytes = \"4M\"\n");
    let _server = place.server("sums");
    let mut client = place.puppet();
    client.ok("transmit 0 2");
    client.ok("transmit 1 2");
    client.ok("region 1 8000000");
    client.ok("connect");
    client.fails("open sums 1 0 - 10000", &["limit reached", "limits.bytes"]);
    client.ok(&format!("open sums 0 0 - {NEVER_MS}"));
    place.until("one client", |v| v["queues"][0]["clients"] == 1);
}

#[test]
fn a_broker_whose_log_is_full_or_not_read_serves() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let (unread, stuffed) = stuffed_pipe();
    for log in [Stdio::from(full), Stdio::from(stuffed)] {
        let place = Place::new();
        let socket = place.socket();
        let arguments = ["broker", "--socket", socket.to_str().expect("UTF-8")];
        let child = place.command(&arguments).stderr(log).spawn().expect("the command");
        let _broker = Broker { child: Running(child), log: None };
        let begun = Instant::now();
        while std::os::unix::net::UnixStream::connect(&socket)
            .is_err_and(|e| e.raw_os_error() != Some(libc::EPROTOTYPE))
        {
            assert!(begun.elapsed() < NEVER, "it never listens");
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut server = place.server("sums");
        let mut client = place.client("sums");
        assert_eq!(client.say("express 0 3 7 1"), "ok");
        server.receives(0, "express 1 7 0");
    }
    drop(unread);
}

/// Its end for reading, and that for writing, into which nothing goes any more.
fn stuffed_pipe() -> (std::os::fd::OwnedFd, std::os::fd::OwnedFd) {
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    let mut ends = [0; 2];
    // SAFETY: the array has room for two descriptors, which belong to nobody else.
    let (from, to) = unsafe {
        assert_eq!(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK), 0);
        (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
    };
    let mut file = std::fs::File::from(to);
    while file.write(&[b'x'; 4096]).is_ok() {}
    // SAFETY: it changes a flag of a descriptor that is open.
    assert_eq!(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, 0) }, 0);
    (from, file.into())
}

#[test]
fn users_may_do_what_the_configuration_says() {
    if !only_as_root() {
        return;
    }
    let place = Place::new();
    let _broker = place.broker(&format!(
        "[[rule]]\nname = \"db.*\"\ncreate = [\"user:root\"]\nsend = [\"group:{NOBODY}\"]\nlist = [\"anyone\"]\n"
    ));
    let _private = place.server("private");
    let mut db = place.server("db.main");
    let mut nobody = place.puppet();
    nobody.ok("queue 0 16 0");
    nobody.ok("transmit 0 8");
    nobody.ok(&format!("become {NOBODY} {NOBODY}"));
    nobody.ok("connect");
    nobody.fails("open private 0 0 - 1000", &["not permitted", "belongs to user root", "may not send"]);
    nobody.fails("register db.other 0 -", &["not permitted", "may not register", "create"]);
    nobody.ok(&format!("open db.main 0 1 0 {NEVER_MS}"));
    assert_eq!(db.event("came db.main 0 ").split(' ').nth(3), Some(NOBODY.to_string().as_str()));
    assert_eq!(nobody.say("express 0 1 0 3"), "ok");
    db.receives(0, "express 3 0 0");
    // Another user and group is none of those who may send.
    let mut daemon = place.puppet();
    daemon.ok("transmit 0 8");
    daemon.ok("become 1 1");
    daemon.ok("connect");
    daemon.fails("open db.main 0 0 - 1000", &["not permitted", "belongs to user root"]);
    // What may be seen depends on permission, too.
    nobody.ok("register mine 0 -");
    let names = |v: &Value| -> Vec<String> {
        v["queues"].as_array().expect("a list").iter().map(|q| q["name"].as_str().unwrap_or("").into()).collect()
    };
    assert_eq!(names(&place.queues()), ["db.main", "mine", "private"]);
    use std::os::unix::process::CommandExt;
    let socket = place.socket();
    let listed = (place.command(&["queues", "--json", "--socket", socket.to_str().expect("UTF-8")]))
        .uid(NOBODY)
        .gid(NOBODY)
        .output();
    // The binary may lie where nobody may not go; then a copy does it.
    let listed = listed.or_else(|_| {
        let copy = place.dir.path().join("fathom");
        std::fs::copy(FATHOM, &copy)?;
        Command::new(copy).args(["queues", "--json", "--socket"]).arg(&socket).uid(NOBODY).gid(NOBODY).output()
    });
    let listed = listed.expect("it runs");
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    assert_eq!(names(&serde_json::from_slice(&listed.stdout).expect("JSON")), ["db.main", "mine"]);
}

// ---- systemd ---------------------------------------------------------------------------------------------------------

/// As systemd does: the socket exists before the broker, and stays when it ends.
#[test]
fn a_broker_that_gets_its_socket_passed_serves_who_had_connected_before() {
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
    let place = Place::new();
    // SAFETY: plain calls; the descriptor is owned at once.
    let listener = unsafe {
        let fd = libc::socket(libc::AF_UNIX, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC, 0);
        assert!(fd >= 0);
        let fd = OwnedFd::from_raw_fd(fd);
        let mut address: libc::sockaddr_un = std::mem::zeroed();
        address.sun_family = libc::AF_UNIX as libc::sa_family_t;
        let path = place.socket();
        for (to, from) in address.sun_path.iter_mut().zip(path.to_str().expect("UTF-8").bytes()) {
            *to = from as libc::c_char;
        }
        let length = size_of::<libc::sockaddr_un>() as libc::socklen_t;
        assert_eq!(libc::bind(fd.as_raw_fd(), (&raw const address).cast(), length), 0);
        assert_eq!(libc::listen(fd.as_raw_fd(), 8), 0);
        fd
    };
    let mut server = place.puppet();
    server.ok("queue 0 16 0");
    server.begin("connect"); // before there is a broker
    let start = || {
        // sh has the number of the process that becomes the broker.
        let script = format!("exec 3<&0 </dev/null; export LISTEN_PID=$$ LISTEN_FDS=1; exec '{FATHOM}' broker");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).env("XDG_RUNTIME_DIR", place.dir.path()).env_remove("FATHOM_BROKER");
        command.stdin(listener.try_clone().expect("a copy")).stderr(Stdio::piped());
        let mut child = command.spawn().expect("sh");
        let mut log = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        log.read_line(&mut line).expect("readable");
        assert!(line.contains("on systemd's socket"), "{line}");
        Broker { child: Running(child), log: Some(log) }
    };
    let broker = start();
    assert_eq!(server.answer(), "ok");
    server.ok("register sums 0 -");
    broker.end(libc::SIGTERM);
    assert!(place.socket().exists(), "the socket is systemd's");
    server.event("broker-lost");
    let _broker = start();
    server.event("broker-back");
}

#[test]
fn the_units_that_are_installed_are_valid() {
    let dir = tempfile::tempdir().expect("a folder");
    let prefix = dir.path().join("with space");
    let mut command = support::fathom();
    command.args(["install", "--prefix"]).arg(&prefix);
    let installed = command.output().expect("it runs");
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    assert!(prefix.join("include/fathom/msg_broker.h").exists());
    for folder in ["share/systemd/user", "lib/systemd/system"] {
        let read = |name| std::fs::read_to_string(prefix.join(folder).join(name)).expect("a unit");
        let (socket, service) = (read("fathom-broker.socket"), read("fathom-broker.service"));
        assert!(socket.contains("ListenSequentialPacket="), "{socket}");
        assert!(service.contains(&format!("ExecStart=\"{}/bin/fathom\" broker", prefix.display())), "{service}");
        if fathom_toolchain::compiler::which("systemd-analyze").is_none() {
            eprintln!("NOT TESTED: systemd's opinion of the units; there is no systemd-analyze");
            continue;
        }
        let units = ["fathom-broker.socket", "fathom-broker.service"].map(|u| prefix.join(folder).join(u));
        let checked =
            Command::new("systemd-analyze").args(["verify", "--man=no"]).args(units).output().expect("it runs");
        let said = String::from_utf8_lossy(&checked.stderr).into_owned();
        assert!(!said.contains("fathom-broker"), "{said}");
    }
}
