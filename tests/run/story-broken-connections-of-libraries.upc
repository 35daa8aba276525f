// threads: 1 2
// conduits: mpi
/* A connection whose other side is gone is no end of a thread by itself: MPI has such connections to threads that were
 * killed, and whoever writes to one is to get EPIPE, as a library expects. */
#include "check.h"
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    CHECK_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    close(ends[1]);
    CHECK_EQ(-1, (int)write(ends[0], "x", 1));
    CHECK_EQ(EPIPE, errno);
    close(ends[0]);
    return 0;
}
