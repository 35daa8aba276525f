/* What two processes share, byte by byte (docs/decisions/0007-message-queues.md): the memories of a lane, and an
 * endpoint's bell. Each is a file in memory of its own. Whoever writes it makes it and seals it; a peer maps `out` and
 * `in` read-only. Numbers found in a peer's memory are only ever compared.
 */
#ifndef MSG_LAYOUT_H
#define MSG_LAYOUT_H

#include "msg/atomics.h"

enum {
    MSG_VERSION = 5, /* of this file, and of what is handed over */
    MSG_QUEUES = 512,
    MSG_LANES = 512, /* of a queue */
    MSG_SET_WORDS = 8,
    MSG_PAGE = 4096,
    MSG_LINE = 64
};
_Static_assert(MSG_QUEUES == 64 * MSG_SET_WORDS && MSG_LANES == 64 * MSG_SET_WORDS, "a set is a cache line");

/* ---- stamps ------------------------------------------------------------------------------------------------------- */

/* A stamp is whether the next place is in the lane's other ring (1 bit), round (39 bits), high half of a Tag-On message's word
 * (16), kind (3), tag (5). */
enum { MSG_TAG_BITS = 5, MSG_KIND_SHIFT = 5, MSG_HIGH_SHIFT = 8, MSG_ROUND_SHIFT = 24 };
#define MSG_ROUNDS ((1ull << 39) - 1)
#define MSG_LAST (1ull << 63)

/* Kinds of slots. Those from MSG_SLOT_DATA on have data, which the receiver releases. */
enum {
    MSG_SLOT_EXPRESS,
    MSG_SLOT_MANY,
    MSG_SLOT_DATA = 2,
    MSG_SLOT_TAG_ON = 2,
    MSG_SLOT_COPIED = 3,
    MSG_SLOT_BULK = 4
};

static inline uint64_t msg_round_of(uint64_t stamp) { return stamp << 1 >> (MSG_ROUND_SHIFT + 1); }
static inline unsigned msg_kind_of(uint64_t stamp) { return stamp >> MSG_KIND_SHIFT & 7; }
static inline unsigned msg_tag_of(uint64_t stamp) { return stamp & 31; }

/* A Tag-On message's word: line of the region (28), bytes (20), low half of the user's word (16). */
enum { MSG_LINE_SHIFT = 36, MSG_BYTES_SHIFT = 16, MSG_MOST_TAG_ON = (1 << 20) - 1 };

/* A Bulk message's word: line of the window (28), bytes (36). */
enum { MSG_BULK_BYTES_BITS = 36 };

/* A batch's word: a cell of the sender's (from MSG_WORDS_BITS on), how many words of it are messages. */
enum { MSG_WORDS_BITS = 7, MSG_MOST_WORDS = (1 << MSG_WORDS_BITS) - 1 };

/* A lane of at least MSG_LEAST_LARGE slots has two rings: a small one, in the first page of `out`, where it begins, and a
 * large one, whose pages do not exist before it is used. Others have one. */
enum { MSG_SMALL = 32, MSG_LEAST_LARGE = 2 * MSG_SMALL };

/* In `head`: messages of a batch that have been taken (MSG_WORDS_BITS), the ring (1 bit), the place (56 bits). */
enum { MSG_PLACE_SHIFT = MSG_WORDS_BITS + 1 };

/* Cells in `out`, behind the slots: for copies and batches. */
enum { MSG_CELLS = 32, MSG_CELL_BYTES = 1024, MSG_CELL_WORDS = MSG_CELL_BYTES / 8 };
_Static_assert((int)MSG_MOST_WORDS <= (int)MSG_CELL_WORDS, "a batch fits into a cell");

/* ---- records (Basic) --------------------------------------------------------------------------------------------- */

/* A header: bytes of a record (32), tag (8), whether it is a filler (8), how many more records of the same size and
 * tag follow without headers of their own (16). */
enum { MSG_RECORD_TAG = 32, MSG_RECORD_FILLER = 40, MSG_RECORD_MORE = 48 };

/* ---- memories ----------------------------------------------------------------------------------------------------- */

/* Written by the sender. Slots (Express) or records (Basic) begin at MSG_PAGE; cells for copies behind them. */
struct msg_out {
    _Alignas(128) uint64_t producer;    /* Basic: bytes written, ever */
    _Alignas(128) uint32_t awaits_room; /* threads that sleep until there is room */
    uint32_t ended;                     /* the sender has given the row back, and all is there that it had sent */
    _Alignas(128) struct msg_slot small[MSG_SMALL];
};
_Static_assert(sizeof(struct msg_out) <= MSG_PAGE, "the small ring is in the first page");

/* Written by the receiver. Then a word for each slot, those of the small ring first: the round of the last message whose data
 * were released. */
struct msg_in {
    /* The place to be taken next (MSG_PLACE_SHIFT); Basic: bytes released, ever. */
    _Alignas(128) uint64_t head;
    uint64_t run; /* Basic: what is left at `head` of a run of records (as in a header; 0: a header is there) */
    _Alignas(128) uint32_t room; /* a futex: changes when there is room again for those who wait */
    uint32_t fd_armed;           /* the receiver waits for the lane's event descriptor */
    uint32_t is_resident;        /* it wants the lane to stay in its large ring: resident.c */
    _Alignas(128) uint64_t released[];
};

/* Written by the receiver and all its senders. */
struct msg_bell {
    _Alignas(128) uint64_t ready[MSG_SET_WORDS];                 /* queues that may have messages */
    _Alignas(128) uint32_t epoch;                                /* the futex of who sleeps */
    _Alignas(128) uint32_t asleep;                               /* somebody sleeps, or is about to */
    _Alignas(MSG_PAGE) uint64_t from[MSG_QUEUES][MSG_SET_WORDS]; /* of each queue, lanes that may have messages */
};

#endif
