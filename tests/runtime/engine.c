/* A thread and its progress thread, the real ones of core/progress.c, beside a conduit made of a few variables: nobody
 * loses what the other has done, each message is taken once and in order, and a thread that sleeps is woken. Built with
 * -fsanitize=thread, it shows whether the lock orders everything between the two. tests/protocols/engine.pml is the model.
 *
 *     engine ROUNDS [fences]      fences: as on a kernel without membarrier
 *
 * A third POSIX thread is the network: it hands out numbered messages. Even ones are services, odd ones the thread's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/progress.h"
#include "core/core.h"

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "engine.c:%d: not true: %s\n", __LINE__, #condition);                                      \
            _exit(99);                                                                                                 \
        }                                                                                                              \
    } while (0)

/* ---- the conduit ------------------------------------------------------------------------------------------------- */

static uint64_t come;          /* messages that have come */
static uint64_t taken;         /* and been taken: a plain variable of the engine, as are the next two */
static uint64_t services, own; /* delivered */
static uint64_t watched;       /* what a thread that computes watches */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of the network */
static pthread_cond_t arrival = PTHREAD_COND_INITIALIZER;

static uint64_t arrived(void) { return __atomic_load_n(&come, __ATOMIC_ACQUIRE); }

bool conduit_may_deliver(const struct conduit_message *m) { return !conduit_is_beside() || m->args[0] % 2 == 0; }

void core_deliver(const struct conduit_message *m) {
    uint64_t number = m->args[0];
    if (!conduit_may_deliver(m)) {
        core_keep(m);
        return;
    }
    CHECK(*(const uint64_t *)m->payload == number * 3);
    if (number % 2) {
        CHECK(own++ == number / 2);
    } else {
        CHECK(services++ == number / 2);
        __atomic_store_n(&watched, services, __ATOMIC_RELEASE);
    }
}

static int take(int most) {
    int n = 0;
    for (; n < most && taken < arrived(); n++) {
        uint64_t number = taken++, payload = number * 3;
        conduit_deliver(&(struct conduit_message){.nargs = 1, .args = &number, .payload = &payload, .bytes = 8});
    }
    return n;
}

static int poll_network(bool replies_only) {
    bool entered = conduit_enter();
    int n = conduit_polled() + conduit_deliver_kept(&replies_only);
    if (!replies_only) n += take(32);
    conduit_leave(entered);
    return n;
}

static int progress(void) {
    int n = 0;
    while (n < 32 && !(n && conduit_is_wanted()) && !conduit_kept_enough() && take(1)) n++;
    return n;
}

/* Until there is a message that nobody has taken. The progress thread takes none meanwhile. */
static void sleep_until_arrival(void) {
    pthread_mutex_lock(&mutex);
    while (come == taken) pthread_cond_wait(&arrival, &mutex);
    pthread_mutex_unlock(&mutex);
}

static bool needs_progress(const char **obstacle) {
    (void)obstacle;
    return true;
}
static void rest_beside(long us) { nanosleep(&(struct timespec){0, (us < 50 ? us : 50) * 1000}, NULL); }

/* ---- what else progress.c stands on ------------------------------------------------------------------------------ */

unsigned char core_news;
void (*core_pump)(void);
void core_pass_on(void) {}
static int threads_here(void) { return 1; }
static int cores(void) { return 2; }
const struct conduit conduit_built = {.name = "engine",
                                      .threads_here = threads_here,
                                      .cores = cores,
                                      .poll = poll_network,
                                      .needs_progress = needs_progress,
                                      .progress = progress,
                                      .rest_beside = rest_beside};
const struct conduit *conduit_used = &conduit_built;
void (*conduit_deliver)(const struct conduit_message *m) = core_deliver;
enum core_progress core_progress_wanted(void) { return CORE_PROGRESS_THREAD; }
void core_fatal(const char *format, ...) {
    fprintf(stderr, "%s\n", format);
    _exit(98);
}
void core_say(const char *format, ...) { core_fatal("%s", format); }

/* ---- the network, and a program ---------------------------------------------------------------------------------- */

static uint64_t wanted;

static void *network(void *nothing) {
    for (uint64_t want; (want = __atomic_load_n(&wanted, __ATOMIC_ACQUIRE)) != UINT64_MAX;) {
        if (arrived() == want) {
            nanosleep(&(struct timespec){0, 20000}, NULL);
            continue;
        }
        pthread_mutex_lock(&mutex);
        __atomic_store_n(&come, come + 1, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&arrival);
        pthread_mutex_unlock(&mutex);
    }
    return nothing;
}

static void forbid_membarrier(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static uint64_t seen(void) { return __atomic_load_n(&watched, __ATOMIC_ACQUIRE); }

int main(int argc, char **argv) {
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000, sent = 0;
    bool fences = argc > 2 && strcmp(argv[2], "fences") == 0;
    if (fences) forbid_membarrier();
    core_set_constants(0, 2, 0);
    core_progress_start();
    CHECK(conduit_engine.fences == fences);
    pthread_t net;
    CHECK(pthread_create(&net, NULL, network, NULL) == 0);
    for (uint64_t i = 0; i < rounds; i++) {
        sent += 10;
        __atomic_store_n(&wanted, sent, __ATOMIC_RELEASE);
        switch (i % 4) {
        case 0: /* computes until the progress thread has run all services */
            while (seen() < sent / 2) {}
            break;
        case 1: /* polls */
            while (seen() < sent / 2) conduit_poll(false);
            break;
        case 2: /* goes in and out, and never polls */
            while (seen() < sent / 2) {
                bool entered = conduit_enter();
                CHECK(services <= sent / 2 && own <= sent / 2);
                conduit_leave(entered);
            }
            break;
        default: /* sleeps without a limit of time */
            while (own < sent / 2) {
                if (conduit_poll(false)) continue;
                if (conduit_rest_begin()) sleep_until_arrival();
                conduit_rest_end();
            }
        }
        while (own < sent / 2) conduit_poll(false);
        bool entered = conduit_enter();
        CHECK(services == sent / 2 && taken == sent);
        conduit_leave(entered);
    }
    __atomic_store_n(&wanted, UINT64_MAX, __ATOMIC_RELEASE);
    pthread_join(net, NULL);
    core_progress_stop();
    CHECK(conduit_engine.served >= rounds / 4);
    puts("good");
    return 0;
}
