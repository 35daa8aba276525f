/* How threads begin and end, and the messages about it.
 *
 * Returning from main and exit(0) are a thread's termination (5.1.2.2 of the language): the thread flushes its files
 * and waits for the others. Every other end of a process ends the job: exit with another status, upc_global_exit, an
 * error of the runtime. The C library passes the status to an on_exit function; the function registered first is called
 * last, after all of the program's own.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/check/check.h"
#include "core/core.h"
#include "lang/prelude.h"

static bool main_returned;
bool core_has_started;
struct conduit_overrides core_overrides;
bool conduit_is_awaited;

uint64_t core_clock_ns(void) {
    if (core_overrides.now_ns) return core_overrides.now_ns();
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

unsigned conduit_burst;
struct conduit_near conduit_near;
struct conduit_hooks conduit_hooks;
const struct conduit *conduit_used = &conduit_built;

/* From then on no other POSIX thread of the process comes inside the gate: one that still calls, such as a thread of the
 * program's that is never joined, would use what the conduit gives up. */
static void terminate(int status) {
    core_gate_end();
    (void)core_gate_enter();
    core_done();
    core_progress_stop();
    conduit_finish(status);
}

static void at_exit(int status, void *nothing) {
    (void)nothing;
    if (!conduit_is_thread()) { /* a child that the program has forked */
        core_output_flush();
        return;
    }
    bool ending = status != 0 && !main_returned;
    fflush(NULL);
    core_output_flush();
    if (ending) conduit_end(status);
    if (conduit_is_ending()) {
        core_progress_stop();
        return;
    }
    terminate(status);
}

static void killed(int thread, int signal) {
    if (!conduit_claim_report()) return;
    size_t used = core_memory.static_bytes * (size_t)core_memory.threads;
    for (int t = 0; t < core_memory.threads; t++) used += core_heap_in_use(t);
    const char *name = strsignal(signal);
    char text[1024];
    int n = snprintf(text, sizeof text, "fathom: thread %d: ended by signal %d (%s)\n", thread, signal,
                     name ? name : "unknown");
    const char *limit_of;
    size_t limit = core_memory_limit(&limit_of);
    if (signal == SIGKILL && limit && used > limit / 2)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "fathom: the kernel does that when memory runs out: the job's static shared data and heaps take "
                      "up to %s, and %s is %s; use smaller arrays, or set FATHOM_HEAP so that allocations fail in "
                      "time\n",
                      core_size_text(used), limit_of, core_size_text(limit));
    bounded_say(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

int core_start(int wanted, int *argc, char ***argv) {
    check_start();
    return conduit_start(wanted, argc, argv);
}

void core_spawn(void) {
    conduit_hooks.ending = core_output_rescue;
    conduit_hooks.killed = killed;
    conduit_hooks.print = core_output_print;
    core_output_prepare();
    core_barrier_prepare();
    core_processors();
    int me = conduit_spawn(core_memory.threads);
    core_gate_is_first = core_has_started = true;
    core_is_holding = false;
#ifdef FATHOM_REFERENCE
    conduit_near = (struct conduit_near){me, 1};
#else
    if (conduit_used->overrides) core_overrides = *conduit_used->overrides;
#endif
    core_set_constants(me, fathom_threads, fathom_static_delta);
    unsigned long near = fathom_make(conduit_near.first, 0);
    core_set_near(near, (unsigned long)conduit_near.count << FATHOM_SEG_BITS, FATHOM_BASE - near);
    core_messages_start();
    core_barrier_start();
    core_wait_tuned();
    core_done_start();
    core_output_start();
    core_crash_start();
    on_exit(at_exit, NULL);
}

/* There is no job yet that could be ended. */
void core_before_start(void) {
    fprintf(stderr, "fathom: a call before fathom_init or fathom_init_thread, which come first in main\n");
    exit(1);
}

void core_no_size(size_t n) { core_fatal("a size of %zu bytes, which no memory has: is it a negative number?", n); }

void core_main_returned(void) { main_returned = true; }

bool core_claim_report(void) { return bounded_may_say(conduit_claim_report, conduit_is_ending); }

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
    bounded_say(text, length);
}

void core_fatal(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char text[1536];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!conduit_is_ending() && core_claim_report()) core_say("%s%s", text, core_where(NULL, true));
    core_die(1);
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
