/* OnePoll and sleeping: one look at the bell answers for any set of queues. Only a queue whose bit is set is looked at
 * itself. Bits stay set while messages come; one is cleared when so many looks as the queue has patience have found nothing
 * behind it. To clear a bit that is soon set again costs both sides several transfers of lines, where a look costs none: so
 * patience doubles when a message comes soon after the clearing, and is halved when none does.
 *
 * The guard. A bit that a sender set can be cleared by another sender that is malicious, or missing because a sender was killed
 * between publishing and setting it. So every GUARD_EVERY polls without a message one lane of one queue of the set is looked at
 * itself, in turn, and all of them each NAP_MS of a wait, whether it sleeps or is woken for nothing: a malicious sender can also take
 * back `asleep`, and can wake the receiver so often that no sleep ends by its time. What is found so is received at once, because its
 * bits may be gone again.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "msg/channel.h"

enum { LEAST_PATIENCE = 16, MOST_PATIENCE = 256, SOON = 1024, GUARD_EVERY = 64, NAP_MS = 100 };
enum { LEAST_SPINS = 16, MOST_SPINS = 4096 };

void msg_set_init(msg_set *s, msg_endpoint *e) {
    memset(s, 0, sizeof *s);
    s->endpoint = e;
}

static void bounds(msg_set *s) {
    s->first = s->last = 0;
    for (unsigned w = 0; w < MSG_SET_WORDS; w++) {
        if (!s->mask[w]) continue;
        s->last = (uint8_t)w;
        if (!s->mask[s->first]) s->first = (uint8_t)w;
    }
}

void msg_set_add(msg_set *s, const msg_queue *q) {
    s->mask[q->number / 64] |= 1ull << q->number % 64;
    bounds(s);
}

void msg_set_remove(msg_set *s, const msg_queue *q) {
    s->mask[q->number / 64] &= ~(1ull << q->number % 64);
    bounds(s);
}

/* ---- bits --------------------------------------------------------------------------------------------------------- */

/* Nothing was found behind the queue's bit for a while: clears the bits of its lanes and its own, and looks once more. */
static void clear_bits(msg_queue *q) {
    struct msg_bell *b = q->endpoint->bell;
    uint64_t *from = b->from[q->number];
    for (unsigned w = 0; w < MSG_SET_WORDS; w++)
        for (uint64_t bits = __atomic_load_n(&from[w], __ATOMIC_ACQUIRE); bits; bits &= bits - 1) {
            unsigned lane = 64 * w + (unsigned)__builtin_ctzll(bits);
            bell_clear(from, lane);
            if (!msg_lane_has(q, lane)) continue;
            bell_tell(b, q->number, lane);
            return;
        }
    bell_clear(b->ready, q->number);
    for (unsigned w = 0; w < MSG_SET_WORDS; w++) {
        uint64_t bits = __atomic_load_n(&from[w], __ATOMIC_ACQUIRE);
        if (!bits) continue;
        bell_tell(b, q->number, 64 * w + (unsigned)__builtin_ctzll(bits));
        return;
    }
}

/* Looks at one lane itself, in turn; true: it has a message, and its bits are set. */
static bool look_at_lane(msg_queue *q, unsigned lane) {
    if (!msg_lane_has(q, lane)) return false;
    msg_fence();
    bell_tell(q->endpoint->bell, q->number, lane);
    return true;
}

/* Counts a poll in vain; true: it is time to look at lanes themselves. */
static bool is_time_to_guard(msg_endpoint *e) {
    uint32_t n = __atomic_load_n(&e->empties, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&e->empties, n, __ATOMIC_RELAXED);
    return __builtin_expect(n % GUARD_EVERY == 0, 0);
}

bool msg_queue_guard(msg_queue *q) {
    if (!is_time_to_guard(q->endpoint)) return false;
    uint32_t lane = __atomic_load_n(&q->guarded, __ATOMIC_RELAXED) + 1;
    if (lane >= __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE)) lane = 0;
    __atomic_store_n(&q->guarded, lane, __ATOMIC_RELAXED);
    return look_at_lane(q, lane);
}

/* The set's first queue from this number on, and if there is none from 0 on. */
static unsigned next_of(const msg_set *s, unsigned number) {
    for (unsigned i = 0; i <= MSG_SET_WORDS; i++) {
        unsigned w = (number / 64 + i) % MSG_SET_WORDS;
        uint64_t bits = s->mask[w] & (i ? ~0ull : ~0ull << number % 64);
        if (bits) return 64 * w + (unsigned)__builtin_ctzll(bits);
    }
    return number % MSG_QUEUES;
}

static uint64_t waiting_in(const msg_queue *q) {
    uint64_t waiting = 0;
    for (unsigned k = 0; k < __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE); k++) {
        struct msg_lane *l = __atomic_load_n(&q->lane[k], __ATOMIC_ACQUIRE);
        if (l && !__atomic_load_n(&l->broken, __ATOMIC_RELAXED)) waiting += msg_basic_waiting(l);
    }
    return waiting;
}

/* Of a Basic queue all that it has. */
static bool is_ready(const msg_queue *q, msg_message *m) {
    uint64_t waiting = waiting_in(q);
    if (waiting) *m = (msg_message){.kind = MSG_READY, .word = waiting, .queue = q->number};
    return waiting != 0;
}

/* A message of this lane, whatever its bits. */
static bool take_of_lane(msg_queue *q, unsigned lane, msg_message *m) {
    return look_at_lane(q, lane) && (q->basic ? is_ready(q, m) : msg_lane_receive(q, lane, m));
}

/* Looks at one lane itself: the next of the queue looked at last, or the first of the next queue. */
static __attribute__((noinline, cold)) bool guard(const msg_set *s, msg_message *m) {
    msg_endpoint *e = s->endpoint;
    uint32_t last = __atomic_load_n(&e->guarded, __ATOMIC_RELAXED);
    unsigned number = last / MSG_LANES, k = last % MSG_LANES + 1;
    bool in_set = s->mask[number / 64] >> number % 64 & 1;
    msg_queue *q = in_set ? __atomic_load_n(&e->queue[number], __ATOMIC_ACQUIRE) : NULL;
    if (!q || k >= __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE)) {
        number = next_of(s, number + 1);
        q = __atomic_load_n(&e->queue[number], __ATOMIC_ACQUIRE);
        k = 0;
    }
    __atomic_store_n(&e->guarded, number * MSG_LANES + k, __ATOMIC_RELAXED);
    return q && take_of_lane(q, k, m);
}

static bool guard_all(const msg_set *s, msg_message *m) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    for (unsigned i = 0; i < MSG_QUEUES; i++) {
        msg_queue *q = s->mask[i / 64] >> i % 64 & 1 ? __atomic_load_n(&s->endpoint->queue[i], __ATOMIC_ACQUIRE) : NULL;
        for (unsigned k = 0; q && k < __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE); k++)
            if (take_of_lane(q, k, m)) return true;
    }
    return false;
}

/* ---- one poll ----------------------------------------------------------------------------------------------------- */

static bool take(msg_queue *q, msg_message *m) { return q->basic ? is_ready(q, m) : msg_queue_take(q, m); }

/* A message has come, the first since the queue's bit was cleared. (Threads that do this at once learn less; no more.) */
static __attribute__((noinline, cold)) void learn(msg_endpoint *e, msg_queue *q) {
    uint32_t cleared = __atomic_exchange_n(&q->cleared, 0, __ATOMIC_RELAXED);
    uint32_t since = __atomic_load_n(&e->empties, __ATOMIC_RELAXED) + 1 - cleared;
    uint32_t patience = __atomic_load_n(&q->patience, __ATOMIC_RELAXED);
    if (since < SOON && patience < MOST_PATIENCE) patience = 2 * patience + LEAST_PATIENCE;
    if (patience > MOST_PATIENCE) patience = MOST_PATIENCE;
    if (since >= SOON) patience /= 2;
    __atomic_store_n(&q->patience, patience, __ATOMIC_RELAXED);
}

static inline void in_vain(msg_endpoint *e, msg_queue *q) {
    uint32_t vain = __atomic_load_n(&q->vain, __ATOMIC_RELAXED) + 1;
    if (__builtin_expect(vain > __atomic_load_n(&q->patience, __ATOMIC_RELAXED) + LEAST_PATIENCE, 0)) {
        clear_bits(q);
        uint32_t now = __atomic_load_n(&e->empties, __ATOMIC_RELAXED) + 1;
        __atomic_store_n(&q->cleared, now ? now : 1, __ATOMIC_RELAXED);
        vain = 0;
    }
    __atomic_store_n(&q->vain, vain, __ATOMIC_RELAXED);
}

/* Has any queue of the set its bit set? All words without a branch between them: a large set costs nearly what a small one does. */
static inline bool any(const msg_set *s) {
    const uint64_t *ready = s->endpoint->bell->ready;
    uint64_t all = 0;
    if (s->first == s->last) return __atomic_load_n(&ready[s->first], __ATOMIC_RELAXED) & s->mask[s->first];
#pragma GCC unroll 8
    for (unsigned w = 0; w < MSG_SET_WORDS; w++) all |= __atomic_load_n(&ready[w], __ATOMIC_RELAXED) & s->mask[w];
    return all;
}

/* A message of the queues whose bits are set, by priority. */
static __attribute__((noinline)) bool look_behind(const msg_set *s, msg_message *m) {
    msg_endpoint *e = s->endpoint;
    msg_queue *vain = NULL;
    for (unsigned w = s->first; w <= s->last; w++)
        for (uint64_t bits = __atomic_load_n(&e->bell->ready[w], __ATOMIC_ACQUIRE) & s->mask[w]; bits;
             bits &= bits - 1) {
            msg_queue *q = __atomic_load_n(&e->queue[64 * w + (unsigned)__builtin_ctzll(bits)], __ATOMIC_ACQUIRE);
            if (!q) continue;
            if (take(q, m)) {
                if (__atomic_load_n(&q->vain, __ATOMIC_RELAXED)) __atomic_store_n(&q->vain, 0, __ATOMIC_RELAXED);
                if (__builtin_expect(__atomic_load_n(&q->cleared, __ATOMIC_RELAXED) != 0, 0)) learn(e, q);
                return true;
            }
            in_vain(e, vain = q);
        }
    if (vain) msg_queue_rest(vain);
    return false;
}

static inline bool look(const msg_set *s, msg_message *m) { return any(s) && look_behind(s, m); }

bool msg_poll(const msg_set *s, msg_message *m) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    if (look(s, m)) return true;
    if (is_time_to_guard(s->endpoint) && guard(s, m)) return true;
    if (s->endpoint->far && msg_far_poll(s->endpoint->far) && look(s, m)) return true;
    *m = (msg_message){.word = s->empty_word, .tag = s->empty_tag, .kind = MSG_EMPTY};
    return false;
}

/* ---- sleeping ----------------------------------------------------------------------------------------------------- */

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

/* As a call of its own: nobody is inside while it sleeps. */
static bool look_once(const msg_set *s, msg_message *m) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    return look(s, m);
}

/* Says that somebody is about to sleep, looks once more, and naps if it finds nothing. Who wakes takes the word back; if that
 * was for nothing, the next sender makes one system call too many. */
static bool nap(const msg_set *s, msg_message *m, int64_t most_ms) {
    struct msg_bell *b = s->endpoint->bell;
    uint32_t epoch = __atomic_load_n(&b->epoch, __ATOMIC_ACQUIRE); /* first: see EPOCH_SECOND in the model */
    __atomic_exchange_n(&b->asleep, 1, __ATOMIC_SEQ_CST);
    msg_fence();
    if (look_once(s, m)) return true;
    if (s->endpoint->far && msg_far_nap(s->endpoint->far, &b->epoch, epoch)) {
        struct msg_call call MSG_UNTIL_RETURN = msg_enter();
        return guard(s, m) || look(s, m);
    }
    bell_sleep(&b->epoch, epoch, (int)(most_ms < NAP_MS ? most_ms : NAP_MS));
    return false;
}

bool msg_wait(const msg_set *s, msg_message *m, int timeout_ms) {
    msg_endpoint *e = s->endpoint;
    uint32_t spins = __atomic_load_n(&e->spins, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < spins; i++) {
        if (msg_poll(s, m)) {
            if (i && spins < MOST_SPINS) __atomic_store_n(&e->spins, 2 * spins, __ATOMIC_RELAXED);
            return true;
        }
        msg_pause();
    }
    if (spins > LEAST_SPINS) __atomic_store_n(&e->spins, spins / 2, __ATOMIC_RELAXED);
    int64_t now = now_ms(), guarded = now, until = timeout_ms < 0 ? INT64_MAX : now + timeout_ms;
    while (now < until) {
        if (nap(s, m, until - now)) return true;
        now = now_ms();
        if (now - guarded < NAP_MS) continue;
        guarded = now;
        if (guard_all(s, m)) return true;
    }
    return msg_poll(s, m);
}

/* ---- event descriptors -------------------------------------------------------------------------------------------- */

/* What has been signalled there is taken; at most so much that a sender cannot keep us by signalling on. */
enum { MOST_SIGNALS = 32 };
static void empty(int event) {
    uint64_t count;
    for (int i = 0; i < MOST_SIGNALS && read(event, &count, sizeof count) >= 0; i++) {}
}

/* Of a lane, by one thread at a time: none reads what another has not looked at. A sender that puts descriptors in there cannot wake
 * the epoll descriptor any more. */
static void empty_lane(msg_endpoint *e, struct msg_lane *l) {
    uint32_t idle = 0;
    if (l->far) return empty(l->event);
    if (!__atomic_compare_exchange_n(&l->emptying, &idle, LANE_IS_EMPTIED, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    bool is_foul = msg_event_empty(l->event, l->may_bring, MOST_SIGNALS) == MSG_EVENT_FOUL;
    if (is_foul && e->epoll >= 0) epoll_ctl(e->epoll, EPOLL_CTL_DEL, l->event, NULL);
    __atomic_store_n(&l->emptying, is_foul ? LANE_IS_FOUL : 0, __ATOMIC_RELEASE);
}

/* `armed` of the endpoint first: a lane that begins meanwhile is found here, or finds its queue's bit (msg_lane_arm). */
static void arm_all(const msg_set *s, uint32_t armed) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    for (unsigned w = 0; w < MSG_SET_WORDS; w++) {
        if (armed)
            __atomic_fetch_or(&s->endpoint->armed[w], s->mask[w], __ATOMIC_RELAXED);
        else
            __atomic_fetch_and(&s->endpoint->armed[w], ~s->mask[w], __ATOMIC_RELAXED);
    }
    msg_fence();
    for (unsigned i = 0; i < MSG_QUEUES; i++) {
        msg_queue *q = s->mask[i / 64] >> i % 64 & 1 ? __atomic_load_n(&s->endpoint->queue[i], __ATOMIC_ACQUIRE) : NULL;
        for (unsigned k = 0; q && k < __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE); k++) {
            struct msg_lane *l = __atomic_load_n(&q->lane[k], __ATOMIC_ACQUIRE);
            if (!l) continue;
            __atomic_store_n(&l->lane.in->fd_armed, armed, __ATOMIC_RELAXED);
            if (!armed) empty_lane(s->endpoint, l);
        }
    }
}

/* At worst it wakes once in vain, because the set has been disarmed just now. */
void msg_lane_arm(msg_queue *q, struct msg_lane *l) {
    msg_fence();
    if (bell_is_set(q->endpoint->armed, q->number)) __atomic_store_n(&l->lane.in->fd_armed, 1, __ATOMIC_RELAXED);
}

void msg_lane_rouse(msg_queue *q, struct msg_lane *l) {
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    if (look_at_lane(q, l->number) && __atomic_load_n(&l->lane.in->fd_armed, __ATOMIC_RELAXED))
        bell_signal(q->endpoint->event);
}

bool msg_arm(const msg_set *s) {
    arm_all(s, 1);
    msg_fence();
    struct msg_call call MSG_UNTIL_RETURN = msg_enter();
    for (unsigned i = 0; i < MSG_QUEUES; i++) {
        msg_queue *q = s->mask[i / 64] >> i % 64 & 1 ? __atomic_load_n(&s->endpoint->queue[i], __ATOMIC_ACQUIRE) : NULL;
        for (unsigned k = 0; q && k < __atomic_load_n(&q->lanes, __ATOMIC_ACQUIRE); k++)
            if (look_at_lane(q, k)) return false;
    }
    return true;
}

void msg_disarm(const msg_set *s) {
    arm_all(s, 0);
    if (s->endpoint->event >= 0) empty(s->endpoint->event);
}
