/* Descriptors that others have made, and sockets in which they can put some. To close one, or to read a datagram that brings
 * one, can take as long as its maker likes: a connection that lingers, a file of a user's own file system. No call of msg.h
 * waits for that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include "msg/channel.h"

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

/* So many closings can hang in a process. What comes then stays open, which costs a descriptor and no time. */
enum { MOST_CLOSERS = 64 };
static uint32_t closers;

static void *closer(void *fd) {
    close((int)(intptr_t)fd);
    __atomic_fetch_sub(&closers, 1, __ATOMIC_RELAXED);
    return NULL;
}

void msg_close_foreign(int fd) {
    int before = errno;
    pthread_t thread;
    /* Only a file in memory has seals, and nobody is asked when it is closed. */
    if (fd < 0 || fcntl(fd, F_GET_SEALS) >= 0) {
        if (fd >= 0) close(fd);
    } else if (__atomic_fetch_add(&closers, 1, __ATOMIC_RELAXED) >= MOST_CLOSERS ||
               pthread_create(&thread, NULL, closer, (void *)(intptr_t)fd) != 0) {
        __atomic_fetch_sub(&closers, 1, __ATOMIC_RELAXED);
    } else {
        pthread_detach(thread);
    }
    errno = before;
}

bool msg_event_refuses(int event) {
    int no = 0;
    return setsockopt(event, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no) == 0;
}

/* The next datagram: 1, it brings none; -1, it brings some; 0, there is none. It stays where it is, and who has no room for
 * descriptors is told that there are some. */
static int next_of(int event) {
    char any; /* without room for it, qemu 7's user emulation makes no call and says that it has succeeded */
    struct iovec part = {&any, 1};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (recvmsg(event, &m, MSG_PEEK | MSG_DONTWAIT) < 0) return 0;
    return m.msg_flags & MSG_CTRUNC ? -1 : 1;
}

enum msg_emptied msg_event_empty(int event, bool may_bring, int most) {
    for (int i = 0; i < most; i++) {
        int next = may_bring ? next_of(event) : 1;
        if (next < 0) return MSG_EVENT_FOUL;
        if (next == 0 || recv(event, NULL, 0, MSG_DONTWAIT) < 0) break;
    }
    return MSG_EVENT_EMPTY;
}

bool msg_event_is_alone(int event) {
    int before = errno;
    bool is = send(event, NULL, 0, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 &&
              (errno == ECONNREFUSED || errno == ECONNRESET || errno == ENOTCONN);
    errno = before;
    return is;
}

/* A child of a fork may have it, too: what is in it is left there, and it is not shut down. */
void msg_event_close(int event, bool may_bring) {
    if (may_bring && next_of(event))
        msg_close_foreign(event);
    else
        close(event);
}
