/* Memory that near threads share: files without a name (memfd), made by the first of them and opened by the others
 * through its /proc/<pid>/fd, or, where that is forbidden, received over a socket. Nothing has a name, so that nothing is
 * left behind, however the job ends.
 *
 * Only the segments of near threads are mapped, at the same addresses in all processes of a node. They are sparse: a
 * page costs memory when it is first touched.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "conduit/clock.h"
#include "conduit/mpi/ranks.h"
#include "conduit/segments.h"

#define SOCKET_PATIENCE_MS 5000

/* ---- a file for all near threads --------------------------------------------------------------------------------- */

/* What the first thread tells the others about its file. */
struct offer {
    int why; /* 0, or the errno of what failed */
    int call;
    int pid, fd;
    unsigned long device, inode; /* whoever opens another file, in another process namespace, sees that it is wrong */
};
static const char *const calls[] = {"memfd_create", "ftruncate", "opening memory of another process"};

static struct offer make_file(size_t bytes, unsigned flags) {
    struct offer o = {.pid = getpid()};
    o.fd = segments_file(flags);
    if (o.fd < 0) {
        o.why = errno;
        return o;
    }
    struct stat s;
    if (segments_set_length(o.fd, bytes) != 0 || fstat(o.fd, &s) != 0) {
        o.why = errno;
        o.call = 1;
        close(o.fd);
        return o;
    }
    segments_seal(o.fd);
    o.device = s.st_dev;
    o.inode = s.st_ino;
    return o;
}

/* `fd` if it is the file that was offered; else it is closed, and the result is -1. */
static int if_offered(int fd, const struct offer *o) {
    struct stat s;
    if (fd < 0 || (fstat(fd, &s) == 0 && s.st_dev == o->device && s.st_ino == o->inode)) return fd;
    close(fd);
    errno = EACCES;
    return -1;
}

static int open_offered(const struct offer *o) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", o->pid, o->fd);
    return if_offered(open(path, O_RDWR | O_CLOEXEC), o);
}

static bool all_near(bool mine) {
    int one = mine, all;
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_MIN, ranks.near);
    return all;
}

/* One message of a byte and a descriptor. */
union passage {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
};

static bool pass_to(int connection, int fd) {
    char byte = 0;
    struct iovec data = {&byte, 1};
    union passage p = {.head = {.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    memcpy(CMSG_DATA(&p.head), &fd, sizeof fd);
    struct msghdr m = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &p, .msg_controllen = sizeof p};
    return sendmsg(connection, &m, MSG_NOSIGNAL) == 1;
}

static int receive_from(int connection) {
    char byte;
    struct iovec data = {&byte, 1};
    union passage p;
    struct msghdr m = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &p, .msg_controllen = sizeof p};
    struct pollfd until = {.fd = connection, .events = POLLIN};
    if (poll(&until, 1, SOCKET_PATIENCE_MS) != 1 || recvmsg(connection, &m, MSG_CMSG_CLOEXEC) != 1) return -1;
    struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    if (!head || head->cmsg_type != SCM_RIGHTS) return -1;
    int fd;
    memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

/* Is the other end a process of this user? */
static bool is_ours(int connection) {
    struct ucred who;
    socklen_t n = sizeof who;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 && who.uid == geteuid();
}

/* Any user of the computer can connect: strangers get nothing, and take nobody's place. */
static void serve_file(int listener, int fd, int readers) {
    struct pollfd until = {.fd = listener, .events = POLLIN};
    for (long long last = now_ms() + SOCKET_PATIENCE_MS, left; readers > 0 && (left = last - now_ms()) > 0;) {
        int ready = poll(&until, 1, (int)left);
        if (ready < 0 && errno != EINTR) return;
        if (ready <= 0) continue;
        int c = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (c < 0) continue; /* it has gone again */
        if (is_ours(c) && pass_to(c, fd)) readers--;
        close(c);
    }
}

/* The first thread's file, over a socket whose name the kernel chooses. */
static int over_socket(bool first, int fd) {
    struct {
        struct sockaddr_un address;
        socklen_t bytes;
    } name = {.address = {.sun_family = AF_UNIX}, .bytes = sizeof name.address};
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (first && (s < 0 || bind(s, (struct sockaddr *)&name.address, sizeof(sa_family_t)) != 0 ||
                  listen(s, SOMAXCONN) != 0 || getsockname(s, (struct sockaddr *)&name.address, &name.bytes) != 0))
        name.bytes = 0;
    MPI_Bcast(&name, sizeof name, MPI_BYTE, 0, ranks.near);
    int readers, near;
    MPI_Comm_size(ranks.near, &near);
    readers = near - 1;
    if (first) {
        if (name.bytes) serve_file(s, fd, readers);
    } else if (s >= 0 && name.bytes && connect(s, (struct sockaddr *)&name.address, name.bytes) == 0 && is_ours(s)) {
        fd = receive_from(s);
    }
    if (s >= 0) close(s);
    return fd;
}

int ranks_share(size_t bytes, unsigned flags, int *why, const char **what) {
    int rank;
    MPI_Comm_rank(ranks.near, &rank);
    struct offer o = {0};
    if (rank == 0) o = make_file(bytes, flags);
    MPI_Bcast(&o, sizeof o, MPI_BYTE, 0, ranks.near);
    *why = o.why;
    *what = calls[o.call];
    if (o.why) return -1;
    int fd = rank == 0 ? o.fd : open_offered(&o);
    if (all_near(fd >= 0)) return fd;
    if (rank != 0 && fd >= 0) close(fd);
    fd = if_offered(over_socket(rank == 0, rank == 0 ? o.fd : -1), &o);
    if (all_near(fd >= 0)) return fd;
    if (fd >= 0) close(fd);
    *why = EACCES;
    *what = calls[2];
    return -1;
}

void *ranks_shared(size_t bytes) {
    int why;
    const char *what;
    int fd = ranks_share(bytes, 0, &why, &what);
    void *p = MAP_FAILED;
    if (fd >= 0) {
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        why = errno;
        close(fd);
    }
    errno = why;
    return p == MAP_FAILED ? NULL : p;
}

/* ---- segments ---------------------------------------------------------------------------------------------------- */

int ranks_segments(int threads, size_t bytes, bool huge, const char **what) {
    (void)threads;
    int why = 0, worst, count = conduit_near.count;
    bool mapped = false;
    *what = "mmap";
    if (count == 1) { /* shared with nobody: memory without a file may have large pages where files may not */
        why = segments_map_at(segments_at(0), bytes, MAP_PRIVATE, -1, 0, huge);
        mapped = !why;
    } else {
        int fd = ranks_share(bytes * (size_t)count, huge ? MFD_HUGETLB : 0, &why, what);
        if (fd >= 0) {
            *what = "mmap";
            why = segments_map(fd, count, bytes, huge);
            mapped = !why;
            close(fd);
        }
    }
    /* All or none, on all computers. */
    MPI_Allreduce(&why, &worst, 1, MPI_INT, MPI_MAX, ranks.all);
    if (worst && mapped) segments_unmap(count, bytes);
    if (worst && !why) *what = "mapping segments on another computer of the job";
    ranks.segment = bytes;
    return worst;
}
