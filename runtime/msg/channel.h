/* The steps by which a channel is made (channel.c), and what travels between them. The broker relays these structs with
 * their descriptors and does not look into them.
 */
#ifndef MSG_CHANNEL_H
#define MSG_CHANNEL_H

#include "msg/internal.h"

enum { MSG_OFFER_FDS = 4, MSG_ACCEPT_FDS = 2 };
#define MSG_MAGIC_OFFER 0x6d73676fu
#define MSG_MAGIC_ACCEPT 0x6d736761u
#define MSG_MAGIC_DONE 0x6d736764u

/* With descriptors: in, bell, event, window if it has bytes. */
struct msg_offer {
    uint32_t magic, version, slots;
    uint16_t basic, queue, lane, rings;
    uint64_t window_bytes;
};

/* With descriptors: out, region if it has bytes. */
struct msg_accept {
    uint32_t magic, version;
    uint64_t region_bytes;
};

/* How it ended, for the other side. */
struct msg_done {
    uint32_t magic, failed;
    char why[240];
};

struct msg_lane *msg_offer(msg_queue *q, uint32_t source, struct msg_offer *offer, int fds[MSG_OFFER_FDS]);
void msg_offer_withdraw(msg_queue *q, struct msg_lane *l);
/* Both take the descriptors over. */
struct msg_row *msg_accept(msg_transmit *t, const struct msg_offer *offer, int fds[MSG_OFFER_FDS],
                           struct msg_accept *accept, int own[MSG_ACCEPT_FDS]);
int msg_offer_finish(msg_queue *q, struct msg_lane *l, const struct msg_accept *accept, int fds[MSG_ACCEPT_FDS]);
int msg_accept_finish(msg_transmit *t, unsigned destination, struct msg_row *r);
bool msg_row_is_free(msg_transmit *t, unsigned destination);

/* Parts of these steps, for rows and lanes whose memories are found in another way (far.c). */
size_t msg_out_bytes(bool basic, uint32_t slots);
size_t msg_in_bytes(bool basic, uint32_t slots);
/* Gives a lane a number of its own; false: there are too many. msg_offer_withdraw gives it back. */
bool msg_lane_number(msg_queue *q, struct msg_lane *l);
/* Its memories are there: from now on messages are received. */
bool msg_lane_begin(msg_queue *q, struct msg_lane *l);
/* Its memories are there: what else a row consists of. */
void msg_row_begin(struct msg_row *r, msg_transmit *t, const struct msg_offer *offer);

/* socket.c: one struct with descriptors, before the time is over; false: see msg_error. What was not sent is -1. */
int64_t msg_until(int timeout_ms);
bool msg_socket_send(int socket, const void *what, size_t bytes, const int *fds, int count, int64_t until);
bool msg_socket_receive(int socket, void *what, size_t bytes, int *fds, int count, int64_t until);

/* foreign.c: closes what somebody else has made, and does not wait until it is closed. */
void msg_close_foreign(int fd);
/* Nobody can put descriptors into this socket; false: before Linux 6.16. */
bool msg_event_refuses(int event);
/* Takes datagrams out, at most so many. MSG_EVENT_FOUL: the next one brings descriptors; it has not been read. */
enum msg_emptied { MSG_EVENT_EMPTY, MSG_EVENT_FOUL };
enum msg_emptied msg_event_empty(int event, bool may_bring, int most);
/* Also if descriptors are in it. */
void msg_event_close(int event, bool may_bring);
/* Has everybody closed the other end? If not, it is signalled, unless it can only send. */
bool msg_event_is_alone(int event);

#endif
