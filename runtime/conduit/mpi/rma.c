/* Data of far threads by MPI's one-sided operations, and what else conduit mpi does better than messages.
 *
 * What a program writes as one object goes by message if it is a word (conduit/cluster/words.c). Other transfers promise no
 * more than memcpy, and come here if that is the faster way (choice.c).
 *
 * One window covers the segments, locked for good (passive target, nothing to check), with offsets in bytes. A flush
 * completes all operations towards a thread; each operation remembers how many had been begun there, so that one flush
 * serves many. Large transfers have a request of MPI besides: it tells, without waiting, that a get is complete, or
 * that a put has left and the flush will be short. Short gets from another process of this computer can be the kernel's
 * instead (kernel.c).
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "conduit/mpi/ranks.h"
#include "conduit/progress.h"
#include "conduit/segments.h"
#include "lang/prelude.h"

enum { PIECE = 1 << 30, WITH_REQUEST = 16384 };

static MPI_Win window;
static bool has_window;
struct target { /* operations */
    uint64_t begun;
    uint64_t flushed;
};
static struct target *targets;
static int awaited; /* threads whose operations have not all been flushed */

static void has_begun(int thread) {
    struct target *t = &targets[thread];
    if (t->begun++ == t->flushed) awaited++;
}

struct conduit_op {
    MPI_Request request;
    struct target *target;
    uint64_t number;
    bool is_get, is_word;
    struct cluster_word word;
    struct conduit_op *next;
};
static struct conduit_op *free_ops;

void ranks_flush(int thread) {
    struct target *first = &targets[thread], *end = first + 1;
    if (awaited == cluster.threads - 1 && awaited > 1) {
        MPI_Win_flush_all(window);
        first = targets, end = targets + cluster.threads;
    } else {
        MPI_Win_flush(thread, window);
    }
    for (struct target *t = first; t < end; t++) {
        if (t->flushed != t->begun) awaited--;
        t->flushed = t->begun;
    }
}

static void begin_put(uint64_t dst, const void *src, size_t n) {
    int thread = (int)fathom_thread_of(dst);
    MPI_Aint at = (MPI_Aint)fathom_offset_of(dst);
    for (const char *from = src; n;) {
        int part = n < PIECE ? (int)n : PIECE;
        MPI_Put(from, part, MPI_BYTE, thread, at, part, MPI_BYTE, window);
        from += part, at += part, n -= (size_t)part;
    }
    has_begun(thread);
}

static void begin_get(void *dst, uint64_t src, size_t n) {
    int thread = (int)fathom_thread_of(src);
    MPI_Aint at = (MPI_Aint)fathom_offset_of(src);
    for (char *to = dst; n;) {
        int part = n < PIECE ? (int)n : PIECE;
        MPI_Get(to, part, MPI_BYTE, thread, at, part, MPI_BYTE, window);
        to += part, at += part, n -= (size_t)part;
    }
    has_begun(thread);
}

static void put(uint64_t dst, const void *src, size_t n) {
    bool entered = conduit_enter();
    begin_put(dst, src, n);
    ranks_flush((int)fathom_thread_of(dst));
    conduit_leave(entered);
}

void ranks_window_get(void *dst, uint64_t src, size_t n) {
    bool entered = conduit_enter();
    begin_get(dst, src, n);
    ranks_flush((int)fathom_thread_of(src));
    conduit_leave(entered);
}

static void get(void *dst, uint64_t src, size_t n) {
    if (n == CLUSTER_WORD_BYTES &&
        cluster_is_word(src, n)) { /* a pointer of two words; a shorter one is read whole anyway */
        struct cluster_word w;
        cluster_word_get(&w, dst, src, n);
        for (unsigned round = 0; !w.answered; round++)
            if (!cluster_poll(false) && round > 64) sched_yield();
        return;
    }
    if (ranks_gets_by_kernel(true, (int)fathom_thread_of(src), n) && ranks_kernel_get(dst, src, n)) return;
    ranks_window_get(dst, src, n);
}

/* ---- transfers under way ----------------------------------------------------------------------------------------- */

static struct conduit_op *new_op(int thread, bool is_get) {
    struct conduit_op *op = free_ops;
    if (op)
        free_ops = op->next;
    else if (!(op = malloc(sizeof *op)))
        return NULL;
    *op = (struct conduit_op){.request = MPI_REQUEST_NULL, .target = &targets[thread], .is_get = is_get};
    return op;
}

static bool has_request(size_t n) { return n >= WITH_REQUEST && n <= PIECE; }

static struct conduit_op *put_begin(uint64_t dst, const void *src, size_t n) {
    int thread = (int)fathom_thread_of(dst);
    struct conduit_op *op = new_op(thread, false);
    if (!op) {
        put(dst, src, n);
        return NULL;
    }
    bool entered = conduit_enter();
    if (has_request(n)) {
        MPI_Rput(src, (int)n, MPI_BYTE, thread, (MPI_Aint)fathom_offset_of(dst), (int)n, MPI_BYTE, window,
                 &op->request);
        has_begun(thread);
    } else {
        begin_put(dst, src, n);
    }
    conduit_leave(entered);
    op->number = targets[thread].begun;
    return op;
}

static struct conduit_op *put_object_begin(uint64_t dst, const void *src, size_t n) {
    if (!cluster_is_word(dst, n)) return put_begin(dst, src, n);
    struct conduit_op *op = new_op((int)fathom_thread_of(dst), false);
    if (!op) {
        fprintf(stderr, "fathom: thread %d: no memory for the record of a write\n", cluster.me);
        ranks_end(1);
        _Exit(1);
    }
    op->is_word = true;
    cluster_word_put(&op->word, dst, src, n);
    return op;
}

static __attribute__((noinline)) struct conduit_op *get_begin_by_window(void *dst, uint64_t src, size_t n) {
    int thread = (int)fathom_thread_of(src);
    struct conduit_op *op = new_op(thread, true);
    if (!op) {
        get(dst, src, n);
        return NULL;
    }
    bool entered = conduit_enter();
    if (has_request(n)) {
        MPI_Rget(dst, (int)n, MPI_BYTE, thread, (MPI_Aint)fathom_offset_of(src), (int)n, MPI_BYTE, window,
                 &op->request);
        has_begun(thread);
    } else {
        begin_get(dst, src, n);
    }
    conduit_leave(entered);
    op->number = targets[thread].begun;
    return op;
}

static struct conduit_op *get_begin(void *dst, uint64_t src, size_t n) {
    if (ranks_gets_by_kernel(false, (int)fathom_thread_of(src), n)) return ranks_kernel_begin(dst, src, n);
    return get_begin_by_window(dst, src, n);
}

static bool is_complete(struct conduit_op *op) {
    bool requested = op->request != MPI_REQUEST_NULL;
    if (requested) {
        int done;
        MPI_Test(&op->request, &done, MPI_STATUS_IGNORE);
        if (!done) return false;
    }
    if (!(requested && op->is_get) && op->target->flushed < op->number) ranks_flush((int)(op->target - targets));
    return true;
}

static bool op_test(struct conduit_op *op) {
    if (op->is_word) {
        if (!op->word.answered) return false;
    } else {
        bool entered = conduit_enter(), complete = is_complete(op);
        conduit_leave(entered);
        if (!complete) return false;
    }
    op->next = free_ops;
    free_ops = op;
    return true;
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

static void on_window_error(MPI_Win *w, int *code, ...) {
    (void)w;
    ranks_mpi_error("an access to another thread's memory", *code);
}

/* Is there somebody to reach, and does MPI wait decently? With more ranks than processors an MPI that does not yield in
 * a flush takes milliseconds for each: then messages, for which this conduit waits itself, are the better way. */
static bool is_wanted(void) {
#ifdef FATHOM_REFERENCE
    return false;
#endif
    int here = cluster.groups > 1, everywhere;
#ifndef OPEN_MPI
    here = here && ranks.here <= ranks.cores;
#endif
    MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, ranks.all);
    return everywhere;
}

static bool create(void) {
    MPI_Errhandler before, handler;
    MPI_Comm_get_errhandler(ranks.all, &before);
    MPI_Comm_set_errhandler(ranks.all, MPI_ERRORS_RETURN);
    int good = MPI_Win_create(segments_at(cluster.me - cluster.first), (MPI_Aint)ranks.segment, 1, MPI_INFO_NULL,
                              ranks.all, &window) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(ranks.all, before);
    MPI_Errhandler_free(&before);
    int all, *model, known, made = good;
    /* Where a window has a private and a public copy (MPI 4.0, 12.4), loads do not see what MPI has written until the two
     * are synchronised. */
    if (good)
        good = MPI_Win_get_attr(window, MPI_WIN_MODEL, &model, &known) == MPI_SUCCESS && known &&
               *model == MPI_WIN_UNIFIED;
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, ranks.all);
    if (!all) {
        MPI_Allreduce(&made, &all, 1, MPI_INT, MPI_MIN, ranks.all);
        if (all) MPI_Win_free(&window);
        return false;
    }
    MPI_Win_create_errhandler(on_window_error, &handler);
    MPI_Win_set_errhandler(window, handler);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    return true;
}

void ranks_window_start(void) {
    has_window = is_wanted() && create();
    if (!has_window) {
        ranks_overrides = (struct conduit_overrides){.barrier_notify = cluster_barrier_notify,
                                                     .barrier_try = cluster_barrier_try,
                                                     .is_here = ranks_is_here,
                                                     .set_of = cluster_set_of,
                                                     .has_room = cluster_has_room,
                                                     .prepare = cluster_prepare,
                                                     .send_prepared = cluster_send_prepared};
        return;
    }
    targets = calloc((size_t)cluster.threads, sizeof *targets);
    if (!targets) cluster_refuse("no memory for transfers\n");
}

void ranks_window_stop(void) {
    if (!has_window) return;
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

MPI_Win ranks_window(void) { return window; }

struct conduit_overrides ranks_overrides = {
    .barrier_notify = cluster_barrier_notify,
    .barrier_try = cluster_barrier_try,
    .put = put,
    .get = get,
    .put_begin = put_begin,
    .put_object_begin = put_object_begin,
    .get_begin = get_begin,
    .op_test = op_test,
    .carry_out = ranks_kernel_carry_out,
    .is_better = ranks_is_better,
    .are_messages = ranks_are_messages,
    .is_here = ranks_is_here,
    .set_of = cluster_set_of,
    .has_room = cluster_has_room,
    .prepare = cluster_prepare,
    .send_prepared = cluster_send_prepared,
    .atomic_is_possible = ranks_atomic_is_possible,
    .atomic = ranks_atomic,
    .atomic_is_better = ranks_atomic_is_better,
};
