/* Patterns of communication, each timed by itself: what `run.sh` compares with a simulated machine. Nothing is computed.
 *
 *     patterns [NAME]
 *
 * prints lines `time NAME US`: microseconds of a round of the pattern, of the thread that takes longest. Each pattern runs
 * once before it is timed. Threads leave a barrier up to a message's time apart, so that patterns in which all take part
 * have enough rounds for that not to count.
 */
#include <stdio.h>
#include <string.h>
#include <upc.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_tick.h>
#include <bupc_extensions.h>

#define MOST (256 * 1024)  /* bytes of a block */
#define WORDS 64

shared [MOST] char blocks[MOST * THREADS], more[MOST * THREADS];
shared [WORDS] long words[WORDS * THREADS];
static shared double us[THREADS];
static char mine[MOST];
static int right, rounds;
static bupc_sem_t *shared semaphores[THREADS];
static bupc_sem_t *mine_rings, *its_rings; /* this thread's, and its partner's: thread 0 and thread 1 */
static upc_lock_t *lock;

/* Thread 0 and its neighbour. */
static void get(size_t n) { if (MYTHREAD == 0) upc_memget(mine, &blocks[MOST], n); }
static void put(size_t n) { if (MYTHREAD == 0) upc_memput(&blocks[MOST], mine, n); }
static void read_words(size_t n) {
    static volatile long sum;
    if (MYTHREAD == 0) for (size_t i = 0; i < n; i++) sum += words[WORDS + i];
}
static void write_words(size_t n) {
    if (MYTHREAD == 0) for (size_t i = 0; i < n; i++) words[WORDS + i] = (long)i;
    upc_fence;
}
static void gets_together(size_t n) {
    upc_handle_t handle[16];
    if (MYTHREAD != 0) return;
    for (int i = 0; i < 16; i++) handle[i] = upc_memget_nb(mine + i * n, &blocks[MOST + i * n], n);
    for (int i = 0; i < 16; i++) upc_sync(handle[i]);
}
static void puts_together(size_t n) {
    upc_handle_t handle[16];
    if (MYTHREAD != 0) return;
    for (int i = 0; i < 16; i++) handle[i] = upc_memput_nb(&blocks[MOST + i * n], mine + i * n, n);
    for (int i = 0; i < 16; i++) upc_sync(handle[i]);
}
/* There and back, in messages of the runtime. */
static void ping_pong(size_t n) {
    if (MYTHREAD == 0) {
        bupc_memput_signal(&blocks[MOST], mine, n, its_rings, 1);
        bupc_sem_wait(mine_rings);
    } else if (MYTHREAD == 1) {
        bupc_sem_wait(mine_rings);
        bupc_memput_signal(&blocks[0], mine, n, its_rings, 1);
    }
}

/* All threads. */
static void barrier(size_t n) {
    (void)n;
    upc_barrier;
}
static void to_the_right(size_t n) { upc_memput(&blocks[right * MOST], mine, n); }
static void from_the_right(size_t n) { upc_memget(mine, &blocks[right * MOST], n); }
static void all_to_one(size_t n) { if (MYTHREAD) upc_memput(&blocks[MYTHREAD * n], mine, n); }
static void one_to_all(size_t n) { if (MYTHREAD) upc_memget(mine, &blocks[0], n); }
static void all_to_all(size_t n) {
    upc_handle_t handle[64];
    for (int i = 1; i < THREADS; i++) {
        int to = (MYTHREAD + i) % THREADS;
        handle[i] = upc_memput_nb(&blocks[to * MOST + MYTHREAD * n], mine, n);
    }
    for (int i = 1; i < THREADS; i++) upc_sync(handle[i]);
}
static void fetch_all(size_t n) {
    for (int i = 1; i < THREADS; i++) {
        int from = (MYTHREAD + i) % THREADS;
        upc_memget(mine + i * n, &blocks[from * MOST], n);
    }
}
static void counter(size_t n) {
    (void)n;
    upc_lock(lock);
    words[0]++;
    upc_unlock(lock);
}
static void broadcast(size_t n) { upc_all_broadcast(blocks, more, n, UPC_IN_NOSYNC | UPC_OUT_NOSYNC); }
static void gather_all(size_t n) { upc_all_gather_all(blocks, more, n, UPC_IN_NOSYNC | UPC_OUT_NOSYNC); }
static void exchange(size_t n) { upc_all_exchange(blocks, more, n, UPC_IN_NOSYNC | UPC_OUT_NOSYNC); }

static const struct pattern {
    const char *name;
    void (*body)(size_t n);
    size_t bytes;
    int rounds; /* between two barriers, so that the barrier is a small part */
} patterns[] = {
    {"barrier", barrier, 0, 20},
    {"get 8 B", get, 8, 20},
    {"get 1 KB", get, 1024, 20},
    {"get 16 KB", get, 16384, 10},
    {"get 128 KB", get, 131072, 2},
    {"put 8 B", put, 8, 20},
    {"put 1 KB", put, 1024, 20},
    {"put 16 KB", put, 16384, 8},
    {"put 128 KB", put, 131072, 2},
    {"ping-pong 64 B", ping_pong, 64, 20},
    {"ping-pong 16 KB", ping_pong, 16384, 10},
    {"read words", read_words, 20, 1},
    {"write 64 words, fence", write_words, 64, 12},
    {"16 gets of 1 KB together", gets_together, 1024, 8},
    {"16 puts of 1 KB together", puts_together, 1024, 8},
    {"put to the right 8 KB", to_the_right, 8192, 20},
    {"get from the right 8 KB", from_the_right, 8192, 20},
    {"all put to one 16 KB", all_to_one, 16384, 12},
    {"all get from one 16 KB", one_to_all, 16384, 12},
    {"all to all, puts of 4 KB", all_to_all, 4096, 20},
    {"all to all, gets of 4 KB", fetch_all, 4096, 20},
    {"lock, read, write, unlock", counter, 0, 12},
    {"broadcast 4 KB", broadcast, 4096, 20},
    {"gather to all 4 KB", gather_all, 4096, 20},
    {"exchange 4 KB", exchange, 4096, 20},
};

int main(int argc, char **argv) {
    right = (MYTHREAD + 1) % THREADS;
    lock = upc_all_lock_alloc();
    semaphores[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER | BUPC_SEM_SCONSUMER);
    upc_barrier;
    mine_rings = semaphores[MYTHREAD];
    its_rings = semaphores[MYTHREAD ^ 1];
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const struct pattern *p = &patterns[i];
        if (argc > 1 && strcmp(argv[1], p->name)) continue;
        p->body(p->bytes);
        upc_barrier;
        upc_barrier; /* thread 0 leaves the first one when others may still arrive */
        upc_tick_t start = upc_ticks_now();
        for (int k = 0; k < p->rounds; k++) p->body(p->bytes);
        us[MYTHREAD] = upc_ticks_to_ns(upc_ticks_now() - start) / 1000.0 / p->rounds;
        upc_barrier;
        if (MYTHREAD == 0) {
            double most = us[0];
            for (int t = 1; t < THREADS; t++)
                if (us[t] > most) most = us[t];
            printf("time %s %.3f\n", p->name, most);
        }
    }
    return 0;
}
