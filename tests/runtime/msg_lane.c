/* A lane (msg/lane.h) by itself: POSIX threads send and receive, any number on each side. Every message is taken once and
 * whole, and no thread receives two messages of one sender in the wrong order, whatever number the first place has. Lanes of two rings
 * are wanted in either ring in turn, all the time. Built with -fsanitize=thread, it shows whether the lane's own orders suffice.
 *
 *     msg_lane SENDERS TAKERS MESSAGES     so many in all; tests/protocols/msg_express.pml and msg_move.pml are the models
 *
 * Every seventh message has data, in memory that its sender fills by plain stores and uses again when they are released. Of every
 * 64 messages the first have gone as a batch, from one of two cells of the sender's. Takers take one at a time or several.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msg/lane.h"

#ifdef MSG_TSAN
uint64_t msg_all_fences;
#endif

enum { MOST = 16, DATA_WORDS = 8, BUFFERS = 4 };
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "msg_lane.c:%d: not true: %s\n", __LINE__, #condition);                                    \
            _exit(99);                                                                                                 \
        }                                                                                                              \
    } while (0)

static struct lane_sender sender;
static struct lane_taker taker;
static int senders, takers;
static bool single;
static uint64_t each, first, taken, moved, sums[MOST];
static uint32_t rings;
static uint64_t data[MOST][BUFFERS][DATA_WORDS], cells[MSG_CELLS * MSG_CELL_WORDS];

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 27;
}

static void put(uint64_t word, unsigned stamp, uint64_t *place) {
    if (rings == 2)
        __atomic_store_n(&sender.ring[1].limit, 1, __ATOMIC_RELAXED); /* looks each time, and not now and then */
    while (!(single ? lane_put_single : lane_put)(&sender, word, stamp, place)) sched_yield();
}

static void *send(void *number) {
    uint64_t me = (uintptr_t)number, ticket[BUFFERS], place, batch_at[2] = {0}, words[6];
    bool is_used[BUFFERS] = {0}, cell_is_used[2] = {0}; /* every number is a place */
    for (uint64_t i = 0; i < each; i++) {
        unsigned stamp = i % 32, buffer = i / 7 % BUFFERS, which = i / 64 % 2;
        bool has_data = i % 7 == 0;
        if (i % 64 < 6 && i / 64 * 64 + 6 <= each) { /* two to six as one: their tag is the last one's */
            unsigned count = 2 + (unsigned)(i / 64 % 5), cell = (unsigned)me * 2 + which;
            while (cell_is_used[which] && !lane_is_taken(&sender, batch_at[which])) sched_yield();
            for (unsigned k = 0; k < count; k++) words[k] = me << 56 | 1ull << 55 | (i + k);
            put(lane_fill(cells, cell, words, count), MSG_SLOT_MANY << MSG_KIND_SHIFT | 9, &place);
            batch_at[which] = place, cell_is_used[which] = true;
            i += 5;
            for (; count < 6; count++) put(me << 56 | 1ull << 55 | (i - 5 + count), 9, &place);
            continue;
        }
        if (has_data) {
            while (is_used[buffer] && !lane_is_done(&sender, ticket[buffer])) sched_yield();
            for (int k = 0; k < DATA_WORDS; k++) data[me][buffer][k] = mixed(i * DATA_WORDS + (unsigned)k + me);
            stamp |= MSG_SLOT_TAG_ON << MSG_KIND_SHIFT;
        }
        put(me << 56 | i, stamp, &place);
        if (has_data) ticket[buffer] = place, is_used[buffer] = true;
    }
    return NULL;
}

/* Up to `most` messages; 0: there are none. */
static unsigned get(struct lane_found *f, uint64_t *place, unsigned most) {
    uint64_t first, head;
    if (most == 1) {
        if (!(single ? lane_take_single : lane_take)(&taker, f, &head)) return 0;
        *place = lane_spot_of(head);
        return 1;
    }
    for (;;) {
        unsigned n = 0;
        first = head = __atomic_load_n(&taker.in->head, __ATOMIC_ACQUIRE);
        for (; n < most && lane_find(&taker, head, &f[n]); head = f[n++].next) place[n] = lane_spot_of(head);
        if (!n || lane_take_to(&taker, first, head, single)) return n;
    }
}

static void *take(void *number) {
    uint64_t last[MOST], sum = 0, all = each * (uint64_t)senders, previous = lane_place_of(first << MSG_PLACE_SHIFT);
    struct lane_found found[7];
    uint64_t place[7];
    memset(last, 0xff, sizeof last);
    for (uint64_t call = 0;; call++) {
        unsigned n = get(found, place, 1 + call % 7);
        if (call % 5 == 0) __atomic_store_n(&taker.in->is_resident, call / 5 % 2, __ATOMIC_RELAXED);
        if (!n) {
            if (__atomic_load_n(&taken, __ATOMIC_RELAXED) == all) break;
            sched_yield();
            continue;
        }
        __atomic_fetch_add(&taken, n, __ATOMIC_RELAXED);
        for (unsigned k = 0; k < n; k++) {
            uint64_t word = found[k].word, stamp = found[k].stamp, from = word >> 56, i = word << 9 >> 9;
            bool is_many = word >> 55 & 1, has_data = i % 7 == 0 && !is_many;
            CHECK(from < (uint64_t)senders && i < each && msg_tag_of(stamp) == (is_many ? 9 : i % 32));
            CHECK(last[from] == UINT64_MAX || i > last[from]);
            CHECK((lane_place(place[k]) - previous) << MSG_PLACE_SHIFT < UINT64_MAX / 2);
            CHECK(msg_kind_of(stamp) == (has_data ? MSG_SLOT_TAG_ON : MSG_SLOT_EXPRESS));
            if (has_data) {
                const uint64_t *d = data[from][i / 7 % BUFFERS];
                for (int w = 0; w < DATA_WORDS; w++) CHECK(d[w] == mixed(i * DATA_WORDS + (unsigned)w + from));
                lane_release(&taker, place[k]);
            }
            last[from] = i;
            if (lane_has_moved(lane_head_at(place[k]), found[k].next)) __atomic_fetch_add(&moved, 1, __ATOMIC_RELAXED);
            previous = lane_place(place[k]);
            sum += mixed(from << 56 | i);
        }
    }
    sums[(uintptr_t)number] = sum;
    return NULL;
}

/* As if `first` messages had been sent and taken through this ring; slots that were never used are zero. */
static void begin_ring(const struct lane_ring *ring) {
    for (uint32_t i = 0; i < ring->slots; i++) {
        uint64_t round = ((first >> ring->shift) + (i < (first & (ring->slots - 1)))) & MSG_ROUNDS;
        ((struct msg_slot *)ring->slot)[i] = (struct msg_slot){.stamp = round << MSG_ROUND_SHIFT, .word = 7};
        ((uint64_t *)ring->released)[i] = round;
    }
}

static void pass(uint32_t slots) {
    size_t words = MSG_SMALL + slots;
    struct msg_in *in = aligned_alloc(128, 128 * ((sizeof *in + words * 8 + 127) / 128));
    struct msg_slot *slot = aligned_alloc(128, slots < 8 ? 128 : slots * sizeof *slot);
    struct msg_out out = {0};
    memset(in, 0, sizeof *in + words * 8);
    sender = (struct lane_sender){.in = in, .rings = rings};
    taker = (struct lane_taker){.out = &out, .in = in, .cells = cells, .rings = rings};
    lane_rings(sender.ring, rings, &out, slot, in, slots);
    lane_rings(taker.ring, rings, &out, slot, in, slots);
    lane_take_begin(&taker);
    for (uint32_t i = 0; i < rings; i++) begin_ring(&sender.ring[i]);
    in->head = first << MSG_PLACE_SHIFT;
    lane_begin(&sender, 2 * first);
    moved = 0;
    taken = 0;
    pthread_t thread[2 * MOST];
    for (int i = 0; i < takers; i++) CHECK(pthread_create(&thread[i], NULL, take, (void *)(uintptr_t)i) == 0);
    for (int i = 0; i < senders; i++) CHECK(pthread_create(&thread[takers + i], NULL, send, (void *)(uintptr_t)i) == 0);
    for (int i = 0; i < takers + senders; i++) pthread_join(thread[i], NULL);
    uint64_t sum = 0, all = each * (uint64_t)senders;
    for (int i = 0; i < takers; i++) sum += sums[i];
    for (uint64_t s = 0; s < (uint64_t)senders; s++)
        for (uint64_t i = 0; i < each; i++) sum -= mixed(s << 56 | i);
    CHECK(taken == all && sum == 0);
    /* Batches have filled fewer places. */
    CHECK((in->head & MSG_MOST_WORDS) == 0 && (int64_t)(in->head - (first << MSG_PLACE_SHIFT)) > 0);
    CHECK(in->head >> MSG_WORDS_BITS == sender.tail << MSG_WORDS_BITS >> MSG_WORDS_BITS);
    /* It has gone to and fro, as far as can be said of threads whose turn comes when it comes. */
    if (rings == 2 && all > 1000) CHECK(moved);
    if (rings == 1) CHECK(!moved);
    free(in);
    free(slot);
}

int main(int argc, char **argv) {
    CHECK(argc == 4);
    senders = atoi(argv[1]);
    takers = atoi(argv[2]);
    CHECK(senders > 0 && senders <= MOST && takers > 0 && takers <= MOST);
    static const uint32_t sizes[] = {4, 8, 256, 64, 256};
    for (unsigned k = 0; k < 5; k++) {
        uint32_t slots = sizes[k];
        rings = k < 3 ? 1 : 2;
        /* From the start; before the stamp's round becomes 0; before the count of places becomes 0, in 63 bits and in 56. */
        uint64_t firsts[] = {0, (MSG_ROUNDS - 2) * slots + 3, 0 - (uint64_t)slots * 2 - 1,
                             (1ull << 56) - slots * 2 - 1};
        for (int f = 0; f < 4; f++) {
            first = firsts[f];
            each = strtoull(argv[3], NULL, 10) / (uint64_t)senders / 20;
            single = false;
            pass(slots);
            single = senders == 1 && takers == 1;
            if (single) pass(slots);
        }
    }
    return 0;
}
