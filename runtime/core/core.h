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

/* ---- settings (settings.c) --------------------------------------------------------------------------------------- */

/* A number with an optional suffix k, m, g, t (powers of 1024); false if the text is anything else or does not fit. */
bool core_parse_size(const char *text, size_t *bytes);
/* FATHOM_THREADS, or 0 if it is not set; complains and exits if it is no number of threads. */
int core_threads_wanted(void);
/* FATHOM_HEAP, or 0 if it is not set. */
size_t core_heap_wanted(void);
/* FATHOM_PROGRESS; complains and exits if it is neither thread nor poll. */
enum core_progress { CORE_PROGRESS_UNSAID, CORE_PROGRESS_THREAD, CORE_PROGRESS_POLL };
enum core_progress core_progress_wanted(void);

/* ---- tuning (tuning.c; tuning.h has the rest) -------------------------------------------------------------------- */

/* Reads the tuning table for this conduit; complains and exits if FATHOM_TUNING names a file that cannot be read. Before
 * the threads are made. */
void core_tuning_start(void);
/* Says what was strange in the file; by one thread, when there are threads. */
void core_tuning_report(void);

/* ---- memory (memory.c) ------------------------------------------------------------------------------------------- */

struct core_memory {
    int threads;
    size_t static_bytes;  /* start of every segment: static shared objects */
    size_t segment_bytes; /* whole segment; the heap is between the two */
    size_t middle;        /* 0: local and symmetric heap share the space; else where the local one's part ends */
    size_t
        budget_bytes; /* what all heaps on this computer may grow to; SIZE_MAX if FATHOM_HEAP says how much one may */
    bool huge;        /* pages from the administrator's pool */
};
extern struct core_memory core_memory;

/* Addresses from `start` up to `stop`, which is the first behind them; both null: none. */
struct core_range {
    const char *start, *stop;
};

/* Maps the segments and sets fathom_static_delta; complains and exits where that fails. `small` and `large` hold the symbols
 * of static shared objects. */
void core_memory_start(int threads, struct core_range small, struct core_range large);
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

/* ---- start and end (end.c) --------------------------------------------------------------------------------------- */

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

/* ---- threads that have terminated normally (done.c) -------------------------------------------------------------- */

/* Has it? Of one that is not near it asks; so ask again, after a turn of waiting. */
bool core_is_done(int thread);
/* At least so many have; it is exact if none has, all others, or all, but the news of it takes a while to come. */
int core_done_count(void);
/* One of them that had begun fewer barriers, and is not near; or -1. */
int core_done_before(uint32_t barrier);
/* Has the calling thread terminated normally, and only serves the others? */
bool core_is_leaving(void);
/* Terminates it: says so, and serves the others until all have. */
void core_done(void);
void core_done_start(void);

/* ---- messages (messages.c), waiting (wait.c), the barrier (barrier.c) -------------------------------------------- */

/* What the conduit does better than the versions over messages; all null in a reference build. */
extern struct conduit_overrides core_overrides;

/* The runtime's own handlers, each entered by the file that it belongs to. */
enum core_handler {
    CORE_PIECE,
    CORE_DONE, /* done.c */
    CORE_ALL_DONE,
    CORE_IS_DONE,
    CORE_IS_DONE_ANSWER,
    CORE_BARRIER,
    /* gas/far.c and the other transfers */
    GAS_FAR_FIRST,
    /* atomics, domains, heap, locks, teams, collectives */
    GAS_SYNC_FIRST = 24,
    CORE_FIRST_USER_HANDLER = 48
};
void core_handler(int index, gas_handler *handler);
/* The same of one that serves the sender without this thread's help: it touches shared memory only, by atomics or by copies
 * that another thread's might be, and sends at most a reply. While this thread computes, the progress thread runs it. */
void core_service(int index, gas_handler *handler);

/* As gas_request_medium and gas_reply_medium, for handlers of the runtime. */
void core_request(int thread, int handler, const void *payload, size_t n, const uint64_t *args, int nargs);
void core_reply(gas_token token, int handler, const void *payload, size_t n, const uint64_t *args, int nargs);
/* Delivers what has arrived; returns how many messages. Does nothing inside a handler. */
int core_poll(void);
bool core_in_handler(void);
/* The program has left its handlers for good (exit in one of them). */
void core_forget_handlers(void);
/* One turn of a loop that waits for another thread: serves messages, spins, yields, sleeps. `round` starts at 0. Whoever
 * makes true what is waited for sends a message or calls conduit_ring; or it is noticed late, by a part of the time waited.
 * True about ten times a second: then a caller that knows for whom it waits looks whether that thread is still there.
 * Fatal inside a handler. */
bool core_wait(unsigned *round);
/* The same of a loop that waits for what another thread's runtime answers, be the thread terminated or not. */
bool core_wait_answer(unsigned *round);
/* The same of a loop in which many threads may wait at once. Near threads always ring: it does not wake up between. */
bool core_wait_rung(unsigned *round);
/* The same of a loop that waits until *word, in a near segment, differs from `old`; whoever changes it calls conduit_wake.
 * `mask` as for conduit_sleep. */
bool core_wait_word(unsigned *round, const uint32_t *word, uint32_t old, uint32_t mask);
/* As `round`, for one that is not to spin; and for one that is not to yield either. */
#define CORE_SPUN (1u << 30)
#define CORE_DROWSY (3u << 29)
/* The same two for what others may change without waking anybody: naps of at most a millisecond. */
bool core_wait_unrung(unsigned *round);
bool core_wait_word_unrung(unsigned *round, const uint32_t *word, uint32_t old, uint32_t mask);
/* core_wait_unrung of a program's own loop, which may wait for something else than a thread of the job. */
void core_pause(unsigned *round);
_Noreturn void core_wait_in_handler(void); /* reports it */
/* How many turns spin, before the first yield, on a computer of the job's own. */
unsigned core_spins(void);
/* Processors that the job can use here: those of its affinity, as far as its control group may use them (host.c). */
int core_processors(void);

/* Is the segment of `thread` within reach of loads and stores? */
static inline bool core_is_near(int thread) {
    return (unsigned)(thread - conduit_near.first) < (unsigned)conduit_near.count;
}

/* Begins a barrier, with this thread's ballot; completes it, with everybody's. */
void core_barrier_notify(const struct conduit_ballot *mine);
bool core_barrier_try(struct conduit_ballot *all);
void core_barrier_wait(struct conduit_ballot *all);
void core_barrier_advance(void);
void core_done_advance(void);
/* Set when a message arrives whose news other threads wait for. Any poll then passes it on (core_pass_on), whatever this
 * thread waits for itself. */
enum { CORE_NEWS_BARRIER = 1, CORE_NEWS_DONE = 2 };
extern unsigned char core_news;
void core_pass_on(void);
uint32_t core_barriers_begun(void);

/* ---- the progress thread (progress.c, conduit/progress.h) -------------------------------------------------------- */

/* When every handler of the runtime is in the table. */
void core_progress_start(void);
/* Before this thread takes leave of the conduit. */
void core_progress_stop(void);
/* Keeps a copy of a message until this thread polls; in the progress thread. */
void core_keep(const struct conduit_message *m);

/* Shared state, reserved before the threads are made; handlers and the like, set in each thread. */
void core_barrier_prepare(void);
void core_barrier_start(void);
void core_messages_start(void);
/* How often to look follows from the tuning table: at the start, and when that has changed. */
void core_wait_tuned(void);

/* ---- output (output.c) ------------------------------------------------------------------------------------------- */

/* Makes stdout unbroken by lines. In the first process: the lock; in a thread: the stream. */
void core_output_prepare(void);
void core_output_start(void);
/* Writes what is left in an unfinished line. */
void core_output_flush(void);
/* Saves what all open files hold, without taking a lock: for signal handlers. */
void core_output_rescue(void);
/* cout.c: std::cout, which writes to the FILE `before`, writes to `after` from now on. */
void core_output_take_cout(const void *before, void *after);

/* ---- crashes and source positions (crash.c, where.c) ------------------------------------------------------------- */

void core_crash_start(void);
/* An address that no access survives, and from which a crash's report knows what `p` was: of what is not near. */
void *core_trap(fathom_ptr p);
void core_where_start(void);
/* " in f (file.upc:12)", or as much of it as can be found, for the first frame above the runtime's own; called from a
 * running function (`pc` null) or a signal handler (`pc`: where the signal came). Without `walk` only `pc` itself is
 * looked up. May be "". */
const char *core_where(void *pc, bool walk);

#endif
