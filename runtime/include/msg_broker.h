/* The broker's side of message queues (docs/queues.md): programs that have neither a parent nor a socket in common meet by
 * names. `fathom broker` runs it. It says who may reach whom, and hands over descriptors; messages never pass through it,
 * and go on while it is restarted.
 *
 *     server                                              client
 *     msg_broker *b = msg_broker_connect(e, NULL);        msg_broker *b = msg_broker_connect(e, NULL);
 *     msg_broker_register(b, "sums", q, answers);         msg_broker_open(b, "sums", t, 0, inbox, 1000);
 *     msg_wait(&set, &m, -1);                             msg_express(t, 0, tag, word);
 *     msg_express(answers, m.source, m.tag, m.word);      msg_wait(&set, &m, -1);
 *
 * A connection has a thread of its own, which answers clients, and reports to the broker how full the queues are. Any thread may
 * make any of these calls at any time, except msg_broker_close, which is the last. The thread does not survive a fork: connect
 * after it.
 */
#ifndef MSG_BROKER_H
#define MSG_BROKER_H

#include "msg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct msg_broker msg_broker;

enum {
    MSG_BROKER_NAME = 64,   /* bytes of a name, with the zero behind it */
    MSG_BROKER_PROTOCOL = 1 /* the version of what the library and the broker say to each other */
};

/* Connects to the broker that listens on `socket`. Null: the one that FATHOM_BROKER names, else the user's own
 * ($XDG_RUNTIME_DIR/fathom/broker.sock) if its socket exists, else the computer's (/run/fathom/broker.sock).
 * Null is returned if there is none, or if it refuses; msg_error() says what to do. */
msg_broker *msg_broker_connect(msg_endpoint *e, const char *socket);

/* Ends the connection: names are free again, and every channel that was made through it ends, on both sides. Messages that
 * have been sent are still received. No thread may be in another call for `b`. (msg_endpoint_close does the same for the endpoint's
 * connections; after it this call only gives the memory back.) */
void msg_broker_close(msg_broker *b);

/* Makes `q` known as `name`: letters, digits, and . _ - / (at most 63). Clients that the broker permits may send to it from now on.
 * The source of each client's messages is a number that the broker chooses, from 0 on, and that no other client has at the same
 * time. `answers`, or null: when a client with an inbox connects, row number `source` of it leads to that inbox, before the
 * client's first message can come. Clients that have an inbox are as many as `answers` has rows.
 * MSG_FAILED also if the broker does not answer in 10 s (it is stopped): then the name is not registered when it goes on. */
int msg_broker_register(msg_broker *b, const char *name, msg_queue *q, msg_transmit *answers);
int msg_broker_withdraw(msg_broker *b, const char *name);

/* Connects row `destination` of `t` to the queue with this name. `inbox`, or null: the server may answer into it; its messages
 * have the source `destination`. Waits at most `timeout_ms` (-1: for ever) for the server to answer, and not for the name to exist. */
int msg_broker_open(msg_broker *b, const char *name, msg_transmit *t, unsigned destination, msg_queue *inbox,
                    int timeout_ms);
/* Ends what msg_broker_open made, as msg_disconnect does. What has been sent is still received. MSG_FAILED: it was not made by this
 * connection, or it has Bulk jobs that are not done. */
int msg_broker_hang_up(msg_broker *b, msg_transmit *t, unsigned destination);

/* What has happened. The library has done what is needed already; the events are for programs that want to know. */
enum msg_broker_what {
    MSG_CLIENT_CAME, /* name, source, who */
    MSG_CLIENT_GONE, /* name, source, who: it has ended, crashed, or hung up. Its messages are still received */
    MSG_SERVER_GONE, /* name, source: the row, which is free again and returns MSG_NO_ROW */
    MSG_BROKER_LOST, /* the broker has ended; channels work on, and the library looks for it until it is back */
    MSG_BROKER_BACK, /* and the names are registered again */
    MSG_NAME_LOST    /* name, why: it was, but this one was refused */
};
typedef struct msg_broker_event {
    enum msg_broker_what what;
    uint32_t source;
    uint32_t uid, gid; /* of the peer, as the kernel says */
    int32_t pid;       /* 0: it cannot be seen from here */
    uint32_t missed;   /* events before this one that were not fetched in time (256 are kept) */
    char name[MSG_BROKER_NAME];
    char why[160];
} msg_broker_event;

/* The next event; false: none has come in `timeout_ms` (-1: for ever). */
bool msg_broker_next(msg_broker *b, msg_broker_event *event, int timeout_ms);
/* Readable while there are events; not to be read. */
int msg_broker_fd(const msg_broker *b);

/* Who the source is, of messages that came by this name; false: nobody. */
bool msg_broker_who(msg_broker *b, const char *name, uint32_t source, msg_broker_event *who);

#ifdef __cplusplus
}
#endif
#endif
