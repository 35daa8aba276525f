/* When a packet of the wire (wire.c) arrives: pure arithmetic on nanoseconds, so that it can be tested without a clock.
 *
 * Computers hang on one switch. Each has a port that sends and a port that receives, of one rate. A packet leaves its
 * sender when the packets before it have left; its first byte needs the delay to the receiver's port, where the packet
 * waits until those that arrived before it are through, and takes its bytes at the port's rate again; byte for byte behind the first
 * (cut-through), so that the bytes of a packet that nobody is in the way of count once. These are the rules of LogGP
 * with g = 0 (crates/machine/src/network/loggp.rs), in packets. Queues are as long as they have to be: nothing is lost.
 */
#pragma once
#include <stdint.h>

enum { WIRE_MOST = 64 }; /* computers */

struct wire {
    int64_t delay_ns;
    double ns_per_byte;
    int64_t out_free[WIRE_MOST], in_free[WIRE_MOST]; /* when each port is done with what it has */
};

/* When the first byte of a packet that is sent at `now` is at its receiver's port. Calls come in the order of `now`. */
static inline int64_t wire_leave(struct wire *w, int64_t now, int from, int bytes) {
    int64_t begin = now > w->out_free[from] ? now : w->out_free[from];
    w->out_free[from] = begin + (int64_t)(w->ns_per_byte * bytes + 0.5);
    return begin + w->delay_ns;
}

/* When its last byte has come through that port. Calls come in the order of `head`, which wire_leave has returned. */
static inline int64_t wire_arrive(struct wire *w, int64_t head, int to, int bytes) {
    if (head < w->in_free[to]) head = w->in_free[to];
    return w->in_free[to] = head + (int64_t)(w->ns_per_byte * bytes + 0.5);
}

/* Up to which head all packets are known at `now`: one that is sent later arrives later. */
static inline int64_t wire_known(const struct wire *w, int64_t now) { return now + w->delay_ns; }
