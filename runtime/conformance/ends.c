/* How a job ends: the first thread that ends it otherwise than in order decides the status, everybody goes, one message
 * is heard. */
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "suite.h"

static void wait_for_ever(void) {
    unsigned round = 0;
    for (;;) gas_wait_hint(&round);
}
static bool last(void) { return me() == count() - 1; }

ENDS(end_in_order, 1, 0, "") { gas_barrier(); }
ENDS(end_by_exit_0_of_all, 1, 0, "") {
    gas_barrier();
    exit(0);
}
ENDS(end_in_order_with_messages_to_those_who_have_returned, 1, 0, "") {
    /* Thread 0 is still at work on others' memory when they have returned from main. */
    fathom_ptr p = everywhere(1000);
    if (me() != 0) exit(0);
    char text[1000];
    for (int t = 0; t < count(); t++)
        for (int i = 0; i < 20; i++) {
            fill_pattern(text, sizeof text, (uint64_t)i);
            gas_put(on(t, p), text, sizeof text);
            gas_get(text, on(t, p), sizeof text);
            PATTERN(text, sizeof text, (uint64_t)i);
        }
    exit(0);
}
ENDS(end_by_gas_exit, 1, 5, "") {
    if (last()) gas_exit(5);
    wait_for_ever();
}
ENDS(end_by_gas_exit_0, 1, 0, "") {
    if (last()) gas_exit(0);
    wait_for_ever();
}
ENDS(end_by_gas_exit_while_others_are_in_a_barrier, 2, 7, "") {
    if (me() == 0) gas_exit(7);
    gas_barrier();
}
ENDS(end_by_gas_exit_while_others_compute, 2, 8, "") {
    if (last()) gas_exit(8);
    for (volatile long spin = 0;; spin++) {}
}
ENDS(end_by_exit_with_a_status, 1, 6, "") {
    if (me() == 0) exit(6);
    wait_for_ever();
}
ENDS(end_by_all_at_once, 1, 9, "") {
    gas_barrier();
    gas_exit(9);
}
ENDS(end_by_gas_fatal, 1, 1, "fathom: thread [0-9]+: no more of this( in .*)?\\|") {
    if (last()) gas_fatal("no more of %s", "this");
    wait_for_ever();
}
ENDS(end_by_gas_fatal_of_all_says_it_once, 1, 1, "fathom: thread [0-9]+: all at once( in .*)?\\|") {
    gas_barrier();
    gas_fatal("all at once");
}
ENDS(end_by_abort, 1, 134, "fathom: thread [0-9]+: aborted.*\\|(.*\\|)?") {
    if (last()) abort();
    wait_for_ever();
}
ENDS(end_by_a_crash, 2, 139, "fathom: thread [0-9]+: segmentation fault.*\\|") {
    volatile int *volatile nowhere = (volatile int *)8; /* the compiler is not to see that nothing can be there */
    if (last()) *nowhere = 1;
    wait_for_ever();
}
/* Whoever started the thread says it: our supervisor, or MPI's launcher in its own words. */
ENDS(end_by_a_signal_that_cannot_be_caught, 2, 137, "(fathom: thread [0-9]+: ended by signal 9.*\\|)?") {
    if (last()) raise(SIGKILL);
    wait_for_ever();
}
static int on_noise;
static void noise(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
}
ENDS(end_while_a_flood_is_under_way, 2, 3, "") {
    on_noise = gas_register(noise);
    gas_barrier();
    char text[500] = "";
    for (long i = 0;; i++) {
        if (me() == 0 && i == 2000) gas_exit(3);
        gas_request_medium(neighbour(1), on_noise, text, sizeof text, NULL, 0);
    }
}

/* Thread 0 computes, and its progress thread passes on that the last thread has terminated: to thread 1, whose queue has no
 * room. What comes meanwhile is delivered when thread 0 looks. */
static int on_note;
static volatile int notes;
static void note(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    notes++;
}
static void compute_ms(long ms) {
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (end.tv_nsec / 1000000 + ms) / 1000;
    end.tv_nsec = (end.tv_nsec / 1000000 + ms) % 1000 * 1000000;
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
}
ENDS(end_of_one_while_a_queue_is_full, 3, 0, "") {
    enum { FULL = 64, EACH = 10 };
    on_note = gas_register(note);
    gas_barrier();
    if (last()) {
        compute_ms(200);
    } else if (me() == 0) {
        compute_ms(50); /* until thread 1 has left the barrier */
        for (int i = 0; i < FULL; i++) gas_request_short(1, on_note, &(uint64_t){0}, 1);
        compute_ms(500);
        WAIT_UNTIL(notes == EACH * (count() - 2));
    } else {
        compute_ms(100);
        for (int i = 0; i < EACH; i++) gas_request_short(0, on_note, &(uint64_t){0}, 1);
        compute_ms(500);
        if (me() == 1) WAIT_UNTIL(notes == FULL);
    }
    exit(0);
}

/* To which it does not come back: it still serves the others, and delivers what comes. */
static void exits(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    exit(0);
}
ENDS(end_by_exit_0_in_a_handler, 1, 0, "") {
    int handler = gas_register(exits);
    gas_barrier();
    if (me() == 0)
        for (int t = count() - 1; t >= 0; t--) gas_request_short(t, handler, NULL, 0);
    wait_for_ever();
}
