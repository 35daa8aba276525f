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

/* ---- settings (settings.c) ------------------------------------------------------------------------------------- */

/* A number with an optional suffix k, m, g, t (powers of 1024); false if the text is anything else or does not fit. */
bool core_parse_size(const char *text, size_t *bytes);
/* FATHOM_THREADS, or 0 if it is not set; complains and exits if it is no number of threads. */
int core_threads_wanted(void);
/* FATHOM_HEAP, or 0 if it is not set. */
size_t core_heap_wanted(void);

/* ---- memory (memory.c) ----------------------------------------------------------------------------------------- */

struct core_memory {
    int threads;
    size_t static_bytes;  /* start of every segment: static shared objects */
    size_t segment_bytes; /* whole segment; the heap is between the two */
    size_t budget_bytes;  /* what all heaps together may grow to; SIZE_MAX if FATHOM_HEAP says how much a heap may */
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
/* Zeroed memory that threads share, outside the segments; exits with a message if there is none. */
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

/* ---- constants.c ----------------------------------------------------------------------------------------------- */

/* Before main only: what generated code sees as constants. */
void core_set_constants(int mythread, int threads, unsigned long static_delta);

#endif
