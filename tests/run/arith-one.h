/* Pointer arithmetic over one shared array, every pair of elements. Included once for each: NAME, LAYOUT, B, N, T as in
 * layout-one.h. All expected values come from layout.h, except that addresses are compared with those of the elements
 * themselves, which the layout tests check.
 */
shared LAYOUT T NAME[N];

#define GLUE2(a, b) a##b
#define GLUE(a, b) GLUE2(a, b)

static void GLUE(NAME, _same)(shared LAYOUT T *p, long i) {
    CHECK(p == &NAME[i]);
    CHECK(!(p != &NAME[i]));
    CHECK_EQ(owner_of(i, B, THREADS), upc_threadof(p));
    CHECK_EQ(phase_of(i, B), upc_phaseof(p));
    CHECK_EQ(upc_addrfield(&NAME[i]), upc_addrfield(p));
    CHECK_EQ(i, p - NAME);
}

static void GLUE(NAME, _check)(void) {
    long n = N;
    for (long i = MYTHREAD; i < n; i += THREADS) {
        shared LAYOUT T *p = &NAME[i];
        for (long j = 0; j < n; j++) {
            long d = j - i;
            shared LAYOUT T *q;
            GLUE(NAME, _same)(p + d, j);
            GLUE(NAME, _same)(d + p, j);
            GLUE(NAME, _same)(p - -d, j);
            GLUE(NAME, _same)(&p[d], j);
            GLUE(NAME, _same)(&d[p], j);
            q = p;
            q += (short)d;
            GLUE(NAME, _same)(q, j);
            q -= d;
            GLUE(NAME, _same)(q, i);
            if (d >= 0) {
                q = p + (unsigned)d;
                GLUE(NAME, _same)(q, j);
                q = p + (size_t)d;
                GLUE(NAME, _same)(q, j);
            } else {
                q = p - (unsigned char)-d;
                GLUE(NAME, _same)(q, j);
            }
            CHECK_EQ(d, q - p);
            CHECK_EQ(-d, p - q);
            CHECK((q < p) == (d < 0) && (q > p) == (d > 0) && (q <= p) == (d <= 0) && (q >= p) == (d >= 0));
            CHECK((q == p) == (d == 0) && (q != p) == (d != 0));
        }
    }
    /* A walk up and down, by each of the four operators, keeping the value of the expression as C has it. */
    shared LAYOUT T *p = NAME;
    for (long i = 0; i < n; i++) {
        GLUE(NAME, _same)(p, i);
        if (i & 1) {
            if (i + 1 < n) GLUE(NAME, _same)(++p, i + 1); else ++p;
        } else {
            GLUE(NAME, _same)(p++, i);
        }
    }
    CHECK_EQ(n, p - NAME);
    CHECK(p == NAME + n);
    for (long i = n - 1; i >= 0; i--) {
        if (i & 1) {
            GLUE(NAME, _same)(--p, i);
        } else {
            shared LAYOUT T *before = p--;
            CHECK_EQ(i + 1, before - NAME);
        }
        GLUE(NAME, _same)(p, i);
    }
    /* Strides: constants that a compiler might treat apart, and 0. */
    for (long i = 0; i < n; i++) {
        p = &NAME[i];
        GLUE(NAME, _same)(p + 0, i);
        if (i + 1 < n) GLUE(NAME, _same)(p + 1, i + 1);
        if (i + 2 < n) GLUE(NAME, _same)(p + 2, i + 2);
        if (i + 5 < n) GLUE(NAME, _same)(p + 5, i + 5);
        if (i >= 1) GLUE(NAME, _same)(p - 1, i - 1);
        if (i >= 3) GLUE(NAME, _same)(p + -3, i - 3);
    }
    upc_barrier;
}

#undef GLUE2
#undef GLUE
#undef NAME
#undef LAYOUT
#undef B
#undef N
