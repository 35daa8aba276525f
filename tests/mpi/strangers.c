/* The socket over which near threads receive a descriptor of their shared memory, where /proc does not serve
 * (conduit/mpi/memory.c): processes of other users that connect get nothing, and take nobody's place. Needs root, which alone
 * can be another user; makes no job.
 */
#include "conduit/mpi/memory.c"

#include <stdlib.h>
#include <sys/wait.h>

struct ranks ranks;
struct conduit_near conduit_near;
enum { STRANGERS = 20, READERS = 3, ANOTHER_USER = 65534 };

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "strangers.c:%d: not true: %s\n", __LINE__, #what);                                        \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A process that connects and says what it received: 0, the file; 1, nothing; 2, something else. */
static pid_t reader(const struct sockaddr_un *name, socklen_t bytes, uid_t user, const struct offer *o) {
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid > 0) return pid;
    close(o->fd);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(setuid(user) == 0 && connect(s, (const struct sockaddr *)name, bytes) == 0);
    int fd = receive_from(s);
    if (fd < 0) exit(1);
    exit(if_offered(fd, o) < 0 ? 2 : 0);
}

static int answer(pid_t pid) {
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return WEXITSTATUS(status);
}

int main(void) {
    if (geteuid() != 0) {
        printf("skipped: strangers.c needs root\n");
        return 0;
    }
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    socklen_t bytes = sizeof name;
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(s, (struct sockaddr *)&name, sizeof(sa_family_t)) == 0 && listen(s, SOMAXCONN) == 0);
    CHECK(getsockname(s, (struct sockaddr *)&name, &bytes) == 0);
    struct offer o = make_file(4096, 0);
    CHECK(o.why == 0);

    /* The strangers stand in front of everybody else in the socket's queue. */
    pid_t stranger[STRANGERS], mine[READERS];
    for (int i = 0; i < STRANGERS; i++) stranger[i] = reader(&name, bytes, ANOTHER_USER, &o);
    for (struct pollfd until = {.fd = s, .events = POLLIN}; poll(&until, 1, 10) != 1;) {}
    usleep(200000);
    for (int i = 0; i < READERS; i++) mine[i] = reader(&name, bytes, 0, &o);
    serve_file(s, o.fd, READERS);
    for (int i = 0; i < READERS; i++) CHECK(answer(mine[i]) == 0);
    close(s);
    for (int i = 0; i < STRANGERS; i++) CHECK(answer(stranger[i]) == 1);

    /* And who has the file cannot make it shorter under the others. */
    CHECK(ftruncate(o.fd, 0) != 0 && errno == EPERM);
    printf("good: strangers get nothing\n");
    return 0;
}
