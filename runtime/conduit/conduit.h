/* What a conduit gives to the layers above: processes, memory, active messages, and an end. Nothing else is required:
 * every further operation has a version over the messages (core/, gas/), and a conduit that can do better says so in
 * `conduit_overrides`. docs/adding-a-conduit.md is the guide, conduit/template the example.
 *
 * A conduit is a folder of C files that include this header and the prelude, and an inline header for generated code,
 * fathom_conduit.h: conduit/distributed.h, unless every thread reaches all memory by loads and stores.
 *
 * Threads that share memory are *near* each other and have consecutive numbers: conduit_near. Order of a start:
 * conduit_start, conduit_segments, conduit_shared (any number of times, the same on every thread), conduit_spawn. Where
 * threads are forked, all but the last happen once, in the first process. After conduit_spawn everything may be called.
 */
#ifndef CONDUIT_H
#define CONDUIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONDUIT_MAX_THREADS 768 /* where the address space of x86-64 ends: (256 + 768) * 2^37 = 2^47 */

/* ---- start ----------------------------------------------------------------------------------------------------- */

extern const char conduit_name[]; /* "smp" */

/* Called first. `wanted` threads are asked for (0: nobody said); returns how many there will be. A conduit whose
 * launcher decides the number complains and exits if that is not what was wanted. */
int conduit_start(int wanted, int *argc, char ***argv);
/* How many threads this computer has, near each other or not; for dividing its memory. Known after conduit_start. */
int conduit_threads_here(void);
/* The least of what the threads' processes give: computers of one job may differ in size. Between conduit_start and
 * conduit_spawn, by all alike. */
size_t conduit_least(size_t mine);
/* Gives each thread a zeroed segment of `bytes` at fathom_make(t, 0), mapped by all that are near it. `bytes` is a
 * multiple of 2 MiB. With `huge`, only pages that the administrator has set aside (hugetlbfs) will do. Returns 0, or the
 * errno of what failed, with its name in *what; nothing is left mapped then, and it may be called again. */
int conduit_segments(int threads, size_t bytes, bool huge, const char **what);
/* Zeroed memory outside the segments that near threads share; null if there is none. The first to use what is in it
 * must not expect another to have initialised it before the first barrier. */
void *conduit_shared(size_t bytes);
/* Makes the threads. Returns each thread's number in it; does not return in a supervisor. Returns when every segment
 * near this thread is mapped and messages can be sent to everybody. */
int conduit_spawn(int threads);

struct conduit_near {
    int first, count; /* threads whose segments this process reads and writes by loads and stores; the own among them */
};
extern struct conduit_near conduit_near; /* the count is set by conduit_start, the first by conduit_spawn */

/* What the layers above do when the end of the job reaches a process in other ways than by a call. */
struct conduit_hooks {
    /* Saves buffered output; called in a signal handler. */
    void (*ending)(void);
    /* A thread was ended by a signal (outside the program's control). */
    void (*killed)(int thread, int signal);
};
extern struct conduit_hooks conduit_hooks;

/* ---- active messages ------------------------------------------------------------------------------------------- */

enum { CONDUIT_MAX_ARGS = 18, CONDUIT_HANDLER_BITS = 10 };

/* Where a message's payload goes first (a "long" message) is core's business: to a conduit it is one more argument. */
struct conduit_message {
    int thread;          /* to whom, or, on delivery, from whom */
    uint16_t handler;    /* below 2^CONDUIT_HANDLER_BITS */
    uint8_t nargs;
    bool reply;
    const uint64_t *args;
    const void *payload; /* on delivery: aligned to 8, gone after conduit_deliver returns */
    size_t bytes;        /* of payload, at most conduit_max_medium */
};
/* Bytes of payload that one message can carry: at least 4096. */
extern const size_t conduit_max_medium;

/* Sends; returns when args and payload may be changed. Messages from one thread to another arrive once each and in the
 * order of sending, requests among requests and replies among replies. Never to oneself (core does that). Where there is
 * no room it waits, and meanwhile delivers: everything while sending a request, replies only while sending a reply. That,
 * and room for replies that requests do not take, is what excludes deadlock. */
void conduit_send(const struct conduit_message *m);
/* Delivers what has arrived, at most a few dozen messages (or, with replies_only, replies). Returns how many. */
int conduit_poll(bool replies_only);
/* Supplied by core: runs the handler. */
void conduit_deliver(const struct conduit_message *m);

/* ---- waiting --------------------------------------------------------------------------------------------------- */

/* Sleeps up to `us` microseconds, or until a message arrives. */
void conduit_rest(int us);
/* Wakes a near thread from conduit_rest: for who has written what that thread waits for. Nearly free if it does not rest. */
void conduit_ring(int thread);
/* Near threads only: sleeps while *word == old, at most `ms` milliseconds, until woken with a mask that shares a bit
 * with `mask`, or until a message arrives. */
void conduit_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms);
void conduit_wake(const uint32_t *word, int count, uint32_t mask);
/* Processors that the near threads may use. */
int conduit_cores(void);

static inline void conduit_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* ---- end ------------------------------------------------------------------------------------------------------- */

/* This thread has terminated normally; near threads (and a supervisor) are to know. Does not wait: core tells the threads
 * that are not near, by messages, and serves everybody until all have terminated. */
void conduit_done(void);
/* Has `thread` terminated? Of threads that are not near only a supervisor knows, which may be none: then false. How many
 * near threads have? */
bool conduit_is_done(int thread);
int conduit_done_count(void);
/* All threads have terminated normally: leaves what the conduit is part of, such as MPI. The process exits next, with
 * `status`. */
void conduit_finish(int status);
/* May this thread say why the job ends? True once for the job (or at least for the threads of a node). */
bool conduit_claim_report(void);
/* Decides that the job ends now, with `status`; the first caller wins (true). The caller then leaves its process, and
 * the conduit sees to the others. */
bool conduit_end(int status);
bool conduit_is_ending(void);
/* Is the calling process one of the job's threads (and not a child that a thread has forked)? */
bool conduit_is_thread(void);

/* ---- overrides ------------------------------------------------------------------------------------------------- */

/* What a barrier gathers from all threads; see core/barrier.c. Merging is associative and commutative. */
struct conduit_ballot {
    uint64_t kinds, first, other;
};
void conduit_ballot_merge(struct conduit_ballot *into, const struct conduit_ballot *from); /* supplied by core */

struct conduit_op; /* a transfer that may be under way */

/* All optional: null where the version over messages serves. The threads concerned are never near. */
struct conduit_overrides {
    /* A split-phase barrier. try: has it completed? Then *all is the merged ballot, once. */
    void (*barrier_notify)(const struct conduit_ballot *mine);
    bool (*barrier_try)(struct conduit_ballot *all);
    /* Blocking; complete at the target when put returns. */
    void (*put)(uint64_t dst, const void *src, size_t n);
    void (*get)(void *dst, uint64_t src, size_t n);
    /* Begin a transfer; null if it is complete already. Until then src of a put may not change. */
    struct conduit_op *(*put_begin)(uint64_t dst, const void *src, size_t n);
    /* As put_begin, of what a program writes as one object: nobody may see half of an aligned one of 2, 4, 8 or 16
     * bytes. Null: put_begin promises as much. */
    struct conduit_op *(*put_object_begin)(uint64_t dst, const void *src, size_t n);
    struct conduit_op *(*get_begin)(void *dst, uint64_t src, size_t n);
    /* Is it complete (a put: at the target)? Then the op is gone. */
    bool (*op_test)(struct conduit_op *op);
    /* Are the operations above better than messages for a transfer of n bytes, that is waited for at once (`alone`) or
     * not? Null: always. Of a put between two threads both say the same. */
    bool (*is_better)(bool is_put, bool alone, int thread, size_t n);
    /* Is a thread that is not near on this computer? Null: nobody knows. Of two threads both say the same. */
    bool (*is_here)(int thread);
    /* Applies enum gas_atomic_op `op` to an object of enum gas_atomic_type, as gas_atomic does. Atomic with respect to
     * itself only, not with loads and stores or the processor's atomic instructions, so that an object is updated either
     * always by this or never: it serves domains whose threads all are alone on their node, near targets included.
     * False: cannot do this one. `is_possible` answers beforehand, the same on every thread. */
    bool (*atomic_is_possible)(int type, unsigned long ops);
    void (*atomic)(void *fetch, uint64_t target, int type, int op, const void *op1, const void *op2);
    /* Is it better than messages? Null: yes. The same on every thread. */
    bool (*atomic_is_better)(void);
};
extern struct conduit_overrides conduit_overrides; /* read after conduit_spawn */

#endif
