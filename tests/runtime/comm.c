/* Random accesses to far memory against a copy of it that the thread keeps for itself: whatever is gathered, sent late or
 * fetched (FATHOM_COMM), a thread sees its own writes in order, and after a fence and a barrier everybody sees them all.
 *
 *     comm ROUNDS SEED
 *     comm ROUNDS flags   what is held back is sent when a thread waits: relaxed writes that others wait for in loops
 *     comm ROUNDS beside [S]  it is sent, too, for a thread that waits in a loop of loads, without a call; at most S seconds
 *     comm ROUNDS stale [N]   a thread that reads a word again and again, and sleeps in between, sees that it changes; by the Nth read
 *     comm ROUNDS sums    no addition to a far word is lost, whoever else adds, if updates are their owners'
 *     comm ROUNDS orders  what others have written is read behind each kind of synchronisation, though it was read before, too
 *
 * Each thread owns a part of every thread's memory, which nobody else touches between two barriers, so that the program has
 * no races. After a barrier the thread that has the part reads what the owner has written, as plain memory. */
#include <sched.h>
#include <time.h>

#include "program.h"
#include "gas/gas_internal.h"
#include "lang/library.h"
#include "lang/random.h"

enum { PART = 8192, MOST_THREADS = 8, OPERATIONS = 300 };

static uint64_t seed;
static size_t below(size_t n) { return (size_t)fathom_random_below(&seed, n); }

static unsigned char mirror[MOST_THREADS][PART]; /* what the part on each thread should hold */
static fathom_ptr part(int on, int of) { return board_place(on, 0) + (unsigned long)(of * PART); }

static gas_domain adds32, adds64;

/* As generated code reads an object, relaxed. */
static void read_relaxed(void *dst, fathom_ptr src, size_t n) {
    static unsigned char copy[128];
    memcpy(dst, fathom_read(src, copy, n), n);
}

/* Somewhere in the part; sizes of objects are frequent, with and without their alignment, and so is what comes next. */
static size_t place(size_t *n) {
    static size_t next;
    size_t size = below(4) ? (size_t)1 << below(5) : 1 + below(100), at;
    at = below(3) == 0 ? next : below(2) ? below(128) : below(PART);
    if (below(4)) at -= at % (size & -size);
    if (at + size > PART) at = 0;
    next = at + size;
    *n = size;
    return at;
}

static void same(const void *a, const void *b, size_t n, const char *what, int on, size_t at, int step) {
    if (memcmp(a, b, n) == 0) return;
    fprintf(stderr, "thread %d: step %d: %s of %zu bytes at %zu on thread %d: wrong\n", fathom_mythread, step, what, n,
            at, on);
    _exit(99);
}

static void fill(void *p, size_t n) {
    for (size_t i = 0; i < n; i++) ((unsigned char *)p)[i] = (unsigned char)fathom_random(&seed);
}

static void atomic(int on, size_t at, bool is_wide, bool fetches, int step) {
    size_t n = is_wide ? 8 : 4;
    at -= at % n;
    if (at + n > PART) at = 0;
    uint64_t old = 0, now = 0, operand = fathom_random(&seed);
    memcpy(&old, &mirror[on][at], n);
    enum gas_atomic_op op = below(2) ? GAS_ADD : below(2) ? GAS_XOR : GAS_SET;
    now = op == GAS_ADD ? old + operand : op == GAS_XOR ? old ^ operand : operand;
    memcpy(&mirror[on][at], &now, n);
    gas_domain d = is_wide ? adds64 : adds32;
    fathom_ptr p = part(on, fathom_mythread) + at;
    if (fetches) {
        uint64_t before = 0;
        gas_domain_atomic(d, &before, p, op == GAS_SET ? GAS_SWAP : op, &operand, NULL);
        same(&before, &old, n, "an atomic operation", on, at, step);
    } else {
        gas_domain_update(d, p, op, &operand, NULL);
    }
}

/* An update as generated code makes it, of every type and with every operation; C says what must come of it. */
#define INTEGER(OBJECT, T, W)                                                                                          \
    case FATHOM_UPDATE_##OBJECT: {                                                                                     \
        T x;                                                                                                           \
        memcpy(&x, m, sizeof x);                                                                                       \
        switch (op) {                                                                                                  \
        case FATHOM_UPDATE_ADD: x = (T)((W)x + (W)operand); break;                                                     \
        case FATHOM_UPDATE_SUB: x = (T)((W)x - (W)operand); break;                                                     \
        case FATHOM_UPDATE_MUL: x = (T)((W)x * (W)operand); break;                                                     \
        case FATHOM_UPDATE_AND: x &= (T)operand; break;                                                                \
        case FATHOM_UPDATE_OR: x |= (T)operand; break;                                                                 \
        case FATHOM_UPDATE_XOR: x ^= (T)operand; break;                                                                \
        case FATHOM_UPDATE_SHL: operand %= 8 * sizeof(W), x = (T)((W)x << operand); break;                             \
        case FATHOM_UPDATE_SHR: operand %= 8 * sizeof(W), x >>= operand; break;                                        \
        }                                                                                                              \
        memcpy(now, &x, sizeof x);                                                                                     \
        if (is_near) break;                                                                                            \
        fathom_far_update(p, object, op, operand);                                                                     \
    } break;
#define FLOATING(OBJECT, T, U, CALL)                                                                                   \
    case FATHOM_UPDATE_##OBJECT: {                                                                                     \
        T x;                                                                                                           \
        U y = (U)((int64_t)operand >> 20) / 3;                                                                         \
        memcpy(&x, m, sizeof x);                                                                                       \
        op %= 3;                                                                                                       \
        x = (T)(op == FATHOM_UPDATE_ADD ? x + y : op == FATHOM_UPDATE_SUB ? x - y : x * y);                            \
        memcpy(now, &x, sizeof x);                                                                                     \
        if (is_near) break;                                                                                            \
        CALL;                                                                                                          \
    } break;
static void update_one(fathom_ptr p, unsigned char *m, size_t n, enum fathom_update_object object,
                       enum fathom_update_op op, uint64_t operand) {
    unsigned char now[8];
    bool is_near = fathom_is_near(p);
    switch (object) {
        INTEGER(U8, uint8_t, uint32_t)
        INTEGER(U16, uint16_t, uint32_t)
        INTEGER(U32, uint32_t, uint32_t)
        INTEGER(U64, uint64_t, uint64_t)
        INTEGER(I8, int8_t, uint32_t)
        INTEGER(I16, int16_t, uint32_t)
        INTEGER(I32, int32_t, uint32_t)
        INTEGER(I64, int64_t, uint64_t)
        FLOATING(F32, float, float, fathom_far_update_float(p, op, y))
        FLOATING(F64, double, double, fathom_far_update_double(p, object, op, y))
        FLOATING(F32_BY_F64, float, double, fathom_far_update_double(p, object, op, y))
    }
    if (is_near) memcpy(fathom_local(p), now, n);
    memcpy(m, now, n);
}

/* Some neighbours: such updates are sent as one. Numbers are made ordinary ones before: what is not a number has many forms. */
static void update(int on, size_t at, int step) {
    static const unsigned char bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 4};
    enum fathom_update_object object = (enum fathom_update_object)below(sizeof bytes);
    enum fathom_update_op op = (enum fathom_update_op)below(8);
    size_t n = bytes[object], count = 1 + below(8);
    if (below(4)) at -= at % n;
    if (at + count * n > PART) at = 0;
    fathom_ptr p = part(on, fathom_mythread) + at;
    unsigned char *m = &mirror[on][at];
    for (size_t k = 0; k < count && object >= FATHOM_UPDATE_F32; k++) {
        float single = (float)below(1000) / 7;
        double wide = (double)below(1000) / 7;
        memcpy(m + k * n, n == 4 ? (void *)&single : (void *)&wide, n);
        fathom_memput_relaxed(p + k * n, m + k * n, n);
    }
    unsigned char data[64];
    if (below(2)) read_relaxed(data, p, count * n);
    for (size_t k = 0; k < count; k++) {
        if (below(8) == 0) op = (enum fathom_update_op)below(8);
        if (below(16) == 0) { /* the same place twice, in order */
            fill(m + k * n, object < FATHOM_UPDATE_F32 ? n : 0);
            fathom_memput_relaxed(p + k * n, m + k * n, n);
        }
        update_one(p + k * n, m + k * n, n, object, op, fathom_random(&seed));
    }
    if (below(4)) return;
    read_relaxed(data, p, count * n);
    same(data, m, count * n, "a relaxed read after updates", on, at, step);
}

/* The same operation by the same operand, mostly, at several places: as a program counts. */
static void count_up(int on, int step) {
    static const unsigned char bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 4};
    enum fathom_update_object object = (enum fathom_update_object)below(sizeof bytes);
    enum fathom_update_op op = (enum fathom_update_op)below(8);
    bool is_atomic = below(3) == 0;
    enum gas_atomic_op atomic_op = below(2) ? GAS_ADD : below(2) ? GAS_XOR : GAS_SET;
    size_t n = is_atomic ? 4 << below(2) : bytes[object], count = 2 + below(30), at[32];
    uint64_t operand = fathom_random(&seed);
    unsigned char *m = mirror[on], data[8];
    fathom_ptr p = part(on, fathom_mythread);
    for (size_t k = 0; k < count; k++) {
        at[k] = below(PART / n - 1) * n;
        if (!is_atomic && below(6) == 0) at[k] += below(n);
        if (is_atomic || object < FATHOM_UPDATE_F32) continue;
        float single = (float)below(1000) / 7;
        double wide = (double)below(1000) / 7;
        at[k] -= at[k] % n;
        memcpy(m + at[k], n == 4 ? (void *)&single : (void *)&wide, n);
        fathom_memput_relaxed(p + at[k], m + at[k], n);
    }
    for (size_t k = 0; k < count; k++) {
        if (below(16) == 0) operand = fathom_random(&seed);
        if (below(16) == 0) op = (enum fathom_update_op)below(8);
        if (below(16) == 0 && object < FATHOM_UPDATE_F32) {
            fill(m + at[k], n);
            fathom_memput_relaxed(p + at[k], m + at[k], n);
        }
        if (is_atomic) {
            uint64_t x = 0;
            memcpy(&x, m + at[k], n);
            x = atomic_op == GAS_ADD ? x + operand : atomic_op == GAS_XOR ? x ^ operand : operand;
            memcpy(m + at[k], &x, n);
            gas_domain_update(n == 8 ? adds64 : adds32, p + at[k], atomic_op, &operand, NULL);
        } else {
            update_one(p + at[k], m + at[k], n, object, op, operand);
        }
        if (below(8)) continue;
        size_t some = at[below(k + 1)];
        read_relaxed(data, p + some, n);
        same(data, m + some, n, "a relaxed read of what is counted", on, some, step);
    }
}

static void step(int i) {
    static unsigned char data[128];
    int on = (int)below((size_t)fathom_threads);
    size_t n, at = place(&n);
    fathom_ptr p = part(on, fathom_mythread) + at;
    unsigned char *m = &mirror[on][at];
    /* For a while nothing happens that is a reason to forget or to send everything. */
    static int calm;
    if (calm == 0 && below(50) == 0) calm = 60;
    static const unsigned char gentle[] = {0, 1, 1, 1, 1, 2, 6, 7, 10, 18, 20, 21, 23};
    calm -= calm > 0;
    switch (calm ? gentle[below(sizeof gentle)] : below(24)) {
    default: /* a relaxed write */
        fill(data, n);
        memcpy(m, data, n);
        fathom_memput_relaxed(p, data, n);
        break;
    case 0: /* a read */
        fathom_memget(data, p, n);
        same(data, m, n, "a read", on, at, i);
        break;
    case 1:
    case 16:
    case 17:
        read_relaxed(data, p, n);
        same(data, m, n, "a relaxed read", on, at, i);
        break;
    case 2:
        fill(data, n);
        memcpy(m, data, n);
        gas_put(p, data, n);
        break;
    case 3: {
        fill(data, n);
        memcpy(m, data, n);
        gas_handle h = gas_put_nb(p, data, n);
        if (at >= 8) { /* what stands beside it may be read meanwhile */
            unsigned char beside[8];
            read_relaxed(beside, p - 8, 8);
            same(beside, m - 8, 8, "a read beside a write", on, at - 8, i);
        }
        gas_wait(&h);
        break;
    }
    case 4: {
        gas_handle h = gas_get_nb(data, p, n);
        gas_wait(&h);
        same(data, m, n, "a split-phase read", on, at, i);
        break;
    }
    case 5: /* a column of four, 32 bytes apart */
        if (at > PART - 128) at = PART - 128;
        p = part(on, fathom_mythread) + at;
        fill(data, 32);
        for (size_t k = 0; k < 4; k++) memcpy(&mirror[on][at + 32 * k], &data[8 * k], 8);
        gas_put_strided(p, (ptrdiff_t[]){32}, data, (ptrdiff_t[]){8}, 8, (size_t[]){4}, 1);
        break;
    case 6:
        memset(m, i, n);
        gas_fill(p, i, n);
        break;
    case 20:
    case 21:
    case 22: update(on, at, i); break;
    case 23: count_up(on, i); break;
    case 7:
    case 8:
    case 9: atomic(on, at, below(2), false, i); break;
    case 10: atomic(on, at, below(2), true, i); break;
    case 11:
    case 14:
    case 15: fathom_fence(); break;
    case 12: gas_poll(); break;
    case 13: { /* what lies there goes to another place, on any thread */
        int to = (int)below((size_t)fathom_threads);
        size_t where = below(PART - n);
        if (to == on && where < at + n && at < where + n) break;
        memmove(&mirror[to][where], m, n);
        gas_copy(part(to, fathom_mythread) + where, p, n);
        break;
    }
    }
}

/* ---- what others have written ------------------------------------------------------------------------------------ */

enum { WORDS = 24, AREA = 64, FLAG = AREA * MOST_THREADS * 2, FLAG_TOO, SEEN = 2 * FLAG, SEEN_TOO, COUNTER };

/* The words that thread `of` reads, which the thread on its left writes: on another thread than either, if there is one. */
static fathom_ptr words_of(int of) { return board_place((of + 1) % fathom_threads, of * AREA); }
static fathom_ptr words, mine; /* that this thread writes, and reads */

static void peek(void) {
    long unused;
    for (int i = 0; i < WORDS; i++) read_relaxed(&unused, mine + (unsigned long)i * 8, 8);
}

static void look(long round, const char *what) {
    long value;
    for (int i = 0; i < WORDS; i++) {
        read_relaxed(&value, mine + (unsigned long)i * 8, 8);
        if (value == round * 100 + i) continue;
        fprintf(stderr, "thread %d: round %ld: word %d after %s is %ld: wrong\n", fathom_mythread, round, i, what,
                value);
        _exit(99);
    }
}

static void write_relaxed(fathom_ptr p, long value) { fathom_write(fathom_is_near(p), p, &value, sizeof value); }
static void write_strict(fathom_ptr p, long value) { fathom_strict_write(fathom_is_near(p), p, &value, sizeof value); }
static long read_strict(fathom_ptr p) {
    long value;
    fathom_strict_read(fathom_is_near(p), p, &value, sizeof value);
    return value;
}
static long plainly(int t, int i) { return __atomic_load_n(board_word(t, i), __ATOMIC_ACQUIRE); }
static long relaxed(fathom_ptr p) {
    long value;
    read_relaxed(&value, p, sizeof value);
    return value;
}

static void tell(int t, int word) { gas_put_signal(board_place(t, SEEN_TOO), "", 0, board_place(t, word), 1); }
static void know(int word) {
    while (plainly(fathom_mythread, word) != 1) sched_yield(); /* no call, which would forget what is kept */
}

/* One thread reads words which another one then changes, and learns by a signal that makes nothing void that it has done so.
 * Behind what follows it must see them. */
enum kind {
    BARRIER,
    HALVES,
    RUNTIME_HALVES,
    NEAR_FLAG,
    FAR_FLAG,
    SAME_FLAG,
    STRICT_WRITE,
    LOCK,
    ATTEMPT,
    SIGNAL,
    POLL,
    PAUSE,
    FENCE,
    COLLECTIVE,
    HOLDS,
    UNTIL,
    TEST_UNTIL,
    LOOP,
    KINDS
};
static const char *const names[] = {"a barrier",
                                    "upc_wait",
                                    "half a barrier",
                                    "a strict read of a near flag",
                                    "a strict read of a far flag",
                                    "a strict read of a flag beside them",
                                    "a strict write",
                                    "upc_lock",
                                    "upc_lock_attempt",
                                    "a signal",
                                    "a poll",
                                    "a wait",
                                    "a fence",
                                    "a collective function",
                                    "a condition that holds",
                                    "a wait for a condition",
                                    "a test of a condition",
                                    "a loop"};

static void read_words(enum kind kind, long round, int writer, fathom_ptr lock) {
    long flag = 0, flag_too = 0, one = 1;
    unsigned turn = 0;
    struct gas_condition seen = {
        .at = board_place(fathom_mythread, SEEN), .type = GAS_I64, .comparison = GAS_GE, .value = &one};
    if (kind == HALVES) gas_program_notify(false, 0);
    if (kind == RUNTIME_HALVES) gas_barrier_notify();
    peek();
    if (kind == LOOP) relaxed(board_place(writer, FLAG)), relaxed(board_place(writer, FLAG_TOO));
    if (kind == STRICT_WRITE)
        gas_put(board_place(writer, COUNTER), &one, sizeof one); /* leaves nothing that is not confirmed */
    else
        tell(writer, COUNTER);
    if (kind != BARRIER) know(SEEN);
    switch (kind) {
    case BARRIER: gas_program_barrier(false, 0); break;
    case HALVES: gas_program_wait(false, 0); break;
    case RUNTIME_HALVES:
        if (round % 2)
            gas_barrier_wait();
        else
            while (!gas_barrier_try()) {}
        break;
    case NEAR_FLAG: CHECK(read_strict(board_place(fathom_mythread, FLAG)) == round); break;
    case FAR_FLAG: CHECK(read_strict(board_place(writer, FLAG)) == round); break;
    case SAME_FLAG: CHECK(read_strict(board_place((fathom_mythread + 1) % fathom_threads, FLAG)) == round); break;
    case STRICT_WRITE: /* which may go with a relaxed one */
        write_relaxed(board_place((fathom_mythread + 1) % fathom_threads, FLAG_TOO), round);
        write_strict(board_place((fathom_mythread + 1) % fathom_threads, FLAG), round);
        break;
    case LOCK: upc_lock(lock); break;
    case ATTEMPT:
        while (!upc_lock_attempt(lock)) {}
        break;
    case SIGNAL: gas_wait_counter(board_place(fathom_mythread, SEEN), 1); break;
    case POLL: gas_poll(); break;
    case PAUSE: gas_wait_hint(&turn); break;
    case FENCE: fathom_fence(); break;
    case COLLECTIVE:
        gas_broadcast(gas_world(), &one, &one, sizeof one, fathom_mythread, GAS_IN_NOSYNC | GAS_OUT_NOSYNC);
        break;
    case HOLDS: CHECK(gas_holds(&seen)); break;
    case UNTIL: gas_wait_until(&seen); break;
    case TEST_UNTIL: CHECK(gas_test_until_all(&seen, 1)); break;
    default:           /* a program may wait like this: not for ever */
        if (round % 2) /* one flag */
            for (int i = 0; i < 2 * 64 && flag != round; i++) flag_too = flag = relaxed(board_place(writer, FLAG));
        else /* two in turn, of which none is read twice in a row */
            for (int i = 0; i < 2 * 4096 && (flag != round || flag_too != round); i++) {
                flag = relaxed(board_place(writer, FLAG));
                flag_too = relaxed(board_place(writer, FLAG_TOO));
            }
        if (flag == round && flag_too == round) return;
        fprintf(stderr, "thread %d: round %ld: a flag that is read in a loop: wrong\n", fathom_mythread, round);
        _exit(99);
    }
    look(round, names[kind]);
    if (kind == LOCK || kind == ATTEMPT) upc_unlock(lock);
}

static void write_words(enum kind kind, long round, int reader, fathom_ptr lock) {
    long one = 1;
    know(COUNTER);
    if (kind == LOCK || kind == ATTEMPT) upc_lock(lock);
    if (kind == NEAR_FLAG && round / fathom_threads % 2) write_relaxed(board_place(reader, FLAG_TOO), round);
    for (int i = 0; i < WORDS; i++) write_relaxed(words + (unsigned long)i * 8, round * 100 + i);
    if (kind == NEAR_FLAG) write_strict(board_place(reader, FLAG), round);
    if (kind == SAME_FLAG) write_strict(board_place((reader + 1) % fathom_threads, FLAG), round);
    if (kind == FAR_FLAG) write_strict(board_place(fathom_mythread, FLAG), round);
    if (kind == LOCK || kind == ATTEMPT) upc_unlock(lock);
    if (kind == LOOP) *board_word(fathom_mythread, FLAG) = *board_word(fathom_mythread, FLAG_TOO) = round;
    if (kind == HALVES) gas_program_notify(false, 0);
    if (kind == RUNTIME_HALVES) gas_barrier_notify();
    if (kind == BARRIER) {
        gas_program_barrier(false, 0);
        return;
    }
    fathom_fence();
    tell(reader, SEEN);
    if (kind == COLLECTIVE) gas_broadcast(gas_world(), &one, &one, sizeof one, reader, GAS_IN_NOSYNC | GAS_OUT_NOSYNC);
    if (kind == HALVES) gas_program_wait(false, 0);
    if (kind == RUNTIME_HALVES) gas_barrier_wait();
}

static void order(long round, fathom_ptr lock) {
    enum kind kind = (enum kind)fathom_random_below(&seed, KINDS); /* the same on all threads */
    int writer = (int)(round % fathom_threads), reader = (writer + 1) % fathom_threads;
    long one = 1;
    gas_barrier();
    if (fathom_mythread == reader && reader != writer) {
        read_words(kind, round, writer, lock);
    } else if (fathom_mythread == writer && reader != writer) {
        write_words(kind, round, reader, lock);
    } else if (kind == BARRIER) {
        gas_program_barrier(false, 0);
    } else if (kind == HALVES) {
        gas_program_notify(false, 0);
        gas_program_wait(false, 0);
    } else if (kind == RUNTIME_HALVES) {
        gas_barrier_notify();
        gas_barrier_wait();
    } else if (kind == COLLECTIVE) {
        gas_broadcast(gas_world(), &one, &one, sizeof one, reader, GAS_IN_NOSYNC | GAS_OUT_NOSYNC);
    }
    gas_barrier();
    for (int i = 0; i < 2; i++) *board_word(fathom_mythread, FLAG + i) = 0;
    for (int i = 0; i < 3; i++) *board_word(fathom_mythread, SEEN + i) = 0;
}

static fathom_ptr new_lock(void) { return upc_global_lock_alloc(); }

static void orders(long rounds, long unused) {
    (void)unused;
    words = words_of((fathom_mythread + 1) % fathom_threads);
    mine = words_of(fathom_mythread);
    seed = 1;
    fathom_ptr lock = gas_from_thread(0, new_lock);
    for (int i = 0; i <= COUNTER; i++) *board_word(fathom_mythread, i) = 0;
    for (long i = 1; i <= rounds; i++) order(i, lock);
}

static void flags(long rounds, long unused) {
    (void)unused;
    int right = (fathom_mythread + 1) % fathom_threads;
    volatile long *flag = board_word(fathom_mythread, 0), *answer = board_word(fathom_mythread, 8);
    volatile long *flag_too = board_word(fathom_mythread, 16), *answer_too = board_word(fathom_mythread, 24);
    for (long i = 1; i <= rounds; i++) {
        fathom_memput_relaxed(board_place(right, 0), &i, sizeof i);
        while (*flag < i) gas_poll();
        *answer = i;
        for (long seen = 0; seen < i;) fathom_memget(&seen, board_place(right, 8), sizeof seen);
        fathom_memput_relaxed(board_place(right, 16), &i, sizeof i);
        /* And here nothing but reads of far memory makes it send. */
        for (long seen = 0; seen < i || *answer_too < i;) {
            if (*flag_too >= i) *answer_too = i;
            fathom_memget(&seen, board_place(right, 24), sizeof seen);
        }
    }
}

/* Each thread writes, and then only looks at its own memory, or tests it. */
static void beside(long rounds, long seconds) {
    int right = (fathom_mythread + 1) % fathom_threads;
    volatile long *flag = board_word(fathom_mythread, 0);
    struct timespec begin, now;
    for (long i = 1; i <= rounds; i++) {
        long one = 1, sum;
        bool begins = i % 3 == 0 && i / 3 % fathom_threads == fathom_mythread;
        fathom_memput_relaxed(board_place(right, 0), &i, sizeof i);
        gas_handle all = GAS_DONE;
        if (begins) { /* the others do their part of it when they have seen their flags */
            all = gas_all_reduce_nb(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD);
            gas_wait(&all);
        }
        clock_gettime(CLOCK_MONOTONIC, &begin);
        struct gas_condition come = {
            .at = board_place(fathom_mythread, 0), .value = &i, .type = GAS_I64, .comparison = GAS_GE};
        for (bool is_here = false; !is_here;) {
            is_here = i % 2 ? *flag >= i : gas_test_until_all(&come, 1);
            sched_yield();
            clock_gettime(CLOCK_MONOTONIC, &now);
            CHECK(seconds == 0 || now.tv_sec - begin.tv_sec < seconds);
        }
        if (i % 3 == 0 && !begins) {
            all = gas_all_reduce_nb(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD);
            gas_wait(&all);
        }
        CHECK(i % 3 || sum == fathom_threads);
        gas_barrier();
    }
}

/* The last thread changes a word of its own, which thread 0 has read and reads again. */
static void stale(long rounds, long most) {
    int writer = fathom_threads - 1;
    *board_word(fathom_mythread, 0) = *board_word(fathom_mythread, COUNTER) = 0;
    for (long i = 1; writer > 0 && i <= rounds; i++) {
        long seen = 0;
        gas_barrier();
        if (fathom_mythread == 0) {
            read_relaxed(&seen, board_place(writer, 0), sizeof seen);
            CHECK(seen == i - 1);
            tell(writer, COUNTER);
            for (long reads = 0; seen < i; reads++) {
                CHECK(most == 0 || reads < most);
                usleep(20000);
                read_relaxed(&seen, board_place(writer, 0), sizeof seen);
            }
        } else if (fathom_mythread == writer) {
            know(COUNTER);
            *board_word(writer, COUNTER) = 0;
            __atomic_store_n(board_word(writer, 0), i, __ATOMIC_RELAXED);
        }
        gas_barrier();
    }
}

/* Each thread adds to words of all far threads, and nobody to those near it: their owners do it, one addition after the other, whoever else
 * writes for them. */
static void sums(long rounds, long unused) {
    (void)unused;
    enum { EACH = 200, WRITTEN = 1 };
    int from = 0;
    for (long round = 0; round < rounds; round++) {
        for (int k = 0; k < EACH; k++) {
            for (int t = 0; t < fathom_threads && k % 8 == 0; t++)
                if (!fathom_is_near(board_place(t, 0)))
                    fathom_memput_relaxed(board_place(t, WRITTEN + fathom_mythread), &round, sizeof round);
            if (k % 4 == 0) gas_poll(); /* sends what there is */
            for (int t = 0; t < fathom_threads; t++)
                if (!fathom_is_near(board_place(t, 0)))
                    fathom_far_update(board_place(t, 0), FATHOM_UPDATE_I64, FATHOM_UPDATE_ADD, 1);
        }
    }
    gas_barrier();
    for (int t = 0; t < fathom_threads; t++) from += !fathom_is_near(board_place(t, 0));
    long found = *board_word(fathom_mythread, 0), expected = rounds * EACH * from;
    if (found == expected) return;
    fprintf(stderr, "thread %d: %ld additions of %ld: wrong\n", fathom_mythread, found, expected);
    _exit(99);
}

static const struct {
    const char *name;
    void (*run)(long rounds, long argument);
} modes[] = {{"flags", flags}, {"beside", beside}, {"stale", stale}, {"orders", orders}, {"sums", sums}};

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    CHECK(fathom_threads <= MOST_THREADS);
    for (size_t k = 0; argc > 2 && k < sizeof modes / sizeof *modes; k++) {
        if (strcmp(argv[2], modes[k].name) != 0) continue;
        modes[k].run(rounds, argc > 3 ? atoi(argv[3]) : 0);
        gas_barrier();
        if (fathom_mythread == 0) puts("good");
        return 0;
    }
    seed = (uint64_t)(argc > 2 ? atoi(argv[2]) : 0) * MOST_THREADS + (uint64_t)fathom_mythread;
    unsigned ops = 1u << GAS_ADD | 1u << GAS_XOR | 1u << GAS_SET | 1u << GAS_SWAP;
    adds32 = gas_domain_create(GAS_U32, ops);
    adds64 = gas_domain_create(GAS_U64, ops);
    gas_barrier();
    memset(board_word(fathom_mythread, 0), 0, MOST_THREADS * PART);
    gas_barrier();
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < OPERATIONS; i++) step(round * OPERATIONS + i);
        fathom_fence();
        gas_barrier();
        /* The owner's copy comes by a message of its own; what it is compared with is this thread's memory. */
        static unsigned char theirs[PART];
        for (int t = 0; t < fathom_threads; t++) {
            gas_barrier();
            if (t == fathom_mythread)
                for (int on = 0; on < fathom_threads; on++)
                    gas_put(board_place(on, 0) + MOST_THREADS * PART, mirror[on], PART);
            gas_barrier();
            memcpy(theirs, (char *)board_word(fathom_mythread, 0) + MOST_THREADS * PART, PART);
            same((char *)board_word(fathom_mythread, 0) + t * PART, theirs, PART, "what a thread has written", t, 0,
                 round);
        }
        gas_barrier();
    }
    if (fathom_mythread == 0) puts("good");
    return 0;
}
