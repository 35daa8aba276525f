/* A connection to the broker, in the private memory of its process: shared by the program's calls (broker.c), the thread that
 * serves it (broker_service.c), and the steps by which channels come and go (broker_channel.c). One lock guards all of it; it
 * is held while packets are handled and never while anything is awaited. The program's threads only leave requests
 * and wait for `changed`, so that all that touches channels is one thread's.
 */
#ifndef MSG_BROKER_PRIVATE_H
#define MSG_BROKER_PRIVATE_H

#include "include/msg_broker.h"
#include "msg/broker_wire.h"
#include "msg/channel.h"

enum { MSG_AGE_MARKS = 16, MSG_EVENTS = 256 };

/* Since when the messages of a lane have been waiting, from looks at it now and then: the message before place sent[i] was
 * there at at[i]. */
struct msg_ages {
    int marks;
    uint64_t sent[MSG_AGE_MARKS];
    int64_t at_ns[MSG_AGE_MARKS];
    uint64_t last_taken, last_sent; /* as reported */
    bool reported;
};

/* LEAVING: this end has hung up, and has not said so yet: calls may be under way that send. */
enum msg_channel_state { OPENING, OPEN, LEAVING, DRAINING };

/* A client and a server. Of each end: what it sends by, and what it receives by. */
struct msg_broker_channel {
    struct msg_broker_channel *next;
    uint64_t id;
    enum msg_channel_state state;
    bool server, answers;
    char name[MSG_BROKER_NAME];
    uint32_t request;           /* of the client's call */
    uint32_t source;            /* as the server sees the client */
    uint32_t uid, gid, pid;     /* the peer */
    uint64_t peer_began;        /* when it started: the number of a process is used again */
    uint64_t own_bytes;         /* of memory made here */
    msg_queue *queue;           /* receiving: the server's queue, the client's inbox or null */
    struct msg_lane *lane;      /* null until it is offered */
    msg_transmit *transmit;     /* sending: the client's, or the server's for answers, or null */
    unsigned destination;       /* the row there */
    struct msg_row *row;        /* null until it is accepted */
    const struct msg_row *left; /* LEAVING: it was the row */
    struct msg_accept accept;   /* the server keeps it until the way back exists */
    int accepted[MSG_ACCEPT_FDS];
    uint64_t drain; /* DRAINING: messages that the other had sent when it ended */
    uint64_t grace; /* DRAINING: the period asked for when it was found drained; 0: it was not */
    struct msg_ages in, out;
};

struct msg_broker_name {
    struct msg_broker_name *next;
    char name[MSG_BROKER_NAME];
    msg_queue *queue;
    msg_transmit *answers;
    uint32_t request; /* not 0: it is being registered again */
};

struct msg_broker_wait {
    struct msg_broker_wait *next;
    uint32_t request;
    bool done, failed;
    char why[256];
};

struct msg_broker_sending {
    struct msg_broker_sending *next;
    struct msg_packet packet;
    int fds[MSG_OFFER_FDS], count;
};

struct msg_broker {
    msg_endpoint *endpoint;
    char path[108];
    int socket;  /* -1: the broker has ended */
    int wake;    /* for the thread: something is to be sent, or it is to end */
    int to_tell; /* for the program: there are events */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool ends;
    bool looks_soon;         /* a channel has begun to leave or to be drained: looks at all become frequent again */
    bool forked;             /* this is a child of the process that has connected: nothing else in here counts */
    struct msg_broker *next; /* of this process */
    uint32_t requests, sample_ms, registering;
    struct msg_broker_name *names;
    struct msg_broker_channel *channels;
    struct msg_broker_wait *waits;
    struct msg_broker_sending *first, **last;
    msg_broker_event event[MSG_EVENTS];
    unsigned events, first_event;
    uint32_t missed;
};

/* broker.c: a socket that has been welcomed, or -1. */
int msg_broker_dial(const char *path, uint32_t *sample_ms);
struct msg_broker_name *msg_broker_find(msg_broker *b, const char *name);

/* broker_service.c, with the lock held */
void *msg_broker_serve(void *broker);
void msg_broker_wake(msg_broker *b);
/* Takes over the descriptors. */
void msg_broker_post(msg_broker *b, const struct msg_packet *p, const int *fds, int count);
/* What has been posted and not sent is given up. */
void msg_broker_send_nothing(msg_broker *b);
void msg_broker_register_again(msg_broker *b, struct msg_broker_name *n);
void msg_broker_tell(msg_broker *b, enum msg_broker_what what, const struct msg_broker_channel *c, const char *name,
                     const char *why);
void msg_broker_answer(msg_broker *b, uint32_t request, const char *failed);

/* broker_channel.c, with the lock held: takes over the descriptors; a packet of no channel that exists is ignored. */
void msg_channel_handle(msg_broker *b, const struct msg_packet *p, int *fds);
struct msg_broker_channel *msg_channel_new(msg_broker *b, const char *name);
/* The other end is gone. */
void msg_channel_lose(msg_broker *b, struct msg_broker_channel *c, const char *why);
/* This end goes: the broker hears of it. */
void msg_channel_end(msg_broker *b, struct msg_broker_channel *c, const char *why);
/* The client's end goes, whose row is in use: the broker hears of it when all is there that is being sent. */
void msg_channel_leave(msg_broker *b, struct msg_broker_channel *c);
void msg_channel_free(msg_broker *b, struct msg_broker_channel *c);
/* Looks at channels that are leaving, and at lanes that are being drained. */
void msg_channels_drain(msg_broker *b);
void msg_channels_sample(msg_broker *b);
void msg_channel_report(msg_broker *b, const struct msg_broker_channel *c);

#endif
