/* Words of far threads, written and read in one piece.
 *
 * What a program writes as one aligned int or pointer must not be seen in halves, and the one-sided operations of wires do
 * not promise that: a kernel may copy byte by byte. So a single word travels as a message, which the conduit answers by
 * itself, and the thread that it belongs to makes the access. That is no slower, except over networks whose hardware writes
 * by itself, and needs no flush.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/cluster/cluster.h"
#include "lang/prelude.h"

bool cluster_is_word(uint64_t at, size_t n) {
    return n > 1 && n <= CLUSTER_WORD_BYTES && (n & (n - 1)) == 0 && (at & (n - 1)) == 0;
}

_Noreturn void cluster_refuse_access(int thread) {
    if (bounded_may_say(conduit_built.claim_report, conduit_built.is_ending)) {
        char text[128];
        int n =
            snprintf(text, sizeof text, "fathom: thread %d: accesses memory of thread %d, whose process has ended\n",
                     cluster.me, thread);
        bounded_say(text, (size_t)n);
    }
    conduit_built.end(1);
    if (conduit_hooks.ending) conduit_hooks.ending();
    _exit(1);
}

static void say(int thread, enum cluster_own what, bool reply, const uint64_t *args, int nargs) {
    struct conduit_message m = {thread, (uint16_t)what, (uint8_t)nargs, reply, args, NULL, 0};
    if (!cluster_send_far(&m, true) && !reply) cluster_refuse_access(thread);
}

void cluster_word_put(struct cluster_word *w, uint64_t dst, const void *src, size_t n) {
    uint64_t args[5] = {(uintptr_t)w, dst, n};
    memcpy(args + 3, src, n);
    *w = (struct cluster_word){.answered = false};
    say((int)fathom_thread_of(dst), CLUSTER_WORD_PUT, false, args, n > 8 ? 5 : 4);
}

void cluster_word_get(struct cluster_word *w, void *dst, uint64_t src, size_t n) {
    uint64_t args[3] = {(uintptr_t)w, src, n};
    *w = (struct cluster_word){.dst = dst, .bytes = n};
    say((int)fathom_thread_of(src), CLUSTER_WORD_GET, false, args, 3);
}

void cluster_nap(int thread, int us) { say(thread, CLUSTER_NAP, false, &(uint64_t){(uint64_t)us}, 1); }

/* ---- at the owner ------------------------------------------------------------------------------------------------ */

void cluster_word_store(void *at, const uint64_t *v, size_t n) {
    switch (n) {
    case 2: __atomic_store_n((uint16_t *)at, (uint16_t)*v, __ATOMIC_SEQ_CST); break;
    case 4: __atomic_store_n((uint32_t *)at, (uint32_t)*v, __ATOMIC_SEQ_CST); break;
    case 8: __atomic_store_n((uint64_t *)at, *v, __ATOMIC_SEQ_CST); break;
    default: fathom_store_pair(at, fathom_pptr_of(v[0], v[1]));
    }
}

void cluster_word_load(uint64_t *v, void *at, size_t n) {
    switch (n) {
    case 2: *v = __atomic_load_n((uint16_t *)at, __ATOMIC_SEQ_CST); break;
    case 4: *v = __atomic_load_n((uint32_t *)at, __ATOMIC_SEQ_CST); break;
    case 8: *v = __atomic_load_n((uint64_t *)at, __ATOMIC_SEQ_CST); break;
    default: {
        fathom_pptr both = fathom_load_pair(at);
        v[0] = both.addr;
        v[1] = both.phase;
    }
    }
}

void cluster_own_deliver(const struct conduit_message *m) {
    const uint64_t *args = m->args;
    uint64_t answer[3] = {args[0]};
    switch ((enum cluster_own)m->handler) {
    case CLUSTER_WORD_PUT:
        cluster_word_store(fathom_local(args[1]), args + 3, args[2]);
        say(m->thread, CLUSTER_WORD_DONE, true, answer, 1);
        break;
    case CLUSTER_WORD_GET:
        cluster_word_load(answer + 1, fathom_local(args[1]), args[2]);
        say(m->thread, CLUSTER_WORD_DONE, true, answer, 3);
        break;
    case CLUSTER_NAP: nanosleep(&(struct timespec){0, (long)args[0] * 1000}, NULL); break;
    case CLUSTER_WORD_DONE: {
        struct cluster_word *w = (struct cluster_word *)args[0];
        if (w->dst) memcpy(w->dst, args + 1, w->bytes);
        w->answered = true;
        break;
    }
    }
}
