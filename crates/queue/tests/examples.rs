//! The examples in Rust: one whose results are known, and the page's.

#[path = "../../../examples/queues/pipeline.rs"]
mod pipeline;

#[test]
fn the_pipeline_counts_every_word() {
    let lines = ["one two, two", "Three THREE three!", "", "four4four four four"];
    let counts = pipeline::count(lines.iter().copied().cycle().take(4000)).unwrap();
    let found: Vec<(&str, usize)> = counts.iter().map(|(word, n)| (word.as_str(), *n)).collect();
    assert_eq!(found, [("four", 4000), ("one", 1000), ("three", 3000), ("two", 2000)]);
    assert!(pipeline::count(std::iter::empty()).unwrap().is_empty());
    let long = "x".repeat(2000);
    assert_eq!(pipeline::count([long.as_str()].into_iter()), Err(fathom_queue::Error::TooLong));
}

/// So that it compiles: it is an example of this crate.
#[test]
fn the_page_has_the_example_as_it_stands() {
    let page = include_str!("../../../docs/queues.md");
    let example = include_str!("../examples/minute.rs");
    assert!(page.contains(&format!("```rust\n{example}```\n")), "docs/queues.md differs from examples/minute.rs");
}
