// threads: 1 2
// conduits: mpi
/* A connection whose other side is gone is no end of a thread by itself: MPI has such connections to threads that were
 * killed, and whoever writes to one is to get EPIPE, as a library expects. */
#include "check.h"
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    CHECK_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    close(ends[1]);
    CHECK_EQ(-1, (int)write(ends[0], "x", 1));
    CHECK_EQ(EPIPE, errno);
    // Its own output that nobody reads any more ends a process, whether it is a pipe or a connection.
    int pipe_ends[2], status;
    CHECK_EQ(0, pipe(pipe_ends));
    close(pipe_ends[0]);
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            dup2(i == 0 ? pipe_ends[1] : ends[0], STDOUT_FILENO);
            ssize_t written = write(STDOUT_FILENO, "x", 1);
            _exit(written == 1 ? 1 : 2);
        }
        CHECK_EQ(child, waitpid(child, &status, 0));
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    }
    close(ends[0]);
    return 0;
}
