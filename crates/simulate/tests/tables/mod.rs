//! Tables of machine files that several tests take.

/// What the threads of a node share. crates/simulate/tests/nodes.rs has its figures as numbers.
pub const NEAR: &str = r#"
    [simulated.near]
    threads = { value = 16, other = "round" }
    put = { value = "60 ns", other = "round" }
    get = { value = "80 ns", other = "round" }
    put_rate = { value = "10 GB/s", other = "round" }
    get_rate = { value = "10 GB/s", other = "round" }
    memory_rate = { value = "40 GB/s", other = "round" }
    notice = { value = "150 ns", other = "round" }
    o_send = { value = "40 ns", other = "round" }
    o_recv = { value = "40 ns", other = "round" }
"#;
