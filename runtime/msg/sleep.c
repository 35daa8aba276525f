/* System calls for sleeping and waking, out of the way of messages to those who do not sleep: bells, room, locks. None
 * changes errno.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "msg/channel.h"

_Thread_local char msg_thread; /* its address names the thread */

void bell_sleep(const uint32_t *word, uint32_t old, int ms) {
    int before = errno;
    struct timespec most = {ms / 1000, ms % 1000 * 1000000L};
    syscall(SYS_futex, word, FUTEX_WAIT, old, ms < 0 ? NULL : &most, NULL, 0);
    errno = before;
}

static void wake_all(uint32_t *word) {
    int before = errno;
    __atomic_fetch_add(word, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    errno = before;
}

__attribute__((cold)) void bell_wake(struct msg_bell *b) {
    if (__atomic_exchange_n(&b->asleep, 0, __ATOMIC_SEQ_CST)) wake_all(&b->epoch);
}
__attribute__((cold)) void bell_room(struct msg_in *in) { wake_all(&in->room); }

__attribute__((cold)) void bell_signal(int event) {
    int before = errno;
    uint64_t one = 1;
    /* It cannot fail but by being full, and then it is readable. */
    if (write(event, &one, sizeof one) < 0) errno = before;
    errno = before;
}

/* Whoever handed an eventfd over could have it full and make it wait, at any moment: then a send would wait for ever. A
 * datagram waits for nobody if its sender says so. (It is empty, because it is the receiver's choice where it goes.) */
__attribute__((cold)) void bell_signal_peer(int event) {
    int before = errno;
    send(event, "", 0, MSG_DONTWAIT | MSG_NOSIGNAL); /* if it is full it is readable */
    errno = before;
}

/* ---- room --------------------------------------------------------------------------------------------------------- */

/* How long to nap before looking again: 0 if there is room. The receiver tells when messages have been taken. That data
 * have been released it tells those whom it sees waiting; to see all would cost every release a fence. */
enum { NAP_MS = 100, DATA_NAP_MS = 1 };
static int nap_for_room(struct msg_row *r) {
    uint64_t head = __atomic_load_n(&r->lane.in->head, __ATOMIC_ACQUIRE);
    if (r->basic)
        return __atomic_load_n(&r->out->producer, __ATOMIC_RELAXED) - head <= r->lane.ring[0].slots / 2 ? 0 : NAP_MS;
    uint64_t t = __atomic_load_n(&r->lane.tail, __ATOMIC_ACQUIRE);
    switch (lane_look_at(&r->lane, &r->lane.ring[t & 1], lane_place(t), head)) {
    case LANE_IS_FULL: return NAP_MS;
    case LANE_HAS_DATA: return DATA_NAP_MS;
    default: break;
    }
    return __atomic_load_n(&r->free_cells, __ATOMIC_RELAXED) ? 0 : DATA_NAP_MS;
}

void msg_row_tell_all(struct msg_row *r) {
    bell_tell(r->bell, r->queue, r->number);
    if (__atomic_load_n(&r->lane.in->fd_armed, __ATOMIC_RELAXED)) msg_row_signal(r);
}

bool msg_row_is_deserted(const struct msg_row *r) {
    if (__atomic_load_n(&r->gone, __ATOMIC_ACQUIRE)) return true;
    return !r->far && !r->broker && msg_event_is_alone(r->event);
}

bool msg_wait_for_room(msg_transmit *t, unsigned destination, int timeout_ms) {
    for (int waited = 0;; waited += NAP_MS) {
        int most = timeout_ms < 0 || timeout_ms - waited > NAP_MS ? NAP_MS : timeout_ms - waited;
        /* A call for each nap: a row that has room never must not keep others from being freed (retire.c). */
        struct msg_call call MSG_UNTIL_RETURN = msg_enter();
        struct msg_row *r = msg_row_of(t, destination);
        if (!r) return false;
        if (msg_row_wait(r, most)) return true;
        if (msg_row_is_deserted(r)) {
            msg_row_retire(t, destination, r);
            return true;
        }
        if (timeout_ms >= 0 && waited + most >= timeout_ms) return false;
    }
}

bool msg_row_wait(struct msg_row *r, int timeout_ms) {
    for (int waited = 0, most = 0;; waited += most) {
        most = nap_for_room(r);
        if (!most || __atomic_load_n(&r->gone, __ATOMIC_ACQUIRE)) return true;
        bool for_data = most == DATA_NAP_MS;
        if (timeout_ms >= 0 && waited >= timeout_ms) return false;
        if (timeout_ms >= 0 && most > timeout_ms - waited) most = timeout_ms - waited;
        __atomic_fetch_add(&r->out->awaits_room, 1, __ATOMIC_SEQ_CST);
        uint32_t room = __atomic_load_n(&r->lane.in->room, __ATOMIC_ACQUIRE);
        msg_fence();
        if (r->far && nap_for_room(r)) {
            /* It counts as a millisecond, which it nearly is: a clock would cost more than it tells. */
            if (msg_far_nap(r->transmit->endpoint->far, &r->lane.in->room, room))
                most = 1;
            else
                bell_sleep(&r->lane.in->room, room, most);
        } else if (nap_for_room(r)) {
            bell_sleep(&r->lane.in->room, room, most);
        }
        __atomic_fetch_sub(&r->out->awaits_room, 1, __ATOMIC_RELEASE);
        if (for_data && nap_for_room(r) != NAP_MS) return true; /* another cell or slot may be free */
    }
}

/* ---- locks -------------------------------------------------------------------------------------------------------- */

void msg_lock_wait(struct msg_lock *l) {
    int before = errno;
    while (__atomic_exchange_n(&l->state, 2, __ATOMIC_ACQUIRE) != 0)
        syscall(SYS_futex, &l->state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    errno = before;
}

void msg_lock_wake(struct msg_lock *l) {
    int before = errno;
    syscall(SYS_futex, &l->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    errno = before;
}
