/* Puts, gets, atomics and messages of all threads of a job together, per second: by CREW POSIX threads in each process at level
 * multiple, or, with a crew of 1, by a process each, which has asked for nothing. run.sh compares the two for as many
 * threads in all.
 *
 *     rates CREW MILLISECONDS      one line for each kind of operation: its name, millions a second of all
 *
 * Each thread works on its own words on the process `half the job` further on, so that operations cross. Messages are
 * short requests, WINDOW under way before a thread waits for the answers.
 */
#include <fathom.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_CREW = 64, WINDOW = 16, AT_ONCE = 1000, KINDS = 5 };
static const char *const kinds[KINDS] = {"put8", "get8", "fetch-add", "put1k", "message"};

static int crew, ms, on_ask, on_told;
static fathom_ptr area;
static struct { _Alignas(128) int64_t answers, done; } of[MOST_CREW];
static pthread_barrier_t turn;

static void ask(fathom_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)payload, (void)bytes;
    fathom_reply_short(token, on_told, args, nargs);
}
static void told(fathom_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    __atomic_fetch_add(&of[args[0]].answers, 1, __ATOMIC_RELEASE);
}

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void some(int kind, uint64_t self, int to, fathom_ptr at, void *here) {
    int64_t word = 1;
    switch (kind) {
    case 0:
        for (int i = 0; i < AT_ONCE; i++) fathom_put(at + 8 * (unsigned)(i % 8), &word, 8);
        break;
    case 1:
        for (int i = 0; i < AT_ONCE; i++) {
            fathom_get(&word, at + 8 * (unsigned)(i % 8), 8);
            __asm__ volatile("" : : "r"(word));
        }
        break;
    case 2:
        for (int i = 0; i < AT_ONCE; i++) fathom_fetch_add(at, 1);
        break;
    case 3:
        for (int i = 0; i < AT_ONCE; i++) fathom_put(at, here, 1024);
        break;
    default:
        for (int i = 0; i < AT_ONCE; i += WINDOW) {
            int64_t want = of[self].answers + WINDOW;
            for (int k = 0; k < WINDOW; k++) fathom_request_short(to, on_ask, &self, 1);
            for (unsigned round = 0; __atomic_load_n(&of[self].answers, __ATOMIC_ACQUIRE) < want;) fathom_pause(&round);
        }
    }
}

static void *work(void *number) {
    uint64_t self = (uint64_t)(uintptr_t)number;
    int to = (fathom_me() + (fathom_count() + 1) / 2) % fathom_count();
    fathom_ptr at = fathom_on(to, area) + 2048 * self;
    char here[1024] = {0};
    for (int kind = 0; kind < KINDS; kind++) {
        if (self == 0) fathom_barrier_all();
        pthread_barrier_wait(&turn);
        int64_t until = now_ns() + ms * 1000000ll;
        for (of[self].done = 0; now_ns() < until; of[self].done += AT_ONCE) some(kind, self, to, at, here);
        pthread_barrier_wait(&turn);
        if (self > 0) continue;
        int64_t mine = 0, all;
        for (int p = 0; p < crew; p++) mine += of[p].done;
        fathom_all_reduce(fathom_world(), &all, &mine, 1, FATHOM_I64, FATHOM_ADD);
        if (fathom_me() == 0) printf("%s %.3f\n", kinds[kind], (double)all / ms / 1000);
    }
    return NULL;
}

int main(int argc, char **argv) {
    crew = argc > 1 ? atoi(argv[1]) : 1, ms = argc > 2 ? atoi(argv[2]) : 200;
    if (crew < 1 || crew > MOST_CREW || ms < 1) {
        fprintf(stderr, "rates: expected a crew of 1 to %d and a number of milliseconds\n", MOST_CREW);
        return 2;
    }
    int required = crew > 1 ? FATHOM_THREAD_MULTIPLE : FATHOM_THREAD_SINGLE, provided;
    fathom_init_thread(&argc, &argv, required, &provided);
    if (provided < required) fathom_fatal("this conduit has no level multiple");
    on_ask = fathom_register(ask), on_told = fathom_register(told);
    area = fathom_alloc_all(2048 * MOST_CREW);
    pthread_barrier_init(&turn, NULL, (unsigned)crew);
    pthread_t others[MOST_CREW];
    for (int p = 1; p < crew; p++) pthread_create(&others[p], NULL, work, (void *)(uintptr_t)p);
    work(NULL);
    for (int p = 1; p < crew; p++) pthread_join(others[p], NULL);
    fathom_finalize();
    return 0;
}
