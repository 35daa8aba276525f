//! The C for objects that may be far: what it calls, and where it does not.

use crate::support;
use fathom_lower::Options;

fn lowered(source: &str, direct: bool) -> String {
    let options = Options { direct, explain: false, count: false, strips: false, check: false, hiding: &[] };
    support::generated(&format!("{source}\n"), options).unwrap_or_else(|said| panic!("{source}: {said}"))
}

fn far(source: &str) -> String {
    lowered(source, false)
}

#[track_caller]
fn has(c: &str, parts: &[&str]) {
    for p in parts {
        assert!(c.contains(p), "no `{p}` in\n{c}");
    }
}

#[track_caller]
fn lacks(c: &str, parts: &[&str]) {
    for p in parts {
        assert!(!c.contains(p), "`{p}` in\n{c}");
    }
}

/// What an access that may be far calls or asks.
const MOVES: [&str; 6] =
    ["fathom_is_near", "fathom_read(", "fathom_open(", "fathom_write(", "fathom_far_put(", "fathom_far_fence("];

/// The text of a loop whose head contains `head`, up to `end`.
fn between<'a>(c: &'a str, head: &str, end: &str) -> &'a str {
    let from = c.find(head).unwrap_or_else(|| panic!("no `{head}` in\n{c}"));
    let rest = &c[from..];
    &rest[..rest.find(end).unwrap_or(rest.len())]
}

#[test]
fn direct_memory_needs_no_calls() {
    let c = lowered(
        "shared int x; shared struct { unsigned f : 3; double d[4]; } s; strict shared int y; shared [] int *shared p;
         int f(int i) { x = i; x += y; y++; s.f = x; p++; return s.d[i] + *p; }",
        true,
    );
    lacks(&c, &MOVES);
}

#[test]
fn a_relaxed_read_is_one_expression_and_a_write_yields_its_value() {
    let c = far("shared int x[10*THREADS]; int f(int i) { return (x[i + 1] = x[i]); }");
    has(&c, &["*(int *)fathom_read(fathom_place_word(&", "fathom_write(fathom_is_near("]);
}

#[test]
fn an_update_computes_its_address_once_and_its_operand_first() {
    let c = far("shared int x[10*THREADS]; int g(void); int h(void); void f(void) { x[g()] += h(); x[g()]++; }");
    assert_eq!(c.matches("g()").count(), 2, "{c}");
    let (operand, open) = (c.find("= +(h())").expect("the operand"), c.find("fathom_open(").expect("the object"));
    assert!(operand < open, "{c}");
    assert_eq!(c.matches("fathom_close(").count(), 2, "{c}");
}

#[test]
fn of_a_bit_field_only_its_own_bytes_move() {
    let c = far("struct s { char c; unsigned a : 4, b : 11; long l; };
                 shared struct s s; int f(void) { s.b = 5; return s.a; }");
    // a is in byte 1, b in bytes 1 and 2.
    has(&c, &["->b = ", ", 1, 2); int", ", 1, 1))->a"]);
}

#[test]
fn members_are_reached_from_the_record_s_address() {
    let c = far("struct in { double x[4]; }; struct s { int a; struct in in; }; shared struct s s[THREADS];
                 double f(int i) { return s[i].in.x[2]; }");
    has(&c, &["*(double *)fathom_read(fathom_place_word(&(*(struct s *)fathom_place(", ".x[2]), &fathom_copy"]);
}

#[test]
fn a_strict_access_is_a_function_of_the_conduit_s_header() {
    for direct in [true, false] {
        let c = lowered("strict shared long x; long f(long v) { x = v; return x; }", direct);
        has(&c, &["fathom_strict_write(", "fathom_strict_read("]);
        // A record is no machine word, and goes between fences.
        let c = lowered("struct s { int a[5]; }; strict shared struct s x; void f(struct s v) { x = v; }", direct);
        has(&c, &["fathom_strict_write_object("]);
        let c = lowered("strict shared int x; void f(int v) { x += v; }", direct);
        has(&c, &["fathom_strict_open(", "fathom_strict_close("]);
    }
}

/// Claim X11 of the study of the Cray X1: only a strict put waits.
#[test]
fn a_relaxed_put_is_a_store_and_a_strict_one_is_not() {
    let put = |how: &str| lowered(&format!("{how} shared long x; void f(long v) {{ x = v; }}"), true);
    lacks(&put("relaxed"), &["strict", "fence"]);
    assert_eq!(put("strict").matches("fathom_strict_write(").count(), 1);
    lacks(&put("relaxed"), &MOVES);
}

#[test]
fn strict_pointers_of_two_words_go_by_address_on_every_conduit() {
    let source = "strict shared [4] int *shared p; strict shared [4] int y; shared [4] int *shared strict q;
                  void f(shared [4] int *v) { q = v; v = q; }";
    for direct in [true, false] {
        has(&lowered(source, direct), &["fathom_strict_store2(fathom_", "fathom_strict_load2(fathom_"]);
    }
}

#[test]
fn a_loop_over_own_elements_runs_on_pointers() {
    let c = far("shared [8] double a[64*THREADS], b[64*THREADS];
                 void f(void) { int i; upc_forall (i = 1; i < 64*THREADS - 1; i++; &a[i]) a[i] = b[i-1] + b[i+1]; }");
    let fast = between(&c, "#pragma omp simd", "} else for");
    has(fast, &["fathom_view"]);
    lacks(fast, &MOVES);
    let c = far("shared double a[64*THREADS], b[64*THREADS];
                 void f(void) { int i; upc_forall (i = 0; i < 64*THREADS; i++; &a[i]) a[i] = b[i]; }");
    let fast = between(&c, "#pragma omp simd", "} }");
    lacks(fast, &MOVES);
}

#[test]
fn a_neighbour_of_a_cyclic_array_is_asked_for_before_the_loop() {
    let c = far("shared double a[64*THREADS], b[64*THREADS];
                 void f(void) { int i; upc_forall (i = 1; i < 64*THREADS; i++; &a[i]) a[i] = b[i - 1]; }");
    let (near, other) = (between(&c, "#pragma omp simd", "} else {"), between(&c, "} else { for (long", "} }"));
    lacks(near, &MOVES);
    has(other, &["fathom_open(fathom_view"]);
    // Calls do not vectorise.
    assert_eq!(c.matches("omp simd").count(), 1, "{c}");
}

#[test]
fn a_row_is_near_or_far_as_a_whole() {
    let c = far("shared [8] double u[THREADS][8];
                 void f(int k) { int i; for (i = 0; i < 8; i++) u[k][i] = i; }");
    let near = between(&c, "_near, 1)) {", "} else {");
    has(near, &["#pragma omp simd", "[i] = i"]);
    lacks(near, &MOVES);
    has(between(&c, "} else {", "} }"), &["fathom_write("]);
}

#[test]
fn a_loop_along_memory_of_one_thread_asks_once() {
    let c =
        far("double f(shared [] double *p, int n) { double t = 0; for (int i = 0; i < n; i++) t += p[i]; return t; }");
    lacks(between(&c, "_near, 1)) {", "} else {"), &MOVES);
    // The pointer that the loop moves is asked at every access.
    let c = far("double f(shared [] double *p, int n) { double t = 0; while (n--) t += p[0], p++; return t; }");
    has(&c, &["fathom_read("]);
    lacks(&c, &["_near"]);
}

#[test]
fn a_loop_that_cannot_be_written_twice_is_not() {
    let c = far("void g(int); void f(shared [] int *p, int n) {
                 for (int i = 0; i < n; i++) { if (p[i]) goto next; g(i); next:; } }");
    assert_eq!(c.matches("next:").count(), 1, "{c}");
}

#[test]
fn an_own_pointer_is_a_cast() {
    let c = far("shared int x[THREADS]; int *f(void) { return (int *)&x[MYTHREAD]; }");
    has(&c, &["(int *)fathom_cast("]);
    lacks(&c, &MOVES);
}

#[test]
fn a_strict_pointer_to_a_function_is_declared_as_c_has_it() {
    let source = "void (*strict shared hook)(int); void f(void (*v)(int)) { hook = v; v = hook; }";
    for direct in [true, false] {
        has(&lowered(source, direct), &["void (*fathom_v", "(void (**)(int))"]);
    }
}

#[test]
fn a_pointer_to_shared_in_private_memory_is_stepped_in_place() {
    let c = far("void f(shared [3] int **p, shared int **q, int n) { *p += n; (*q)++; }");
    has(&c, &["fathom_block_add(", "fathom_cyclic_add("]);
    lacks(&c, &MOVES);
}
