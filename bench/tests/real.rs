//! What the table of predicted and real times says of its lines.

#[path = "../src/real_table.rs"]
mod real_table;

use real_table::{orders, rows, table};

const REAL: &str = "communication\tput\t100\nwhole\tEM3D get\t50\nwhole\tEM3D bulk\t10\n\
                    communication\tput\t120\ncommunication\tput\t90\nwhole\tEM3D get\t60\n";
const PREDICTED: &str = "communication\tput\t110\nwhole\tEM3D get\t44\nwhole\tEM3D bulk\t11\n";

#[test]
fn an_error_is_that_of_the_median() {
    let (rows, missing) = rows(REAL, PREDICTED).unwrap();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(rows[0].real, [90.0, 100.0, 120.0]);
    assert!((rows[0].error() - 0.1).abs() < 1e-9 && (rows[1].error() + 0.2).abs() < 1e-9, "{rows:?}");
    assert!(table(&rows).contains("Communication alone: median error 10.0 % (target 5 %)"));
}

#[test]
fn a_program_that_one_side_lost_is_named() {
    let lost = PREDICTED.replace("whole\tEM3D bulk\t11\n", "");
    let lost = lost + "whole\tlife\t7\n";
    let (rest, missing) = rows(REAL, &lost).unwrap();
    assert_eq!((rest.len(), missing.join(", ")), (2, "EM3D bulk was not predicted, life was not measured".to_string()));
    assert!(rows("communication\tput\n", "").unwrap_err().contains("is not KIND"));
    assert!(rows("communication\tput\tsoon\n", "").unwrap_err().contains("not a number"));
}

#[test]
fn an_order_counts_where_versions_differ() {
    let found = |predicted: &str| orders(&rows(REAL, predicted).unwrap().0);
    assert_eq!(found(PREDICTED), (1, vec![]));
    let other = PREDICTED.replace("bulk\t11", "bulk\t45");
    assert_eq!(found(&other), (1, vec!["EM3D bulk before EM3D get".to_string()]));
    let close = REAL.replace("bulk\t10", "bulk\t54");
    assert_eq!(orders(&rows(&close, &other).unwrap().0), (0, vec![]));
}
