/* Threads as processes of one computer: for conduits that fork them. launch.c defines, besides, what conduit.h says of the
 * end of a job: conduit_done to conduit_is_thread, but for conduit_finish, and conduit_hooks. */
#ifndef CONDUIT_LAUNCH_H
#define CONDUIT_LAUNCH_H

#include <stdbool.h>

/* Forks `threads` processes and returns each thread's number in it. The calling process becomes their supervisor and
 * never returns; with one thread it is the thread. Complains and exits where that fails. */
int launch_threads(int threads);
/* Has the process of `thread` ended? */
bool launch_is_gone(int thread);

#endif
