/* What the threads of a simulated job and the engine that computes their times share: one file of memory, which
 * `fathom simulate` makes and whose descriptor is in FATHOM_SIM. crates/simulate/src/program/shared.rs is the other side,
 * with the same numbers; a test compares them.
 *
 * At any time either the engine runs or one thread. A thread runs until it *stops*: at an operation whose result depends
 * on what others have done by then, or when its room for records is full. Until then it performs everything at once, and
 * writes records of what it did and of the work in between; the engine computes times from them afterwards.
 *
 * Whoever runs has the baton. A thread that stops hands it to the engine, or straight to the thread whose turn the
 * engine has foreseen, which saves half of the changes of process: see struct sim_baton. tests/protocols/baton.pml
 * models this.
 *
 * A thread whose room is full needs nothing of what the engine computes. It may write on, in its other room, while the
 * engine reads what it has written: a helper of the engine has the baton then, and no other thread runs.
 *
 * A thread that polls its own memory says so (SIM_AGAIN) if it would do the same again and again until another thread
 * writes there, or it serves a message. The engine then computes what it would do, and gives it no turn until then.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <stdint.h>

#include "conduit/conduit.h"

enum {
    SIM_VERSION = 10,
    SIM_HEAD = 4096, /* bytes before the batons; the blocks begin at sim_blocks() */
    SIM_BATON = 24,  /* bytes of a baton */
    SIM_MOST_TOUCHED = 256,
    SIM_BLOCK = 196608, /* bytes of a thread's block */
    SIM_OUT = 256,      /* where its records begin: in the same page as the rest, as long as there are few */
    SIM_OUT_BYTES = 61440,
    SIM_FIRST_BYTES = 3840, /* before it stops, unless the engine computes meanwhile: to the end of a page */
    SIM_IN = 65536,         /* where a message to it lies */
    SIM_IN_BYTES = 65536,
    SIM_OTHER_OUT = 131072, /* where records lie that it writes while the engine reads those before */
    SIM_FETCH = 192512,     /* where the list of words lies that it wants; they take the places of the list */
    SIM_MOST_FETCHES = 512, /* words in that list */
    SIM_MAX_MEDIUM = 32768,
    SIM_MOST_PLACES = 0xffffff /* of a program */
};
#define SIM_LONGEST (1ull << 62) /* picoseconds, of a sleep or of work: 53 days */

struct sim_head {
    uint32_t version, threads;
    uint32_t engine;   /* a futex: 1 when the engine is to go on, that is, when it has the baton */
    uint32_t started;  /* threads that have come to their first stop */
    uint64_t per_ns;   /* picoseconds that a nanosecond of this processor's work is worth; 0: work is not measured */
    uint32_t accesses; /* 1: accesses to memory are simulated, as far as the program says where they are */
    uint32_t has_accesses; /* the program says so */
    uint64_t costs[16];    /* of the classes of conduit/work.h, in thousandths of picoseconds; 0: work is not counted */
    uint64_t declared[2];  /* of a declared operation on floating-point numbers, and of 8 declared bytes, likewise */
    /* The earliest next event of those that have had foreseen turns since the engine ran, and whose it is. */
    uint64_t soonest_at;
    uint32_t soonest;
    uint32_t fetcher; /* 1 + the thread that wants words of its list: then it goes on, and nothing else has happened */
    /* The file of all segments, as thread `segments_of` has it open, -1 if threads map all; its length. */
    int32_t segments;
    uint32_t segments_of;
    uint64_t segments_bytes;
    uint32_t cannot_fetch; /* 1: the engine cannot map that file */
    /* The threads that poll into whose memory a thread has written in its turn: that thread, how many there are, perhaps more
     * than there is room for, and the first of them. Then the engine goes on. */
    uint32_t toucher, touched_count;
    uint32_t touched[SIM_MOST_TOUCHED];
};
_Static_assert(sizeof(struct sim_head) <= SIM_HEAD, "the batons follow the head");

/* What others than the thread need, in one array, so that a process touches few pages for them.
 *
 * The engine foresees turns: a list of threads, each with the time of its turn, in the order of time. The first has its
 * turn. A thread that stops gives the next one its turn, unless its own next event, or that of one before it in the list,
 * is earlier; then the engine goes on, as it does after the last. So the turns are those that the engine would give. */
struct sim_baton {
    uint32_t turn;  /* a futex: enum sim_turn */
    uint32_t next;  /* 1 + the thread whose turn is foreseen after this one's; 0: the engine goes on */
    uint64_t at;    /* the time of this thread's foreseen turn */
    uint32_t polls; /* it polls its memory, and nobody has written there since */
};

/* Bytes before the first thread's block. */
static inline size_t sim_blocks(size_t threads) { return SIM_HEAD + ((threads * SIM_BATON + 4095) & ~(size_t)4095); }

/* Why a thread has stopped. */
enum sim_stop {
    SIM_START,  /* it has been forked */
    SIM_FULL,   /* its room for records */
    SIM_SERVED, /* it has served a message, and stands where it stood */
    SIM_ORDER,  /* goes on when everything before has happened */
    SIM_WAIT, /* goes on when a message has come, or the barrier is complete, or after args[0] picoseconds (0: never) */
    SIM_TEST, /* args[0], an operation: is it complete? */
    SIM_CLOCK,   /* the time, in picoseconds */
    SIM_SLEEP,   /* for args[0] picoseconds */
    SIM_ARRIVAL, /* args: enum sim_record, thread, bytes, offset; goes on when that arrives there */
    SIM_END,     /* it has terminated */
    SIM_AGAIN /* as SIM_ORDER; then it does what it did last, unless another thread has written into its memory, or it
                    has served a message */
};

/* How it goes on. */
enum sim_turn { SIM_STOPPED, SIM_RUN, SIM_SERVE };

struct sim_thread {
    uint32_t has_stopped; /* since it last went on */
    uint32_t stop;        /* enum sim_stop */
    uint32_t may_serve;
    uint32_t out_bytes, in_bytes;
    uint32_t barriers; /* that are complete for this thread */
    uint64_t work;     /* since the last record */
    uint64_t args[4], answer;
    struct conduit_ballot ballot; /* of the last complete barrier */
    uint64_t now;                 /* picoseconds, when it last went on */
    uint32_t process;
    uint64_t counted, declared; /* picoseconds of work so far; what was declared is among what was counted */
    uint32_t place;             /* in the program's text, of the last stop: a number as in struct sim_op */
    uint32_t notified;          /* barriers that this thread has notified */
    uint32_t out_at;            /* where its records begin: SIM_OUT or SIM_OTHER_OUT, as the engine says */
    uint32_t fetches;           /* words that it wants */
    uint32_t out_most; /* when it has written so many bytes, it stops; but not inside of the messages' own code */
    uint64_t repeated; /* how often it did so since SIM_AGAIN, as the engine has computed it, without turns */
    uint64_t memory;   /* bytes that it has when it ends: of its segment, and of its own */
};
_Static_assert(sizeof(struct sim_thread) <= SIM_OUT, "a thread's records follow what it says of itself");

/* What a thread has done. */
enum sim_record {
    SIM_PUT, /* waits until it is complete */
    SIM_GET,
    SIM_PUT_RELAXED, /* SIM_SETTLE waits for all */
    SIM_PUT_BEGIN,   /* `id` is waited for */
    SIM_GET_BEGIN,
    SIM_AWAIT, /* the operation `id` */
    SIM_SETTLE,
    SIM_MESSAGE,  /* and a struct sim_message follows */
    SIM_NOTIFY,   /* and a struct conduit_ballot follows */
    SIM_ACCESSES, /* of its own memory: a list of `bytes` follows (accesses.c) */
    SIM_PLACES,   /* the next places of the program: `bytes` of text follow, a line `file:line` for each, or
                     `#number calls`, which crates/simulate turns into `#number file:line` */
    SIM_WORKED,   /* counted work so far by place: a list of `bytes` follows, a place's number and picoseconds each */
    SIM_NOTE      /* `id`: enum conduit_note */
};

struct sim_op {
    uint32_t what : 8;   /* enum sim_record */
    uint32_t place : 24; /* in the program's text, numbered from 1; 0: not known */
    uint32_t thread;     /* the other */
    uint64_t work;       /* since the last record */
    uint64_t bytes, offset, id;
};

/* The arguments and the payload follow, which is filled up to a multiple of 8 bytes. */
struct sim_message {
    uint32_t thread; /* to or from */
    uint16_t handler;
    uint8_t nargs, reply;
    uint64_t bytes; /* of payload */
};

#endif
