/* Progress while a thread computes: it makes no call of the runtime until its own memory, read through a C pointer, says
 * that the others have done what they wanted of it. Each thread is the one that computes in turn. The others begin a
 * little later, and what they do takes many round trips, so that no poll on the way out of a barrier can have served it. */
#include <time.h>

#include "suite.h"

enum { TIMES = 10, BYTES = 100000, SLOT = 2 * BYTES + 4096 };

static fathom_ptr area, flag, lock; /* on every thread; of the area a slot for each thread */

static void compute_until(const void *word, uint64_t value) {
    while (*(const volatile uint64_t *)word != value) {}
}

static fathom_ptr slot_on(int target) { return on(target, area) + (fathom_ptr)me() * SLOT; }

/* All threads but one `act`, which computes; the last thing that each does adds to its flag. Threads act TIMES times. */
static void with_each_computing(void (*act)(int target, char *local, int time)) {
    char *local = malloc(2 * BYTES);
    area = everywhere((size_t)count() * SLOT);
    flag = everywhere(64);
    lock = everywhere(64);
    memset(here(area), 0, (size_t)count() * SLOT);
    memset(here(flag), 0, 64);
    memset(here(lock), 0, 64);
    for (int target = 0; target < count(); target++) {
        gas_barrier();
        if (me() == target) {
            compute_until(here(flag), (uint64_t)count() - 1);
        } else {
            nanosleep(&(struct timespec){0, 2000000}, NULL);
            for (int i = 0; i < TIMES; i++) act(target, local, i);
            gas_atomic(NULL, on(target, flag), GAS_U64, GAS_INC, NULL, NULL);
        }
    }
    free_everywhere(lock);
    free_everywhere(flag);
    free_everywhere(area);
    free(local);
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static size_t size_at(int time) {
    static const size_t sizes[] = {1, 2, 8, 16, 100, 1024, 4096, 10000, 65536, BYTES};
    return sizes[time % 10];
}

static void put_and_get(int target, char *local, int time) {
    size_t n = size_at(time);
    fill_pattern(local, n, (uint64_t)time + 1);
    gas_put(slot_on(target), local, n);
    memset(local, 0, n);
    gas_get(local, slot_on(target), n);
    PATTERN(local, n, (uint64_t)time + 1);
}
CASE(progress_of_puts_and_gets_while_the_target_computes) { with_each_computing(put_and_get); }

static void put_relaxed(fathom_ptr dst, uint64_t value) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    fathom_memput_relaxed(dst, &value, sizeof value);
#else
    fathom_memput(dst, &value, sizeof value);
#endif
}

static void relaxed(int target, char *local, int time) {
    (void)local;
    fathom_ptr words = slot_on(target);
    for (uint64_t i = 0; i < 100; i++) put_relaxed(words + 8 * i, i + (uint64_t)time);
    fathom_fence();
    for (uint64_t i = 0; i < 100; i += 33) EQUAL(i + (uint64_t)time, gas_get_value(words + 8 * i, 8));
}
CASE(progress_of_relaxed_puts_and_fences_while_the_target_computes) { with_each_computing(relaxed); }

static void under_way(int target, char *local, int time) {
    (void)time;
    gas_handle h[8];
    fill_pattern(local, BYTES, 7);
    for (int i = 0; i < 8; i++) h[i] = gas_put_nb(slot_on(target) + (fathom_ptr)i * 12000, local + i * 12000, 12000);
    gas_wait_all(h, 8);
    for (int i = 0; i < 8; i++)
        h[i] = gas_get_nb(local + BYTES + i * 12000, slot_on(target) + (fathom_ptr)i * 12000, 12000);
    gas_wait_all(h, 8);
    PATTERN(local + BYTES, 96000, 7);
}
CASE(progress_of_transfers_under_way_while_the_target_computes) { with_each_computing(under_way); }

static void pieces(int target, char *local, int time) {
    (void)time;
    enum { N = 50, ELEM = 24 };
    ptrdiff_t apart[] = {100}, dense[] = {ELEM};
    size_t counts[] = {N};
    fill_pattern(local, N * ELEM, 3);
    gas_put_strided(slot_on(target), apart, local, dense, ELEM, counts, 1);
    memset(local, 0, N * ELEM);
    gas_get_strided(local, dense, slot_on(target), apart, ELEM, counts, 1);
    PATTERN(local, N * ELEM, 3);
    fathom_ptr remote[N];
    void *mine[N];
    for (int i = 0; i < N; i++) {
        remote[i] = slot_on(target) + (fathom_ptr)(N - i) * 64;
        mine[i] = local + i * ELEM;
    }
    gas_put_indexed(remote, (const void *const *)mine, ELEM, N);
    memset(local, 0, N * ELEM);
    gas_get_indexed(mine, remote, ELEM, N);
    PATTERN(local, N * ELEM, 3);
}
CASE(progress_of_strided_and_indexed_data_while_the_target_computes) { with_each_computing(pieces); }

static void fill_and_copy(int target, char *local, int time) {
    size_t n = size_at(time);
    gas_fill(slot_on(target), time + 1, n);
    gas_copy(slot_on(target) + BYTES, slot_on(target), n);
    gas_get(local, slot_on(target) + BYTES, n);
    for (size_t i = 0; i < n; i++) EQUAL(time + 1, local[i]);
}
CASE(progress_of_fills_and_copies_while_the_target_computes) { with_each_computing(fill_and_copy); }

static void signal_counter(int target, char *local, int time) {
    fill_pattern(local, 1000, (uint64_t)time);
    fathom_ptr counter = slot_on(target) + 2048;
    gas_put_signal(slot_on(target), local, 1000, counter, 1);
    fathom_fence();
    EQUAL(time + 1, gas_get_value(counter, 8));
    gas_get(local, slot_on(target), 1000);
    PATTERN(local, 1000, (uint64_t)time);
}
CASE(progress_of_signalling_puts_while_the_target_computes) { with_each_computing(signal_counter); }

/* ---- synchronisation --------------------------------------------------------------------------------------------- */

static void add_and_swap(int target, char *local, int time) {
    (void)local;
    uint64_t before, one = 1;
    gas_atomic(&before, slot_on(target), GAS_U64, GAS_ADD, &one, NULL);
    EQUAL(time, before);
    gas_atomic(NULL, on(target, area) + SLOT - 64, GAS_U64, GAS_XOR, &one, NULL);
    uint64_t next = (uint64_t)time + 100, expected = (uint64_t)time + (time ? 99 : 0);
    gas_atomic(&before, slot_on(target) + 8, GAS_U64, GAS_CSWAP, &expected, &next);
    EQUAL(expected, before);
}
CASE(progress_of_atomics_while_the_target_computes) { with_each_computing(add_and_swap); }

/* The lock's word is on the thread that computes. */
static void lock_and_count(int target, char *local, int time) {
    (void)local, (void)time;
    fathom_ptr sum = on(target, area) + SLOT - 128;
    gas_lock(on(target, lock));
    gas_put_value(sum, gas_get_value(sum, 8) + 1, 8);
    gas_unlock(on(target, lock));
    while (!gas_trylock(on(target, lock))) gas_poll();
    gas_put_value(sum, gas_get_value(sum, 8) + 1, 8);
    gas_unlock(on(target, lock));
}
static void check_sum(int target, char *local, int time) {
    lock_and_count(target, local, time);
    if (time < TIMES - 1) return;
    /* Everybody's, once all are through; each thread adds its own part only. */
    while (gas_get_value(on(target, area) + SLOT - 128, 8) != 2 * TIMES * ((uint64_t)count() - 1)) gas_poll();
}
CASE(progress_of_locks_while_the_target_computes) { with_each_computing(check_sum); }

/* The thread that holds a lock and computes is not disturbed; those that queue up behind each other get on as soon as it
 * has let go, although it computes again. */
CASE(progress_of_a_lock_that_was_handed_on_by_a_thread_that_computes) {
    fathom_ptr l = everywhere(64), done = everywhere(64);
    memset(here(l), 0, 64);
    memset(here(done), 0, 64);
    for (int target = 0; target < count(); target++) {
        gas_barrier();
        if (me() == target) gas_lock(on(target, l));
        gas_barrier();
        if (me() == target) {
            nanosleep(&(struct timespec){0, 2000000}, NULL);
            gas_unlock(on(target, l));
            compute_until(here(done), (uint64_t)count() - 1);
        } else {
            gas_lock(on(target, l));
            gas_unlock(on(target, l));
            gas_atomic(NULL, on(target, done), GAS_U64, GAS_INC, NULL, NULL);
        }
    }
    free_everywhere(done);
    free_everywhere(l);
}

static void allocate(int target, char *local, int time) {
    (void)local, (void)time, (void)target;
    fathom_ptr p = gas_global_alloc(1000);
    ASSERT(p != 0, "no room");
    gas_free(p);
}
CASE(progress_of_the_heap_while_a_thread_computes) { with_each_computing(allocate); }

/* Whoever has notified computes, and is told by the last one that all others have been through the barrier. */
CASE(progress_of_a_split_barrier_while_threads_compute) {
    fathom_ptr passed = everywhere(64);
    memset(here(passed), 0, 64);
    gas_barrier();
    for (int slow = 0; slow < count(); slow++) {
        gas_barrier_notify();
        if (me() == slow) compute_until(here(passed), (uint64_t)count() - 1);
        gas_barrier_wait();
        if (me() != slow) gas_atomic(NULL, on(slow, passed), GAS_U64, GAS_INC, NULL, NULL);
    }
    /* All but one compute. */
    for (int quick = 0; quick < count(); quick++) {
        gas_barrier();
        *(uint64_t *)here(passed) = 0;
        gas_barrier();
        gas_barrier_notify();
        if (me() != quick) compute_until(here(passed), 1);
        gas_barrier_wait();
        for (int t = 0; me() == quick && t < count(); t++) gas_put_value(on(t, passed), 1, 8);
    }
    free_everywhere(passed);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static int on_note, computing;
static uint64_t notes[3];
static fathom_ptr notes_area;

/* (number), and as many bytes of payload as the number says. */
static void note(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    int from = gas_token_source(token) % 3;
    ASSERT(!computing, "a handler of the program ran while the thread computed");
    EQUAL(notes[from], args[0]);
    PATTERN(payload, bytes, args[0]);
    notes[from]++;
}

/* Messages of the program wait for a call of the thread itself, keep their order and their payload, whatever transfers
 * pass them by; and the thread that computes may be sent more of them than a conduit has room for. */
CASE(progress_leaves_the_programs_messages_to_the_thread) {
    enum { MESSAGES = 60 };
    if (!on_note) on_note = gas_register(note);
    if (count() == 1) return;
    notes_area = everywhere((size_t)MESSAGES * 40000);
    flag = everywhere(64);
    memset(here(flag), 0, 64);
    for (int target = 0; target < count(); target++) {
        memset(notes, 0, sizeof notes);
        gas_barrier();
        int sender = (target + 1) % count();
        if (me() == target) {
            computing = true; /* not earlier: a thread that is slow to leave the barrier may run handlers in it */
            compute_until(here(flag), 1);
            computing = false;
            WAIT_UNTIL(notes[sender % 3] == MESSAGES);
        } else if (me() == sender) {
            char *payload = malloc(40000);
            nanosleep(&(struct timespec){0, 2000000}, NULL);
            for (uint64_t i = 0; i < MESSAGES; i++) {
                size_t n = i % 3 == 0 ? 0 : i % 3 == 1 ? 3000 : 40000;
                fill_pattern(payload, n, i);
                if (n > 4000)
                    gas_request_long(target, on_note, on(target, notes_area) + i * 40000, payload, n, &i, 1);
                else
                    gas_request_medium(target, on_note, payload, n, &i, 1);
                if (i == MESSAGES / 4) gas_put_value(on(target, flag), 1, 8); /* after some, before others */
            }
            free(payload);
        }
        gas_barrier();
        *(uint64_t *)here(flag) = 0;
        gas_barrier();
    }
    free_everywhere(flag);
    free_everywhere(notes_area);
}
