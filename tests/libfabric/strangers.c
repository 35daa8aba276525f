/* Crowds at a port: opens connections as fast as it can, the last 400 of which stay open. They say nothing, or byte by byte what
 * means nothing.
 *
 *     strangers ADDRESS PORT FILE     FILE appears once 1000 have been let in; ends once nobody listens
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { OPEN = 400, CROWD = 1000 };

int main(int argc, char **argv) {
    static int fds[OPEN];
    if (argc != 4) return 2;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[2]))};
    inet_pton(AF_INET, argv[1], &to.sin_addr);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < OPEN; i++) fds[i] = -1;
    for (int n = 0;; n++) {
        int *fd = &fds[n % OPEN];
        if (*fd >= 0) close(*fd);
        *fd = socket(AF_INET, SOCK_STREAM, 0);
        if (*fd < 0 || connect(*fd, (struct sockaddr *)&to, sizeof to) != 0) {
            if (errno == ECONNREFUSED && n > 0) return 0;
            poll(NULL, 0, 1);
        }
        if (n % 2 && send(fds[n / 2 % OPEN], "?", 1, MSG_DONTWAIT) < 0) errno = 0;
        if (n == CROWD) close(open(argv[3], O_CREAT | O_WRONLY, 0600));
    }
}
