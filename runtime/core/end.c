/* How threads begin and end, and what is said about it.
 *
 * Returning from main and exit(0) are a thread's termination (5.1.2.2 of the language): the thread flushes its files
 * and waits for the others. Everything else that ends a process ends the job: exit with another status,
 * upc_global_exit, an error of the runtime. The C library tells an on_exit function the status, and calls the first
 * one registered last, after all of the program's own.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/core.h"
#include "lang/prelude.h"

static uint32_t *reported; /* shared: somebody has said why the job ends */
static bool main_returned;

static void at_exit(int status, void *nothing) {
    (void)nothing;
    if (!conduit_is_thread()) { /* a child that the program has forked */
        core_output_flush();
        return;
    }
    bool leaving = status != 0 && !main_returned;
    fflush(NULL);
    core_output_flush();
    if (leaving) conduit_end(status);
    if (conduit_is_ending()) return;
    conduit_done();
}

static void killed(int thread, int signal) {
    if (__atomic_exchange_n(reported, 1, __ATOMIC_SEQ_CST)) return;
    size_t used = core_memory.static_bytes * (size_t)core_memory.threads;
    for (int t = 0; t < core_memory.threads; t++) used += core_heap_in_use(t);
    const char *name = strsignal(signal);
    fprintf(stderr, "fathom: thread %d: ended by signal %d (%s)\n", thread, signal, name ? name : "unknown");
    const char *limit_of;
    size_t limit = core_memory_limit(&limit_of);
    if (signal == SIGKILL && limit && used > limit / 2)
        fprintf(stderr,
                "fathom: the kernel does that when memory runs out: the job's static shared data and heaps take up to "
                "%s, and %s is %s; use smaller arrays, or set FATHOM_HEAP so that allocations fail in time\n",
                core_size_text(used), limit_of, core_size_text(limit));
}

void core_spawn(void) {
    reported = core_shared(sizeof *reported);
    conduit_hooks.ending = core_output_rescue;
    conduit_hooks.killed = killed;
    core_output_prepare();
    int me = conduit_spawn(core_memory.threads);
    core_set_constants(me, fathom_threads, fathom_static_delta);
    core_output_start();
    core_crash_start();
    on_exit(at_exit, NULL);
}

void core_main_returned(void) { main_returned = true; }

bool core_claim_report(void) {
    if (!__atomic_exchange_n(reported, 1, __ATOMIC_SEQ_CST)) return true;
    /* Ending now would end the one that is still finding words. */
    for (int i = 0; i < 600 && !conduit_is_ending(); i++) poll(NULL, 0, 10);
    return false;
}

void core_say(const char *format, ...) {
    char text[2560];
    size_t room = sizeof text - 1;
    int n = snprintf(text, room, "fathom: thread %d: ", fathom_mythread);
    va_list args;
    va_start(args, format);
    vsnprintf(text + n, room - (size_t)n, format, args);
    va_end(args);
    size_t length = strlen(text);
    text[length++] = '\n';
    ssize_t ignored = write(2, text, length);
    (void)ignored;
}

void core_exit(int status) {
    conduit_end(status);
    exit(status & 0xff);
}

void core_die(int status) {
    conduit_end(status);
    core_output_rescue();
    _exit(status);
}
