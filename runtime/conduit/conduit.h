/* The interface of a conduit for the layers above: processes, memory, active messages, and an end. Nothing else is
 * required: every further operation has a version over the messages (core/, gas/), and a conduit provides faster
 * versions in its `overrides`. docs/adding-a-conduit.md is the guide, conduit/template the example.
 *
 * A conduit is a struct of functions, `conduit_built`, in a folder of C files that include this header and the prelude,
 * and an inline header for generated code, fathom_conduit.h: conduit/distributed.h, unless every thread reaches all memory
 * by loads and stores. The layers above call through `conduit_used`, by the functions conduit_* below, so that one conduit
 * can wrap another: it copies the struct, puts functions of its own in, and makes conduit_used point to the copy
 * (conduit/check). Within a conduit, functions of its own are called by their own names, and what conduits share
 * (conduit/queue, launch, cluster) calls `conduit_built`: a wrapper sees the calls of the layers above, and no others.
 *
 * Threads that share memory are *near* each other and have consecutive numbers: conduit_near. Order of a start:
 * start, segments, shared_memory (any number of times, the same on every thread), spawn. If threads are forked, all but the
 * last happen once, in the first process. After spawn all functions may be called. `null` in a comment: the function may
 * be absent, and what that means.
 */
#ifndef CONDUIT_H
#define CONDUIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONDUIT_MAX_NEAR 768 /* where the address space of x86-64 ends: (256 + 768) * 2^37 = 2^47 */
/* The limit for jobs whose threads are not all near: the threads whose addresses a crash's report can identify
 * (core/crash.c). A thread's number has room for more (lang/prelude.h). */
#define CONDUIT_MAX_FAR (1 << 20)

/* For objects of pages that most threads never write: they lie side by side, in the same section as all that is zero at first, of
 * which the linker makes no mixture. Between the small ones that each thread writes they would spread these over many pages, of
 * which every forked thread has a copy of its own. */
#define CONDUIT_LARGE __attribute__((section(".bss.fathom_large")))

/* ---- what both sides share --------------------------------------------------------------------------------------- */

struct conduit_near {
    int first, count; /* threads whose segments this process reads and writes by loads and stores; the own among them */
};
/* The count is set by the conduit's start, the first by its spawn, which lowers the count where some have fewer near
 * threads than others. A reference build makes the count 1 after
 * start: code that shares memory nevertheless, such as that of messages, keeps its own count. */
extern struct conduit_near conduit_near;

/* Calls to the layers above when the end of the job reaches a process other than by a call. */
struct conduit_hooks {
    /* Saves buffered output; called in a signal handler. */
    void (*ending)(void);
    /* A thread was ended by a signal (outside the program's control). */
    void (*killed)(int thread, int signal);
    /* Prints whole lines that come from threads of another computer, not mixed with those of threads here; false: the
     * descriptor does not take them. Called in a process that is none of the threads. */
    bool (*print)(int fd, const char *text, size_t bytes);
};
extern struct conduit_hooks conduit_hooks; /* of core */

enum { CONDUIT_MAX_ARGS = 18, CONDUIT_HANDLER_BITS = 10 };

/* The destination of a "long" message's payload is handled by core: to a conduit it is one more argument. */
struct conduit_message {
    int thread;       /* to whom, or, on delivery, from whom */
    uint16_t handler; /* below 2^CONDUIT_HANDLER_BITS */
    uint8_t nargs;
    bool reply;
    const uint64_t *args;
    const void *payload; /* on delivery: aligned to 8, gone after conduit_deliver returns */
    size_t bytes;        /* of payload, at most the conduit's max_medium */
};
enum conduit_sent { CONDUIT_SENT, CONDUIT_FULL, CONDUIT_GONE };

/* Runs the handler: core's. A conduit that wraps another may put a function of its own before it, before spawn. */
extern void (*conduit_deliver)(const struct conduit_message *m);

/* Where several POSIX threads of a process call, one at a time (core/gate.h): */
/* Supplied by core: do they? Constant once a second one calls. */
extern bool conduit_has_pthreads;
/* Supplied by core: around a system call in which `rest` sleeps, where conduit_may_open is true. In between others
 * call; what the conduit keeps for the process may have changed. */
extern bool conduit_may_open;
void conduit_open(void);
void conduit_close(void);

static inline void conduit_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* ---- a conduit --------------------------------------------------------------------------------------------------- */

struct conduit_overrides;

struct conduit {
    const char *name; /* "smp" */
    /* The greatest number of threads of a job: CONDUIT_MAX_NEAR if all are near, else up to CONDUIT_MAX_FAR. Tables with an
     * entry for each thread are allocated by their number; an entry is a few bytes until two threads communicate. */
    int max_threads;
    size_t max_medium; /* the greatest payload of a message: at least 4096 bytes */
    /* What the job does must not depend on the memory of this computer, which is not the machine that it is on: a heap has
     * address space, and no other limit. */
    bool ignores_memory;

    /* Start. */

    /* Called first. `wanted` is the requested number of threads (0: none was requested); returns the actual number. A
     * conduit whose launcher decides the number prints a message and exits if it differs from the requested one. */
    int (*start)(int wanted, int *argc, char ***argv);
    /* The number of the job's threads on this computer, near each other or not, for dividing its memory. Known after
     * start. */
    int (*threads_here)(void);
    /* The least argument of all threads' processes, because computers of one job may differ in size. Called between
     * start and spawn, by all. */
    size_t (*least)(size_t mine);
    /* Gives each thread a zeroed segment of `bytes`, mapped by all that are near it: the conduit_near.count segments that a
     * process reaches lie one after the other from FATHOM_BASE on, FATHOM_STEP apart (conduit/segments.h). If the count is
     * 1, a process maps its own. `bytes` is a multiple of 2 MiB. With `huge`, only pages that the administrator has
     * reserved (hugetlbfs) are used. Returns 0, or the errno of the failed call, with its name in *what; nothing is left
     * mapped then, and it may be called again. */
    int (*segments)(int threads, size_t bytes, bool huge, const char **what);
    /* Zeroed memory outside the segments that near threads share; null if there is none. A thread must not expect that
     * another one has initialised it before the first barrier. */
    void *(*shared_memory)(size_t bytes);
    /* Makes the threads. Returns in each thread with its number; does not return in a supervisor. Returns when every
     * segment near this thread is mapped and messages can be sent to all threads. */
    int (*spawn)(int threads);

    /* Active messages. */

    /* Sends; returns when args and payload may be changed. Messages from one thread to another arrive once each and in the
     * order of sending, requests among requests and replies among replies. Never to the own thread (core does that). If
     * there is no room it waits, and meanwhile delivers: all messages while sending a request, replies only while sending a
     * reply. That, and room for replies that requests do not take, is what excludes deadlock. False: there is no room and
     * will be none, because the receiver's process has ended; the message is dropped. */
    bool (*send)(const struct conduit_message *m);
    /* As send, of a request, but never waits: if there is no room now, nothing has happened. */
    enum conduit_sent (*try_send)(const struct conduit_message *m);
    /* Delivers the messages that have arrived, at most a few dozen (or, with replies_only, replies). Returns their
     * number. */
    int (*poll)(bool replies_only);

    /* Waiting. A thread that has polled without success for a while sleeps. It must not miss an event between its last poll
     * and its sleep: hence the two forms below. Neither is called inside a handler of a request or reply, except by send. */

    /* For a condition that only the caller knows. It is called in a loop that polls between the calls: the
     * first call returns at once, and events after it are not missed; the second sleeps until a message arrives or
     * `ring` is called for this thread, at most `us` microseconds. May return early. Returns false if only the time
     * limit ended it. */
    bool (*rest)(int us);
    /* Near threads only: sleeps while *word == old, at most `ms` milliseconds, until `wake` with a mask that shares a
     * bit with `mask`, or as rest. The word is in a segment. May return early. Returns false if only the time limit
     * ended it. */
    bool (*sleep)(const uint32_t *word, uint32_t old, uint32_t mask, int ms);
    /* Wakes a near thread from either: for a caller that has written what that thread waits for. A load if it does not
     * sleep. Any POSIX thread of the process may call it, and wake, at any time. */
    void (*ring)(int thread);
    /* Wakes at most `count` of the threads that sleep on the word: for a caller that has changed it. No system call if none
     * does. A thread that another event wakes at the same moment does not count. */
    void (*wake)(const uint32_t *word, int count, uint32_t mask);
    /* Processors that the near threads may use. */
    int (*cores)(void);

    /* Several POSIX threads of a process. */

    /* May one of them rest while the others go on? Known after start. Null: no; a program gets no level above single, and
     * the next four, of which all but nudge may be null, are never called. */
    bool (*takes_turns)(void);
    /* Would the next rest sleep? Otherwise it returns at once, as the first call of two, and then it would. Null: each
     * sleeps. */
    bool (*is_armed)(void);
    /* Ends the sleep of another POSIX thread of this process in rest, or the next one, if it is about to sleep. */
    void (*nudge)(void);
    /* From here to unwatch, a wake for the word wakes a thread from rest: for words that several POSIX threads wait for at
     * once, and instead of sleep. The caller looks at the word afterwards. Near words only. Null: every wake does. */
    void (*watch)(const uint32_t *word);
    void (*unwatch)(const uint32_t *word);

    /* Progress while a thread computes (conduit/progress.h). Called by core's progress thread, which each thread of a conduit
     * without direct memory has. */

    /* After spawn: do other threads need this one's help to reach its memory, or to end a barrier? *obstacle, if set,
     * says why a second POSIX thread of the process cannot give it. Null: no, and the next three are null, too. */
    bool (*needs_progress)(const char **obstacle);
    /* Inside the engine, for this thread, which computes: serves the messages that have arrived, a few dozen at most, and
     * only one if the thread waits to enter. Messages that conduit_may_deliver rejects are kept for the thread, in order.
     * Returns the number of received messages. */
    int (*progress)(void);
    /* Outside: sleeps up to `us` microseconds, or until there is something to serve. */
    void (*rest_beside)(long us);
    /* Wakes the progress thread from rest_beside: the job is over. Null: it wakes by itself soon. */
    void (*stir)(void);
    /* Does every new message end rest_beside? If not, the progress thread polls at intervals. */
    bool wakes_beside;

    /* The end. */

    /* This thread has terminated normally; informs near threads (and a supervisor). Does not wait: core informs the threads
     * that are not near, by messages, and serves all threads until all have terminated. */
    void (*done)(void);
    /* Has `thread` terminated? For threads that are not near only a supervisor knows it; without one, false.
     * done_count is the number of terminated threads that are known in this way. */
    bool (*is_done)(int thread);
    int (*done_count)(void);
    /* A thread whose process has ended with status 0 and without `done` (_exit), if a supervisor has seen one; else -1. It
     * counts as terminated. Null: nobody sees that. */
    int (*lost)(void);
    /* All threads have terminated normally: shuts down the underlying system, such as MPI. If messages of several threads
     * do not arrive in the order of sending, a message that one of them sent before it terminated may still be on its way
     * here: it is delivered first. The process exits next, with `status`. Null: there is nothing to shut down. */
    void (*finish)(int status);
    /* May this thread say why the job ends? True once for the job (or at least for the threads of a node). */
    bool (*claim_report)(void);
    /* Decides that the job ends now, with `status`; the first caller wins (true). The caller then exits its process, and
     * the conduit ends the others. */
    bool (*end)(int status);
    bool (*is_ending)(void);
    /* Is the calling process one of the job's threads (and not a child that a thread has forked)? */
    bool (*is_thread)(void);

    const struct conduit_overrides *overrides; /* read after spawn; null: none */
};
/* The conduit that the program is linked with, and the one that is called: that one, or what wraps it. */
extern const struct conduit conduit_built;
extern const struct conduit *conduit_used;

static inline const char *conduit_name(void) { return conduit_used->name; }
static inline int conduit_max_threads(void) { return conduit_used->max_threads; }
static inline size_t conduit_max_medium(void) { return conduit_used->max_medium; }
static inline int conduit_start(int wanted, int *argc, char ***argv) { return conduit_used->start(wanted, argc, argv); }
static inline int conduit_threads_here(void) { return conduit_used->threads_here(); }
static inline size_t conduit_least(size_t mine) { return conduit_used->least(mine); }
static inline int conduit_segments(int threads, size_t bytes, bool huge, const char **what) {
    return conduit_used->segments(threads, bytes, huge, what);
}
static inline void *conduit_shared(size_t bytes) { return conduit_used->shared_memory(bytes); }
static inline int conduit_spawn(int threads) { return conduit_used->spawn(threads); }

static inline bool conduit_send(const struct conduit_message *m) { return conduit_used->send(m); }
static inline enum conduit_sent conduit_try_send(const struct conduit_message *m) { return conduit_used->try_send(m); }
static inline int conduit_poll(bool replies_only) { return conduit_used->poll(replies_only); }

static inline bool conduit_rest(int us) { return conduit_used->rest(us); }
static inline bool conduit_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms) {
    return conduit_used->sleep(word, old, mask, ms);
}
static inline void conduit_ring(int thread) { conduit_used->ring(thread); }
static inline void conduit_wake(const uint32_t *word, int count, uint32_t mask) {
    conduit_used->wake(word, count, mask);
}
static inline int conduit_cores(void) { return conduit_used->cores(); }

static inline bool conduit_takes_turns(void) { return conduit_used->takes_turns && conduit_used->takes_turns(); }
static inline bool conduit_is_armed(void) { return !conduit_used->is_armed || conduit_used->is_armed(); }
static inline void conduit_nudge(void) { conduit_used->nudge(); }
static inline void conduit_watch(const uint32_t *word) {
    if (conduit_used->watch) conduit_used->watch(word);
}
static inline void conduit_unwatch(const uint32_t *word) {
    if (conduit_used->unwatch) conduit_used->unwatch(word);
}

static inline bool conduit_needs_progress(const char **obstacle) {
    return conduit_used->needs_progress && conduit_used->needs_progress(obstacle);
}
static inline int conduit_progress(void) { return conduit_used->progress(); }
static inline void conduit_rest_beside(long us) { conduit_used->rest_beside(us); }
static inline bool conduit_wakes_beside(void) { return conduit_used->wakes_beside; }
static inline void conduit_stir(void) {
    if (conduit_used->stir) conduit_used->stir();
}

static inline void conduit_done(void) { conduit_used->done(); }
static inline bool conduit_is_done(int thread) { return conduit_used->is_done(thread); }
static inline int conduit_done_count(void) { return conduit_used->done_count(); }
static inline int conduit_lost(void) { return conduit_used->lost ? conduit_used->lost() : -1; }
static inline void conduit_finish(int status) {
    if (conduit_used->finish) conduit_used->finish(status);
}
static inline bool conduit_claim_report(void) { return conduit_used->claim_report(); }
static inline bool conduit_end(int status) { return conduit_used->end(status); }
static inline bool conduit_is_ending(void) { return conduit_used->is_ending(); }
static inline bool conduit_is_thread(void) { return conduit_used->is_thread(); }

/* ---- overrides --------------------------------------------------------------------------------------------------- */

/* The data that a barrier merges from all threads; see core/barrier.c. Merging is associative and commutative. */
struct conduit_ballot {
    uint64_t kinds, first, other;
};
void conduit_ballot_merge(struct conduit_ballot *into, const struct conduit_ballot *from); /* supplied by core */

struct conduit_op; /* a transfer that may be under way */
#define CONDUIT_NOTED ((struct conduit_op *)1)

/* What the runtime does by messages that carry something else on other machines: for records of what happens. */
enum conduit_note {
    CONDUIT_LOCK_ASKED,
    CONDUIT_LOCK_TAKEN,
    CONDUIT_LOCK_FREED,
    CONDUIT_ATOMIC_UPDATE, /* begins: without an answer's value */
    CONDUIT_ATOMIC_SWAP,
    CONDUIT_ATOMIC_COMPARE,
    CONDUIT_ATOMIC_FETCH, /* an update with the value before */
    CONDUIT_ATOMIC_DONE   /* of those of one thread the one that was begun first */
};

/* All are optional: null selects the version over messages. The threads concerned are never near. */
struct conduit_overrides {
    /* A split-phase barrier. notify never waits. try: has it completed? Then *all is the merged ballot, once. All
     * notified suffices (UPC 1.3, 6.6.1): when every thread has notified, every thread's try comes true even if no
     * other thread calls anything any more. A thread may compute between notify and wait, or wait there for a thread
     * that has completed its own wait. So notify must do everything that the others need from this thread; a
     * dissemination barrier, or a tree in which waiting threads pass the release down, is not correct. If news are
     * messages that must be received and passed on, the progress thread does that for a thread that computes:
     * docs/adding-a-conduit.md. */
    void (*barrier_notify)(const struct conduit_ballot *mine);
    bool (*barrier_try)(struct conduit_ballot *all);
    /* Blocking; complete at the target when put returns. */
    void (*put)(uint64_t dst, const void *src, size_t n);
    void (*get)(void *dst, uint64_t src, size_t n);
    /* Begin a transfer; null if it is complete already. Until then src of a put may not change. */
    struct conduit_op *(*put_begin)(uint64_t dst, const void *src, size_t n);
    /* As put_begin, for data that a program writes as one object: no thread may see half of an aligned one of 2, 4, 8
     * or 16 bytes. Null: put_begin guarantees this, too. */
    struct conduit_op *(*put_object_begin)(uint64_t dst, const void *src, size_t n);
    struct conduit_op *(*get_begin)(void *dst, uint64_t src, size_t n);
    /* get_begin may return CONDUIT_NOTED instead: the data have come when the next carry_out returns, which gets all that is
     * noted. For a conduit that gets many pieces at once in less time than one after the other; conduit_burst tells it
     * which ones are begun together. */
    void (*carry_out)(void);
    /* Is it complete (a put: at the target)? Then the op no longer exists. With conduit_is_awaited it may wait. */
    bool (*op_test)(struct conduit_op *op);
    /* For a conduit with a clock of its own, whose operations move data at once and take time afterwards (conduit/sim).
     * put_relaxed: as put_object_begin; src may change when it returns, and settle waits until all such puts are complete. */
    void (*put_relaxed)(uint64_t dst, const void *src, size_t n);
    void (*settle)(void);
    /* What the thread does next, it does in the order of time: everything that others have done before has happened. With
     * `is_strict`, the next put or get takes effect when it arrives. */
    void (*in_order)(bool is_strict);
    /* Takes the place of spinning, yielding and sleeping in a wait: returns when a message has arrived or a barrier is
     * complete, or after `us` microseconds (0: no limit). */
    void (*wait)(int us);
    /* Other processes see a thread's segment though they are not near: its pages must stay those of its file. */
    bool keeps_pages;
    /* The program has done work that it does not perform here: operations on floating-point numbers, and bytes of memory. */
    void (*declare)(double operations, double bytes);
    /* Notes one of these things about the memory at `at`, of so many bytes. */
    void (*note)(enum conduit_note what, uint64_t at, size_t bytes);
    /* The program has asked for its start: it is one on fathom.h or gas.h, whose calls do not name their places (work.h). */
    void (*started_in_c)(void);
    /* Nanoseconds since the start of the job. Null: the computer's clocks. */
    uint64_t (*now_ns)(void);
    /* Are the operations above better than messages for a transfer of n bytes, that is waited for at once (`alone`) or
     * not? Null: always. For a put between two threads both return the same. */
    bool (*is_better)(bool is_put, bool alone, int thread, size_t n);
    /* Are they made of messages between this thread and that one, which is not near, so that some packed pieces of memory travel faster
     * than as many operations? Null: no. */
    bool (*are_messages)(int thread);
    /* Would conduit_send of a request to a thread that is not near return at once, without waiting for room? Null: unknown;
     * then who asks sends. */
    bool (*has_room)(int thread);
    /* Is a thread that is not near on this computer? Null: unknown. For two threads both return the same. */
    bool (*is_here)(int thread);
    /* The set of near threads that a thread belongs to: its first one and their number. Null: unknown. */
    void (*set_of)(int thread, int *first, int *count);
    /* Applies enum gas_atomic_op `op` to an object of enum gas_atomic_type, as gas_atomic does. Atomic with respect to
     * itself only, not with loads and stores or the processor's atomic instructions, so that an object must be updated
     * either always by this or never: it is used for domains whose threads are all alone on their node, near targets
     * included. Returns false if it cannot perform the operation. `atomic_is_possible` tells that beforehand, the same
     * on every thread. */
    bool (*atomic_is_possible)(int type, unsigned long ops);
    void (*atomic)(void *fetch, uint64_t target, int type, int op, const void *op1, const void *op2);
    /* Is it faster than messages? Null: yes. The same on every thread. */
    bool (*atomic_is_better)(void);
    /* The program's stack begins at a multiple of it, and its arguments are copied, so that addresses do not depend on how large
     * the environment is. 0: anywhere. */
    unsigned long stack_unit;
    /* Where the payload of a request with `nargs` arguments and at most `n` bytes may be written, so that it is not
     * copied when send_prepared, which is as send otherwise, gets it as payload; aligned to 8. Null: there is
     * no such place now. The thread may be near; anything may happen in between; the request must be sent. */
    void *(*prepare)(int thread, size_t n, int nargs);
    bool (*send_prepared)(const struct conduit_message *m);
};
/* Supplied by core: has another value after each wait for all implicit transfers of the thread. */
extern unsigned conduit_burst;
/* Supplied by core: the thread waits until all operations are complete that it asks about. */
extern bool conduit_is_awaited;

#endif
