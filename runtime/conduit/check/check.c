/* A conduit around another one, which checks at run time that both sides keep the contract of conduit.h: the layers above
 * in their calls, the conduit in what it returns and delivers. A broken rule is one sentence, and the job ends. For whoever
 * writes a conduit: docs/adding-a-conduit.md.
 *
 * It is a copy of the wrapped conduit's struct with functions of its own, and stands before conduit_deliver. What needs no
 * check keeps the wrapped conduit's function.
 *
 * Order and contents. Each message gets one more argument, its check word: its number among those of its kind to the same
 * thread, and a sum of all that it carries. Where a message has as many arguments as are allowed, the last one moves behind
 * the payload; so the greatest payload is a little less than the conduit's. The receiver takes all that away again. The
 * conduit is given a copy of arguments and payload, which is overwritten as soon as `send` has returned. At the end each
 * thread tells those to which it has sent how much that was.
 *
 * The thread itself delivers the messages of one sender in their order; its progress thread may serve some ahead of others
 * that are not its business. So the receiver knows which of the last WINDOW requests it has seen.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/check/check.h"
#include "conduit/conduit.h"
#include "conduit/progress.h"
#include "lang/prelude.h"

static const struct conduit *inner;
static struct conduit wrapper;
static void (*above)(const struct conduit_message *m); /* who gets the messages */

static enum { NEW, STARTED, SPAWNED, FINISHED } stage;
static int me = -1, threads, near_count;
static size_t segment_bytes;

/* ---- broken rules ------------------------------------------------------------------------------------------------ */

/* Says so once in the job; ends it. */
static _Noreturn void broken(const char *who, const char *format, va_list args) {
    char text[640];
    size_t room = sizeof text - 1;
    int n = me < 0 ? snprintf(text, room, "fathom: ") : snprintf(text, room, "fathom: thread %d: ", me);
    n += snprintf(text + n, room - (size_t)n, "%s%s breaks a rule of conduit.h: ", who, inner->name);
    n += vsnprintf(text + n, room - (size_t)n, format, args);
    size_t length = strlen(text);
    text[length++] = '\n';
    bool may_say = stage < SPAWNED || (!inner->is_ending() && bounded_may_say(inner->claim_report, inner->is_ending));
    if (may_say) bounded_say(text, length);
    if (stage == SPAWNED) inner->end(1);
    if (conduit_hooks.ending) conduit_hooks.ending();
    _exit(1);
}

/* The conduit has broken a rule. */
static _Noreturn __attribute__((format(printf, 1, 2), cold)) void conduit_broke(const char *format, ...) {
    va_list args;
    va_start(args, format);
    broken("conduit ", format, args);
}

/* Its caller has. */
static _Noreturn __attribute__((format(printf, 1, 2), cold)) void caller_broke(const char *format, ...) {
    va_list args;
    va_start(args, format);
    broken("a caller of conduit ", format, args);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* ASIDE: nothing, and any POSIX thread may call, at any time. */
enum may { ASIDE, NOTHING, REPLIES, ALL };

/* A call of the conduit by this POSIX thread, which may deliver these messages. */
struct call {
    const char *name;
    enum may may;
    int delivered; /* in it */
    int before;    /* errno */
    bool is_first; /* of its POSIX thread; below level multiple no other one is in a call, but the progress thread */
    struct call *outer;
};
static __thread struct call *current;
static __thread enum { IN_NONE, IN_REQUEST, IN_REPLY } handler; /* that is running */

void check_forget_handlers(void) { handler = IN_NONE; }

static uint32_t is_inside;

enum { MARK = 0x5ca1ab }; /* a value that errno has by nothing else */

static void check_stage(const char *name) {
    if (__builtin_expect(stage == SPAWNED, 1)) return;
    caller_broke("%s is called %s", name, stage == FINISHED ? "after finish" : "before spawn has returned");
}

static void enter(struct call *c, const char *name, enum may may) {
    check_stage(name);
    bool is_first = may != ASIDE && !current && !conduit_has_pthreads && !conduit_is_beside();
    if (is_first && __atomic_exchange_n(&is_inside, 1, __ATOMIC_ACQUIRE))
        caller_broke("%s is called while another POSIX thread is in a call", name);
    *c = (struct call){name, may, 0, errno, is_first, current};
    current = c;
    errno = MARK;
}

static void leave(const struct call *c) {
    if (errno != MARK && !conduit_is_beside()) /* the progress thread's is nobody's */
        conduit_broke("%s changes errno, which is the program's", c->name);
    current = c->outer;
    errno = c->before;
    if (c->is_first) __atomic_store_n(&is_inside, 0, __ATOMIC_RELEASE);
}

static bool is_near(int thread) { return (unsigned)(thread - conduit_near.first) < (unsigned)conduit_near.count; }

/* ---- start ------------------------------------------------------------------------------------------------------- */

static int start(int wanted, int *argc, char ***argv) {
    if (stage != NEW) caller_broke("start is called twice");
    threads = inner->start(wanted, argc, argv);
    stage = STARTED;
    near_count = conduit_near.count;
    if (threads < 1 || threads > inner->max_threads || (wanted && threads != wanted))
        conduit_broke("start returns %d threads; %d are wanted, and max_threads is %d", threads, wanted,
                      inner->max_threads);
    if (near_count < 1 || near_count > threads || near_count > CONDUIT_MAX_NEAR)
        conduit_broke("start says that %d of %d threads are near", near_count, threads);
    int here = inner->threads_here();
    if (here < 1 || here > threads) conduit_broke("threads_here returns %d of %d threads", here, threads);
    return threads;
}

static size_t least(size_t mine) {
    if (stage != STARTED) caller_broke("least is called %s", stage == NEW ? "before start" : "after spawn");
    size_t all = inner->least(mine);
    if (all > mine) conduit_broke("least returns %zu, which is more than this thread's %zu", all, mine);
    return all;
}

static bool is_mapped(const void *at, size_t bytes) {
    return msync((void *)((uintptr_t)at & ~(uintptr_t)4095), bytes, MS_ASYNC) == 0;
}
static char *segment(int place) { return (char *)(FATHOM_BASE + FATHOM_STEP * (uintptr_t)place); }

static int segments(int count, size_t bytes, bool huge, const char **what) {
    if (stage != STARTED) caller_broke("segments is called %s", stage == NEW ? "before start" : "after spawn");
    if (count != threads) caller_broke("segments is called for %d threads of %d", count, threads);
    if (!bytes || bytes % (2ul << 20)) caller_broke("segments is called for %zu bytes, no multiple of 2 MiB", bytes);
    *what = NULL;
    int why = inner->segments(count, bytes, huge, what);
    if (why) {
        if (!*what) conduit_broke("segments fails and does not say in which call");
        if (is_mapped(segment(0), 1)) conduit_broke("segments fails and leaves memory behind");
        return why;
    }
    segment_bytes = bytes;
    if (!is_mapped(segment(0), bytes))
        conduit_broke("segments returns without %zu bytes of memory at %p", bytes, (void *)segment(0));
    for (size_t at = 0; at < bytes; at += bytes - 4096)
        if (*(volatile uint64_t *)(segment(0) + at)) conduit_broke("segments returns memory that is not zero");
    return 0;
}

static void *shared_memory(size_t bytes) {
    if (stage != STARTED && stage != SPAWNED)
        caller_broke("shared_memory is called %s", stage == NEW ? "before start" : "after finish");
    void *p = inner->shared_memory(bytes);
    if ((uintptr_t)p & 7) conduit_broke("shared_memory returns memory at %p, which is not aligned", p);
    return p;
}

static void start_numbers(void);

static int spawn(int count) {
    if (stage != STARTED) caller_broke("spawn is called %s", stage == NEW ? "before start" : "twice");
    if (count != threads) caller_broke("spawn is called for %d threads of %d", count, threads);
    me = inner->spawn(count);
    stage = SPAWNED;
    if (me < 0 || me >= threads) conduit_broke("spawn returns %d, which is no thread of %d", me, threads);
    if (conduit_near.count > near_count)
        conduit_broke("spawn raises the number of near threads from %d to %d", near_count, conduit_near.count);
    near_count = conduit_near.count;
    if (!is_near(me) || conduit_near.first < 0 || conduit_near.first + near_count > threads)
        conduit_broke("the near threads are %d from %d on, and this is thread %d of %d", near_count, conduit_near.first,
                      me, threads);
    for (int i = 0; i < near_count; i++)
        if (segment_bytes && !is_mapped(segment(i), segment_bytes))
            conduit_broke("spawn returns before the segment of thread %d is mapped", conduit_near.first + i);
    if (!inner->is_thread()) conduit_broke("is_thread says that a thread is none");
    start_numbers();
    return me;
}

/* ---- numbers and sums -------------------------------------------------------------------------------------------- */

enum { WINDOW = 4096, SPARE = 64 /* bytes of max_medium */ };

/* What this thread has sent to another one, and received from it: requests, and replies. */
struct peer {
    uint32_t sent[2];
    uint32_t low[2]; /* the lowest number that has not come */
    uint64_t come[WINDOW / 64];
    uint32_t all_requests, all_replies; /* that the other one has sent, as it says in the end */
    bool has_ended;
};
static struct peer **peers;
static uint64_t *room[2]; /* for copies of requests and replies */

static _Noreturn void no_memory(void) {
    static const char text[] = "fathom: FATHOM_CONDUIT_CHECK: no memory\n";
    bounded_say(text, sizeof text - 1);
    inner->end(1);
    _exit(1);
}

static void start_numbers(void) {
    peers = calloc((size_t)threads, sizeof *peers);
    for (int i = 0; i < 2; i++) room[i] = malloc(inner->max_medium + SPARE);
    if (!peers || !room[0] || !room[1]) no_memory();
}

static struct peer *peer_of(int thread) {
    if (!peers[thread] && !(peers[thread] = calloc(1, sizeof **peers))) no_memory();
    return peers[thread];
}

static uint64_t mix(uint64_t sum, uint64_t value) {
    sum = (sum ^ value) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

static uint64_t sum_args(const struct conduit_message *m, uint32_t number) {
    uint64_t sum = mix(number, (uint64_t)m->handler << 9 | (uint64_t)m->reply << 8 | m->nargs);
    for (int i = 0; i < m->nargs; i++) sum = mix(sum, m->args[i]);
    return sum;
}

static uint64_t sum_payload(uint64_t sum, const char *payload, size_t bytes) {
    uint64_t word = 0;
    sum = mix(sum, bytes);
    for (; bytes >= 8; payload += 8, bytes -= 8) {
        memcpy(&word, payload, 8);
        sum = mix(sum, word);
    }
    word = 0;
    if (bytes) memcpy(&word, payload, bytes);
    return mix(sum, word);
}

/* A check word: the number, then bits, then a part of the sum. */
enum { MOVED = 1, LAST = 2 /* of its sender */, BITS = 2 };
static uint64_t word_of(uint32_t number, unsigned bits, uint64_t sum) {
    return number | (uint64_t)bits << 32 | sum >> (32 + BITS) << (32 + BITS);
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static void check_message(const char *name, const struct conduit_message *m) {
    if (m->thread == me) caller_broke("%s to the own thread", name);
    if (m->thread < 0 || m->thread >= threads) caller_broke("%s to thread %d of %d", name, m->thread, threads);
    if (m->handler >> CONDUIT_HANDLER_BITS) caller_broke("%s for handler %d", name, m->handler);
    if (m->nargs > CONDUIT_MAX_ARGS) caller_broke("%s with %d arguments", name, m->nargs);
    if (m->bytes > wrapper.max_medium)
        caller_broke("%s with %zu bytes of payload; max_medium is %zu", name, m->bytes, wrapper.max_medium);
    if ((m->nargs && !m->args) || (m->bytes && !m->payload)) caller_broke("%s without arguments or payload", name);
    if (!m->reply && handler != IN_NONE) caller_broke("%s of a request in a handler", name);
    if (m->reply && handler == IN_REPLY) caller_broke("%s of a reply in the handler of a reply", name);
    if (!m->reply || handler != IN_NONE || conduit_is_beside()) return;
    /* A message that core has kept is handled in a call, without the wrapper's knowledge. */
    if (!current) caller_broke("%s of a reply outside the handler of a request", name);
    if (current->may <= NOTHING) conduit_broke("a message is delivered in %s", current->name);
}

/* As m, with a check word: the payload is a copy, or that of m, where there is room behind it. */
struct checked {
    struct conduit_message m;
    uint64_t args[CONDUIT_MAX_ARGS];
};

static void add_word(struct checked *c, const struct conduit_message *m, uint32_t number, unsigned bits, bool copy) {
    c->m = *m;
    c->m.args = c->args;
    if (m->nargs) memcpy(c->args, m->args, m->nargs * sizeof *m->args);
    uint64_t sum = sum_payload(sum_args(m, number), m->payload, m->bytes);
    if (copy && (m->bytes || m->nargs == CONDUIT_MAX_ARGS)) {
        char *to = (char *)room[m->reply] + ((uintptr_t)m->payload & 7); /* as badly aligned */
        if (m->bytes) memcpy(to, m->payload, m->bytes);
        c->m.payload = to;
        if (m->nargs == CONDUIT_MAX_ARGS) {
            memcpy(to + m->bytes, &c->args[--c->m.nargs], sizeof c->args[0]);
            c->m.bytes += sizeof c->args[0];
            bits |= MOVED;
        }
    }
    c->args[c->m.nargs++] = word_of(number, bits, sum);
}

/* They may be changed now. */
static void overwrite(struct checked *c) {
    memset(c->args, 0xee, sizeof c->args);
    if (c->m.payload == (char *)room[c->m.reply] + ((uintptr_t)c->m.payload & 7))
        memset((void *)(uintptr_t)c->m.payload, 0xee, c->m.bytes);
}

static bool send_with(const struct conduit_message *m, unsigned bits) {
    struct checked c;
    struct peer *p = peer_of(m->thread);
    struct call call;
    bool entered = conduit_enter(); /* the progress thread sends, too */
    add_word(&c, m, p->sent[m->reply], bits, true);
    enter(&call, "send", m->reply ? REPLIES : ALL);
    bool sent = inner->send(&c.m);
    leave(&call);
    overwrite(&c);
    p->sent[m->reply] += sent;
    conduit_leave(entered);
    return sent;
}

static bool send_checked(const struct conduit_message *m) {
    check_stage("send");
    check_message("send", m);
    return send_with(m, 0);
}

static enum conduit_sent try_send(const struct conduit_message *m) {
    check_stage("try_send");
    if (m->reply) caller_broke("try_send of a reply");
    check_message("try_send", m);
    struct checked c;
    struct peer *p = peer_of(m->thread);
    struct call call;
    bool entered = conduit_enter();
    add_word(&c, m, p->sent[false], 0, true);
    enter(&call, "try_send", NOTHING);
    enum conduit_sent sent = inner->try_send(&c.m);
    leave(&call);
    overwrite(&c);
    p->sent[false] += sent == CONDUIT_SENT;
    conduit_leave(entered);
    return sent;
}

static void *prepare(int thread, size_t n, int nargs) {
    struct call call;
    if (thread == me || thread < 0 || thread >= threads) caller_broke("prepare for thread %d of %d", thread, threads);
    if (nargs >= CONDUIT_MAX_ARGS) return NULL; /* the last argument could not move */
    enter(&call, "prepare", ALL);
    void *at = inner->overrides->prepare(thread, n, nargs + 1);
    leave(&call);
    if ((uintptr_t)at & 7) conduit_broke("prepare returns a place that is not aligned to 8");
    return at;
}

static bool send_prepared(const struct conduit_message *m) {
    struct checked c;
    struct peer *p = peer_of(m->thread);
    struct call call;
    check_message("send_prepared", m);
    bool entered = conduit_enter();
    add_word(&c, m, p->sent[false], 0, false);
    enter(&call, "send_prepared", ALL);
    bool sent = inner->overrides->send_prepared(&c.m);
    leave(&call);
    p->sent[false] += sent;
    conduit_leave(entered);
    return sent;
}

/* ---- delivery ---------------------------------------------------------------------------------------------------- */

static const char *kind(bool reply) { return reply ? "reply" : "request"; }

static bool has_come(const struct peer *p, uint32_t number) { return p->come[number % WINDOW / 64] >> number % 64 & 1; }

static void check_reply_order(struct peer *p, int thread, uint32_t number) {
    if (number != p->low[true])
        conduit_broke("reply %u of thread %d is delivered where reply %u is the next", number, thread, p->low[true]);
    p->low[true]++;
}

static void check_request_order(struct peer *p, int thread, uint32_t number) {
    uint32_t low = p->low[false], ahead = number - low;
    if (ahead >= (1u << 31) || (ahead < WINDOW && has_come(p, number)))
        conduit_broke("request %u of thread %d is delivered twice", number, thread);
    if (ahead >= WINDOW || (ahead && !conduit_is_beside()))
        conduit_broke("request %u of thread %d is delivered before request %u", number, thread, low);
    p->come[number % WINDOW / 64] |= 1ull << number % 64;
    for (; has_come(p, p->low[false]); p->low[false]++)
        p->come[p->low[false] % WINDOW / 64] &= ~(1ull << p->low[false] % 64);
}

static void check_delivery(const struct conduit_message *m) {
    bool beside = conduit_is_beside();
    const struct call *c = current;
    if (m->thread < 0 || m->thread >= threads || m->thread == me)
        conduit_broke("a message is delivered from thread %d of %d", m->thread, threads);
    if (!beside && (!c || c->may <= NOTHING))
        conduit_broke("a message is delivered in %s", c ? c->name : "no call that may");
    if (!beside && c->may == REPLIES && !m->reply)
        conduit_broke("a request is delivered in %s, which may deliver replies only", c->name);
    if (!beside && handler == IN_REPLY) conduit_broke("a message is delivered while a reply is handled");
    if (!beside && handler == IN_REQUEST && !m->reply) conduit_broke("a request is delivered while another is handled");
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    if (!beside && !conduit_engine.inside) conduit_broke("a message is delivered outside the engine (conduit_enter)");
#endif
    if (m->handler >> CONDUIT_HANDLER_BITS || m->nargs < 1 || m->nargs > CONDUIT_MAX_ARGS ||
        m->bytes > inner->max_medium)
        conduit_broke("a message is delivered for handler %d with %d arguments and %zu bytes of payload", m->handler,
                      m->nargs - 1, m->bytes);
    if ((uintptr_t)m->args & 7 || (m->bytes && (uintptr_t)m->payload & 7))
        conduit_broke("a message of %zu bytes is delivered with a payload or arguments that are not aligned to 8",
                      m->bytes);
}

/* The farewell of a thread. */
static void take_last(struct peer *p, const struct conduit_message *m) {
    p->has_ended = true;
    p->all_requests = (uint32_t)m->args[0];
    p->all_replies = (uint32_t)m->args[1];
}

static void deliver(const struct conduit_message *given) {
    check_delivery(given);
    struct conduit_message m = *given;
    struct peer *p = peer_of(m.thread);
    uint64_t word = m.args[--m.nargs], args[CONDUIT_MAX_ARGS];
    uint32_t number = (uint32_t)word;
    unsigned bits = word >> 32 & (MOVED | LAST);
    if (bits & MOVED && m.nargs == CONDUIT_MAX_ARGS - 1 && m.bytes >= sizeof *args) {
        memcpy(args, m.args, m.nargs * sizeof *args);
        m.bytes -= sizeof *args;
        memcpy(&args[m.nargs++], (const char *)m.payload + m.bytes, sizeof *args);
        m.args = args;
    }
    uint64_t sum_before = sum_args(given, 0), sum = sum_payload(sum_args(&m, number), m.payload, m.bytes);
    if (word != word_of(number, bits, sum))
        conduit_broke(
            "a %s of thread %d for handler %d, with %d arguments and %zu bytes of payload, is not as it was sent",
            kind(m.reply), m.thread, m.handler, m.nargs, m.bytes);
    if (m.reply)
        check_reply_order(p, m.thread, number);
    else
        check_request_order(p, m.thread, number);
    if (current) current->delivered++;
    if (bits & LAST) {
        take_last(p, &m);
        return;
    }
    int before = errno;
    __typeof__(handler) handler_before = handler;
    handler = m.reply ? IN_REPLY : IN_REQUEST;
    above(&m);
    handler = handler_before;
    errno = before;
    if (sum_args(given, 0) != sum_before)
        conduit_broke("the arguments of a %s of thread %d change while it is handled", kind(m.reply), m.thread);
}

enum { FEW_DOZEN = 1000 };

static int check_number(const struct call *c, int n) {
    if (n < c->delivered) conduit_broke("%s delivers %d messages and returns %d", c->name, c->delivered, n);
    if (c->delivered > FEW_DOZEN) conduit_broke("%s delivers %d messages at once", c->name, c->delivered);
    return n;
}

static int poll_checked(bool replies_only) {
    struct call call;
    if (handler != IN_NONE) caller_broke("poll is called in a handler");
    enter(&call, "poll", replies_only ? REPLIES : ALL);
    int n = inner->poll(replies_only);
    leave(&call);
    return check_number(&call, n);
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static bool rest(int us) {
    struct call call;
    if (handler != IN_NONE) caller_broke("rest is called in a handler");
    enter(&call, "rest", NOTHING);
    bool woken = inner->rest(us);
    leave(&call);
    return woken;
}

static bool sleep_checked(const uint32_t *word, uint32_t old, uint32_t mask, int ms) {
    struct call call;
    if (handler != IN_NONE) caller_broke("sleep is called in a handler");
    enter(&call, "sleep", NOTHING);
    bool woken = inner->sleep(word, old, mask, ms);
    leave(&call);
    return woken;
}

static void ring(int thread) {
    struct call call;
    if (!is_near(thread)) caller_broke("ring is called for thread %d, which is not near", thread);
    enter(&call, "ring", ASIDE);
    inner->ring(thread);
    leave(&call);
}

static void wake(const uint32_t *word, int count, uint32_t mask) {
    struct call call;
    enter(&call, "wake", ASIDE);
    inner->wake(word, count, mask);
    leave(&call);
}

static int cores(void) {
    int n = inner->cores();
    if (n < 1) conduit_broke("cores returns %d", n);
    return n;
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

static int progress(void) {
    struct call call;
    if (!conduit_is_beside()) caller_broke("progress is called outside the progress thread");
    enter(&call, "progress", ALL);
    int n = inner->progress();
    leave(&call);
    return check_number(&call, n);
}

static void rest_beside(long us) {
    struct call call;
    if (!conduit_is_beside()) caller_broke("rest_beside is called outside the progress thread");
    enter(&call, "rest_beside", NOTHING);
    inner->rest_beside(us);
    leave(&call);
}

/* ---- overrides --------------------------------------------------------------------------------------------------- */

static struct conduit_overrides overrides;
static bool has_notified; /* a barrier that is not complete */

static void barrier_notify(const struct conduit_ballot *mine) {
    struct call call;
    if (has_notified) caller_broke("barrier_notify is called twice");
    has_notified = true;
    enter(&call, "barrier_notify", NOTHING);
    inner->overrides->barrier_notify(mine);
    leave(&call);
}

static bool barrier_try(struct conduit_ballot *all) {
    struct call call;
    if (!has_notified) caller_broke("barrier_try is called without a barrier_notify");
    enter(&call, "barrier_try", NOTHING);
    bool complete = inner->overrides->barrier_try(all);
    leave(&call);
    has_notified = !complete;
    return complete;
}

static void check_access(const char *name, uint64_t at, size_t n) {
    uint64_t thread = fathom_thread_of(at), offset = fathom_offset_of(at);
    if (thread >= (uint64_t)threads) caller_broke("%s at thread %llu of %d", name, (unsigned long long)thread, threads);
    if (is_near((int)thread)) caller_broke("%s at thread %d, which is near", name, (int)thread);
    if (offset + n > segment_bytes || offset + n < n)
        caller_broke("%s of %zu bytes at offset %llu of a segment of %zu", name, n, (unsigned long long)offset,
                     segment_bytes);
}

static void put(uint64_t dst, const void *src, size_t n) {
    struct call call;
    check_access("put", dst, n);
    enter(&call, "put", ALL);
    inner->overrides->put(dst, src, n);
    leave(&call);
}

static void get(void *dst, uint64_t src, size_t n) {
    struct call call;
    check_access("get", src, n);
    enter(&call, "get", ALL);
    inner->overrides->get(dst, src, n);
    leave(&call);
}

static struct conduit_op *put_begin(uint64_t dst, const void *src, size_t n) {
    struct call call;
    check_access("put_begin", dst, n);
    enter(&call, "put_begin", ALL);
    struct conduit_op *op = inner->overrides->put_begin(dst, src, n);
    leave(&call);
    if (op == CONDUIT_NOTED) conduit_broke("put_begin returns CONDUIT_NOTED, which only get_begin may");
    return op;
}

static struct conduit_op *put_object_begin(uint64_t dst, const void *src, size_t n) {
    struct call call;
    check_access("put_object_begin", dst, n);
    enter(&call, "put_object_begin", ALL);
    struct conduit_op *op = inner->overrides->put_object_begin(dst, src, n);
    leave(&call);
    return op;
}

static struct conduit_op *get_begin(void *dst, uint64_t src, size_t n) {
    struct call call;
    check_access("get_begin", src, n);
    enter(&call, "get_begin", ALL);
    struct conduit_op *op = inner->overrides->get_begin(dst, src, n);
    leave(&call);
    if (op == CONDUIT_NOTED && !inner->overrides->carry_out)
        conduit_broke("get_begin returns CONDUIT_NOTED, and there is no carry_out");
    return op;
}

static bool op_test(struct conduit_op *op) {
    struct call call;
    if (!op || op == CONDUIT_NOTED) caller_broke("op_test is called for no operation");
    enter(&call, "op_test", ALL);
    bool complete = inner->overrides->op_test(op);
    leave(&call);
    return complete;
}

static void wrap_overrides(void) {
    if (!inner->overrides) return;
    const struct conduit_overrides *o = inner->overrides;
    overrides = *o;
    if (!o->barrier_notify != !o->barrier_try)
        conduit_broke("of the overrides barrier_notify and barrier_try there is only one");
    if ((o->put_begin || o->get_begin) && !o->op_test)
        conduit_broke("there is an override put_begin or get_begin, and no op_test");
    if (!o->prepare != !o->send_prepared) conduit_broke("of the overrides prepare and send_prepared there is only one");
    if (!o->atomic != !o->atomic_is_possible)
        conduit_broke("of the overrides atomic and atomic_is_possible there is only one");
#define WRAP(function)                                                                                                 \
    if (o->function) overrides.function = function
    WRAP(barrier_notify);
    WRAP(barrier_try);
    WRAP(put);
    WRAP(get);
    WRAP(put_begin);
    WRAP(put_object_begin);
    WRAP(get_begin);
    WRAP(op_test);
    WRAP(prepare);
    WRAP(send_prepared);
#undef WRAP
}

static int spawn_and_wrap(int count) {
    int thread = spawn(count);
    wrap_overrides(); /* only now are they what they will be */
    return thread;
}

/* ---- end --------------------------------------------------------------------------------------------------------- */

/* Takes leave of all to whom this thread has sent. */
static void done(void) {
    check_stage("done");
    for (int t = 0; t < threads; t++) {
        const struct peer *p = peers[t];
        if (!p || (!p->sent[false] && !p->sent[true])) continue;
        uint64_t args[] = {p->sent[false], p->sent[true]};
        send_with(&(struct conduit_message){.thread = t, .nargs = 2, .args = args}, LAST);
    }
    inner->done();
}

static int done_count(void) {
    static int most;
    int n = inner->done_count();
    if (n > threads && threads) conduit_broke("done_count returns %d of %d threads", n, threads);
    if (n < most) conduit_broke("done_count returns %d after %d", n, most);
    return most = n;
}

static void check_all_came(void) {
    for (int t = 0; t < threads; t++) {
        const struct peer *p = peers[t];
        if (!p || (!p->low[false] && !p->low[true])) continue;
        if (!p->has_ended) conduit_broke("the last request of thread %d has not been delivered", t);
        if ((int32_t)(p->low[false] - p->all_requests) <= 0)
            conduit_broke("request %u of thread %d has not been delivered", p->low[false], t);
        if ((int32_t)(p->low[true] - p->all_replies) < 0)
            conduit_broke("reply %u of thread %d has not been delivered", p->low[true], t);
    }
}

static void finish(int status) {
    check_stage("finish");
    while (poll_checked(false)) continue;
    if (inner->finish) {
        struct call call; /* it may have to deliver what is on its way */
        enter(&call, "finish", ALL);
        inner->finish(status);
        current = call.outer;
        errno = call.before;
        stage = FINISHED;
    }
    check_all_came();
    stage = FINISHED;
}

static bool claim_report(void) {
    static bool claimed;
    bool may = inner->claim_report();
    if (may && claimed && stage == SPAWNED && inner->is_thread())
        conduit_broke("claim_report returns true twice to a thread");
    claimed = claimed || may;
    return may;
}

/* ---- wrapping ---------------------------------------------------------------------------------------------------- */

static void check_complete(void) {
#define NEEDS(function)                                                                                                \
    if (!inner->function) conduit_broke("it has no %s", #function)
    NEEDS(start);
    NEEDS(threads_here);
    NEEDS(least);
    NEEDS(segments);
    NEEDS(shared_memory);
    NEEDS(spawn);
    NEEDS(send);
    NEEDS(try_send);
    NEEDS(poll);
    NEEDS(rest);
    NEEDS(sleep);
    NEEDS(ring);
    NEEDS(wake);
    NEEDS(cores);
    NEEDS(done);
    NEEDS(is_done);
    NEEDS(done_count);
    NEEDS(claim_report);
    NEEDS(end);
    NEEDS(is_ending);
    NEEDS(is_thread);
    if (inner->takes_turns) NEEDS(nudge);
    if (inner->needs_progress) {
        NEEDS(progress);
        NEEDS(rest_beside);
    }
#undef NEEDS
    if (inner->max_medium < 4096) conduit_broke("max_medium is %zu, less than 4096", inner->max_medium);
    if (inner->max_threads < 1 || inner->max_threads > CONDUIT_MAX_FAR)
        conduit_broke("max_threads is %d", inner->max_threads);
}

void check_start(void) {
    const char *text = getenv("FATHOM_CONDUIT_CHECK");
    if (!text || !*text || strcmp(text, "0") == 0) return;
    if (strcmp(text, "1") != 0) {
        fprintf(stderr,
                "fathom: FATHOM_CONDUIT_CHECK=%s: expected 0 or 1 (what the conduit and its callers promise each other "
                "is checked)\n",
                text);
        exit(1);
    }
    inner = conduit_used;
    check_complete();
    wrapper = *inner;
    wrapper.max_medium = inner->max_medium - SPARE;
    wrapper.start = start;
    wrapper.least = least;
    wrapper.segments = segments;
    wrapper.shared_memory = shared_memory;
    wrapper.spawn = spawn_and_wrap;
    wrapper.send = send_checked;
    wrapper.try_send = try_send;
    wrapper.poll = poll_checked;
    wrapper.rest = rest;
    wrapper.sleep = sleep_checked;
    wrapper.ring = ring;
    wrapper.wake = wake;
    wrapper.cores = cores;
    if (inner->needs_progress) {
        wrapper.progress = progress;
        wrapper.rest_beside = rest_beside;
    }
    wrapper.done = done;
    wrapper.done_count = done_count;
    wrapper.finish = finish;
    wrapper.claim_report = claim_report;
    if (inner->overrides) wrapper.overrides = &overrides;
    conduit_used = &wrapper;
    above = conduit_deliver;
    conduit_deliver = deliver;
}
