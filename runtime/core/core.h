/* The core: settings, segments and memory limits, output by lines, messages, the end of a job.
 *
 * It is built on the conduit; `gas` and `lang` are built on it. Order of a start, all called by lang/start.c:
 * core_memory and each layer's own preparation in the first process, core_spawn, which returns in every thread, and
 * then the program.
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
/* FATHOM_THREADS, or 0 if it is not set; prints a message and exits if it is not a valid number of threads. */
int core_threads_wanted(void);
/* FATHOM_HEAP, or 0 if it is not set. */
size_t core_heap_wanted(void);
/* FATHOM_PROGRESS; prints a message and exits if it is neither thread nor poll. */
enum core_progress { CORE_PROGRESS_UNSAID, CORE_PROGRESS_THREAD, CORE_PROGRESS_POLL };
enum core_progress core_progress_wanted(void);
/* The mechanisms of FATHOM_COMM; it is `off`, `on` or a list of them, and a message is printed, and the program ends, if it is anything
 * else. */
struct core_comm {
    bool is_default;        /* it is not set */
    bool is_list;           /* mechanisms are named */
    bool outbox;            /* relaxed writes to far threads are gathered */
    bool bundles;           /* what waits for several threads of a set goes to one of them; includes outbox */
    bool updates;           /* `x op= y` is computed by the thread that has x; includes outbox */
    bool lines;             /* what is read from far threads is kept in lines */
    bool strips;            /* loops run in strips of far data */
    bool gathers;           /* and fetch elements at computed places together; includes strips */
    bool foresee;           /* loops in loops fetch for their next runs; includes strips */
    bool together;          /* calls of upc_memget that follow each other are under way at once */
    bool force;             /* strips land near data, too */
    bool check;             /* FATHOM_COMM_CHECK: what was fetched is compared where it is used */
    bool check_stops;       /* ... and the first difference ends the job */
    long sites;             /* FATHOM_COMM_SITES: so many loops fetch ahead; -1: unsaid */
    size_t outbox_bytes;    /* of a thread's buffer; 0: unsaid */
    size_t line_bytes;      /* of a line; 0: unsaid */
    size_t strip_elements;  /* of a strip; 0: unsaid */
    size_t kept_bytes;      /* of lists of places that are kept; 0: unsaid */
    size_t gather_elements; /* of a strip that gathers; 0: unsaid */
    size_t foreseen_runs;   /* of a loop, fetched together; 0: unsaid */
};
enum { CORE_LEAST_OUTBOX = 128, CORE_NARROWEST_LINE = 8, CORE_WIDEST_LINE = 4096 };
struct core_comm core_comm_wanted(void);

/* ---- tuning (tuning.c; tuning.h has the rest) -------------------------------------------------------------------- */

/* Reads the tuning table for this conduit; prints a message and exits if FATHOM_TUNING names a file that cannot be
 * read. Called before the threads are made. */
void core_tuning_start(void);
/* Reports the invalid lines of the file; called by one thread, after the threads are made. */
void core_tuning_report(void);

/* ---- memory (memory.c) ------------------------------------------------------------------------------------------- */

struct core_memory {
    int threads;
    size_t static_bytes;  /* start of every segment: static shared objects */
    size_t segment_bytes; /* whole segment; the heap is between the two */
    size_t middle;        /* 0: local and symmetric heap share the space; else where the local one's part ends */
    size_t budget_bytes;  /* the limit of all heaps on this computer together; SIZE_MAX if FATHOM_HEAP limits each */
    bool huge;            /* pages from the administrator's pool */
};
extern struct core_memory core_memory;

/* Addresses from `start` up to, but not including, `stop`; both null: none. */
struct core_range {
    const char *start, *stop;
};

/* Maps the segments and sets fathom_static_delta; prints a message and exits if that fails. `small` and `large` hold
 * the symbols of static shared objects. */
void core_memory_start(int threads, struct core_range small, struct core_range large);
/* Sets the constants of lang/split_c.h, before main of a program with a part in Split-C. */
void core_set_split(unsigned long data, unsigned long bytes, unsigned long offset, unsigned long here,
                    unsigned long stored);
/* The constants and data of such a program, where the linker has put them. */
extern const unsigned long fathom_split_data, fathom_split_data_bytes;
/* Bytes of a page: 4096, on ARM also 16 or 64 KiB. */
size_t core_page(void);
/* Bytes of memory that the computer and the control group have left now; SIZE_MAX if unknown. Takes about 0.1 ms. */
size_t core_memory_available(void);
/* Bytes that this process's control group (v2 or v1, whichever is tighter) or the computer could hold; 0 if unknown.
 * *what names the one that counts. */
size_t core_memory_limit(const char **what);
/* Zeroed memory that near threads share, outside the segments; exits with a message if there is none. Called before
 * core_spawn only, with the same arguments for all threads. */
void *core_shared(size_t bytes);
/* "3.2 GiB", in one of a few static buffers. */
const char *core_size_text(size_t bytes);
/* The shared memory that the heaps use; set by gas, used in messages. */
extern size_t (*core_heap_in_use)(int thread);

/* ---- start and end (end.c) --------------------------------------------------------------------------------------- */

/* The conduit's start, with the wrapper that FATHOM_CONDUIT_CHECK wants. */
int core_start(int wanted, int *argc, char ***argv);
/* Makes the threads; sets fathom_mythread and the rest. */
void core_spawn(void);
/* Called with main's return value, before it is returned to the C library. */
extern bool core_has_started; /* the job has; so what calls of the program stand on is there, or soon will be */
_Noreturn void core_before_start(void);
_Noreturn void core_no_size(size_t n); /* CORE_NO_SIZE or more */
void core_main_returned(void);
/* May this thread say why the job ends? True once for the job; a thread that gets false waits until the one that got
 * true has ended the job. */
bool core_claim_report(void);
/* Writes `fathom: thread T: …` in one piece. */
void core_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the job, after this thread's files are flushed. */
void core_exit(int status) __attribute__((noreturn));
/* Ends the job after a report, without running more of the program. */
void core_die(int status) __attribute__((noreturn));

/* Reports and ends the job; see gas_fatal, which this is. */
void core_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* A table of `count` zeros of `each` bytes, to be kept; the job ends if there is no memory. What of it is never written takes
 * no memory: with thousands of threads most of a table by thread is not, and each thread has such tables. */
void *core_table(size_t count, size_t each);

/* ---- threads that have terminated normally (done.c) -------------------------------------------------------------- */

/* Has the thread terminated normally? If it is not near, the call sends a question; so call again after a turn of
 * waiting. */
bool core_is_done(int thread);
/* At least this number of threads has; it is exact if none has, all others have, or all have, but with a delay. */
int core_done_count(void);
/* A terminated thread that had begun fewer barriers, and is not near; or -1. */
int core_done_before(uint32_t barrier);
/* Has the calling thread terminated normally, and only serves the others? */
bool core_is_leaving(void);
/* Terminates it: informs the others, and serves them until all have terminated. */
void core_done(void);
void core_done_start(void);

/* ---- messages (messages.c), waiting (wait.c), the barrier (barrier.c) -------------------------------------------- */

/* The conduit's overrides of the versions over messages; all null in a reference build. */
extern struct conduit_overrides core_overrides;
/* Nanoseconds since some moment: of the job's clock, which a simulated machine has, or the computer's. */
uint64_t core_clock_ns(void);

/* The runtime's own handlers, each registered by the file that it belongs to. */
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
    GAS_SYNC_FIRST = 32,
    QUEUES_FIRST = 56, /* queues/queues.h */
    CORE_FIRST_USER_HANDLER = 64
};
void core_handler(int index, gas_handler *handler);
/* The same for a service, which serves the sender without this thread's help: it accesses shared memory only, by
 * atomics or by copies that another thread could make, and sends at most a reply. While this thread computes, the
 * progress thread runs it. */
void core_service(int index, gas_handler *handler);

/* As gas_request_medium and gas_reply_medium, for handlers of the runtime. */
void core_request(int thread, int handler, const void *payload, size_t n, const uint64_t *args, int nargs);
void core_reply(gas_token token, int handler, const void *payload, size_t n, const uint64_t *args, int nargs);
/* To another thread, as gas_try_request_short. False: there is no room now, or the thread is gone. */
bool core_try_request(int thread, int handler, const uint64_t *args, int nargs);
/* Delivers the messages that have arrived; returns their number. Does nothing inside a handler. */
int core_poll(void);
/* If set: called by each poll, and by the progress thread inside the engine, to send what has been left to be sent. */
extern void (*core_pump)(void);
/* Set while collectives are under way that have been begun only: called by each poll outside of handlers, to take them further. */
extern void (*core_collectives)(void);
bool core_in_handler(void);
/* Around a function of the program that combines in a collective: it is like a handler, and may not even reply. Inside the gate. */
void core_operator_enter(void);
void core_operator_leave(void);
/* For messages about a call that the caller may not make: "a handler: …", "a function that combines: …". */
const char *core_inside(void);
bool core_is_combining(void);
/* The program has left its handlers for good (exit in one of them). */
void core_forget_handlers(void);
/* One turn of a loop that waits for another thread: serves messages, spins, yields, sleeps. `round` starts at 0. A
 * thread that makes the condition true sends a message or calls conduit_ring; otherwise the change is noticed with a
 * delay in proportion to the wait. Returns true about ten times a second: then a caller that knows for which thread it
 * waits checks whether that thread still exists. Fatal inside a handler. */
bool core_wait(unsigned *round);
/* The same for a loop that waits for an answer of another thread's runtime, whether that thread has terminated or
 * not. */
bool core_wait_answer(unsigned *round);
/* The same for a loop in which many threads may wait at once. Near threads always ring: it does not wake up in
 * between. */
bool core_wait_rung(unsigned *round);
/* The same for a loop that waits until *word, in a near segment, differs from `old`; a thread that changes it calls
 * conduit_wake. `mask` as for conduit_sleep. */
bool core_wait_word(unsigned *round, const uint32_t *word, uint32_t old, uint32_t mask);
/* Initial values of `round`: for a loop that must not spin, and for one that must not yield either. */
#define CORE_SPUN (1u << 30)
#define CORE_DROWSY (3u << 29)
/* The same for conditions that others may change without waking this thread: sleeps of at most a millisecond. */
bool core_wait_unrung(unsigned *round);
bool core_wait_word_unrung(unsigned *round, const uint32_t *word, uint32_t old, uint32_t mask);
/* core_wait_unrung for a program's own loop, which may wait for something other than a thread of the job. */
void core_pause(unsigned *round);
_Noreturn void core_wait_in_handler(void); /* reports it */
/* Writes of this thread are held back (gas/outbox.c), or values kept that others may have changed (gas/lines.c): not while it
 * waits for another thread's deed. */
extern bool core_is_holding;
extern void (*core_let_go)(void);
/* For a test of what others do, which a program may make in a loop. */
static inline int core_poll_for_others(void) {
    if (__builtin_expect(core_is_holding, 0)) core_let_go();
    return core_poll();
}
/* In the progress thread, inside the engine: the same for a thread that computes, without waiting. Is anything still held back? */
extern bool (*core_let_go_beside)(void);
/* The number of turns that spin before the first yield, on a computer that only the job uses. */
unsigned core_spins(void);
/* Processors that the job can use here: those of its affinity, limited by its control group (host.c). */
int core_processors(void);

/* Is the segment of `thread` within reach of loads and stores? */
static inline bool core_is_near(int thread) {
    return (unsigned)(thread - conduit_near.first) < (unsigned)conduit_near.count;
}

/* Begins a barrier, with this thread's ballot; completes it, with the merged ballot of all. */
void core_barrier_notify(const struct conduit_ballot *mine);
bool core_barrier_try(struct conduit_ballot *all);
void core_barrier_wait(struct conduit_ballot *all);
/* core_barrier_try has returned false, and the caller will ask again or wait. */
void core_barrier_tried(void);
/* That barrier is over. Its number would come again, after 2^32 others. */
void core_barrier_left(void);
/* The barrier (by core_barriers_begun) in whose core_barrier_wait a near thread has been for a while, or which it has tried in vain,
 * and with it its whole process; or 0. One that is over may be named still. */
uint32_t core_barrier_awaited(int thread);
/* That it is in core_barrier_wait, and does not only try. */
bool core_barrier_blocks(int thread);
void core_barrier_advance(void);
void core_done_advance(void);
/* Set when a message arrives for which other threads wait. Any poll then passes it on (core_pass_on), whatever this
 * thread waits for itself. */
enum { CORE_NEWS_BARRIER = 1, CORE_NEWS_DONE = 2 };
extern unsigned char core_news;
void core_pass_on(void);
uint32_t core_barriers_begun(void);

/* ---- the progress thread (progress.c, conduit/progress.h) -------------------------------------------------------- */

/* Called when every handler of the runtime is in the table. */
void core_progress_start(void);
/* Called before this thread leaves the conduit. */
void core_progress_stop(void);
/* Keeps a copy of a message until this thread polls; in the progress thread. */
void core_keep(const struct conduit_message *m);
/* What conduit_deliver is at first. */
void core_deliver(const struct conduit_message *m);

/* Shared state, reserved before the threads are made; handlers and the like, set in each thread. */
void core_barrier_prepare(void);
void core_barrier_start(void);
void core_messages_start(void);
/* Sets the number of polls from the tuning table: at the start, and when the table has changed. */
void core_wait_tuned(void);

/* ---- several POSIX threads: gate.h ------------------------------------------------------------------------------- */

#include "core/gate.h"

/* ---- output (output.c) ------------------------------------------------------------------------------------------- */

/* Keeps lines of stdout whole. In the first process it makes the lock, in a thread the stream. */
void core_output_prepare(void);
void core_output_start(void);
/* Writes the rest of an unfinished line. */
void core_output_flush(void);
/* Writes whole lines, which no thread near mixes its own with; false: the descriptor does not take them. */
bool core_output_print(int fd, const char *text, size_t bytes);
/* Saves the buffers of all open files without taking a lock: for signal handlers. */
void core_output_rescue(void);
/* cout.c: std::cout, which writes to the FILE `before`, writes to `after` from now on. */
void core_output_take_cout(const void *before, void *after);

/* ---- crashes and source positions (crash.c, where.c) ------------------------------------------------------------- */

void core_crash_start(void);
/* For a pointer that is not near: an address at which every access fails, and from which a crash's report derives
 * `p`. */
void *core_trap(fathom_ptr p);
void core_where_start(void);
/* " in f (file.upc:12)", or the part of it that can be found, for the first frame above the runtime's own; called from
 * a running function (`pc` null) or a signal handler (`pc`: where the signal came). Without `walk` only `pc` itself is
 * looked up. May be "". */
const char *core_where(void *pc, bool walk);

#endif
