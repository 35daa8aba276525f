//! What the page of EM3D says of its figures.

#[path = "../src/em3d_table.rs"]
mod em3d_table;

use em3d_table::{findings, tables};

#[test]
fn the_order_of_the_versions_is_what_was_measured() {
    let rows = |simple: &str, put: &str| {
        let cells = |low: &str, high: &str| format!("{low} ({low} to {low}) | {high} ({high} to {high}) |");
        let row = |name: &str, ns: &str| format!("| {name} | {}\n", cells("1.00", ns));
        let lines = [("simple", simple), ("bundle", "40"), ("unroll", "20"), ("get", "8"), ("put", put), ("bulk", "2")];
        let body: String = lines.map(|(name, ns)| row(name, ns)).concat();
        format!("| Split-C | 0 % | 40 % |\n|---|---|---|\n{body}")
    };
    let told = |simple, put| findings(&tables(&rows(simple, put)).unwrap()[0], 20.0);
    let as_in_study = told("80", "4");
    assert!(as_in_study.ends_with("This is the study's order."), "{as_in_study}");
    assert!(as_in_study.contains("simple 40.00, bundle 20.00"), "{as_in_study}");
    assert!(as_in_study.contains("Simple takes 40.00 to 40.00 times as long as Bulk"), "{as_in_study}");
    let otherwise = told("41", "16");
    assert!(
        otherwise.contains("simple and bundle are equal to within 5 %; get is 2.00 times as fast as put"),
        "{otherwise}"
    );
    assert!(!otherwise.contains("This is the study's order"), "{otherwise}");
}
