//! `fathom tune` as its users type it: from a small profile whose truth is known, to a table that a program reads.

use crate::support;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{fathom, root, run, Outcome};

fn profile() -> PathBuf {
    root().join("crates/fathom/tests/profiles/small.toml")
}

fn tune(home: &Path, args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.arg("tune").args(args).current_dir(home).env("HOME", home).env_remove("XDG_CONFIG_HOME");
    run(command, Duration::from_secs(20))
}

fn lines(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines.map(|l| l.split('#').next().unwrap_or(l).trim_end()).collect()
}

#[test]
fn a_table_follows_from_a_profile() {
    let home = tempfile::tempdir().unwrap();
    let outcome = tune(home.path(), &[&profile().display().to_string(), "--print"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{}", outcome.transcript());
    let lines = lines(&outcome.stdout);
    assert_eq!(lines[0], "conduit smp", "{}", outcome.stdout);
    let threshold =
        |line: &str| -> u64 { line.split(" < ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap() };
    assert!(lines[1].starts_with("contiguous: library < ") && lines[1].ends_with(", stream"), "{}", outcome.stdout);
    assert!((262_144..=1_048_576).contains(&threshold(lines[1])), "{}", lines[1]);
    // 6000 bytes of payload at a stride of 64: of a cache, 64 bytes for each 8, and these again where they are contiguous.
    let spread = lines.iter().find(|l| l.starts_with("gather: loop < ")).unwrap();
    assert!(spread.ends_with(", prefetch") && (9 * 5_500..9 * 6_500).contains(&threshold(spread)), "{spread}");
    // A stride of a page reaches one set.
    assert_eq!(*lines.last().unwrap(), "gather aligned=512..: prefetch");
    assert!(
        outcome.stdout.contains("a made-up machine") && outcome.stdout.contains("(prefetch "),
        "{}",
        outcome.stdout
    );
    assert!(!home.path().join(".config").exists(), "--print writes nothing");
}

#[test]
fn the_table_goes_where_programs_look_and_leaves_other_conduits_alone() {
    let home = tempfile::tempdir().unwrap();
    let table = home.path().join(".config/fathom/tuning");
    std::fs::create_dir_all(table.parent().unwrap()).unwrap();
    let old = "conduit mpi\nput-pieces: pack < 100, each\nconduit smp\ngather: library\n";
    std::fs::write(&table, old).unwrap();
    std::fs::copy(profile(), home.path().join("profile.toml")).unwrap();
    let outcome = tune(home.path(), &[]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{}", outcome.transcript());
    assert!(outcome.stdout.contains(&table.display().to_string()), "{}", outcome.stdout);
    let text = std::fs::read_to_string(&table).unwrap();
    assert!(text.contains("conduit mpi\nput-pieces: pack < 100, each\n"), "{text}");
    assert!(text.matches("conduit smp").count() == 1 && !text.contains("gather: library"), "{text}");
}

/// What threads do together, in the format of a profile.
fn together() -> String {
    let curve = |way: &str, ns: fn(f64) -> f64| {
        let point = |k: i32| {
            let (x, y) = (f64::from(1 << k), ns(f64::from(1 << k)));
            format!(
                "{{ x = {x:.1}, y = {y:.1}, low = {:.1}, high = {:.1}, samples = 9, outliers = 0 }}",
                y * 0.99,
                y * 1.01
            )
        };
        let points: Vec<String> = (9..21).step_by(2).map(point).collect();
        format!(
            "[[curves]]\nname = \"mechanisms.all-reduce.{way}\"\ntitle = \"\"\nx = \"bytes\"\ny = \"ns\"\nlog_x = true\n\
             log_y = true\n[[curves.series]]\nname = \"threads=4\"\nof = {{ threads = 4 }}\npoints = [{}]\n",
            points.join(", ")
        )
    };
    let spins =
        "[[values]]\nname = \"mechanisms.spins\"\nvalue = 1500.0\nconfidence = 1.0\nrule = \"the ski rental\"\n";
    format!("{}{}{spins}", curve("whole", |n| 200.0 + n), curve("slices", |n| 1200.0 + n / 2.0))
}

#[test]
fn nothing_is_kept_of_a_table_of_another_version() {
    let home = tempfile::tempdir().unwrap();
    let table = home.path().join("table");
    std::fs::write(&table, "# fathom tuning table 1\nconduit mpi\nput-pieces: pack < 100, each\n").unwrap();
    let outcome = tune(home.path(), &[&profile().display().to_string(), "-o", "table"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{}", outcome.transcript());
    let text = std::fs::read_to_string(&table).unwrap();
    assert!(text.starts_with("# fathom tuning table ") && !text.contains("put-pieces"), "{text}");
}

#[test]
fn what_threads_do_together_is_decided_explained_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let table = home.path().join(".config/fathom/tuning");
    std::fs::create_dir_all(table.parent().unwrap()).unwrap();
    // What the profile says nothing about stays, in the part of its conduit too.
    std::fs::write(&table, "conduit smp\nfar-exchange: pairs\nspins: 7\nconduit mpi\nput: direct\n").unwrap();
    let text = std::fs::read_to_string(profile()).unwrap() + &together();
    std::fs::write(home.path().join("profile.toml"), text).unwrap();
    let outcome = tune(home.path(), &["--print", "--explain"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{}", outcome.transcript());
    for part in
        ["all-reduce threads=4..7: whole < ", ", slices", "spins: 1500", "the ski rental", "better by more than"]
    {
        assert!(outcome.stdout.contains(part), "{part} in {}", outcome.stdout);
    }
    let outcome = tune(home.path(), &[]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{}", outcome.transcript());
    let text = std::fs::read_to_string(&table).unwrap();
    let (smp, mpi) = text.split_once("conduit mpi").unwrap();
    assert!(smp.contains("\nspins: 1500") && !smp.contains("spins: 7"), "{text}");
    assert!(smp.contains("\nfar-exchange: pairs\n") && mpi.contains("\nput: direct\n"), "{text}");
}

#[test]
fn the_copy_transfer_model_stands_beside_a_choice_where_the_profile_has_it() {
    let home = tempfile::tempdir().unwrap();
    let measured = |transfer: &str, mb_s: [f64; 2]| {
        let points = mb_s.iter().zip([512.0, 1024.0]).map(|(r, b)| format!("{{ bytes = {b:.1}, mb_s = {r:.1} }}"));
        let points = points.collect::<Vec<_>>().join(", ");
        format!(
            "[[machine.copy_transfer.by_size]]\ntransfer = \"{transfer}\"\npoints = [{points}]\nsource = \"measured\"\n\n"
        )
    };
    let model = "[machine.copy_transfer]\ncongestion = 1.0\nfigures = []\n\n".to_string();
    let model = model + &measured("1C1", [1111.0, 1111.0]) + &measured("8C1", [2222.0, 2222.0]) + "[[curves]]";
    let text = std::fs::read_to_string(profile()).unwrap().replacen("[[curves]]", &model, 1);
    std::fs::write(home.path().join("profile.toml"), text).unwrap();
    let outcome = tune(home.path(), &["--print", "--explain"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{}", outcome.transcript());
    let with_it: Vec<&str> = outcome.stdout.lines().filter(|l| l.contains("copy-transfer")).collect();
    // The other ranges are of blocks beyond those that were measured.
    let [line] = with_it[..] else { panic!("{}", outcome.stdout) };
    assert!(
        line.contains("loop      at 608 B") && line.ends_with("the copy-transfer model has 8C1 at 2222 MB/s"),
        "{line}"
    );
}

#[test]
fn every_choice_is_explained() {
    let home = tempfile::tempdir().unwrap();
    let outcome = tune(home.path(), &[&profile().display().to_string(), "--print", "--explain"]);
    for part in [
        "gather: loop < ",
        " B  loop      at 608 B: 160.889 ns",
        "; prefetch 2.",
        "on  prefetch",
        "times the fastest",
        "without a table",
    ] {
        assert!(outcome.stdout.contains(part), "{part} in {}", outcome.stdout);
    }
}

#[test]
fn what_is_no_profile_is_named() {
    let home = tempfile::tempdir().unwrap();
    let complains = |args: &[&str], what: &str| {
        let outcome = tune(home.path(), args);
        assert!(outcome.status == 1 && outcome.stderr.contains(what), "{args:?}: {}", outcome.transcript());
        assert!(outcome.stderr.contains("fathom probe"), "says what to do: {}", outcome.stderr);
    };
    complains(&[], "there is no profile profile.toml");
    std::fs::write(home.path().join("x.toml"), "format = 3").unwrap();
    complains(&["x.toml"], "x.toml is not a valid profile");
    let text = std::fs::read_to_string(profile()).unwrap();
    std::fs::write(home.path().join("y.toml"), text.split("[[curves]]").next().unwrap()).unwrap();
    complains(&["y.toml"], "has no measurements of mechanisms");
    std::fs::write(home.path().join("z.toml"), text.replace("fathom-profile-1", "fathom-profile-9")).unwrap();
    complains(&["z.toml"], "fathom-profile-9");
}
