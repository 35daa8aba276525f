/* What contenders behind file descriptors share: how participants take part in it, and polls and sleeping by the kernel. */
#ifndef FD_H
#define FD_H

#include "contender.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>

/* Looking at many descriptors by epoll, which is how this is done. */
static int epoll;
static inline void watch(int fd) {
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event)) die("epoll_ctl");
}
static inline void watch_none(void) {
    if (epoll) close(epoll);
    epoll = epoll_create1(0);
    if (epoll < 0) die("epoll_create1");
}
static inline long poll_all(long n) {
    struct epoll_event found[8];
    long full = 0;
    for (long i = 0; i < n; i++) full += epoll_wait(epoll, found, 8, 0) > 0;
    return full;
}

/* Waits for a descriptor, or, while each side has a processor of its own, lets the caller try again. */
static inline void wait_for(int fd, short events) {
    if (crowded) poll(&(struct pollfd){.fd = fd, .events = events}, 1, -1);
}

static inline void nonblocking(int fd, int yes) {
    int flags = fcntl(fd, F_GETFL);
    if (fcntl(fd, F_SETFL, yes ? flags | O_NONBLOCK : flags & ~O_NONBLOCK)) die("fcntl");
}

#endif
