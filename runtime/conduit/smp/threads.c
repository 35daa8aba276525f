/* The start of conduit smp: what threads share is prepared, then they are forked (conduit/launch). All are near. */
#include "conduit/launch/launch.h"
#include "conduit/smp/smp.h"

const char conduit_name[] = "smp";
static int threads_wanted = 1;

int conduit_start(int wanted, int *argc, char ***argv) {
    (void)argc, (void)argv;
    conduit_near.count = threads_wanted = wanted ? wanted : 1;
    return threads_wanted;
}

int conduit_threads_here(void) { return threads_wanted; }

int conduit_spawn(int threads) {
    smp_wait_prepare(threads);
    smp_messages_prepare(threads);
    smp_barrier_prepare(threads);
    return launch_threads(threads);
}

/* Processes of one computer have nothing to take leave of. */
void conduit_finish(void) {}
