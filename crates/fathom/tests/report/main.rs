//! The pages for people, opened in a browser: in light and dark colours, at the width of a phone, on paper.
//!
//! A page must not complain on the console, ask the network for anything, be wider than the screen, or lack a plot; hostile
//! names must stay text. Without Chromium the tests say so and pass, unless `CI` is `true` or FATHOM_TEST_BROWSER is
//! `required`. With FATHOM_TEST_PICTURES=FOLDER the pages and their pictures are left there to be looked at; those of
//! FATHOM_TEST_PAGES=FILE:FILE, which somebody measured, are looked at, too.

#[path = "../support/mod.rs"]
mod support;

mod browser;
mod explained;
mod profile;

use browser::{Browser, View};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// The pages of a profile and of an explanation are below this, whatever they show.
const LARGEST: usize = 2_000_000;

const VIEWS: [View; 4] = [
    View { name: "light", width: 1100, height: 900, dark: false, print: false },
    View { name: "dark", width: 1100, height: 900, dark: true, print: false },
    View { name: "phone", width: 360, height: 740, dark: false, print: false },
    View { name: "paper", width: 794, height: 1123, dark: true, print: true },
];

/// One browser at a time: there may be one processor.
static TURN: Mutex<()> = Mutex::new(());

fn browser() -> Option<(MutexGuard<'static, ()>, Browser)> {
    let Some(command) = browser::installed() else {
        let required = |name: &str, value: &str| std::env::var(name).is_ok_and(|v| v == value);
        assert!(
            !required("CI", "true") && !required("FATHOM_TEST_BROWSER", "required"),
            "chromium is not installed: apt-get install chromium"
        );
        eprintln!("skipped: chromium is not installed");
        return None;
    };
    let turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    Some((turn, Browser::start(command)))
}

fn written(folder: &Path, name: &str, html: &str) -> PathBuf {
    assert!(html.len() < LARGEST, "{name} has {} bytes", html.len());
    let path = folder.join(format!("{name}.html"));
    std::fs::write(&path, html).expect("the page is written");
    if let Some(pictures) = std::env::var_os("FATHOM_TEST_PICTURES") {
        std::fs::copy(&path, Path::new(&pictures).join(format!("{name}.html"))).expect("the page is copied");
    }
    path
}

/// Whatever the page says to the console, and whatever it asks for.
fn complaints(events: &[Value]) -> Vec<String> {
    let bad = |e: &&Value| match e["method"].as_str().unwrap_or_default() {
        "Runtime.exceptionThrown" | "Log.entryAdded" | "Page.javascriptDialogOpening" => true,
        "Runtime.consoleAPICalled" => true,
        "Network.requestWillBeSent" => {
            let url = e["params"]["request"]["url"].as_str().unwrap_or_default();
            !url.starts_with("file:") && !url.starts_with("data:")
        }
        _ => false,
    };
    events.iter().filter(bad).map(Value::to_string).collect()
}

/// Opens the page in every view and checks what holds of all pages. `plots` is how many pictures it has.
fn check(browser: &mut Browser, name: &str, html: &str, plots: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), name, html);
    for view in VIEWS {
        let context = format!("{name}, {}", view.name);
        let events = browser.open(&path, view);
        assert_eq!(complaints(&events), Vec::<String>::new(), "{context}");
        save(browser, name, view);

        let width = browser.value("[document.documentElement.scrollWidth, innerWidth]");
        assert!(width[0].as_f64() <= width[1].as_f64(), "{context}: the page is wider than the screen: {width}");
        let wide = browser.value(WIDER);
        assert_eq!(wide, serde_json::json!([]), "{context}: wider than the screen");

        let pictures = browser.value(PICTURES);
        let pictures = pictures.as_array().expect("a list");
        assert_eq!(pictures.len(), plots, "{context}: pictures");
        for picture in pictures {
            let number = |what: &str| picture[what].as_f64().unwrap_or(0.0);
            assert!(number("width") > 150.0 && number("height") >= 40.0, "{context}: {picture}");
            assert!(number("marks") > 0.0 && number("labels") > 1.0, "{context}: nothing is drawn: {picture}");
            assert!(!picture["title"].as_str().unwrap_or_default().is_empty(), "{context}: {picture}");
        }
        let overlaps = browser.value(OVERLAPS);
        assert_eq!(overlaps, serde_json::json!([]), "{context}: labels cover each other");
        let ground = browser.value("getComputedStyle(document.body).backgroundColor");
        let dark = view.dark && !view.print;
        assert_eq!(ground == "rgb(255, 255, 255)", !dark, "{context}: the ground is {ground}");
    }
    // The switch turns the colours, and the page remembers nothing.
    browser.open(&path, VIEWS[0]);
    browser.value("document.getElementById('theme').click()");
    let ground = browser.value("getComputedStyle(document.body).backgroundColor");
    assert_ne!(ground, "rgb(255, 255, 255)", "{name}: the switch does nothing");
    assert_eq!(browser.value("document.cookie"), "", "{name}");
    assert_eq!(complaints(&browser.events()), Vec::<String>::new(), "{name}");
}

fn save(browser: &mut Browser, name: &str, view: View) {
    let Some(folder) = std::env::var_os("FATHOM_TEST_PICTURES") else { return };
    let height = browser.value("document.documentElement.scrollHeight").as_f64().unwrap_or(1000.0).min(15_000.0);
    let base64 = browser.picture(height);
    let path = Path::new(&folder).join(format!("{name}-{}.png", view.name));
    std::fs::write(path, decoded(&base64)).expect("a picture");
}

fn decoded(base64: &str) -> Vec<u8> {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sextets = base64.bytes().filter_map(|b| digits.iter().position(|d| *d == b));
    let (mut bytes, mut word, mut bits) = (vec![], 0, 0);
    for sextet in sextets {
        word = (word << 6 | sextet) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    bytes
}

/// What sticks out of the screen to the right and is not inside of something that scrolls.
const WIDER: &str =
    "[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 \
    && !e.closest('.scroll, svg')).map(e => e.outerHTML.slice(0, 120))";

const PICTURES: &str = "[...document.querySelectorAll('svg.picture')].map(p => ({ \
    title: document.getElementById(p.getAttribute('aria-labelledby'))?.textContent ?? '', \
    width: p.getBoundingClientRect().width, height: p.getBoundingClientRect().height, \
    labels: p.querySelectorAll('text').length, \
    marks: p.querySelectorAll('use, path[d^=M]').length }))";

/// Pairs of labels of a picture of which one covers more than a sliver of the other.
const OVERLAPS: &str = "[...document.querySelectorAll('svg.picture')].flatMap(p => { \
    const boxes = [...p.querySelectorAll('text')].filter(t => t.getClientRects().length) \
        .map(t => [t.textContent, t.getBoundingClientRect()]); \
    return boxes.flatMap(([a, r], i) => boxes.slice(0, i).filter(([, s]) => \
        Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1 && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 3) \
        .map(([b]) => a + ' | ' + b)); })";

#[test]
fn a_profile_is_a_page() {
    let Some((_turn, mut browser)) = browser() else { return };
    let profile = profile::profile();
    let folder = support::folder(&[("profile.toml", &profile.to_toml().expect("a file"))]);
    let shown = support::fathom_in(folder.path(), ["probe", "--check", "profile.toml", "--html", "page.html"]);
    assert_eq!(shown.status, 0, "{}", shown.transcript());
    let html = std::fs::read_to_string(folder.path().join("page.html")).expect("the page");
    // Empty ones have a sentence in place of the picture.
    let empty = profile.curves.iter().filter(|c| c.series.iter().all(|s| s.points.is_empty())).count();
    check(&mut browser, "profile", &html, profile.curves.len() - empty);

    // A value leads to its points.
    let shown = browser.value(
        "(() => { const link = [...document.querySelectorAll('td a')].find(a => a.textContent === 'evidence'); link.click(); \
         return new Promise(done => setTimeout(() => done([...document.querySelectorAll('.rings')] \
         .filter(g => getComputedStyle(g).display !== 'none').map(g => g.children.length)), 50)); })()",
    );
    assert_eq!(shown, serde_json::json!([3]), "the points that the first value rests on");

    // A series can be hidden, and comes back.
    let hidden = browser.value(
        "(() => { const box = document.querySelector('.legend input'), line = document.querySelector('.picture .t0'); \
         const seen = () => getComputedStyle(line).display !== 'none'; const all = [seen()]; \
         box.click(); all.push(seen()); box.click(); all.push(seen()); return all; })()",
    );
    assert_eq!(hidden, serde_json::json!([true, false, true]));

    // A click on a column sorts by its numbers, and not by their letters.
    let sorted = browser.value(
        "(() => { const table = document.querySelector('table:has(th button)'); \
         table.querySelectorAll('th button')[1].click(); const rows = [...table.tBodies[0].rows]; \
         return rows.map(r => Number(r.cells[1].dataset.k)).filter(v => !Number.isNaN(v)); })()",
    );
    let sorted: Vec<f64> = sorted.as_array().expect("numbers").iter().filter_map(Value::as_f64).collect();
    assert!(sorted.len() > 2 && sorted.is_sorted(), "{sorted:?}");
    assert_eq!(complaints(&browser.events()), Vec::<String>::new());
}

#[test]
fn the_overview_says_what_is_built_and_what_can_be_used() {
    let profile = profile::profile();
    let folder = support::folder(&[("profile.toml", &profile.to_toml().expect("a file"))]);
    let shown = support::fathom_in(folder.path(), ["probe", "--check", "profile.toml", "--html", "page.html"]);
    assert_eq!(shown.status, 0, "{}", shown.transcript());
    let html = std::fs::read_to_string(folder.path().join("page.html")).expect("the page");
    for label in ["L1d as built", "L1d usable: 95 % of loads hit", "memory, a load while others sleep"] {
        assert!(html.contains(label), "`{label}` is not on the page");
    }
}

#[test]
fn pages_of_yours() {
    let files = std::env::var_os("FATHOM_TEST_PAGES").unwrap_or_default();
    for file in std::env::split_paths(&files).filter(|f| !f.as_os_str().is_empty()) {
        let html = std::fs::read_to_string(&file).expect("the page");
        let Some((_turn, mut browser)) = browser() else { return };
        let name = format!("yours-{}", file.file_stem().unwrap_or_default().display());
        check(&mut browser, &name, &html, html.matches("<svg class=\"picture\"").count());
    }
}

#[test]
fn an_explanation_is_a_page() {
    let Some((_turn, mut browser)) = browser() else { return };
    check(&mut browser, "explained", &explained::page(), 4);
}
