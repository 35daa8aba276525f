/* Every assignment operator and ++/-- on a shared lvalue of one arithmetic type, against the same on a private one. Included
 * once for each type: define T, NAME, INTEGER (1 if %, <<, >>, &, ^, | apply). The lvalues: a scalar, an element of
 * another thread, *p, p->member of a shared structure, strict, and through an index with a side effect.
 */
#define GLUE2(a, b) a##b
#define GLUE(a, b) GLUE2(a, b)
#define S GLUE(NAME, _scalar)
#define A GLUE(NAME, _array)
#define R GLUE(NAME, _record)

shared T S;
shared [2] T A[6 * THREADS];
shared struct {
    char before;
    T member;
    char after;
} R[THREADS];
strict shared T GLUE(NAME, _strict)[THREADS];

#define BOTH(op, operand)                                     \
    do {                                                      \
        T expected_value, got;                                \
        model = start;                                        \
        lvalue = start;                                       \
        expected_value = (model op (operand));                \
        got = (lvalue op (operand));                          \
        CHECK(expected_value == got);                         \
        CHECK(lvalue == model);                               \
    } while (0)
#define STEP(before, after)                                   \
    do {                                                      \
        T expected_value, got;                                \
        model = start;                                        \
        lvalue = start;                                       \
        expected_value = before model after;                  \
        got = before lvalue after;                            \
        CHECK(expected_value == got);                         \
        CHECK(lvalue == model);                               \
    } while (0)

#if INTEGER
#define INTEGER_OPERATORS         \
    BOTH(%=, 7);                  \
    BOTH(<<=, 1);                 \
    BOTH(>>=, 1);                 \
    BOTH(&=, 0x5b);               \
    BOTH(|=, 0x24);               \
    BOTH(^=, 0x3c);               \
    BOTH(&=, (short)-2);          \
    BOTH(-=, 1ull);
#else
#define INTEGER_OPERATORS BOTH(*=, 1.5L); BOTH(/=, 0.25f); BOTH(+=, 1 / 3.0);
#endif

#define ALL_OPERATORS             \
    BOTH(=, 9);                   \
    BOTH(+=, 5);                  \
    BOTH(-=, 3);                  \
    BOTH(*=, 2);                  \
    BOTH(/=, 3);                  \
    BOTH(+=, 0.75);               \
    BOTH(*=, 0.5f);               \
    BOTH(+=, 'a');                \
    BOTH(+=, lvalue);             \
    BOTH(-=, lvalue);             \
    STEP(++, );                   \
    STEP(--, );                   \
    STEP(, ++);                   \
    STEP(, --);                   \
    INTEGER_OPERATORS

static void GLUE(NAME, _check)(void) {
    T model;
    const T start = 41;
    int neighbour = (MYTHREAD + 1) % THREADS;
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD) {
#define lvalue S
            ALL_OPERATORS
#undef lvalue
        }
        upc_barrier;
    }
#define lvalue A[2 * neighbour + 1]
    ALL_OPERATORS
#undef lvalue
    upc_barrier;
    shared [2] T *p = &A[6 * THREADS - 2 * MYTHREAD - 1];
#define lvalue (*p)
    ALL_OPERATORS
#undef lvalue
#define lvalue p[-1]
    ALL_OPERATORS
#undef lvalue
    R[neighbour].before = 'b';
    R[neighbour].after = 'a';
#define lvalue R[neighbour].member
    ALL_OPERATORS
#undef lvalue
    CHECK(R[neighbour].before == 'b' && R[neighbour].after == 'a');
#define lvalue GLUE(NAME, _strict)[neighbour]
    ALL_OPERATORS
#undef lvalue
    T *local = (T *)&A[2 * MYTHREAD];
#define lvalue (*local)
    ALL_OPERATORS
#undef lvalue
    /* The lvalue is evaluated once. */
    upc_barrier;
    if (MYTHREAD == 0) {
        int i = 0;
        A[0] = 10;
        A[1] = 20;
        A[2] = 30;
        A[i++] += 1;
        CHECK_EQ(1, i);
        CHECK(A[0] == 11 && A[1] == 20);
        A[i++]++;
        CHECK(A[1] == 21 && i == 2);
        shared [2] T *q = A;
        *q++ += 4;
        CHECK(A[0] == 15 && q == A + 1);
        (*q++)--;
        CHECK(A[1] == 20 && q == A + 2);
        *--q *= 2;
        CHECK(A[1] == 40 && A[2] == 30 && q == A + 1);
        A[0] = A[1] = A[2] = 3;
        CHECK(A[0] == 3 && A[1] == 3 && A[2] == 3);
    }
    upc_barrier;
}

#undef GLUE2
#undef GLUE
#undef S
#undef A
#undef R
#undef BOTH
#undef STEP
#undef ALL_OPERATORS
#undef INTEGER_OPERATORS
#undef T
#undef NAME
#undef INTEGER
