//! The generated C of small programs, kept beside them in `golden/`: `NAME.upc` with `NAME.direct.c`, for a conduit with
//! direct memory, `NAME.far.c`, for objects that may be far, and `NAME.explain.c`, for a run that is to be explained. A change of
//! the generated code is seen here, and nowhere else by accident. `NAME.direct.plan` and `NAME.far.plan` are what was decided
//! before, which needs no C to be read. To accept it: `UPDATE_EXPECT=1 cargo test -p fathom-lower`.

mod support;

use fathom_lower::Options;
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};

const FORMS: [(&str, Options); 3] = [
    ("direct", Options { direct: true, explain: false, count: false, strips: false, check: false, hiding: &[] }),
    ("far", Options { direct: false, explain: false, count: false, strips: false, check: false, hiding: &[] }),
    ("explain", Options { direct: true, explain: true, count: false, strips: false, check: false, hiding: &[] }),
];
/// What is written with -fcomm-opt, `NAME.comm.c` and `NAME.comm.plan`, for the programs whose name begins with `comm-`; and how
/// that is counted, `NAME.comm-explain.c`.
const COMM: (&str, Options) =
    ("comm", Options { direct: false, explain: false, count: false, strips: true, check: false, hiding: &[] });
const COMM_EXPLAIN: (&str, Options) =
    ("comm-explain", Options { direct: false, explain: true, count: false, strips: true, check: false, hiding: &[] });

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("an entry").path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "upc"));
    all.sort();
    all
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut trials = vec![];
    for program in programs(&folder) {
        let name = program.file_stem().expect("a name").to_string_lossy().into_owned();
        let comm = name.starts_with("comm-").then_some(COMM);
        let explained = comm.map(|_| COMM_EXPLAIN);
        for (form, options) in FORMS.into_iter().chain(comm).chain(explained) {
            let (program, golden) = (program.clone(), folder.join(format!("{name}.{form}.c")));
            trials.push(Trial::test(format!("{name}.{form}"), move || {
                let source = std::fs::read_to_string(&program)?;
                let text = support::generated(&source, options)?;
                expect_test::expect_file![golden].assert_eq(&text);
                Ok(())
            }));
        }
        for (form, options) in FORMS[..2].iter().copied().chain(comm) {
            let (program, golden) = (program.clone(), folder.join(format!("{name}.{form}.plan")));
            trials.push(Trial::test(format!("{name}.{form}.plan"), move || {
                let source = std::fs::read_to_string(&program)?;
                expect_test::expect_file![golden].assert_eq(&support::planned(&source, options)?);
                Ok(())
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
