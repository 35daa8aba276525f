/* Active messages: every kind of request answered by every kind of reply, arguments and payloads of all sizes, and the
 * order between a pair. */
#include <unistd.h>

#include "suite.h"

/* ---- every kind with every reply --------------------------------------------------------------------------------- */

enum kind { SHORT, MEDIUM, LONG, NOTHING };
enum { ROOM = 100000 }; /* more than a medium message anywhere holds would be better still, but slow over pipes */

static int on_request, on_reply;
static fathom_ptr room; /* 2 x ROOM everywhere: for long requests, one part each sender in turn, and for replies */
static uint64_t replies, requests;

/* What a message says of itself; the other arguments are made from the key. */
enum { KEY, HOW, BYTES, REPLY_BYTES, SAYS };

static uint64_t argument(uint64_t key, int i) { return key * 0x2545f4914f6cdd1d + (uint64_t)i; }

static void check_message(int source, const uint64_t *args, int nargs, const void *payload, size_t bytes,
                          bool is_long) {
    EQUAL(args[BYTES], bytes);
    ASSERT((payload != NULL) == (bytes != 0), "payload of %zu bytes at %p", bytes, payload);
    for (int i = SAYS; i < nargs; i++) ASSERT(args[i] == argument(args[KEY], i), "argument %d of %d differs", i, nargs);
    if (bytes) {
        if (!is_long) ASSERT(((uintptr_t)payload & 7) == 0, "payload at %p is not aligned", payload);
        PATTERN(payload, bytes, args[KEY]);
    }
    ASSERT(source >= 0 && source < count(), "comes from thread %d", source);
}

static void reply_handler(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    int kind = (int)(args[HOW] >> 8 & 15);
    check_message(gas_token_source(token), args, nargs, payload, bytes, kind == LONG);
    EQUAL(args[HOW] >> 16, gas_token_source(token));
    if (kind == LONG && bytes)
        ASSERT(payload >= here(room) && (char *)payload < (char *)here(room) + 2 * ROOM, "is at %p", payload);
    replies++;
}

static void request_handler(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    int kind = (int)(args[HOW] & 15), reply = (int)(args[HOW] >> 4 & 15), n = (int)(args[HOW] >> 8 & 31);
    int source = gas_token_source(token);
    check_message(source, args, nargs, payload, bytes, kind == LONG);
    EQUAL(args[HOW] >> 16, source);
    requests++;
    if (reply == NOTHING) return;
    uint64_t answer[GAS_MAX_ARGS], key = ~args[KEY];
    size_t size = reply == SHORT ? 0 : args[REPLY_BYTES];
    static char text[ROOM + 8];
    char *from = text + key % 8;
    fill_pattern(from, size, key);
    for (int i = SAYS; i < n; i++) answer[i] = argument(key, i);
    answer[KEY] = key, answer[HOW] = (uint64_t)reply << 8 | (uint64_t)me() << 16, answer[BYTES] = size,
    answer[REPLY_BYTES] = 0;
    if (reply == SHORT) gas_reply_short(token, on_reply, answer, n);
    if (reply == MEDIUM) gas_reply_medium(token, on_reply, from, size, answer, n);
    if (reply == LONG) gas_reply_long(token, on_reply, on(source, room) + ROOM + key % 8, from, size, answer, n);
    memset(text, 0xee, sizeof text); /* may be changed at once */
}

/* Sends one, and waits for its reply. */
static void converse(int thread, enum kind kind, enum kind reply, int nargs, int reply_nargs, size_t bytes,
                     size_t reply_bytes, unsigned misaligned) {
    uint64_t args[GAS_MAX_ARGS], key = random_word(&mine);
    static char text[ROOM + 8];
    if (kind == SHORT) bytes = 0;
    fill_pattern(text + misaligned, bytes, key);
    for (int i = SAYS; i < nargs; i++) args[i] = argument(key, i);
    args[KEY] = key;
    args[HOW] = (uint64_t)kind | (uint64_t)reply << 4 | (uint64_t)reply_nargs << 8 | (uint64_t)me() << 16;
    args[BYTES] = bytes, args[REPLY_BYTES] = reply_bytes;
    uint64_t before = replies;
    if (kind == SHORT) gas_request_short(thread, on_request, args, nargs);
    if (kind == MEDIUM) gas_request_medium(thread, on_request, text + misaligned, bytes, args, nargs);
    if (kind == LONG)
        gas_request_long(thread, on_request, on(thread, room) + misaligned, text + misaligned, bytes, args, nargs);
    memset(args, 0xee, sizeof args);
    memset(text, 0xee, sizeof text);
    if (reply != NOTHING) WAIT_UNTIL(replies == before + 1);
}

static void conversations_begin(void) {
    if (!on_request) {
        on_request = gas_register(request_handler);
        on_reply = gas_register(reply_handler);
    }
    room = everywhere(2 * ROOM + 16);
    gas_barrier();
}

CASE(messages_of_every_kind_with_every_reply_to_every_thread) {
    conversations_begin();
    for (int turn = 0; turn < count(); turn++) {
        if (turn == me())
            for (int t = 0; t < count(); t++)
                for (int kind = SHORT; kind <= LONG; kind++)
                    for (int reply = SHORT; reply <= NOTHING; reply++)
                        converse(t, kind, reply, SAYS + (t + kind) % 13, SAYS + reply, 100, 300, 0);
        gas_barrier();
    }
    free_everywhere(room);
}

CASE(messages_with_any_number_of_arguments) {
    conversations_begin();
    int t = neighbour(1);
    for (int n = SAYS; n <= GAS_MAX_ARGS; n++)
        for (int kind = SHORT; kind <= LONG; kind++) converse(t, kind, kind, n, SAYS + GAS_MAX_ARGS - n, 24, 40, 0);
    free_everywhere(room);
}

static uint64_t few_seen[SAYS];
static void few_arguments(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token;
    for (int i = 0; i < nargs; i++) EQUAL(7 * i + nargs, args[i]);
    ASSERT(!payload && !bytes, "no payload was sent");
    few_seen[nargs]++;
}
CASE(messages_with_few_arguments_or_none) {
    int h = gas_register(few_arguments);
    gas_barrier();
    for (int t = 0; t < count(); t++)
        for (int n = 0; n < SAYS; n++) {
            uint64_t args[SAYS];
            for (int i = 0; i < n; i++) args[i] = (uint64_t)(7 * i + n);
            gas_request_short(t, h, n ? args : NULL, n);
        }
    for (int n = 0; n < SAYS; n++) WAIT_UNTIL(few_seen[n] == (uint64_t)count());
}

CASE(messages_with_payloads_of_every_size_and_alignment) {
    conversations_begin();
    static const size_t edges[] = {0,   1,   2,   3,   4,    5,    7,    8,    9,    15,   16,   17,   31,
                                   32,  33,  47,  48,  63,   64,   65,   100,  127,  128,  129,  255,  256,
                                   257, 511, 512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 4000, 4095, 4096};
    for (int turn = 0; turn < count(); turn++) {
        if (turn == me())
            for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
                for (int kind = MEDIUM; kind <= LONG; kind++)
                    converse(neighbour((int)i % 3), kind, kind, SAYS, SAYS + 2, edges[i],
                             edges[sizeof edges / sizeof *edges - 1 - i], (unsigned)i % 8);
        gas_barrier();
    }
    free_everywhere(room);
}

CASE(messages_as_large_as_they_can_be) {
    conversations_begin();
    size_t most = gas_max_medium() < ROOM ? gas_max_medium() : ROOM;
    ASSERT(gas_max_medium() >= 4096, "is %zu", gas_max_medium());
    for (int turn = 0; turn < count(); turn++) {
        if (turn == me())
            for (int d = 0; d < 2; d++)
                for (int nargs = SAYS; nargs <= GAS_MAX_ARGS; nargs += GAS_MAX_ARGS - SAYS) {
                    converse(neighbour(d), MEDIUM, MEDIUM, nargs, nargs, most, most, 3);
                    converse(neighbour(d), MEDIUM, MEDIUM, nargs, nargs, most - 1, most - 7, 0);
                    converse(neighbour(d), LONG, LONG, nargs, nargs, most, most, 0);
                    if (most < ROOM) converse(neighbour(d), LONG, LONG, nargs, nargs, most + 1, most + 1, 1);
                    converse(neighbour(d), LONG, LONG, nargs, nargs, ROOM, ROOM, 5);
                }
        gas_barrier();
    }
    free_everywhere(room);
}

CASE(messages_at_random) {
    conversations_begin();
    size_t most = gas_max_medium() < 20000 ? gas_max_medium() : 20000;
    for (int turn = 0; turn < count(); turn++) {
        if (turn == me())
            for (long i = suite_rounds(200); i-- > 0;)
                converse((int)random_below(&mine, (uint64_t)count()), (enum kind)random_below(&mine, 3),
                         (enum kind)random_below(&mine, 3), (int)random_between(&mine, SAYS, GAS_MAX_ARGS),
                         (int)random_between(&mine, SAYS, GAS_MAX_ARGS), random_size(&mine, most),
                         random_size(&mine, most), (unsigned)random_below(&mine, 8));
        gas_barrier();
    }
    free_everywhere(room);
}

CASE(messages_to_oneself_have_run_when_the_call_returns) {
    conversations_begin();
    uint64_t before = requests;
    converse(me(), MEDIUM, NOTHING, SAYS, SAYS, 50, 0, 1);
    EQUAL(before + 1, requests);
    free_everywhere(room);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static int on_numbered, on_numbered_back;
static uint64_t *next_from, *next_back;
static fathom_ptr track;

static void numbered(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    int source = gas_token_source(token);
    EQUAL(next_from[source], args[0]);
    next_from[source]++;
    for (int i = 1; i < nargs; i++) EQUAL(args[0] + (uint64_t)i, args[i]);
    if (bytes) PATTERN(payload, bytes, args[0] + (uint64_t)source);
    gas_reply_short(token, on_numbered_back, args, 1);
}
static void numbered_back(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    int source = gas_token_source(token);
    EQUAL(next_back[source], args[0]);
    next_back[source]++;
}

/* Sizes and kinds alternate, so that a short message has the chance to overtake a long one. */
CASE(messages_between_a_pair_keep_their_order) {
    on_numbered = gas_register(numbered), on_numbered_back = gas_register(numbered_back);
    next_from = calloc((size_t)count(), sizeof *next_from), next_back = calloc((size_t)count(), sizeof *next_back);
    enum { PART = 40000 };
    track = everywhere((size_t)PART * (size_t)count());
    char *text = malloc(PART);
    gas_barrier();
    long rounds = suite_rounds(300);
    for (long i = 0; i < rounds; i++)
        for (int d = 0; d < count(); d++) {
            int t = neighbour(d), nargs = (int)random_between(&mine, 1, GAS_MAX_ARGS);
            uint64_t args[GAS_MAX_ARGS];
            for (int a = 0; a < nargs; a++) args[a] = (uint64_t)(i + a);
            size_t n = random_size(&mine, gas_max_medium() < PART ? gas_max_medium() : PART);
            int kind = (int)random_below(&mine, 3);
            fill_pattern(text, n, (uint64_t)(i + me()));
            if (kind == SHORT) gas_request_short(t, on_numbered, args, nargs);
            if (kind == MEDIUM) gas_request_medium(t, on_numbered, text, n, args, nargs);
            /* The place of a long message is used again only when nobody reads it any more. */
            if (kind == LONG) {
                WAIT_UNTIL(next_back[t] == (uint64_t)i);
                gas_request_long(t, on_numbered, on(t, track) + (size_t)PART * (size_t)me(), text, n, args, nargs);
            }
        }
    for (int t = 0; t < count(); t++) WAIT_UNTIL(next_back[t] == (uint64_t)rounds);
    gas_barrier();
    for (int t = 0; t < count(); t++) EQUAL(rounds, next_from[t]);
    free_everywhere(track);
    free(text), free(next_from), free(next_back);
}

CASE(messages_long_land_before_their_handler_and_nowhere_else) {
    conversations_begin();
    fathom_ptr area = everywhere(4096);
    memset(here(area), 0x55, 4096);
    gas_barrier();
    for (int turn = 0; turn < count(); turn++) {
        if (turn == me())
            for (size_t n = 0; n < 70; n += 3) {
                int t = neighbour(1);
                uint64_t key = random_word(&mine);
                uint64_t args[SAYS] = {key, LONG | NOTHING << 4 | (uint64_t)me() << 16, n, 0};
                char text[80];
                fill_pattern(text, n, key);
                gas_request_long(t, on_request, on(t, area) + 100, text, n, args, SAYS);
                converse(t, SHORT, SHORT, SAYS, SAYS, 0, 0, 0); /* in order: the long one has been delivered */
                uint8_t back[200];
                gas_get(back, on(t, area), sizeof back);
                for (size_t i = 0; i < sizeof back; i++)
                    EQUAL(i >= 100 && i < 100 + n ? pattern(key, i - 100) : 0x55, back[i]);
            }
        gas_barrier();
    }
    free_everywhere(area);
    free_everywhere(room);
}

/* ---- if there is room, and packed in place ----------------------------------------------------------------------- */

static uint64_t came, order_of[1024];
static void in_order(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    int source = gas_token_source(token);
    ASSERT(nargs == 2 || nargs == GAS_MAX_ARGS, "%d arguments", nargs);
    EQUAL(order_of[source]++, args[0]);
    EQUAL(args[1], bytes);
    if (bytes) PATTERN(payload, bytes, args[0] + (uint64_t)source);
    came++;
}

/* Its number; from now on messages are counted. */
static int count_in_order(void) {
    static int on_it;
    if (!on_it) on_it = gas_register(in_order);
    came = 0;
    memset(order_of, 0, sizeof order_of);
    return on_it;
}

/* A receiver that does not look has room for a while, and then none: who tries is told so, and does not wait. */
CASE(messages_that_are_sent_if_there_is_room) {
    int on_it = count_in_order();
    if (count() > 1024) return;
    size_t most = gas_max_medium();
    char *text = malloc(most);
    gas_barrier();
    int to = neighbour(1);
    enum { TRIES = 3000 };
    uint64_t sent = 0, refused = 0;
    for (int i = 0; i < TRIES; i++) {
        size_t n = i % 3 ? random_size(&mine, most) : 0;
        uint64_t args[] = {sent, n};
        fill_pattern(text, n, sent + (uint64_t)me());
        bool went = n ? gas_try_request_medium(to, on_it, text, n, args, 2) : gas_try_request_short(to, on_it, args, 2);
        memset(args, 0xee, sizeof args);
        sent += went, refused += !went;
    }
    if (count() == 1) EQUAL(0, refused);
    fathom_ptr all = everywhere(8);
    gas_put_value(on(to, all), sent, 8);
    gas_barrier();
    WAIT_UNTIL(came == *(uint64_t *)here(all));
    free(text);
    free_everywhere(all);
}

/* Thread 0 takes none until the others have been refused, which it learns without a message. */
CASE(messages_that_find_no_room_are_not_sent) {
    int on_it = count_in_order();
    int near;
    gas_near(&near);
    if (count() == 1 || count() > 1024 || near < count()) return;
    fathom_ptr all = everywhere(16); /* thread 0: how many have been refused; how many messages have been sent */
    memset(here(all), 0, 16);
    gas_barrier();
    uint64_t *at = here(all);
    if (me() == 0) {
        while (__atomic_load_n(at, __ATOMIC_ACQUIRE) < (uint64_t)count() - 1) usleep(100);
        WAIT_UNTIL(came == __atomic_load_n(&at[1], __ATOMIC_ACQUIRE));
    } else {
        int64_t sent = 0;
        while (gas_try_request_short(0, on_it, (uint64_t[]){(uint64_t)sent, 0}, 2)) sent++;
        gas_atomic(NULL, on(0, all) + 8, GAS_I64, GAS_ADD, &sent, NULL);
        gas_atomic(NULL, on(0, all), GAS_I64, GAS_INC, NULL, NULL);
    }
    free_everywhere(all);
}

/* Whatever is packed, and wherever it lies, others find room. */
CASE(messages_of_any_size_leave_before_one_that_is_packed) {
    int on_it = count_in_order();
    if (count() > 1024) return;
    gas_barrier();
    uint64_t sent = 0;
    int to = neighbour(1);
    size_t most = gas_max_medium();
    char *text = malloc(most);
    for (long i = suite_rounds(150); i-- > 0;) {
        size_t n = random_size(&mine, most), before = i % 2 ? most : random_size(&mine, most);
        char *at = gas_request_prepare(to, i % 3 ? most - n / 16 : n, 2);
        for (int k = 0; k < 3; k++) {
            fill_pattern(text, before, sent + (uint64_t)me());
            gas_request_medium(to, on_it, text, before, (uint64_t[GAS_MAX_ARGS]){sent, before}, GAS_MAX_ARGS);
            sent++;
        }
        if (i % 3) n = most - n / 16;
        fill_pattern(at, n, sent + (uint64_t)me());
        gas_request_commit(on_it, n, (uint64_t[]){sent, n});
        sent++;
    }
    free(text);
    WAIT_UNTIL(came == sent);
    gas_barrier();
}

CASE(messages_that_are_packed_in_place) {
    int on_it = count_in_order();
    if (count() > 1024) return;
    fathom_ptr all = everywhere(8);
    *(uint64_t *)here(all) = 0;
    uint64_t sent[1024] = {0};
    gas_barrier();
    for (long i = suite_rounds(2000); i-- > 0;) {
        int to = (int)random_below(&mine, (uint64_t)count());
        size_t most = i % 8 ? 300 : gas_max_medium(), room = random_size(&mine, most), n = room - room / 3 * (i % 2);
        char *at = gas_request_prepare(to, room, 2);
        ASSERT(((uintptr_t)at & 7) == 0, "the room at %p is not aligned", (void *)at);
        if (i % 5 == 0) { /* others leave before it */
            char text[200];
            fill_pattern(text, sizeof text, sent[to] + (uint64_t)me());
            gas_request_medium(to, on_it, text, sizeof text, (uint64_t[]){sent[to]++, sizeof text}, 2);
        }
        if (i % 7 == 0) gas_poll();
        fill_pattern(at, n, sent[to] + (uint64_t)me());
        uint64_t args[] = {sent[to]++, n};
        gas_request_commit(on_it, n, args);
        memset(args, 0xee, sizeof args);
    }
    for (int t = 0; t < count(); t++) gas_atomic(NULL, on(t, all), GAS_U64, GAS_ADD, &sent[t], NULL);
    gas_barrier();
    WAIT_UNTIL(came == *(uint64_t *)here(all));
    free_everywhere(all);
}
