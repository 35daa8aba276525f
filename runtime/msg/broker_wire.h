/* What the library and the broker say to each other (crates/broker/src/wire.rs has the same in Rust). One struct serves all
 * kinds and both directions, and travels as one packet of a SOCK_SEQPACKET socket: a packet of another size, with
 * another magic number or with descriptors that its kind does not have ends the connection. Fields that a kind does not name are 0.
 *
 * How a channel comes to be; with an inbox, the part in parentheses makes the way back:
 *
 *     client                    broker                        server
 *     OPEN                      may it? OPENING to the client, WANTED to the server
 *                               passes on                     OFFER + descriptors
 *     ACCEPT + descriptors      passes on
 *     (OFFER  back)             passes on
 *                               passes on                     (ACCEPT back)
 *     (DONE   back)             passes on                     (the row of `answers` exists)
 *                               it is open                    DONE: the lane exists
 *     the row exists
 *
 * When one end is gone, the other gets GONE. A server says RETIRED when it has received all that the client had sent: then the
 * source may be given to another.
 */
#ifndef MSG_BROKER_WIRE_H
#define MSG_BROKER_WIRE_H

#include <stdint.h>

#define MSG_PACKET_MAGIC 0x6b726266u /* "fbrk" */

enum msg_packet_kind {
    MSG_P_HELLO = 1,  /* to the broker: request (version), number: layout */
    MSG_P_WELCOME,    /* number: sampling period in ms */
    MSG_P_REFUSED,    /* request, text: why */
    MSG_P_REGISTER,   /* request, name, number: slots, sources, basic */
    MSG_P_REGISTERED, /* request */
    MSG_P_WITHDRAW,   /* name */
    MSG_P_OPEN,       /* request, name, source: the client's row, flags */
    MSG_P_OPENING,    /* request, channel; uid, gid, pid, number: of the server, when it started */
    MSG_P_WANTED, /* channel, name, source, flags; uid, gid, pid of the client; number: when it started, the client's row */
    MSG_P_OFFER,   /* channel, flags, text: struct msg_offer */
    MSG_P_ACCEPT,  /* channel, flags, text: struct msg_accept */
    MSG_P_DONE,    /* channel, flags, text: why it failed, or nothing */
    MSG_P_GONE,    /* channel, text: why */
    MSG_P_RETIRED, /* channel */
    MSG_P_REPORT, /* after the broker's restart: channel, name, source, flags, pid: the peer's; number: when it started, own bytes */
    MSG_P_SAMPLE, /* channel, flags, source: moves between rings; number: messages taken, messages sent, age of the oldest in ns
                     (at least), room */
    MSG_P_LIST,  /* request */
    MSG_P_ENTRY, /* request, … (wire.rs) */
    MSG_P_END    /* request */
};

enum msg_packet_flags {
    MSG_F_BACK = 1,    /* OFFER, ACCEPT, DONE, SAMPLE: from server to client */
    MSG_F_ANSWERS = 2, /* OPEN, WANTED: the client has an inbox */
    MSG_F_SERVER = 4   /* REPORT, SAMPLE: from the server's end */
};

struct msg_packet {
    uint32_t magic;
    uint16_t kind, flags;
    uint64_t channel;
    uint32_t request, source;
    uint32_t uid, gid, pid, zero;
    uint64_t number[4];
    char name[64];
    char text[256];
};
_Static_assert(sizeof(struct msg_packet) == 392, "as in wire.rs");

#endif
