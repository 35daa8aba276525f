/* Active messages when everybody floods everybody: nothing is lost, doubled or reordered, and nobody waits for ever,
 * with handlers that reply and replies as large as they may be. */
#include "suite.h"

static int on_flood, on_flood_back;
static uint64_t *arrived, *returned, *sum_arrived, *sum_returned;

static void flood(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    int source = gas_token_source(token);
    EQUAL(arrived[source], args[0]);
    EQUAL(bytes, args[1]);
    if (bytes) PATTERN(payload, bytes, args[0]);
    arrived[source]++;
    sum_arrived[source] += args[2];
    if (args[3] == 0) return;
    static char text[65536];
    size_t n = args[3] - 1;
    fill_pattern(text, n, args[2]);
    uint64_t back[] = {args[0], n, args[2]};
    if (n)
        gas_reply_medium(token, on_flood_back, text, n, back, 3);
    else
        gas_reply_short(token, on_flood_back, back, 3);
    (void)nargs;
}
static void flood_back(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    int source = gas_token_source(token);
    (void)nargs;
    EQUAL(bytes, args[1]);
    if (bytes) PATTERN(payload, bytes, args[2]);
    returned[source]++;
    sum_returned[source] += args[2];
}

static void flood_begin(void) {
    if (!on_flood) {
        on_flood = gas_register(flood), on_flood_back = gas_register(flood_back);
        size_t n = (size_t)count();
        arrived = malloc(n * 8), returned = malloc(n * 8), sum_arrived = malloc(n * 8), sum_returned = malloc(n * 8);
    }
    for (int t = 0; t < count(); t++) arrived[t] = returned[t] = sum_arrived[t] = sum_returned[t] = 0;
    gas_barrier();
}

/* Sends `rounds` messages to each of `targets` threads (me + 1, ...), with payloads to `most` and replies to
 * `most_back` (0: none; 1 + bytes), then waits for all replies, and checks what has arrived from everybody. */
static void flood_all(long rounds, int targets, size_t most, size_t most_back) {
    char *text = malloc(most + 8);
    uint64_t sent_sum[targets > 0 ? targets : 1], replies_due[targets > 0 ? targets : 1],
        due_sum[targets > 0 ? targets : 1];
    memset(sent_sum, 0, sizeof sent_sum), memset(replies_due, 0, sizeof replies_due),
        memset(due_sum, 0, sizeof due_sum);
    for (long i = 0; i < rounds; i++)
        for (int d = 0; d < targets; d++) {
            size_t n = most ? random_size(&mine, most) : 0;
            uint64_t args[] = {(uint64_t)i, n, random_word(&mine), most_back ? random_below(&mine, most_back + 1) : 0};
            fill_pattern(text, n, (uint64_t)i);
            if (n)
                gas_request_medium(neighbour(d), on_flood, text, n, args, 4);
            else
                gas_request_short(neighbour(d), on_flood, args, 4);
            sent_sum[d] += args[2];
            if (args[3]) replies_due[d]++, due_sum[d] += args[2];
        }
    for (int d = 0; d < targets; d++) WAIT_UNTIL(returned[neighbour(d)] == replies_due[d]);
    for (int d = 0; d < targets; d++) EQUAL(due_sum[d], sum_returned[neighbour(d)]);
    /* Messages without replies: each thread learns of each other how much to expect. */
    fathom_ptr sums = everywhere((size_t)count() * 16);
    for (int d = 0; d < targets; d++) {
        uint64_t mine[] = {(uint64_t)rounds, sent_sum[d]};
        gas_put(on(neighbour(d), sums) + 16 * (fathom_ptr)me(), mine, 16);
    }
    gas_barrier();
    const uint64_t *expected = here(sums);
    for (int t = 0; t < count(); t++) {
        WAIT_UNTIL(arrived[t] >= expected[2 * t]);
        EQUAL(expected[2 * t], arrived[t]);
        EQUAL(expected[2 * t + 1], sum_arrived[t]);
    }
    free_everywhere(sums);
    free(text);
}

CASE(flood_of_short_messages_without_replies) {
    flood_begin();
    flood_all(suite_rounds(2000), count(), 0, 0);
}
CASE(flood_of_short_messages_with_short_replies) {
    flood_begin();
    flood_all(suite_rounds(1000), count(), 0, 1);
}
CASE(flood_of_medium_messages_with_medium_replies) {
    flood_begin();
    flood_all(suite_rounds(300), count(), 4096, 4096);
}
CASE(flood_of_the_largest_messages_with_the_largest_replies) {
    flood_begin();
    size_t most = gas_max_medium() < 65000 ? gas_max_medium() : 65000;
    flood_all(suite_rounds(60), count(), most, most);
}
CASE(flood_of_small_requests_with_large_replies) {
    flood_begin();
    size_t most = gas_max_medium() < 65000 ? gas_max_medium() : 65000;
    flood_all(suite_rounds(100), count(), 8, most);
}
/* All flood thread 0, which floods nobody. */
CASE(flood_of_one_thread_by_all) {
    flood_begin();
    long rounds = suite_rounds(1000);
    uint64_t to_zero = 0;
    for (long i = 0; i < rounds && me() != 0; i++) {
        uint64_t args[] = {(uint64_t)i, 0, 1, 1};
        gas_request_short(0, on_flood, args, 4);
        to_zero++;
    }
    WAIT_UNTIL(returned[0] == to_zero);
    gas_barrier();
    if (me() == 0)
        for (int t = 1; t < count(); t++) EQUAL(rounds, arrived[t]);
}
/* A thread that sends to one that does not look for a while neither loses anything nor stops for good. */
CASE(flood_of_a_thread_that_is_busy) {
    flood_begin();
    int h = neighbour(1);
    long rounds = suite_rounds(3000);
    if (me() % 2 == 0 && count() > 1)
        for (long i = 0; i < rounds; i++) {
            uint64_t args[] = {(uint64_t)i, 0, 1, 1};
            gas_request_short(h, on_flood, args, 4);
        }
    else
        for (volatile long spin = 0; spin < 20000000; spin++) {}
    uint64_t due = me() % 2 == 0 && count() > 1 ? (uint64_t)rounds : 0;
    WAIT_UNTIL(returned[h] == due);
}
