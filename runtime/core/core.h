/* The core: settings, segments and memory limits, output by lines, messages, the end of a job.
 *
 * Stands on the conduit; `gas` and `lang` stand on it. Order of a start, all called by lang/start.c: core_memory and
 * each layer's own preparation in the first process, core_spawn, which returns in every thread, and then the program.
 */
#ifndef CORE_H
#define CORE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conduit/conduit.h"
#include "core/constants.h"
#include "gas.h"

/* ---- settings (settings.c) ------------------------------------------------------------------------------------- */

/* A number with an optional suffix k, m, g, t (powers of 1024); false if the text is anything else or does not fit. */
bool core_parse_size(const char *text, size_t *bytes);
/* FATHOM_THREADS, or 0 if it is not set; complains and exits if it is no number of threads. */
int core_threads_wanted(void);
/* FATHOM_HEAP, or 0 if it is not set. */
size_t core_heap_wanted(void);

/* ---- tuning (tuning.c; tuning.h has the rest) ------------------------------------------------------------------- */

/* Reads the tuning table for this conduit; complains and exits if FATHOM_TUNING names a file that cannot be read. Before
 * the threads are made. */
void core_tuning_start(void);
/* Says what was strange in the file; by one thread, when there are threads. */
void core_tuning_report(void);

/* ---- memory (memory.c) ----------------------------------------------------------------------------------------- */

struct core_memory {
    int threads;
    size_t static_bytes;  /* start of every segment: static shared objects */
    size_t segment_bytes; /* whole segment; the heap is between the two */
    size_t middle;        /* 0: local and symmetric heap share the space; else where the local one's part ends */
    size_t budget_bytes;  /* what all heaps on this computer may grow to; SIZE_MAX if FATHOM_HEAP says how much one may */
    bool huge;            /* pages from the administrator's pool */
};
extern struct core_memory core_memory;

/* Maps the segments and sets fathom_static_delta; complains and exits where that fails. */
void core_memory_start(int threads, const char *static_start, const char *static_end);
/* Bytes of memory that the computer and the control group have left now; SIZE_MAX if unknown. Takes some 0.1 ms. */
size_t core_memory_available(void);
/* Bytes that this process's control group (v2 or v1, whichever is tighter) or the computer could hold; 0 if unknown.
 * *what says which. */
size_t core_memory_limit(const char **what);
/* Zeroed memory that near threads share, outside the segments; exits with a message if there is none. Before core_spawn
 * only, by all threads alike. */
void *core_shared(size_t bytes);
/* "3.2 GiB", in one of a few static buffers. */
const char *core_size_text(size_t bytes);
/* How much shared memory the heaps hold; set by gas, used in messages. */
extern size_t (*core_heap_in_use)(int thread);

/* ---- start and end (end.c) ------------------------------------------------------------------------------------- */

/* Makes the threads; sets fathom_mythread and the rest. */
void core_spawn(void);
/* Called with main's return value, before it is returned to the C library. */
void core_main_returned(void);
/* May this thread say why the job ends? Once for the job; who gets false waits until the one that got true has ended
 * the job. */
bool core_claim_report(void);
/* Writes `fathom: thread T: …` in one piece. */
void core_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the job, after this thread's files are flushed. */
void core_exit(int status) __attribute__((noreturn));
/* Ends the job after a report, without running anything more of the program. */
void core_die(int status) __attribute__((noreturn));

/* Reports and ends the job; see gas_fatal, which this is. */
void core_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* Which threads have terminated normally, near ones and others. */
bool core_is_done(int thread);
int core_done_count(void);
void core_look_for_lost(void); /* brings the two up to date with threads that are gone */
/* Has the calling thread terminated normally, and only serves the others? */
bool core_is_leaving(void);
/* How many barriers a thread that is done, and not near, had begun. */
uint32_t core_done_phase(int thread);

/* ---- messages (messages.c), waiting (wait.c), the barrier (barrier.c) ------------------------------------------ */

/* What the conduit does better than the versions over messages; all null in a reference build. */
extern struct conduit_overrides core_overrides;

/* The runtime's own handlers, each entered by the file that it belongs to. */
enum core_handler {
    CORE_PIECE,
    CORE_DONE,
    CORE_BARRIER,
    /* gas/far.c and the other transfers */
    GAS_FAR_FIRST,
    /* atomics, domains, heap, locks, teams, collectives */
    GAS_SYNC_FIRST = 24,
    CORE_FIRST_USER_HANDLER = 48
};
void core_handler(int index, gas_handler *handler);

/* As gas_request_medium and gas_reply_medium, for handlers of the runtime. */
void core_request(int thread, int handler, const void *payload, size_t n, const uint64_t *args, int nargs);
void core_reply(gas_token token, int handler, const void *payload, size_t n, const uint64_t *args, int nargs);
/* Delivers what has arrived; returns how many messages. Does nothing inside a handler. */
int core_poll(void);
bool core_in_handler(void);
/* The program has left its handlers for good (exit in one of them). */
void core_forget_handlers(void);
/* One turn of a loop that waits for another thread: serves messages, spins, yields, rests. `round` starts at 0. */
void core_wait(unsigned *round);
/* How many turns spin, before the first yield. */
unsigned core_spins(void);

/* Is the segment of `thread` within reach of loads and stores? */
static inline bool core_is_near(int thread) {
    return (unsigned)(thread - conduit_near.first) < (unsigned)conduit_near.count;
}

/* Begins a barrier, with this thread's ballot; completes it, with everybody's. */
void core_barrier_notify(const struct conduit_ballot *mine);
bool core_barrier_try(struct conduit_ballot *all);
void core_barrier_wait(struct conduit_ballot *all);
/* Has something arrived since the last advance? Then who polls passes it on, whatever it waits for itself: others may be
 * waiting at the barrier. */
extern bool core_barrier_news;
void core_barrier_advance(void);
uint32_t core_barriers_begun(void);

/* Shared state, reserved before the threads are made; handlers and the like, set in each thread. */
void core_barrier_prepare(void);
void core_barrier_start(void);
void core_messages_start(void);
/* How often to look follows from the tuning table: at the start, and when that has changed. */
void core_wait_tuned(void);

/* ---- output (output.c) ----------------------------------------------------------------------------------------- */

/* Makes stdout unbroken by lines. In the first process: the lock; in a thread: the stream. */
void core_output_prepare(void);
void core_output_start(void);
/* Writes what is left in an unfinished line. */
void core_output_flush(void);
/* Saves what all open files hold, without taking a lock: for signal handlers. */
void core_output_rescue(void);

/* ---- crashes and source positions (crash.c, where.c) ----------------------------------------------------------- */

void core_crash_start(void);
void core_where_start(void);
/* " in f (file.upc:12)", or as much of it as can be found, for the first frame above the runtime's own; called from a
 * running function (`pc` null) or a signal handler (`pc`: where the signal came). Without `walk` only `pc` itself is
 * looked up. May be "". */
const char *core_where(void *pc, bool walk);

#endif
