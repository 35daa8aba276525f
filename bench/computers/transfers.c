/* What crossing from one computer to another takes, for comparing conduits: threads 0 and 1, each on a computer of its own.
 *
 *     transfers REPETITIONS [stress OPERATIONS]
 *
 * Prints a line for each row and repetition: the row, and microseconds (latencies), messages a second, or MB/s. With `stress`,
 * so many operations instead, puts, gets, atomic operations and messages in random order by both threads, whose effects
 * are checked.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gas.h"

enum { LONG = 1 << 20, SHORT_TIMES = 2000, RATE_TIMES = 40000, LONG_TIMES = 60, WARM = 200 };

static int me, on_ping, on_pong, on_data;
static fathom_ptr there;
static char *mine;
static uint64_t pongs, received;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void ping(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)payload, (void)bytes;
    gas_reply_short(token, on_pong, args, nargs);
}
static void pong(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    pongs++;
}
static void data(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)bytes;
    uint64_t word;
    memcpy(&word, payload, sizeof word);
    if (word != args[0] || word != received) gas_fatal("message %lu has %lu", received, word);
    received++;
}

static void round_trip(int i) {
    uint64_t arg = (uint64_t)i, before = pongs;
    gas_request_short(1, on_ping, &arg, 1);
    for (unsigned round = 0; pongs == before;) gas_wait_hint(&round);
}

static void put_word(int i) { gas_put_value(there, (uint64_t)i, 8); }
static void get_word(int i) {
    (void)i;
    gas_get_value(there, 8);
}
static void put_long(int i) {
    memset(mine + LONG, i, 8);
    gas_put(there, mine + LONG, LONG);
}
static void get_long(int i) {
    (void)i;
    gas_get(mine + LONG, there, LONG);
}

/* Every other 4 KB there, half of LONG in all. */
enum { ROW = 4096, ROWS = LONG / ROW / 2 };
static const ptrdiff_t packed = ROW, apart = 2 * ROW;
static const size_t rows = ROWS;
static void put_rows(int i) {
    memset(mine + LONG, i, 8);
    gas_put_strided(there, &apart, mine + LONG, &packed, ROW, &rows, 1);
}
static void get_rows(int i) {
    (void)i;
    gas_get_strided(mine + LONG, &packed, there, &apart, ROW, &rows, 1);
}

static double timed(void (*what)(int), int times) {
    for (int i = 0; i < WARM && i < times; i++) what(i);
    double begin = now();
    for (int i = 0; i < times; i++) what(i);
    return (now() - begin) / times;
}

static double rate(void) {
    uint64_t word;
    double begin = now();
    for (int i = 0; i < RATE_TIMES; i++) {
        word = (uint64_t)i;
        gas_request_medium(1, on_data, &word, sizeof word, &word, 1);
    }
    round_trip(0); /* all have arrived */
    return RATE_TIMES / (now() - begin);
}

static void row(const char *name, double value) {
    printf("%s\t%.6g\n", name, value);
    fflush(stdout);
}

/* The other thread serves, at a barrier. */
static void measure(void) {
    if (me == 0) {
        row("round trip of a message, us", timed(round_trip, SHORT_TIMES) * 1e6);
        row("put of 8 bytes, us", timed(put_word, SHORT_TIMES) * 1e6);
        row("get of 8 bytes, us", timed(get_word, SHORT_TIMES) * 1e6);
        row("messages of 8 bytes, thousands a second", rate() * 1e-3);
        row("put of 1 MB, MB/s", LONG / timed(put_long, LONG_TIMES) * 1e-6);
        row("get of 1 MB, MB/s", LONG / timed(get_long, LONG_TIMES) * 1e-6);
        row("put of rows of 4 KB, MB/s", ROW * ROWS / timed(put_rows, LONG_TIMES) * 1e-6);
        row("get of rows of 4 KB, MB/s", ROW * ROWS / timed(get_rows, LONG_TIMES) * 1e-6);
    }
    gas_barrier();
    received = 0;
    gas_barrier();
}

/* ---- stress ------------------------------------------------------------------------------------------------------ */

static uint64_t state;
static uint64_t random_word(void) { return state = state * 6364136223846793005u + 1442695040888963407u; }

/* Each thread has words of the other's segment that only it writes, and knows what they hold; a counter of both; and
 * messages with numbers. */
static void stress(long operations) {
    enum { WORDS = 4096, BLOCK = 2048 };
    static uint64_t holds[WORDS], block[BLOCK], one = 1;
    fathom_ptr words = there, counter = there + LONG - 64;
    long adds = 0, messages = 0, done[4] = {0};
    state = (uint64_t)me + 1;
    memset(mine, 0, LONG);
    gas_barrier();
    for (long i = 0; i < operations / 2; i++) {
        uint64_t r = random_word() >> 33;
        size_t at = r % WORDS, n = r >> 12 & 63 ? 1 : 1 + (r >> 18) % (WORDS - at);
        if (n > BLOCK) n = BLOCK;
        int what = (int)(random_word() >> 40 & 3);
        done[what]++;
        switch (what) {
        case 0:
            for (size_t k = 0; k < n; k++) holds[at + k] = block[k] = random_word();
            gas_put(words + at * 8, block, n * 8);
            break;
        case 1:
            gas_get(block, words + at * 8, n * 8);
            if (memcmp(block, holds + at, n * 8) != 0) gas_fatal("words from %zu on are not what was put there", at);
            break;
        case 2:
            gas_atomic(NULL, counter, GAS_U64, GAS_ADD, &one, NULL);
            adds++;
            break;
        default: {
            uint64_t number = (uint64_t)messages++;
            gas_request_medium(1 - me, on_data, &number, sizeof number, &number, 1);
        }
        }
    }
    gas_barrier();
    uint64_t last = pongs;
    gas_request_short(1 - me, on_ping, &one, 1);
    for (unsigned round = 0; pongs == last;) gas_wait_hint(&round);
    if (gas_get_value(counter, 8) != (uint64_t)adds) gas_fatal("the counter is not %ld", adds);
    gas_put_value(there + LONG - 128, (uint64_t)messages, 8);
    gas_barrier();
    uint64_t want;
    memcpy(&want, mine + LONG - 128, sizeof want);
    if (received != want) gas_fatal("%lu messages of %lu have come", received, want);
    printf("good: thread %d, %ld puts, %ld gets, %ld atomic operations, %ld messages\n", me, done[0], done[1], done[2],
           done[3]);
}

int main(int argc, char **argv) {
    gas_start(&argc, &argv);
    me = gas_me();
    on_ping = gas_register(ping);
    on_pong = gas_register(pong);
    on_data = gas_register(data);
    fathom_ptr all = gas_all_alloc(2 * LONG);
    mine = fathom_local(all + ((unsigned long)me << FATHOM_SEG_BITS));
    there = all + ((unsigned long)(1 - me) << FATHOM_SEG_BITS);
    if (gas_count() != 2) gas_fatal("expected two threads");
    gas_barrier();
    if (argc > 3 && strcmp(argv[2], "stress") == 0)
        stress(atol(argv[3]));
    else
        for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1); i++) measure();
    gas_barrier();
    return 0;
}
