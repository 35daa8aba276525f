/* Loops of real programs over arrays of one layout, checked against serial loops over private copies. Included once for
 * each layout: NAME, LAYOUT, B, K (elements a thread). The element type is double, exact for the small integers used.
 *
 * A compiler may split such loops into a part whose accesses are all local and the edges of blocks, turn affinity tests into bounds
 * and shared accesses into pointers: each loop here differs in what that must respect.
 */
#define GLUE2(a, b) a##b
#define GLUE(a, b) GLUE2(a, b)
#define ARRAY(x) GLUE(NAME, x)
#define N (K * THREADS)

shared LAYOUT double ARRAY(_a)[K * THREADS];
shared LAYOUT double ARRAY(_b)[K * THREADS];
shared LAYOUT int ARRAY(_c)[K * THREADS];
shared [5] double ARRAY(_other)[K * THREADS];
shared LAYOUT struct {
    double v;
    char tag[3];
} ARRAY(_s)[K * THREADS];

#define a ARRAY(_a)
#define b ARRAY(_b)
#define c ARRAY(_c)
#define o ARRAY(_other)
#define s ARRAY(_s)
#define VERIFY(array, model)                                          \
    do {                                                              \
        upc_barrier;                                                  \
        for (long v = 0; v < N; v++) CHECK((array)[v] == (model)[v]); \
        upc_barrier;                                                  \
    } while (0)

static void GLUE(NAME, _check)(void) {
    static double am[K * MAX_THREADS], bm[K * MAX_THREADS], om[K * MAX_THREADS];
    static int cm[K * MAX_THREADS];
    long n = N;
    int i;

    upc_forall (i = 0; i < n; i++; &a[i]) a[i] = 3 * i + 1;
    upc_forall (i = 0; i < n; i++; &c[i]) c[i] = i * i % 101;
    upc_forall (i = 0; i < n; i++; &o[i]) o[i] = -i;
    upc_forall (i = 0; i < n; i++; &s[i]) s[i].v = i, s[i].tag[1] = (char)(i % 100);
    for (i = 0; i < n; i++) am[i] = 3 * i + 1, cm[i] = i * i % 101, om[i] = -i, bm[i] = 0;
    VERIFY(a, am);
    VERIFY(c, cm);
    VERIFY(o, om);
    VERIFY(b, bm);
    for (i = 0; i < n; i++) CHECK(s[i].v == i && s[i].tag[1] == i % 100 && s[i].tag[0] == 0 && s[i].tag[2] == 0);

    /* The three-point stencil, its ends left alone. */
    upc_forall (i = 1; i < n - 1; i++; &b[i]) b[i] = a[i - 1] + a[i] + a[i + 1];
    for (i = 1; i < n - 1; i++) bm[i] = am[i - 1] + am[i] + am[i + 1];
    VERIFY(b, bm);
    /* Wider, lopsided, with a neighbour's index as affinity. */
    upc_forall (i = 2; i < n - 3; i++; &a[i + 1]) b[i] = a[i - 2] - 2 * a[i + 3] + a[i + 1];
    for (i = 2; i < n - 3; i++) bm[i] = am[i - 2] - 2 * am[i + 3] + am[i + 1];
    VERIFY(b, bm);
    upc_forall (i = 3; i <= n - 2; i++; &b[i - 3]) b[i - 3] += a[i + 1] * 2;
    for (i = 3; i <= n - 2; i++) bm[i - 3] += am[i + 1] * 2;
    VERIFY(b, bm);
    /* Affinity by index while the layout is another; reversal; constants; indirect index; other layout. */
    upc_forall (i = 0; i < n; i++; i) b[i] = a[n - 1 - i] + a[0] + a[n - 1];
    for (i = 0; i < n; i++) bm[i] = am[n - 1 - i] + am[0] + am[n - 1];
    VERIFY(b, bm);
    upc_forall (i = 0; i < n; i++; &b[i]) b[i] = a[c[i] % n] + o[i];
    for (i = 0; i < n; i++) bm[i] = am[cm[i] % n] + om[i];
    VERIFY(b, bm);
    upc_forall (i = 0; i < n; i++; &o[i]) o[i] = b[i] - a[i];
    for (i = 0; i < n; i++) om[i] = bm[i] - am[i];
    VERIFY(o, om);
    /* Down, by twos, by threes from an odd start, compound assignment and increments. */
    upc_forall (i = n - 2; i >= 1; i--; &b[i]) b[i] = a[i + 1] - a[i - 1] + s[i].v;
    for (i = n - 2; i >= 1; i--) bm[i] = am[i + 1] - am[i - 1] + i;
    VERIFY(b, bm);
    upc_forall (i = 0; i < n - 1; i += 2; &b[i]) b[i] -= a[i + 1];
    for (i = 0; i < n - 1; i += 2) bm[i] -= am[i + 1];
    VERIFY(b, bm);
    upc_forall (i = 1; i < n; i += 3; &c[i]) c[i]++, c[i] *= 2, --c[i];
    for (i = 1; i < n; i += 3) cm[i]++, cm[i] *= 2, --cm[i];
    VERIFY(c, cm);
    /* The element before, of the same array: defined where the writer is the reader, so within blocks only. */
    upc_forall (i = 1; i < n; i++; &a[i]) {
        if (B > 1 && i % (B > 1 ? B : 1) != 0) a[i] += a[i - 1];
    }
    for (i = 1; i < n; i++)
        if (B > 1 && i % (B > 1 ? B : 1) != 0) am[i] += am[i - 1];
    VERIFY(a, am);
    for (i = 0; i < n; i++) am[i] = i % 50;
    upc_forall (i = 0; i < n; i++; &a[i]) a[i] = i % 50;
    upc_barrier;
    /* Through pointers: a private one that starts inside the array, a private copy of the index, a walking one. */
    shared [B] double *p = a + 2, *w = b; /* [*] is not allowed in a pointer's declaration (6.5.1.1p6) */
    upc_forall (i = 0; i < n - 2; i++; &p[i]) {
        int j = i + 1;
        b[i] = p[i] + a[j] * 2 + *(a + j + 1);
    }
    for (i = 0; i < n - 2; i++) bm[i] = am[i + 2] + am[i + 1] * 2 + am[i + 2];
    VERIFY(b, bm);
    upc_forall (i = 0; i < n; i++, w++; w) *w = a[i] * (w - b);
    for (i = 0; i < n; i++) bm[i] = am[i] * i;
    VERIFY(b, bm);
    /* Reductions into private objects: sums of this thread's part. */
    double dot = 0, dot_model = 0, top = -1, top_model = -1;
    upc_forall (i = 0; i < n; i++; &a[i]) {
        dot += a[i] * b[i];
        if (b[i] > top) top = b[i];
    }
    for (i = 0; i < n; i++)
        if (owner_of(i, B, THREADS) == MYTHREAD) {
            dot_model += am[i] * bm[i];
            if (bm[i] > top_model) top_model = bm[i];
        }
    CHECK(dot == dot_model && top == top_model);
    upc_barrier;
    /* Every range from any element to any other near the blocks' edges. */
    long edge = B > 1 && 2 * B + 2 < K ? 2 * B + 2 : 6;
    if (edge > 40) edge = 40;
    for (int lo = 0; lo < edge; lo++)
        for (int cut = 0; cut < edge && lo <= n - cut; cut++) {
            int hi = n - cut;
            if ((lo + cut) % 3 == 0) hi = lo + cut;
            if (hi > n) hi = n;
            upc_forall (i = lo; i < hi; i++; &b[i]) b[i] = a[i] + lo * 1000 + cut;
            CHECK_EQ(hi, i);
            for (i = lo; i < hi; i++) bm[i] = am[i] + lo * 1000 + cut;
            if (cut % 7 == 0)
                for (i = 0; i < n; i++)
                    if (owner_of(i, B, THREADS) == MYTHREAD) CHECK(b[i] == bm[i]);
        }
    VERIFY(b, bm);
}

#undef a
#undef b
#undef c
#undef o
#undef s
#undef VERIFY
#undef GLUE2
#undef GLUE
#undef ARRAY
#undef NAME
#undef LAYOUT
#undef B
#undef K
#undef N
