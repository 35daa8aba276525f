/* When a packet of the wire (wire.c) arrives: pure arithmetic on nanoseconds, so that it can be tested without a clock.
 *
 * Computers hang on one switch. Each has a port that sends and a port that receives, of one rate. A packet leaves its
 * sender when the packets before it have left; its first byte needs the delay to the receiver's port, where the packet
 * waits until those before it are through, and takes its bytes at the port's rate again; byte for byte behind the first
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

/* When the last byte arrives of a packet that is sent at `now`. Calls come in the order of `now`. */
static inline int64_t wire_arrival(struct wire *w, int64_t now, int from, int to, int bytes) {
    int64_t holds = (int64_t)(w->ns_per_byte * bytes + 0.5);
    int64_t begin = now > w->out_free[from] ? now : w->out_free[from];
    w->out_free[from] = begin + holds;
    int64_t head = begin + w->delay_ns;
    if (head < w->in_free[to]) head = w->in_free[to];
    return w->in_free[to] = head + holds;
}
