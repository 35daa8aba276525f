/* Everything at once: operations of all kinds, sizes and ways to wait for them, at random, in any mixture, with all
 * contents checked against mirrors in private memory. `--times 1000 stress` makes millions of them.
 *
 * On every thread, each thread has a strip that it alone writes: so it knows at any time what must be there. A strip is
 * divided into lanes; in each lane at most one operation is under way.
 */
#include "suite.h"

enum { LANES = 12, LANE = 3000, STRIP = LANES * LANE, OPS_BETWEEN_MEETINGS = 1000 };

struct lane {
    gas_handle op;
    bool implicit_get, implicit_put; /* under way without a handle */
    uint64_t signalled;              /* what the counter of signals must reach; 0: nothing under way */
    bool check;                      /* a get: `got` must equal `expected` when it is complete */
    size_t n;
    uint8_t got[LANE], expected[LANE];
    uint8_t text[LANE]; /* of a put under way */
};

static fathom_ptr strips, words, counters, signals, locks;
static uint8_t *mirror;         /* [thread][STRIP] */
static int64_t *word_mirror;    /* [thread]: this thread's own word there */
static uint64_t *added;         /* [thread]: what this thread added to the counter there */
static uint64_t *signalled;     /* [thread]: this thread's signals to it, counted in its own word there */
static uint64_t *locked;        /* [thread]: what this thread added under the lock there */
static struct lane *lanes;      /* [thread][LANES] */
static uint64_t kinds_done[32]; /* KINDS of them */

static struct lane *lane_of(int t, int l) { return &lanes[t * LANES + l]; }
static fathom_ptr at(int t, int l, size_t offset) {
    return on(t, strips) + (size_t)STRIP * (size_t)me() + (size_t)l * LANE + offset;
}
static uint8_t *mirror_at(int t, int l, size_t offset) {
    return mirror + (size_t)STRIP * (size_t)t + (size_t)l * LANE + offset;
}

static void lane_check(struct lane *s) {
    if (s->check) ASSERT(memcmp(s->got, s->expected, s->n) == 0, "a get of %zu bytes brought something else", s->n);
    s->check = false;
}
static void lane_done(struct lane *s) {
    s->implicit_get = s->implicit_put = false;
    lane_check(s);
}
static void settle(struct lane *s) {
    if (s->op) gas_wait(&s->op);
    if (s->signalled) {
        fathom_ptr counter = on((int)(s - lanes) / LANES, signals) + 8 * (fathom_ptr)me();
        WAIT_UNTIL(gas_get_value(counter, 8) >= s->signalled);
        s->signalled = 0;
    }
    if (s->implicit_get || s->implicit_put) {
        bool gets = s->implicit_get, puts = s->implicit_put;
        switch (random_below(&mine, 3)) {
        case 0: gas_sync(), gets = puts = true; break;
        case 1:
            if (gets) gas_sync_gets();
            if (puts) gas_sync_puts();
            break;
        default:
            if (gets) WAIT_UNTIL(gas_test_gets());
            if (puts) WAIT_UNTIL(gas_test_puts());
        }
        for (int i = 0; i < LANES * count(); i++) {
            if (gets) lanes[i].implicit_get = false;
            if (puts) lanes[i].implicit_put = false;
            if (!lanes[i].op && !lanes[i].implicit_get && !lanes[i].implicit_put) lane_check(&lanes[i]);
        }
    }
    lane_done(s);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static int on_request, on_reply;
static uint64_t asked, answered, wrong;

static uint64_t checksum(const void *at, size_t n, uint64_t key) {
    uint64_t h = key;
    for (size_t i = 0; i < n; i++) h = (h ^ ((const uint8_t *)at)[i]) * 0x100000001b3;
    return h;
}
static void request(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    static uint64_t back[8192];
    uint64_t sum = checksum(payload, bytes, args[0]);
    if (sum != args[1]) wrong++;
    size_t n = args[2];
    for (size_t i = 0; i < n; i++) back[i] = sum + i;
    uint64_t answer[] = {sum, n};
    if (n)
        gas_reply_medium(token, on_reply, back, n * 8, answer, 2);
    else
        gas_reply_short(token, on_reply, answer, 2);
    (void)nargs;
}
static void reply(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    if (bytes != args[1] * 8) wrong++;
    for (size_t i = 0; i < args[1]; i++)
        if (((uint64_t *)payload)[i] != args[0] + i) wrong++;
    answered++;
    (void)token, (void)nargs;
}
static void send_one(int t) {
    static uint8_t text[4096];
    size_t n = random_size(&mine, sizeof text);
    uint64_t key = random_word(&mine);
    fill_pattern(text, n, key);
    uint64_t args[GAS_MAX_ARGS] = {key, checksum(text, n, key), random_size(&mine, 500)};
    int nargs = (int)random_between(&mine, 3, GAS_MAX_ARGS);
    if (n)
        gas_request_medium(t, on_request, text, n, args, nargs);
    else
        gas_request_short(t, on_request, args, nargs);
    asked++;
    if (random_below(&mine, 8) == 0) WAIT_UNTIL(answered == asked);
}

/* ---- one operation ----------------------------------------------------------------------------------------------- */

enum {
    PUT,
    GET,
    PUT_NB,
    GET_NB,
    PUT_NBI,
    GET_NBI,
    VALUE,
    FILL,
    COPY,
    STRIDED_PUT,
    STRIDED_GET,
    INDEXED,
    LIST,
    SIGNAL,
    OWN_ATOMIC,
    ADD,
    ADD_NB,
    MESSAGE,
    LOCK,
    HEAP,
    FENCE,
    REGION,
    TEST,
    KINDS
};

static void one(void) {
    int t = (int)random_below(&mine, (uint64_t)count()), l = (int)random_below(&mine, LANES);
    size_t n = random_size(&mine, LANE), off = random_below(&mine, LANE - n + 1);
    int kind = (int)random_below(&mine, KINDS);
    struct lane *s = lane_of(t, l);
    uint64_t key = random_word(&mine);
    uint8_t *m = mirror_at(t, l, off);
    kinds_done[kind]++;
    switch (kind) {
    case PUT:
        settle(s);
        fill_pattern(m, n, key);
        gas_put(at(t, l, off), m, n);
        break;
    case PUT_NB:
    case PUT_NBI:
        settle(s);
        fill_pattern(m, n, key);
        memcpy(s->text, m, n);
        if (kind == PUT_NB)
            s->op = gas_put_nb(at(t, l, off), s->text, n);
        else
            gas_put_nbi(at(t, l, off), s->text, n), s->implicit_put = true;
        break;
    case GET:
        settle(s);
        gas_get(s->got, at(t, l, off), n);
        ASSERT(memcmp(s->got, m, n) == 0, "a get of %zu bytes brought something else", n);
        break;
    case GET_NB:
    case GET_NBI:
        settle(s);
        memcpy(s->expected, m, n);
        s->n = n, s->check = true;
        if (kind == GET_NB)
            s->op = gas_get_nb(s->got, at(t, l, off), n);
        else
            gas_get_nbi(s->got, at(t, l, off), n), s->implicit_get = true;
        break;
    case VALUE: {
        settle(s);
        size_t bytes = (size_t)1 << random_below(&mine, 4);
        off = random_below(&mine, LANE - bytes + 1);
        memcpy(mirror_at(t, l, off), &key, bytes);
        gas_put_value(at(t, l, off), key, bytes);
        EQUAL(bytes == 8 ? key : key & (((uint64_t)1 << 8 * bytes) - 1), gas_get_value(at(t, l, off), bytes));
        break;
    }
    case FILL:
        settle(s);
        memset(m, (int)(key & 255), n);
        if (key & 256)
            gas_fill(at(t, l, off), (int)(key & 255), n);
        else
            s->op = gas_fill_nb(at(t, l, off), (int)(key & 255), n);
        break;
    case COPY: {
        int u = (int)random_below(&mine, (uint64_t)count()), k = (int)random_below(&mine, LANES);
        if (u == t && k == l) break;
        settle(s), settle(lane_of(u, k));
        size_t from = random_below(&mine, LANE - n + 1);
        memcpy(m, mirror_at(u, k, from), n);
        if (key & 1) {
            gas_copy(at(t, l, off), at(u, k, from), n);
        } else {
            gas_handle h = gas_copy_nb(at(t, l, off), at(u, k, from), n);
            gas_wait(&h);
        }
        break;
    }
    case STRIDED_PUT:
    case STRIDED_GET: {
        settle(s);
        size_t elem = 1 + random_below(&mine, 40), counts[2] = {1 + random_below(&mine, 6), 1 + random_below(&mine, 6)};
        ptrdiff_t far[2], near[2] = {(ptrdiff_t)(elem * counts[1]), (ptrdiff_t)elem};
        far[1] = (ptrdiff_t)(elem + random_below(&mine, 10));
        far[0] = far[1] * (ptrdiff_t)counts[1] + (ptrdiff_t)random_below(&mine, 50);
        for (size_t i = 0; i < counts[0]; i++)
            for (size_t j = 0; j < counts[1]; j++) {
                uint8_t *element = mirror_at(t, l, (size_t)(far[0] * (ptrdiff_t)i + far[1] * (ptrdiff_t)j));
                uint8_t *packed = s->text + elem * (i * counts[1] + j);
                if (kind == STRIDED_PUT)
                    fill_pattern(packed, elem, key + i * 100 + j), memcpy(element, packed, elem);
                else
                    memcpy(packed, element, elem);
            }
        if (kind == STRIDED_PUT) {
            s->op = gas_put_strided_nb(at(t, l, 0), far, s->text, near, elem, counts, 2);
        } else {
            gas_get_strided(s->got, near, at(t, l, 0), far, elem, counts, 2);
            ASSERT(memcmp(s->got, s->text, elem * counts[0] * counts[1]) == 0, "a strided get brought something else");
        }
        break;
    }
    case INDEXED: { /* an element in this lane on every thread */
        fathom_ptr places[count()];
        const void *from[count()];
        void *to[count()];
        uint64_t out[count()], in[count()];
        for (int u = 0; u < count(); u++) {
            settle(lane_of(u, l));
            size_t o = random_below(&mine, LANE / 8) * 8;
            places[u] = at(u, l, o), out[u] = key + (uint64_t)u, from[u] = &out[u], to[u] = &in[u];
            memcpy(mirror_at(u, l, o), &out[u], 8);
        }
        gas_put_indexed(places, from, 8, (size_t)count());
        gas_get_indexed(to, places, 8, (size_t)count());
        for (int u = 0; u < count(); u++) EQUAL(out[u], in[u]);
        break;
    }
    case LIST: {
        settle(s);
        struct gas_remote_region places[3];
        size_t each = random_below(&mine, LANE / 3);
        for (int i = 0; i < 3; i++) places[i] = (struct gas_remote_region){at(t, l, (size_t)i * (LANE / 3)), each};
        fill_pattern(s->text, 3 * each, key);
        for (size_t i = 0; i < 3; i++) memcpy(mirror_at(t, l, i * (LANE / 3)), s->text + i * each, each);
        s->op = gas_put_list_nb(places, 3, &(struct gas_region){s->text, 3 * each}, 1);
        break;
    }
    case SIGNAL:
        settle(s);
        fill_pattern(m, n, key);
        s->signalled = signalled[t] += 1 + (key & 7);
        gas_put_signal(at(t, l, off), m, n, on(t, signals) + 8 * (fathom_ptr)me(), 1 + (key & 7));
        break;
    case OWN_ATOMIC: {
        fathom_ptr word = on(t, words) + 8 * (fathom_ptr)me();
        int64_t was, operand = (int64_t)(key % 1000) - 500;
        enum gas_atomic_op op = (enum gas_atomic_op[]){GAS_ADD, GAS_XOR, GAS_SWAP, GAS_MAX}[key >> 32 & 3];
        gas_atomic(&was, word, GAS_I64, op, &operand, NULL);
        EQUAL(word_mirror[t], was);
        word_mirror[t] = op == GAS_ADD                     ? was + operand
                         : op == GAS_XOR                   ? (was ^ operand)
                         : op == GAS_SWAP || operand > was ? operand
                                                           : was;
        break;
    }
    case ADD:
        added[t] += key & 15;
        gas_atomic(NULL, on(t, counters), GAS_U64, GAS_ADD, &(uint64_t){key & 15}, NULL);
        break;
    case ADD_NB:
        settle(s);
        added[t] += key & 15;
        s->op = gas_atomic_nb(s->got, on(t, counters), GAS_U64, GAS_ADD, &(uint64_t){key & 15}, NULL);
        break;
    case MESSAGE: send_one(t); break;
    case LOCK:
        if (key % 8) break;
        gas_lock(on(t, locks));
        gas_put_value(on(t, counters) + 8, gas_get_value(on(t, counters) + 8, 8) + 1, 8);
        gas_unlock(on(t, locks));
        locked[t]++;
        break;
    case HEAP: {
        fathom_ptr p = gas_alloc(n + 1);
        ASSERT(p, "no room");
        memset(fathom_local(p), 0x77, n);
        gas_free(p);
        break;
    }
    case FENCE: fathom_fence(); break;
    case REGION: {
        settle(s);
        gas_region_begin();
        fill_pattern(m, n, key);
        memcpy(s->text, m, n);
        gas_put_nbi(at(t, l, off), s->text, n / 2);
        gas_put_nbi(at(t, l, off + n / 2), s->text + n / 2, n - n / 2);
        s->op = gas_region_end();
        break;
    }
    default:
        if (s->op && gas_test(&s->op)) lane_done(s);
        gas_poll();
    }
}

/* All threads together: counters are what was added, and every strip is what its writer knows. */
static void meet(void) {
    for (int i = 0; i < LANES * count(); i++) settle(&lanes[i]);
    WAIT_UNTIL(answered == asked);
    EQUAL(0, wrong);
    fathom_fence();
    gas_barrier();
    uint64_t sums[count()], sums_locked[count()];
    gas_all_reduce(gas_world(), sums, added, (size_t)count(), GAS_U64, GAS_ADD, 0);
    gas_all_reduce(gas_world(), sums_locked, locked, (size_t)count(), GAS_U64, GAS_ADD, 0);
    EQUAL(sums[me()], ((uint64_t *)here(counters))[0]);
    EQUAL(sums_locked[me()], ((uint64_t *)here(counters))[1]);
    int t = (int)random_below(&mine, (uint64_t)count());
    static uint8_t back[STRIP];
    gas_get(back, at(t, 0, 0), STRIP);
    ASSERT(memcmp(back, mirror + (size_t)STRIP * (size_t)t, STRIP) == 0, "the strip on thread %d differs", t);
    gas_barrier();
}

CASE(stress_of_all_operations_mixed_at_random) {
    size_t threads = (size_t)count();
    on_request = gas_register(request), on_reply = gas_register(reply);
    strips = everywhere(STRIP * threads), words = everywhere(8 * threads), signals = everywhere(8 * threads);
    counters = everywhere(64), locks = everywhere(64);
    memset(here(strips), 0, STRIP * threads), memset(here(words), 0, 8 * threads);
    memset(here(signals), 0, 8 * threads);
    memset(here(counters), 0, 64), memset(here(locks), 0, 64);
    mirror = calloc(threads, STRIP), word_mirror = calloc(threads, 8), added = calloc(threads, 8),
    locked = calloc(threads, 8);
    signalled = calloc(threads, 8);
    lanes = calloc(threads * LANES, sizeof *lanes);
    ASSERT(mirror && word_mirror && added && signalled && locked && lanes, "no memory");
    gas_barrier();
    long rounds = suite_rounds(3000);
    for (long i = 1; i <= rounds; i++) {
        one();
        if (i % OPS_BETWEEN_MEETINGS == 0) meet();
    }
    meet();
    for (int kind = 0; kind < KINDS; kind++) ASSERT(kinds_done[kind] || rounds < 2000, "kind %d never came up", kind);
    if (suite_times > 1 && me() == 0)
        printf("%ld operations of %d kinds on each of %d threads\n", rounds, KINDS, count());
    free(lanes), free(locked), free(signalled), free(added), free(word_mirror), free(mirror);
    free_everywhere(locks), free_everywhere(counters), free_everywhere(signals), free_everywhere(words),
        free_everywhere(strips);
}
