/* Active messages: round trips, one at a time, and floods without replies. */
#include "ours.h"

static int ping, pong, drop, over;
static volatile long arrived, answered, done;

static void on_ping(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    if (bytes)
        gas_reply_medium(token, pong, payload, bytes, args, nargs);
    else
        gas_reply_short(token, pong, args, nargs);
    arrived++;
}
static void on_pong(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    answered++;
}
static void on_drop(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    arrived++;
}
static void on_over(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    done++;
}

void ours_messages_start(void) {
    ping = gas_register(on_ping);
    pong = gas_register(on_pong);
    drop = gas_register(on_drop);
    over = gas_register(on_over);
}

/* Thread 1 serves until it has had n. */
static void serve(long n) {
    while (arrived < n) gas_poll();
    arrived = 0;
}

void ours_round_trip(long n) {
    if (gas_me()) {
        serve(n);
        return;
    }
    for (long i = 0; i < n; i++) {
        uint64_t arg = (uint64_t)i;
        gas_request_short(1, ping, &arg, 1);
        while (answered <= i) gas_poll();
    }
    answered = 0;
}

static void round_trip_medium(long n, size_t bytes) {
    if (gas_me()) {
        serve(n);
        return;
    }
    for (long i = 0; i < n; i++) {
        uint64_t arg = (uint64_t)i;
        gas_request_medium(1, ping, ours_private, bytes, &arg, 1);
        while (answered <= i) gas_poll();
    }
    answered = 0;
}
void ours_round_trip_medium(long n) { round_trip_medium(n, 64); }

/* A flood is over when the receiver has had all of it and said so. */
static void flood(long n, size_t bytes) {
    if (gas_me()) {
        serve(n);
        gas_request_short(0, over, NULL, 0);
        return;
    }
    for (long i = 0; i < n; i++) {
        uint64_t arg = (uint64_t)i;
        if (bytes)
            gas_request_medium(1, drop, ours_private, bytes, &arg, 1);
        else
            gas_request_short(1, drop, &arg, 1);
    }
    while (!done) gas_poll();
    done = 0;
}
void ours_flood_short(long n) { flood(n, 0); }
void ours_flood_medium(long n) { flood(n, SIDE_FLOOD); }
