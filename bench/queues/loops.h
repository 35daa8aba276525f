/* The loops of a contender in C, made of its functions, which the compiler sees. A contender defines
 *
 *     void *place(size_t bytes)          where the next message is to be written
 *     void commit(size_t bytes)          sends it, and waits for room if there is none
 *     const void *take(size_t bytes)     waits for a message, and says where it is
 *     void done(void)                    the message is no longer needed
 *
 * and, where it can do what they are for, says so by a macro of its own:
 *
 *     HAS_RECEIVE  uint64_t receive(size_t bytes): waits for a message and returns the sum of its words, where it may not be read
 *                  behind a call; instead of take and done
 *     HAS_BATCH    void add(size_t bytes): like commit, but it may be published later, with others;
 *                  void flush(void): now; const void *next(size_t bytes): like take, many at a time;
 *                  PLACE_MANY: what stands for `place` there, if it differs
 *     HAS_BULK     void put(const void *data, size_t bytes): sends data of its caller
 *
 * A contender's `take` and `commit` do not sleep unless they must: participants have a processor each, except in rows of
 * many senders.
 */
#include "contender.h"

#ifndef HAS_RECEIVE
static inline uint64_t receive(size_t bytes) {
    uint64_t s = sum(take(bytes), bytes);
    done();
    return s;
}
#endif

static uint64_t ping(long n, size_t bytes) {
    uint64_t s = 0;
    for (long i = 0; i < n; i++) {
        make(place(bytes), bytes, (uint64_t)i);
        commit(bytes);
        s += receive(bytes);
    }
    return s;
}

static uint64_t pong(long n, size_t bytes) {
    uint64_t s = 0;
    for (long i = 0; i < n; i++) {
        s += receive(bytes);
        make(place(bytes), bytes, (uint64_t)i);
        commit(bytes);
    }
    return s;
}

static inline void stream_out(long n, size_t bytes) {
    for (long i = 0; i < n; i++) {
        make(place(bytes), bytes, (uint64_t)i);
        commit(bytes);
    }
}

static inline uint64_t stream_in(long n, size_t bytes) {
    uint64_t s = 0;
    for (long i = 0; i < n; i++) s += receive(bytes);
    return s;
}

/* The size that counts is a constant, as it is in programs that send words. */
static void out(long n, size_t bytes) {
    if (bytes == 8)
        stream_out(n, 8);
    else
        stream_out(n, bytes);
}
static uint64_t in(long n, size_t bytes) { return bytes == 8 ? stream_in(n, 8) : stream_in(n, bytes); }

#ifndef PLACE_MANY
#define PLACE_MANY place
#endif

#ifdef HAS_BATCH
static void batch_out(long n, size_t bytes) {
    (void)bytes;
    for (long i = 0; i < n; i++) {
        make(PLACE_MANY(8), 8, (uint64_t)i);
        add(8);
        if (i % BATCH == BATCH - 1) flush();
    }
    flush();
}

static uint64_t batch_in(long n, size_t bytes) {
    (void)bytes;
    uint64_t s = 0;
    for (long i = 0; i < n; i++) s += sum(next(8), 8);
    return s;
}
#endif

/* Where the data of bulk rows lie: anywhere, or where a contender wants them. */
#ifndef BULK_SOURCE
#define BULK_SOURCE(bytes) aligned_alloc(4096, bytes)
#endif

#ifdef HAS_BULK
static void bulk_out(long n, size_t bytes) {
    static char *data;
    if (!data) {
        data = BULK_SOURCE(MOST);
        for (size_t l = 0; l < MOST / LINE; l++) *(uint64_t *)(data + l * LINE) = l;
    }
    for (long i = 0; i < n; i++) {
        *(volatile uint64_t *)data = (uint64_t)i;
        put(data, bytes);
    }
}
#endif

/* For the initializer of `contender`. */
#ifdef HAS_BATCH
#define BATCH_LOOPS .batch_out = batch_out, .batch_in = batch_in,
#else
#define BATCH_LOOPS
#endif
#ifdef HAS_BULK
#define BULK_LOOPS .bulk_out = bulk_out, .bulk_in = in,
#else
#define BULK_LOOPS
#endif
#define LOOPS BATCH_LOOPS BULK_LOOPS.ping = ping, .pong = pong, .out = out, .in = in
