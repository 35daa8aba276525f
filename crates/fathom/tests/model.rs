//! `fathom model` as its users type it.

use crate::support;
use std::time::Duration;
use support::{fathom, run, Outcome};

fn model(args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.arg("model").args(args);
    run(command, Duration::from_secs(20))
}

#[track_caller]
fn ok(args: &[&str]) -> String {
    let outcome = model(args);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{args:?}: {}", outcome.transcript());
    outcome.stdout
}

/// What goes wrong: a message with a mark under the place, which begins at that character, and what to do.
#[track_caller]
fn complains(args: &[&str], what: &str, under: &str, help: &str) {
    let outcome = model(args);
    assert_eq!(outcome.status, 1, "{args:?}: {}", outcome.transcript());
    assert!(outcome.stderr.contains(what) && outcome.stderr.contains(help), "{args:?}: {}", outcome.stderr);
    if !under.is_empty() {
        let lines: Vec<&str> = outcome.stderr.lines().collect();
        let mark = lines.iter().position(|l| l.trim_start().starts_with('^')).expect(&outcome.stderr);
        let column = lines[mark].chars().take_while(|c| *c == ' ').count();
        let place: String = lines[mark - 1].chars().skip(column).collect();
        assert!(place.starts_with(under), "{args:?}: {}", outcome.stderr);
    }
}

#[test]
fn a_composition_is_derived_step_by_step() {
    let text = ok(&["t3d: 1C1 o (1S0 || Nd || 0D1) o 1C64"]);
    for line in ["= 25.02 MB/s", "the least of 126, 69, 142", "1 / (1/93 + 1/69 + 1/67.9)", "Table 4, congestion 2"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(ok(&["--congestion", "4", "t3d:", "1S0 || Nd"]).contains("= 35 MB/s"), "words are joined");
}

#[test]
fn ways_are_ranked_and_changes_show_before_and_after() {
    let text = ok(&["paragon: Q(1,64)"]);
    let (chained, packed) = (text.find("chained").unwrap(), text.find("buffer packing: ").unwrap());
    assert!(
        chained < packed && text.contains("16.09 MB/s   buffer packing: 1C1 o (1F0 || Nd || 0D1) o 1C64"),
        "{text}"
    );
    assert!(ok(&["t3d: Q'(1,64)"]).contains("chained: 1S0 || Nadp || 0D64 = 38 MB/s"));
    let text = ok(&["--set", "1C64=80", "--set", "Nd@2=100", "t3d: Q(1,64)"]);
    assert!(
        text.contains("30.07 MB/s   buffer packing: 1C1 o (1S0 || Nd || 0D1) o 1C64   (before: 25.02, +20.2 %)"),
        "{text}"
    );
    assert!(text.contains("(as before)") && text.contains("set by you"), "{text}");
    assert!(ok(&["--set", "1F0=150", "t3d: 1F0 || Nd"]).contains("(not possible before)"));
}

#[test]
fn json_has_the_steps() {
    let value: serde_json::Value =
        serde_json::from_str(&ok(&["--json", "--set", "Nd@2=70", "t3d: 1C1 o (1S0 || Nd)"])).unwrap();
    let result = &value["results"][0];
    assert!((result["value"].as_f64().unwrap() - 1.0 / (1.0 / 93.0 + 1.0 / 70.0)).abs() < 1e-9, "{value}");
    assert_eq!(result["unit"], "MB/s");
    assert_eq!(result["steps"].as_array().unwrap().len(), 5);
    assert!(value["before"][0]["value"].as_f64().unwrap() < result["value"].as_f64().unwrap());
    let list: serde_json::Value = serde_json::from_str(&ok(&["--json", "--list", "t3d"])).unwrap();
    assert!(list["figures"].as_array().unwrap().iter().any(|f| f["what"] == "1C64" && f["value"] == "67.9 MB/s"));
}

#[test]
fn machines_are_listed_with_the_sources_of_their_figures() {
    let text = ok(&["--list"]);
    for entry in std::fs::read_dir(support::root().join("machines")).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let name = name.strip_suffix(".toml").expect("machines/ has machine files only");
        assert!(text.lines().any(|l| l.split_whitespace().next() == Some(name)), "{name} in {text}");
        let figures = ok(&["--list", name]);
        assert!(figures.lines().skip(2).count() > 0, "{figures}");
    }
}

#[test]
fn complaints_point_at_the_place_and_say_what_to_do() {
    complains(&["t3d: 1C64 o 1C1"], "reads pattern 1", "1C1", "put 64C1 between");
    complains(&["t3d: 1S0 || (Nd o 0D1) || Nd"], "pattern", "Nd", "port");
    complains(&["t3d: 1C1 || 1C64"], "both need the processor", "1C64", "with `o`");
    complains(&["t3d: 1F0 || Nd"], "no figure for `1F0`", "1F0", "--set 1F0=");
    complains(&["--congestion", "9", "t3d: 1S0 || Nd"], "congestion 9", "Nd", "1, 2, 4");
    complains(&["t3d: Q(1,0)"], "from memory to memory", "0", "Q(x,y)");
    complains(&["t3d: ωC1 o 1Xω"], "expected C, S, F, R or D", "X", "1C1 o");
    complains(&["t3d:"], "no question", "", "questions that CRAY T3D answers");
    complains(&["t4d: 1C1"], "no machine `t4d`", "", "t3d");
    complains(&[], "the question is missing", "", "MACHINE: QUESTION");
    complains(&["--set", "1C64", "t3d: 1C1"], "the `=` is missing", "", "NAME=VALUE");
    complains(&["--set", "1C64=fast", "t3d: 1C1"], "is not a number", "", "NAME=VALUE");
    complains(&["--set", "Nd=3", "t3d: 1C1"], "depends on the congestion", "", "NAME=VALUE");
    complains(&["--congestion", "0", "t3d: 1C1"], "above 0", "", "");
}

#[test]
fn a_machine_file_of_ones_own() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.toml");
    let write = |text: &str| std::fs::write(&path, text).unwrap();
    let question = format!("{}: 1C1 o 1C1", path.display());
    let head = "name = \"Mine\"\n[copy_transfer]\ncongestion = 1\n";
    write(&format!("{head}figures = [{{ transfer = \"1C1\", mb_s = 100, source = \"here\" }}]\n"));
    assert!(ok(&[&question]).contains("= 50 MB/s"));
    write(&format!("{head}figures = [{{ transfer = \"1C1\", mb_s = -1, source = \"here\" }}]\n"));
    complains(&[&question], "mb_s of `1C1` is -1", "", "");
    write(&format!("{head}figurs = []\n"));
    complains(&[&question], "figurs", "", "");
    std::fs::remove_file(&path).unwrap();
    complains(&[&question], "cannot read", "", "");
}

#[test]
fn messages_are_predicted_and_what_is_missing_can_be_supplied() {
    assert!(ok(&["voyager: send 1024"]).contains("= 8.557 us"));
    complains(&["voyager: broadcast 8"], "StarT-Voyager has no g,", "broadcast", "--set g=US");
    let text = ok(&["--set", "g=4", "cm5: broadcast 8 on 64"]);
    assert!(text.find("optimal tree").unwrap() < text.find("one after the other").unwrap(), "{text}");
    let text = ok(&["--set", "L=5.9", "cm5: send 1"]);
    assert!(text.contains("= 8.65 us   (before: 5.7, +51.8 %)"), "{text}");
}

#[test]
fn laws_and_mechanisms_are_evaluated() {
    assert!(ok(&["spp1000: barrier 16"]).contains("= 1818 us"));
    assert!(ok(&["spp1000: barrier 8"]).contains("do not trust this value"));
    assert!(ok(&["spp1000: break-even loop 32"]).contains("= 472.4 us"));
    assert!(ok(&["--set", "barrier.b=3.55", "spp1000: barrier 16"]).contains("= 908.8 us   (before: 1818, -50.0 %)"));
    assert!(ok(&["spp1000: load 4MiB stride 1"]).contains("52.12 MB/s"));
    let text = ok(&["spp1000: pass near cached"]);
    assert!(text.contains("= 2.02 us") && text.contains("= 15.38 MB/s"), "both have steps: {text}");
    assert!(ok(&["t3d: crossover stores blt nonblocking"]).contains("= 16200 bytes"));
    complains(&["spp1000: barrier many"], "not `many`", "many", "LAW NUMBER");
}

#[test]
fn curves_are_fitted_and_chosen() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("barrier.csv");
    let wobble = [1.01, 0.99, 1.004];
    let mut text = String::from("p,us\n8,1540\n");
    for p in 9..=32_u32 {
        text += &format!("{p},{}\n", 7.1 * f64::from(p * p) * wobble[p as usize % 3]);
    }
    std::fs::write(&path, &text).unwrap();
    let file = path.to_str().unwrap();
    let out = ok(&["fit", "--at", "64", file]);
    for part in [
        "25 points",
        "-> square",
        "for x from 9 to 32",
        "left out       x = 8, y = 1540",
        "because",
        "at x = 64: 29",
        "do not trust",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    assert!(ok(&["fit", "--form", "affine", file]).contains("-> affine"));
    let json: serde_json::Value = serde_json::from_str(&ok(&["fit", "--json", "--at", "16", file])).unwrap();
    assert_eq!(json["chosen"]["form"], "square");
    assert!((json["chosen"]["coefficients"][0]["value"].as_f64().unwrap() / 7.1 - 1.0).abs() < 0.01);
    assert_eq!(json["tried"].as_array().unwrap().len(), 8);
    assert_eq!(json["predictions"][0]["inside"], true);
    assert_eq!(json["chosen"]["left_out"][0]["x"], 8.0);
}

#[test]
fn what_cannot_be_fitted_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("points.csv");
    let file = path.to_str().unwrap();
    complains(&["fit", file], "cannot read", "", "");
    std::fs::write(&path, "1,2\n3,4,5\n").unwrap();
    complains(&["fit", file], "line 2: there are 3 columns", "", "each line is a point");
    std::fs::write(&path, "1,2\n3,4\n").unwrap();
    complains(&["fit", file], "no curve can be fitted to these 2 points", "", "");
    let outcome = model(&["fit", "--form", "cubic", file]);
    assert!(outcome.status == 2 && outcome.stderr.contains("the forms are constant"), "{}", outcome.transcript());
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let mut command = fathom();
    command.args(["model", "--list", "spp1000"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(String::from_utf8_lossy(&child.wait_with_output().unwrap().stderr), "");
}

fn asked_of_a_profile(question: &str) -> String {
    format!("{}: {question}", support::root().join("docs/data/profile.toml").display())
}

/// The value that a question with one answer has.
#[track_caller]
fn value_of(question: &str) -> f64 {
    let text = ok(&["--json", &asked_of_a_profile(question)]);
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    answer["results"][0]["value"].as_f64().unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn a_profile_is_asked_like_a_machine() {
    assert!(value_of("1C1 of 8KiB") > 2.0 * value_of("1C1"), "a block in a cache moves faster than a large one");
    let (low, between, high) = (value_of("1C1 of 128KiB"), value_of("1C1 of 300000"), value_of("1C1 of 512KiB"));
    assert!(between >= low.min(high) && between <= low.max(high), "{low} {between} {high}");
    let ways = ok(&[&asked_of_a_profile("Q(1,64) of 64KiB")]);
    for way in [
        "Q(1,64) of 65536 bytes",
        "chained: 1S0 || Nadp || 0D64",
        "1C1 o (1S0 || Nd || 0R1) o 1C64",
        "blocks of 65536 bytes",
    ] {
        assert!(ways.contains(way), "{way} in {ways}");
    }
    assert!(ok(&[&asked_of_a_profile("1C1 of 1")]).contains("the smallest measured, stands in"));
    assert!(value_of("send 1024") > 0.0 && value_of("barrier 2") > 0.0);
}

#[test]
fn what_if_on_a_profile() {
    let changed = ok(&["--set", "64C1=1", &asked_of_a_profile("64C1 o 1C1 of 64KiB")]);
    assert!(changed.contains("set by you") && changed.contains("(before: "), "{changed}");
    let list = ok(&["--list", support::root().join("docs/data/profile.toml").to_str().unwrap()]);
    assert!(list.contains("1C64, blocks of 2048 bytes") && list.contains("Nd@1"), "{list}");
    complains(&[&asked_of_a_profile("Q(1,64) of much")], "not a valid number of bytes", "much", "of SIZE");
}

#[test]
fn a_profile_of_another_format_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("profile.toml");
    std::fs::write(&path, "format = \"fathom-profile-0\"\n").unwrap();
    complains(&[&format!("{}: Q(1,1)", path.display())], "fathom-profile-0", "", "fathom probe");
}

/// Every example of docs/models.md prints what stands below it. After a change of what is printed,
/// `UPDATE_EXPECT=1 cargo test -p fathom --test all model::` writes the page anew.
#[test]
fn the_page_shows_what_is_printed() {
    let path = support::root().join("docs/models.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (mut now, mut examples, mut inside) = (String::new(), 0, false);
    for line in page.lines() {
        let fence = line.starts_with("```");
        inside = (inside && !fence) || line == "```console";
        if let Some(command) = line.strip_prefix("$ fathom ").filter(|_| inside) {
            let mut shell = std::process::Command::new("sh");
            shell.current_dir(support::root()).arg("-c").arg(format!("'{}' {command} 2>&1", support::FATHOM));
            examples += 1;
            let gap = if now.ends_with("```console\n") { "" } else { "\n" };
            now += &format!("{gap}{line}\n{}\n", run(shell, Duration::from_secs(20)).stdout.trim_end());
        } else if !inside || fence {
            now += &format!("{line}\n");
        }
    }
    assert!(examples >= 8, "the page was not understood: {examples} examples");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    assert!(now == page || std::env::var_os("UPDATE_EXPECT").is_some(), "docs/models.md should be:\n{now}");
}
