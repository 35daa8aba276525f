use fathom_machine::Description;
fn main() {
    let d = Description::of_file(include_str!("../../../machines/x1.toml")).unwrap().unwrap();
    for d in [d.clone(), d.without("code.divides_rows").unwrap()] {
        for s in [1, 4] {
            println!("{s}: {}", fathom_simulate::x1::loops::multigrid(&d, s).unwrap());
        }
    }
}
