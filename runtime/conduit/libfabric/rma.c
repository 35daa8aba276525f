/* Data of far threads by copying and by libfabric's operations on memory, and what else the conduit does better than messages.
 *
 * What a program writes or reads as one aligned word goes by message (conduit/cluster/words.c), because a provider may move
 * it in halves. Threads of the same computer are reached by copying (neighbours.c). Other transfers promise no more than
 * memcpy, and come here if that is the faster way. A write is complete when its data are in the target's memory
 * (FI_DELIVERY_COMPLETE). Where a provider works inside calls only (FI_PROGRESS_MANUAL), the target's process must call
 * libfabric for that, as for a message: short transfers are then messages, which take one way less; and all of them where the
 * provider is software, which copies what it moves by several messages of its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "conduit/launch/launch.h"
#include "conduit/libfabric/fabric.h"
#include "conduit/operand.h"
#include "conduit/progress.h"
#include "conduit/segments.h"
#include "gas.h"
#include "lang/prelude.h"

enum {
    PIECES = 512, /* under way at most */
    SHORT = 16384 /* where messages are better, if the target has to help */
};
#define LONGEST ((size_t)1 << 30)

/* How another thread's segment is reached. */
struct place {
    uint64_t key, base;
};
static struct place *places;
static enum { CHOSEN, ALWAYS, NEVER } wish;
static bool has_operations, has_atomics; /* libfabric's, on memory */

struct conduit_op {
    size_t left; /* pieces */
    bool is_word;
    struct cluster_word word;
    struct conduit_op *next;
};
static struct conduit_op *free_ops;

struct piece {
    struct fi_context2 context;
    struct conduit_op *op;
    struct fid_mr *local;
    struct piece *next;
};
static struct piece *free_pieces;
static int out; /* pieces under way */

void fabric_completed(void *context) {
    struct piece *p = context;
    p->op->left--;
    if (p->local) fi_close(&p->local->fid);
    p->next = free_pieces;
    free_pieces = p;
    out--;
}

static _Noreturn void no_memory(void) { fabric_failed("a transfer", FI_ENOMEM); }

/* Inside the engine: until there is room. */
static void make_room(int thread, unsigned *turn) {
    fabric_progress();
    if (wire_is_gone(thread) || launch_is_ending()) fabric_failed("an access to a thread that has ended", FI_ENOTCONN);
    if (++*turn > 64) sched_yield();
}

static struct piece *new_piece(struct conduit_op *op, int thread) {
    for (unsigned turn = 0; out >= PIECES;) make_room(thread, &turn);
    struct piece *p = free_pieces;
    if (p)
        free_pieces = p->next;
    else if (!(p = malloc(sizeof *p)))
        no_memory();
    p->op = op;
    p->local = NULL;
    op->left++;
    out++;
    return p;
}

static size_t longest(void) {
    size_t most = fabric.info->ep_attr->max_msg_size;
    return most < LONGEST ? most : LONGEST;
}

static void begin(struct conduit_op *op, bool is_put, uint64_t at, char *mine, size_t n) {
    int thread = (int)fathom_thread_of(at), before = errno;
    uint64_t there = places[thread].base + fathom_offset_of(at);
    for (size_t part; n; mine += part, there += part, n -= part) {
        part = n < longest() ? n : longest();
        struct piece *p = new_piece(op, thread);
        void *descriptor = fabric_local(mine, part, &p->local);
        struct iovec local = {mine, part};
        struct fi_rma_iov remote = {there, part, places[thread].key};
        struct fi_msg_rma m = {.msg_iov = &local,
                               .desc = &descriptor,
                               .iov_count = 1,
                               .addr = fabric.address[thread],
                               .rma_iov = &remote,
                               .rma_iov_count = 1,
                               .context = &p->context};
        ssize_t r;
        unsigned turn = 0;
        while ((r = is_put ? fi_writemsg(fabric.ep, &m, FI_COMPLETION | FI_DELIVERY_COMPLETE)
                           : fi_readmsg(fabric.ep, &m, FI_COMPLETION)) == -FI_EAGAIN)
            make_room(thread, &turn);
        if (r) fabric_failed("an access to another thread's memory", (int)r);
    }
    errno = before;
}

/* Not inside: serves messages meanwhile, but does not sleep. */
static void wait_for(struct conduit_op *op) {
    for (unsigned turn = 0; op->left; turn++)
        if (!cluster_poll(false) && turn > 64) sched_yield();
}

/* If it is a thread of this computer. If messages go to it through a queue, there is no other way: then its process has ended. */
static bool is_copied(bool is_put, uint64_t at, void *mine, size_t n) {
    int thread = (int)fathom_thread_of(at);
    bool copies = neighbours_reach(thread);
    if (copies)
        neighbours_copy(is_put, at, mine, n);
    else if (cluster_is_queued(thread))
        cluster_refuse_access(thread);
    return copies;
}

static void transfer(bool is_put, uint64_t at, void *mine, size_t n) {
    struct conduit_op op = {.left = 0};
    bool entered = conduit_enter();
    begin(&op, is_put, at, mine, n);
    conduit_leave(entered);
    wait_for(&op);
}

static void put(uint64_t dst, const void *src, size_t n) {
    if (!is_copied(true, dst, (void *)(uintptr_t)src, n)) transfer(true, dst, (void *)(uintptr_t)src, n);
}

static void get(void *dst, uint64_t src, size_t n) {
    if (is_copied(false, src, dst, n)) return;
    if (cluster_is_word(src, n)) {
        struct cluster_word w;
        cluster_word_get(&w, dst, src, n);
        for (unsigned turn = 0; !w.answered; turn++)
            if (!cluster_poll(false) && turn > 64) sched_yield();
        return;
    }
    transfer(false, src, dst, n);
}

static struct conduit_op *new_op(void) {
    struct conduit_op *op = free_ops;
    if (op)
        free_ops = op->next;
    else if (!(op = malloc(sizeof *op)))
        no_memory();
    *op = (struct conduit_op){.left = 0};
    return op;
}

static struct conduit_op *put_begin(uint64_t dst, const void *src, size_t n) {
    if (is_copied(true, dst, (void *)(uintptr_t)src, n)) return NULL;
    struct conduit_op *op = new_op();
    bool entered = conduit_enter();
    begin(op, true, dst, (char *)(uintptr_t)src, n);
    conduit_leave(entered);
    return op;
}

static struct conduit_op *put_object_begin(uint64_t dst, const void *src, size_t n) {
    if (!cluster_is_word(dst, n)) return put_begin(dst, src, n);
    if (is_copied(true, dst, (void *)(uintptr_t)src, n)) return NULL;
    struct conduit_op *op = new_op();
    op->is_word = true;
    cluster_word_put(&op->word, dst, src, n);
    return op;
}

static struct conduit_op *get_begin(void *dst, uint64_t src, size_t n) {
    if (is_copied(false, src, dst, n)) return NULL;
    struct conduit_op *op = new_op();
    if (cluster_is_word(src, n)) {
        op->is_word = true;
        cluster_word_get(&op->word, dst, src, n);
        return op;
    }
    bool entered = conduit_enter();
    begin(op, false, src, dst, n);
    conduit_leave(entered);
    return op;
}

static bool op_test(struct conduit_op *op) {
    if (op->is_word ? !op->word.answered : op->left > 0) {
        bool entered = conduit_enter();
        fabric_progress();
        conduit_leave(entered);
        if (op->is_word ? !op->word.answered : op->left > 0) return false;
    }
    op->next = free_ops;
    free_ops = op;
    return true;
}

static bool is_manual(void) { return fabric.info->domain_attr->data_progress == FI_PROGRESS_MANUAL; }

static bool is_better(bool is_put, bool alone, int thread, size_t n) {
    (void)is_put, (void)alone;
    if (neighbours_reach(thread)) return true;
    if (!has_operations || cluster_is_queued(thread)) return false;
    return wish == ALWAYS || (wish == CHOSEN && !fabric.is_in_software && (!is_manual() || n > SHORT));
}

/* Of any size. */
static bool are_messages(int thread) { return !is_better(false, false, thread, SIZE_MAX); }

/* ---- atomics ----------------------------------------------------------------------------------------------------- */

static enum fi_datatype datatype(int type) {
    switch (type) {
    case GAS_I32: return FI_INT32;
    case GAS_U32: return FI_UINT32;
    case GAS_I64: return FI_INT64;
    case GAS_F32: return FI_FLOAT;
    case GAS_F64: return FI_DOUBLE;
    default: return FI_UINT64;
    }
}

static size_t size_of(int type) { return type == GAS_I32 || type == GAS_U32 || type == GAS_F32 ? 4 : 8; }

/* What of libfabric does it. */
static enum fi_op operation(int op) {
    switch (op) {
    case GAS_GET: return FI_ATOMIC_READ;
    case GAS_SET:
    case GAS_SWAP: return FI_ATOMIC_WRITE;
    case GAS_ADD:
    case GAS_SUB:
    case GAS_INC:
    case GAS_DEC: return FI_SUM;
    case GAS_MULT: return FI_PROD;
    case GAS_AND: return FI_BAND;
    case GAS_OR: return FI_BOR;
    case GAS_XOR:
    case GAS_NOT: return FI_BXOR;
    case GAS_MIN: return FI_MIN;
    case GAS_MAX: return FI_MAX;
    default: return FI_CSWAP;
    }
}

static bool atomic_is_possible(int type, unsigned long ops) {
    if (!has_atomics || cluster.groups != cluster.threads) return false;
    bool is_real = type == GAS_F32 || type == GAS_F64;
    for (int op = GAS_GET; op <= GAS_CSWAP; op++) {
        struct fi_atomic_attr a = {0};
        if (!(ops >> op & 1)) continue;
        /* Compared as bits or as numbers? Providers differ. */
        if (is_real && (op == GAS_CSWAP || op == GAS_MIN || op == GAS_MAX)) return false;
        if (fi_query_atomic(fabric.domain, datatype(type), operation(op), &a,
                            op == GAS_CSWAP ? FI_COMPARE_ATOMIC : FI_FETCH_ATOMIC) != 0 ||
            a.count < 1 || a.size != size_of(type))
            return false;
    }
    return true;
}

/* The thread's own objects as well: by an address of its own, so that all go one way. */
static void atomic(void *fetch, uint64_t target, int type, int op, const void *op1, const void *op2) {
    int thread = (int)fathom_thread_of(target), before = errno;
    size_t bytes = size_of(type);
    /* operand, comparand, and what was there: one piece of memory, which may have to be registered */
    struct {
        union operand operand, compare, was;
    } v = {.operand = {0}};
    switch (op) {
    case GAS_GET: break;
    case GAS_CSWAP:
        memcpy(&v.compare, op1, bytes);
        memcpy(&v.operand, op2, bytes);
        break;
    case GAS_INC: v.operand = operand_small(type, 1); break;
    case GAS_DEC:
    case GAS_NOT: v.operand = operand_small(type, -1); break;
    case GAS_SUB: v.operand = operand_negative(type, op1, bytes); break;
    default: memcpy(&v.operand, op1, bytes);
    }
    struct conduit_op done = {.left = 0};
    bool entered = conduit_enter();
    struct piece *p = new_piece(&done, thread);
    void *d = fabric_local(&v, sizeof v, &p->local);
    uint64_t there = places[thread].base + fathom_offset_of(target), key = places[thread].key;
    ssize_t r;
    unsigned turn = 0;
    for (;;) {
        if (op == GAS_CSWAP)
            r = fi_compare_atomic(fabric.ep, &v.operand, 1, d, &v.compare, d, &v.was, d, fabric.address[thread], there,
                                  key, datatype(type), FI_CSWAP, &p->context);
        else
            r = fi_fetch_atomic(fabric.ep, &v.operand, 1, d, &v.was, d, fabric.address[thread], there, key,
                                datatype(type), operation(op), &p->context);
        if (r != -FI_EAGAIN) break;
        make_room(thread, &turn);
    }
    if (r) fabric_failed("an atomic operation", (int)r);
    conduit_leave(entered);
    wait_for(&done);
    if (fetch) memcpy(fetch, &v.was, bytes);
    errno = before;
}

/* Where the target has to help, as with a message, nothing is gained. */
static bool atomic_is_better(void) { return has_atomics && (wish == ALWAYS || (wish == CHOSEN && !is_manual())); }

/* ---- start and end ----------------------------------------------------------------------------------------------- */

struct conduit_overrides fabric_overrides = {
    .barrier_notify = cluster_barrier_notify,
    .barrier_try = cluster_barrier_try,
    .has_room = cluster_has_room,
    .prepare = cluster_prepare,
    .send_prepared = cluster_send_prepared,
    .is_here = fabric_is_here,
    .set_of = cluster_set_of,
};

static int register_segment(void) {
    const struct fi_info *info = fabric.info;
    void *at = segments_at(cluster.me - cluster.first);
    int r = fi_mr_reg(fabric.domain, at, fabric_segment_bytes,
                      FI_REMOTE_READ | FI_REMOTE_WRITE | FI_READ | FI_WRITE | FI_SEND | FI_RECV, 0, 0, 0,
                      &fabric.segment, NULL);
    if (r) {
        fabric.segment = NULL;
        return r;
    }
    if (!(info->domain_attr->mr_mode & FI_MR_ENDPOINT)) return 0;
    r = fi_mr_bind(fabric.segment, &fabric.ep->fid, 0);
    return r ? r : fi_mr_enable(fabric.segment);
}

bool fabric_read_wish(void) {
    const char *text = getenv("FATHOM_LIBFABRIC_RMA");
    if (!text || !*text) return true;
    if (strcmp(text, "always") == 0)
        wish = ALWAYS;
    else if (strcmp(text, "never") == 0)
        wish = NEVER;
    else
        cluster_refuse("FATHOM_LIBFABRIC_RMA=%s: expected always or never\n", text);
    return false;
}

/* Collective. */
static void start_operations(void) {
    const struct fi_info *info = fabric.info;
    has_operations = boot_agree(wish != NEVER && info->caps & FI_RMA && register_segment() == 0);
    if (!has_operations) return;
    places = malloc((size_t)cluster.threads * sizeof *places);
    if (!places) cluster_refuse("no memory for transfers\n");
    struct place mine = {.key = fi_mr_key(fabric.segment)};
    if (info->domain_attr->mr_mode & FI_MR_VIRT_ADDR) mine.base = (uintptr_t)segments_at(cluster.me - cluster.first);
    boot_gather(&mine, sizeof mine, places, NULL);
    has_atomics = boot_agree(info->caps & FI_ATOMIC);
}

void fabric_memory_start(void) {
#ifdef FATHOM_REFERENCE
    return;
#endif
    if (cluster.has_wire) start_operations();
    neighbours_start(wish == CHOSEN);
    if (!has_operations && !neighbours_are_in_use()) return;
    fabric_overrides.put = put;
    fabric_overrides.get = get;
    fabric_overrides.put_begin = put_begin;
    fabric_overrides.put_object_begin = put_object_begin;
    fabric_overrides.get_begin = get_begin;
    fabric_overrides.op_test = op_test;
    fabric_overrides.is_better = is_better;
    fabric_overrides.are_messages = are_messages;
    fabric_overrides.atomic_is_possible = atomic_is_possible;
    fabric_overrides.atomic = atomic;
    fabric_overrides.atomic_is_better = atomic_is_better;
}

void fabric_memory_stop(void) {
    if (fabric.segment) fi_close(&fabric.segment->fid);
}
