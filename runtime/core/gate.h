/* The gate: how several POSIX threads of a process call at the same time.
 *
 * What the layers keep for a process (messages, handles, transfers, waits, teams: decision 0015 has the list) is used by one
 * POSIX thread at a time, the one inside the gate. Accesses to near memory (puts, gets, atomics, signals, allocations) do
 * not come here: they touch memory that processes share anyhow, and run in parallel. A POSIX thread that waits opens the
 * gate while it yields and sleeps; so a function that waits must not rely on static data from before.
 *
 * A program that asks for no level has no gate: a test of core_gate_is_on in the functions that are called, none in those
 * that are inlined. The progress thread never takes the gate: its lock is the engine's (conduit/progress.h), which a
 * POSIX thread of the program enters inside the gate.
 */
#ifndef CORE_GATE_H
#define CORE_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "gas.h"

extern bool core_gate_is_on;             /* a level above single */
extern __thread bool core_gate_is_first; /* the calling POSIX thread has started the job */
_Noreturn void core_gate_not_single(void);
/* At level single, where there is no gate, barriers and waits that last look who calls. */
static inline void core_gate_check(void) {
    if (__builtin_expect(!core_gate_is_first && !core_gate_is_on, 0)) core_gate_not_single();
}

/* The level that the program asks for, or a lower one that can be had. */
enum gas_thread_level core_gate_grants(enum gas_thread_level required);
/* Sets that level, and returns it; called by the POSIX thread that starts the job. */
enum gas_thread_level core_gate_start(enum gas_thread_level required);
/* The same, unless the process has a higher one already. Ends the job if another POSIX thread calls, or a handler. */
enum gas_thread_level core_gate_raise(enum gas_thread_level required);
enum gas_thread_level core_gate_level(void);
/* The calling POSIX thread ends the process (exit): it may call whatever the level. */
void core_gate_end(void);

/* The number of the calling POSIX thread: 0 for the one that started the job, and for all at levels below multiple. A
 * number is given again when its thread has ended. */
enum { CORE_MOST_PTHREADS = 4096 };
unsigned core_pthread_slow(void);
static inline unsigned core_pthread(void) { return __builtin_expect(core_gate_is_on, 0) ? core_pthread_slow() : 0; }

bool core_gate_enter_slow(void);
void core_gate_leave_slow(void);

/* Goes inside, unless the caller is; ends the job where the level does not allow the call. The result is for
 * core_gate_leave. */
static inline bool core_gate_enter(void) { return __builtin_expect(core_gate_is_on, 0) && core_gate_enter_slow(); }
static inline void core_gate_leave(const bool *entered) {
    if (__builtin_expect(*entered, 0)) core_gate_leave_slow();
}
/* From here to the end of the block the caller is inside. */
#define CORE_GATE __attribute__((cleanup(core_gate_leave), unused)) const bool core_gate_was_entered = core_gate_enter()

/* Something has happened for which other POSIX threads of this process may be waiting: they look again. Inside. */
void core_gate_news(void);

/* For waits at level multiple (wait.c). Inside. */

/* Outside: is another inside, who serves messages or soon lets the caller do so? */
bool core_gate_is_busy(void);
/* Lets others in who wait for that, now. */
void core_gate_let_in(void);
/* Opens it, however often the caller has entered; the number is for core_gate_close. */
unsigned core_gate_open(void);
void core_gate_close(unsigned entered);
/* Sleeps, with the gate open, at most `us`: until a message arrives or somebody rings, or *word (unless null) is no longer
 * `old`. *epoch, at first 0, is the caller's own: it must look at what it waits for, and call again, before it sleeps. */
void core_gate_sleep(uint32_t *epoch, const uint32_t *word, uint32_t old, int us);

#endif
