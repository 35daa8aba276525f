/* One shared array under test. Included once for each: define NAME, LAYOUT (the qualifier's brackets, or nothing),
 * B (the block size that the specification gives it, 0 if indefinite), N (its elements), T (the element type).
 *
 * Elements are written by a thread that (mostly) does not own them and read by all; every byte differs from those of
 * its neighbours, so that an element in the wrong place, or of the wrong size, is seen. Then affinity, phase and local
 * addresses are compared with the model of layout.h, and local reads through a pointer-to-local with the values.
 */
shared LAYOUT T NAME[N];

#define GLUE2(a, b) a##b
#define GLUE(a, b) GLUE2(a, b)

static T GLUE(NAME, _value)(long i) {
    T v;
    for (size_t k = 0; k < sizeof v; k++) ((unsigned char *)&v)[k] = (unsigned char)((i * 7 + (long)k * 13 + 1) & 0x3f);
    return v;
}

static void GLUE(NAME, _check)(void) {
    long n = N, b = B;
    T zero, v;
    memset(&zero, 0, sizeof zero);

    CHECK_EQ((long)(n * sizeof(T)), sizeof NAME);
    CHECK_EQ(sizeof(T), upc_elemsizeof(NAME));
    CHECK_EQ(b, upc_blocksizeof(NAME));
    CHECK_EQ(0, upc_phaseof(&NAME));
    CHECK_EQ(0, upc_threadof(&NAME));

    /* Static shared objects start as zero (6.7.8 of C). */
    for (long i = MYTHREAD; i < n; i += THREADS) {
        v = NAME[i];
        CHECK(memcmp(&v, &zero, sizeof v) == 0);
    }
    upc_barrier;

    for (long i = 0; i < n; i++)
        if ((owner_of(i, b, THREADS) + 1 + i) % THREADS == MYTHREAD) NAME[i] = GLUE(NAME, _value)(i);
    upc_barrier;

    long mine = 0;
    for (long i = 0; i < n; i++) {
        T want = GLUE(NAME, _value)(i);
        v = NAME[i];
        CHECK(memcmp(&v, &want, sizeof v) == 0);
        CHECK_EQ(owner_of(i, b, THREADS), upc_threadof(&NAME[i]));
        CHECK_EQ(phase_of(i, b), upc_phaseof(&NAME[i]));
        if (owner_of(i, b, THREADS) == MYTHREAD) {
            T *local = (T *)&NAME[i];
            CHECK(memcmp(local, &want, sizeof v) == 0);
            long first = b == 0 ? 0 : MYTHREAD * b;
            CHECK_EQ(place_of(i, b, THREADS), mine);
            CHECK_EQ(mine, local - (T *)&NAME[first]);
            CHECK_EQ((long)(mine * sizeof(T)), (ptrdiff_t)upc_addrfield(&NAME[i]) - (ptrdiff_t)upc_addrfield(&NAME[first]));
            mine++;
        }
    }
    CHECK((long)upc_localsizeof(NAME) >= (long)(mine * sizeof(T)));
    upc_barrier;
}

#undef GLUE2
#undef GLUE
#undef NAME
#undef LAYOUT
#undef B
#undef N
