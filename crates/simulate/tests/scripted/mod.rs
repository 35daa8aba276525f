//! What tests share whose threads do what they are told between their stops.

use fathom_machine::Description;
use fathom_simulate::program::stops::{Stop, Stopped};

pub fn network() -> Description {
    let text = r#"
        [simulated]
        about = "A network for tests."
        [simulated.network]
        kind = "loggp"
        ports = { value = 64, other = "enough" }
        L = { value = "5 ns", other = "near what the threads' work takes" }
        o_send = { value = "3 ns", other = "round" }
        o_recv = { value = "2 ns", other = "round" }
        g = { value = "1 ns", other = "round" }
    "#;
    Description::of_file(text).unwrap().unwrap()
}

pub fn end() -> Stopped {
    Stopped { records: vec![], stop: Stop::End, work: 0, may_serve: true, place: 0 }
}
