//! Updates that owners compute, and the verdicts on those that they do not.

use crate::support;
use fathom_lower::plan::Plan;
use fathom_lower::Options;

const FAR: Options = Options { direct: false, explain: false, count: false, strips: true, check: false, hiding: &[] };

const DECLARED: &str = "shared int a[4 * THREADS]; shared double d[4 * THREADS]; shared float f[4 * THREADS]; \
    shared unsigned char c[4 * THREADS]; shared volatile int v[THREADS]; shared _Bool b[THREADS]; shared int *shared p[THREADS]; \
    int *shared l[THREADS]; shared long double e[THREADS]; enum color { RED }; shared enum color o[THREADS]; \
    shared struct { int x, y : 2; } s[THREADS]; shared double _Complex z[THREADS]; \
    shared long k[THREADS]; long bupc_atomicL_fetchadd_relaxed(shared void *, long);\n";

/// What became of the updates in a function's body: `served`, or the reason.
fn verdicts(body: &str) -> Vec<String> {
    let source = format!("{DECLARED}int t(int n, double x, float y, long w, long double q) {{ {body}; return 0; }}\n");
    let (parsed, sema) = support::checked(&source).unwrap_or_else(|said| panic!("{body}: {said}"));
    let plan = Plan::new(&parsed, &sema, FAR);
    let said = plan.verdicts(&parsed, &sema, true).into_iter();
    said.map(|v| if v.served { "served".to_owned() } else { v.text.rsplit_once(": ").unwrap().1.to_owned() }).collect()
}

fn generated(body: &str) -> String {
    let source = format!("{DECLARED}void t(int n, double x, float y, long w) {{ {body}; }}\n");
    support::generated(&source, FAR).unwrap_or_else(|said| panic!("{body}: {said}"))
}

#[test]
fn each_reason_has_an_update() {
    let [used, volatile, operation, types] = [
        "its value is used",
        "the object is volatile or atomic",
        "the operation is none of + - * & | ^ << >>",
        "the owner does not compute with these types",
    ];
    for (body, expected) in [
        ("a[n] += 1; a[n]++; --a[n]; a[n] <<= n; c[n] >>= w", &["served"; 5][..]),
        ("d[n] += x; d[n] -= w; f[n] *= x; f[n] += y; f[n]++; s[n].x ^= n", &["served"; 6]),
        ("(void)(a[n] += 1), (a[n]--), n++", &["served"; 2]),
        ("for (a[0] = 1; n; a[1]++) n--", &["served", "served"]),
        ("upc_forall (n = 0; n < 9; n++; n) a[n + 1] += n", &["served"]),
        ("n = a[n]++", &[used]),
        ("if (a[n] += 1) n++", &[used]),
        ("n += (0, a[n]++)", &[used]),
        ("n ? a[n]++ : n++", &[used]),
        ("n = ({ a[0]++; a[1]++; })", &["served", used]),
        ("n = ({ end: a[0]++; })", &[used]),
        ("a[0] += n && a[1]++", &["served", used]),
        ("bupc_atomicL_fetchadd_relaxed(&k[n], 1); (void)bupc_atomicL_fetchadd_relaxed(&k[n], n)", &["served"; 2]),
        ("n = bupc_atomicL_fetchadd_relaxed(&k[n], 1)", &["it is not in a loop"]),
        ("v[n]++", &[volatile]),
        ("a[n] /= 3; a[n] %= 3; d[n] /= x", &[operation; 3]),
        ("a[n] += x; b[n] |= n; s[n].y++; p[n]++; l[n]++; e[n] += 1; d[n] += q; o[n]++; z[n] += 1", &[types; 9]),
    ] {
        assert_eq!(verdicts(body), expected, "{body}");
    }
}

/// The operand travels in the type in which C computes.
#[test]
fn operands_are_converted_before_they_travel() {
    for (body, call) in [
        ("a[n] += w", "fathom_far_update(fathom_at1, FATHOM_UPDATE_U32, FATHOM_UPDATE_ADD, (unsigned long)fathom_r2)"),
        ("a[n] >>= n", "fathom_far_update(fathom_at1, FATHOM_UPDATE_I32, FATHOM_UPDATE_SHR, (unsigned long)fathom_r2)"),
        ("c[n] >>= n", "fathom_far_update(fathom_at1, FATHOM_UPDATE_U8, FATHOM_UPDATE_SHR, (unsigned long)fathom_r2)"),
        ("c[n]--", "fathom_far_update(fathom_at1, FATHOM_UPDATE_U8, FATHOM_UPDATE_SUB, (unsigned long)1)"),
        ("d[n] -= w", "fathom_far_update_double(fathom_at1, FATHOM_UPDATE_F64, FATHOM_UPDATE_SUB, (double)fathom_r2)"),
        (
            "f[n] -= x",
            "fathom_far_update_double(fathom_at1, FATHOM_UPDATE_F32_BY_F64, FATHOM_UPDATE_SUB, (double)fathom_r2)",
        ),
        ("f[n] *= y", "fathom_far_update_float(fathom_at1, FATHOM_UPDATE_MUL, (float)fathom_r2)"),
        ("f[n] += n", "fathom_far_update_float(fathom_at1, FATHOM_UPDATE_ADD, (float)fathom_r2)"),
        (
            "bupc_atomicL_fetchadd_relaxed(&k[n], n + x)",
            "FATHOM_UPDATE_U64, FATHOM_UPDATE_ADD, (unsigned long)(long)(n + x))",
        ),
        ("f[n]++", "fathom_far_update_float(fathom_at1, FATHOM_UPDATE_ADD, (float)1)"),
    ] {
        let text = generated(body);
        assert!(text.contains(call), "{body}\n{text}");
    }
}

/// Without the option, where loads and stores reach everything, and where operations are counted, nothing changes.
#[test]
fn updates_are_for_far_data() {
    let source = format!(
        "{DECLARED}void t(int n, const int *l) {{ a[n] += 1; d[n]++; for (int i = 0; i < n; i++) a[l[i]]++; }}\n"
    );
    let c = |options| support::generated(&source, options).unwrap();
    let has = |options, what| c(options).contains(what);
    assert!(has(FAR, "fathom_far_update") && has(FAR, "fathom_batch_update"));
    let direct = Options { direct: true, ..FAR };
    assert_eq!(c(direct), c(Options { strips: false, ..direct }));
    for other in [Options { strips: false, ..FAR }, Options { count: true, ..FAR }] {
        assert!(!has(other, "fathom_far_update") && !has(other, "fathom_batch_update"));
    }
    assert!(c(Options { explain: true, ..FAR }).contains("fathom_explain_far_update"));
}

/// Near memory is asked for ahead only where the place is computed from what the iterations read in any case.
#[test]
fn near_memory_is_asked_for_ahead_where_that_reads_nothing_else() {
    let asks = |body: &str| {
        let source = format!(
            "{DECLARED}void g(void); typedef struct {{ int at; }} entry;\n\
             void t(long n, long m, const long *l, long *w, const volatile long *o, const double *r, const entry *h, float *x) {{ {body} }}\n"
        );
        let code = support::generated(&source, FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        code.contains("fathom_ahead_ask")
    };
    // Loops that do something else, too.
    let of = |body: &str| format!("for (long i = 0; i < n; i++) {{ {body} *x += 1; }}");
    for body in [
        "k[l[i]]++;",
        "k[l[i + m - 1]] += i;",
        "k[h[i].at] ^= 1;",
        "k[l[i] % THREADS] -= 2; w[i] = 0;",
        "k[l[i] / 4 * 3 + m]++;",
        "long at = l[i]; if (at > m) w[i] = 1; k[at]++;",
        "bupc_atomicL_fetchadd_relaxed(&k[l[i]], 1);",
    ] {
        assert!(asks(&of(body)), "{body}");
    }
    for body in [
        // Places that follow each other, and none that is near.
        "k[i]++;",
        "k[m]++;",
        // Not in each iteration, or not to the end.
        "if (i < m) k[l[i]]++;",
        "i < m && k[l[i]]++;",
        "if (l[i] < 0) break; k[l[i]]++;",
        "if (l[i] < 0) return; k[l[i]]++;",
        "if (l[i] < 0) continue; k[l[i]]++;",
        "if (l[i] < 0) __builtin_abort(); k[l[i]]++;",
        "g(); k[l[i]]++;",
        "upc_fence; k[l[i]]++;",
        // What decides may not be written yet.
        "k[l[w[i]]]++; w[i + 1] = i;",
        "k[l[i] / w[i]]++; w[i + 1] = 1;",
        "k[l[i] / m]++;",
        "k[w[i] ? l[i] : 0]++; w[i + 1] = 1;",
        "k[w[i] && l[i]]++; w[i + 1] = 1;",
        "k[(long)r[i]]++;",
        "k[l[i * 2]]++; l++;",
        "k[*l]++;",
        // What is read has an effect, or is not in private memory.
        "k[o[i]]++;",
        "k[w[i]++]++;",
        "k[a[i]]++;",
        "k[l[i]]++; n--;",
    ] {
        assert!(!asks(&of(body)), "{body}");
    }
    assert!(!asks("for (long i = 0; l[i]; i++) k[l[i]]++;"));
    assert!(!asks("for (long i = 0; i < n && l[i]; i++) k[l[i]]++;"));
}

/// Many iterations together are those of a loop that does nothing else, of which the runtime can say whether an update reaches what
/// places are computed from.
#[test]
fn updates_are_made_in_batches_where_the_loop_does_nothing_else() {
    let in_batches = |body: &str| {
        let source = format!(
            "{DECLARED}void g(void); typedef shared struct opaque domain; enum {{ UPC_ADD = 1, UPC_INC = 2 }};\n\
             void upc_atomic_relaxed(domain *, void *, int, shared void *, const void *, const void *);\n\
             void upc_atomic_strict(domain *, void *, int, shared void *, const void *, const void *);\n\
              typedef struct {{ int at, of[4]; unsigned bits : 7; }} entry;\n\
             domain *all; void t(long n, long m, const long *l, long *w, const volatile long *o, const double *r, \
             const entry *h, entry own, const entry *const *hs) {{ static shared entry e9[THREADS]; long one = 1; long a9[9] = {{0}}; {body} }}\n"
        );
        let code = support::generated(&source, FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        code.contains("fathom_batch_")
    };
    let of = |body: &str| format!("for (long i = 0; i < n; i++) {{ {body} }}");
    for body in [
        "k[l[i]]++;",
        "--k[l[i]];",
        "(k[l[i]]) -= m;",
        "k[l[i + m - 1]] += 3;",
        "k[l[i] / m % THREADS] <<= 2;",
        "k[r[i] > 0 && l[i] ? l[i] : 0]++;",
        "k[h[i].at] ^= 1;",
        "k[h[i].of[2]] += *w;",
        "k[(*hs)[i].at] += h->at + own.at;",
        "if (hs && *hs) k[(*hs)[i].at] += m / n;",
        "if (hs || m) k[h ? h[i].at : 0]++;",
        "k[own.of[i]]++;",
        "k[a9[l[i]]]++;",
        "k[*l]++;",
        "e9[l[i]].of[l[i + 1] & 3]++;",
        "k[i * 5 % n]++;",
        "long at = l[i], to = at + m; { k[to] *= 2; }",
        "if (l[i] >= 0) k[l[i]]++;",
        "long at = l[i]; if (at >= 0 && at < m) { double by = r[i]; if (by < 0.5) k[at + (by > 0.25)] += 2; }",
        "upc_atomic_relaxed(all, 0, UPC_ADD, &k[l[i]], &one, 0);",
        "upc_atomic_relaxed(all, 0, UPC_INC, &k[l[i]], 0, 0);",
    ] {
        assert!(in_batches(&of(body)), "{body}");
    }
    for body in [
        // Something else is done, or not each time.
        "k[l[i]]++; *w = 0;",
        "k[l[i]]++; k[m]++;",
        "k[l[i]] += g2();",
        "k[w[i]++]++;",
        "e9[l[i]].of[w[i]++]++;",
        "e9[l[i]].of[l[w[i]]]++;",
        "e9[l[i]].of[o[i]]++;",
        "m = k[l[i]]++;",
        "k[l[i]]++; n--;",
        "long at = l[i], unused = o[i]; k[at]++;",
        "long at; at = l[i]; k[at]++;",
        "if (i < m) k[l[i]]++; else k[m]++;",
        "if (i < m) { k[l[i]]++; *w = 0; }",
        "if (o[i] < m) k[l[i]]++;",
        "if (k[i] < m) k[l[i]]++;",
        "if (w[l[i]] < m) k[l[i]]++;",
        "i < m && k[l[i]]++;",
        "if (l[i] < 0) break; k[l[i]]++;",
        "g(); k[l[i]]++;",
        "upc_fence; k[l[i]]++;",
        // The operand differs, or is shared.
        "k[l[i]] += i;",
        "k[l[i]] += l[i];",
        "k[l[i]] += k[0];",
        "long by = l[i]; k[m] += by;",
        "upc_atomic_relaxed(all, 0, UPC_ADD, &k[l[i]], &l[i], 0);",
        // The result is wanted, the order is strict, the operation may change.
        "upc_atomic_relaxed(all, w, UPC_ADD, &k[l[i]], &one, 0);",
        "upc_atomic_strict(all, 0, UPC_ADD, &k[l[i]], &one, 0);",
        "upc_atomic_relaxed(all, 0, (int)m, &k[l[i]], &one, 0);",
        // Places are read at addresses of which the first and the last do not tell enough, or that must be read each time.
        "k[l[w[i]]]++;",
        "k[l[i * 2]]++;",
        "k[hs[i]->at]++;",
        // An address that is read where nothing may be read.
        "k[hs ? (*hs)[i].at : 0]++;",
        "if (m || (hs && (*hs)[i].at)) k[l[i]]++;",
        "k[m ? l[i + n / m] : 0]++;",
        // Types that are computed.
        "k[((const long (*)[m])l)[0][i]]++;",
        "long (*rows)[m] = (void *)l; k[(long)rows]++;",
        "k[h[i].bits]++;",
        "long j = l[i]; k[w[j]]++;",
        "k[o[i]]++;",
        "k[a[i]]++;",
        // The owner does not compute it.
        "k[l[i]] /= 3;",
    ] {
        let body = body.replace("g2()", "(g(), 1)");
        assert!(!in_batches(&of(&body)), "{body}");
    }
    // Of a upc_forall also where this thread's own elements say where.
    let own = |body: &str| format!("upc_forall (long i = 0; i < THREADS; i++; &a[i]) {{ {body} }}");
    for body in ["k[a[i]]++;", "k[l[i]] += m;", "int v = a[i]; if (v > 0) k[v]++;", "a[a[i]]++;", "k[s[i].x]--;"] {
        assert!(in_batches(&own(body)), "{body}");
    }
    for body in ["k[k[a[i]]]++;", "k[a[i]] += a[i];", "k[i] = k[a[i]]++;"] {
        assert!(!in_batches(&own(body)), "{body}");
    }
    for whole in [
        "for (long i = 0; l[i]; i++) k[l[i]]++;",
        "for (long i = 0; i < n && l[i]; i++) k[l[i]]++;",
        "for (long i = n; i > 0; i--) k[l[i]]++;",
        "for (long i = 0; i < k[0]; i++) k[l[i]]++;",
        "for (i9 = 0; i9 < n; i9++) k[l[i9]] += i9;",
    ] {
        assert!(!in_batches(&whole.replace("(i9 = 0", "(long i9 = 0")), "{whole}");
    }
}
