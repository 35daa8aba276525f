/* A row that moves between two rings (docs/decisions/0009): its own lane while it is resident, and the ring from which the
 * service thread sends its messages on while it is not. SENDERS threads send MESSAGES each into the row, a mover moves it MOVES times
 * to and fro at any moments, TAKERS take the messages. Every message is taken once, no taker gets two of one sender in the
 * wrong order, all come, and nobody waits for ever.
 *
 * Both rings are lanes (msg_express.pml: one compare-and-swap fills a slot, a slot says its round). A move is a message: MOVED,
 * committed as any other, says at which place the other ring goes on. So all places of both rings are one sequence, in
 * which the place behind a MOVED is in the other ring. TAIL, a hint as before, and HEAD name ring and place in one word; TAIL never names
 * a place behind a MOVED of the same ring, because whoever finds MOVED goes where it says. One thread at a time moves a row, and it alone
 * knows where each ring goes on.
 *
 * Room in a ring: HEAD if it is there, else PASSED, the place of the last MOVED that was taken there. A taker stores it before it
 * advances HEAD: so a taker that is stopped between the two takes room from nobody, and the MOVED itself, which others
 * may still be reading, is not overwritten.
 *
 * Two senders are checked on sequential memory, one sender on x86 and weak memory, with a message and a move. More of both is to
 * be checked before it is built.
 *
 * What one step is there for:
 *   STEPS_OVER        a sender takes MOVED for a message like others, and goes on behind it
 *   HINT_FIRST        the mover changes TAIL before MOVED is there
 *   LOOKS_AHEAD       a taker that finds a ring empty looks into the other
 *   NOT_PASSED        nobody stores PASSED
 */
// holds: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DMOVES=2 -DSLOTS=2
// holds: -DSC -DSENDERS=1 -DTAKERS=2 -DMESSAGES=2 -DMOVES=2 -DSLOTS=2
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1 -DMOVES=1 -DSLOTS=2
// holds: -DTSO -DSENDERS=1 -DTAKERS=1 -DMESSAGES=1 -DMOVES=1 -DSLOTS=2
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=1 -DMOVES=1 -DSLOTS=2
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=2 -DMOVES=1 -DSLOTS=2 -DSTEPS_OVER
// fails: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DMOVES=1 -DSLOTS=2 -DHINT_FIRST
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DMOVES=2 -DSLOTS=2 -DLOOKS_AHEAD
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DMOVES=2 -DSLOTS=2 -DNOT_PASSED

#define THREADS (SENDERS + TAKERS + 1)
#ifndef HISTORY
#define HISTORY 12
#endif
#define TAIL 0
#define HEAD 1
#define PASSED(ring) (2 + (ring))
#define STAMP(at) (4 + RING(at) * SLOTS + PLACE(at) % SLOTS)
#define LOCATIONS (4 + 2 * SLOTS)
#include "memory.pml"

/* A place of a ring in one byte, and a slot's content: round (3 bits), what (5 bits: sender, number; or MOVED and the place
 * in the other ring). */
#define AT(ring, place) (2 * (place) + (ring))
#define RING(at) ((at) % 2)
#define PLACE(at) ((at) / 2)
#define ROUNDS 8
#define FORMER(at) ((PLACE(at) / SLOTS) % ROUNDS)
#define ROUND(at) ((PLACE(at) / SLOTS + 1) % ROUNDS)
#define CONTENT(at, what) (32 * ROUND(at) + (what))
#define ROUND_OF(content) ((content) / 32)
#define WHAT(content) ((content) % 32)
#define MOVED(place) (16 + (place))
#define IS_MOVED(content) (WHAT(content) >= 16)
#define OTHER(at, content) AT(1 - RING(at), WHAT(content) - 16)
#define MESSAGE (4 * me + number)

byte published, taken;       /* messages */
byte finished;               /* senders, and the mover, that send no more */
byte came[SENDERS * TAKERS]; /* of a sender to a taker: behind the last one */
bool met[16];
#define IS_OVER (finished == SENDERS + 1 && taken == published)

#ifdef STEPS_OVER
#define FOLLOW t = t + 2 + 2 * ((ROUND_OF(old) + ROUNDS - FORMER(t)) % ROUNDS - 1) * SLOTS
#else
/* The place behind a filled one: in the other ring if that was MOVED, else in this, in its round or a later one. */
#define FOLLOW                                                                              \
    t = t + 2 * ((ROUND_OF(old) + ROUNDS - FORMER(t)) % ROUNDS - 1) * SLOTS;                \
    if                                                                                      \
    :: IS_MOVED(old) -> t = OTHER(t, old)                                                   \
    :: else -> t = t + 2                                                                    \
    fi
#endif

/* Loads until `t` is the first free place, with `old` in its slot. */
#define FIND                                                                                \
    do                                                                                      \
    :: LOAD(old, STAMP(t), ACQ);                                                            \
       if                                                                                   \
       :: ROUND_OF(old) == FORMER(t) -> break                                               \
       :: else -> FOLLOW                                                                    \
       fi                                                                                   \
    od

/* Waits until there is room at `t`: it may have been filled then. */
#define MAKE_ROOM                                                                           \
    LOAD(seen, HEAD, ACQ);                                                                  \
    if                                                                                      \
    :: RING(seen) == RING(t) ->                                                             \
       if                                                                                   \
       :: PLACE(t) < PLACE(seen) + SLOTS -> has_room = true                                 \
       :: else -> has_room = false; NEWS(HEAD, seen)                                        \
       fi                                                                                   \
    :: else ->                                                                              \
       LOAD(passed, PASSED(RING(t)), ACQ);                                                  \
       if                                                                                   \
       :: PLACE(t) < passed + SLOTS -> has_room = true                                      \
       :: else -> has_room = false; (NEWS(HEAD, seen) || NEWS(PASSED(RING(t)), passed))     \
       fi                                                                                   \
    fi

active [SENDERS] proctype sender() {
    MEMORY_THREAD;
    byte r, old, seen, passed, t, number;
    bool has_room;
    do
    :: number == MESSAGES -> break
    :: number < MESSAGES ->
       LOAD(t, TAIL, ACQ);
again:
       FIND;
       MAKE_ROOM;
       if
       :: !has_room -> goto again
       :: else
       fi;
       CAS(r, STAMP(t), old, CONTENT(t, MESSAGE), ACQ_REL);
       if
       :: r != old -> goto again
       :: else
       fi;
       published++;
       STORE(TAIL, t + 2, REL);
       number++
    od;
    finished++
}

active [TAKERS] proctype taker() {
    MEMORY_THREAD;
    byte r, h, stamp, message;
    do
    :: IS_OVER -> break
    :: !IS_OVER ->
       LOAD(h, HEAD, ACQ);
again:
       LOAD(stamp, STAMP(h), ACQ);
       if
       :: ROUND_OF(stamp) != ROUND(h) ->
          LOAD(r, HEAD, ACQ);
          if
          :: r != h -> h = r; goto again
          :: else -> /* Empty: looks again when there may be something */
#ifdef LOOKS_AHEAD
             LOAD(r, PASSED(1 - RING(h)), ACQ);
             LOAD(stamp, STAMP(AT(1 - RING(h), r)), ACQ);
             if
             :: ROUND_OF(stamp) == ROUND(AT(1 - RING(h), r)) && !IS_MOVED(stamp) ->
                CAS(message, HEAD, h, AT(1 - RING(h), r), ACQ_REL);
                goto next
             :: else
             fi;
             LOAD(stamp, STAMP(h), ACQ);
#endif
             (NEWS(STAMP(h), stamp) || NEWS(HEAD, h) || IS_OVER);
             goto next
          fi
       :: else
       fi;
       if
       :: IS_MOVED(stamp) ->
#ifndef NOT_PASSED
          STORE(PASSED(RING(h)), PLACE(h), REL);
#endif
          LOAD(stamp, STAMP(h), RLX); /* its word is read behind its stamp: see msg_express.pml */
          CAS(r, HEAD, h, OTHER(h, stamp), ACQ_REL);
          goto next
       :: else
       fi;
       LOAD(message, STAMP(h), RLX);
       CAS(r, HEAD, h, h + 2, ACQ_REL);
       if
       :: r != h -> h = r; goto again
       :: else
       fi;
       d_step {
           message = WHAT(message);
           assert(message < 16 && !met[message]);
           met[message] = true;
           r = message / 4;
           assert(message % 4 >= came[r * TAKERS + me - SENDERS]);
           came[r * TAKERS + me - SENDERS] = message % 4 + 1;
           taken++
       }
next:
       h = 0; stamp = 0; r = 0; message = 0
    od
}

/* The service thread: `on` are the places where each ring goes on. */
active proctype mover() {
    MEMORY_THREAD;
    byte r, old, seen, passed, t, number;
    byte on[2];
    bool has_room;
    do
    :: number == MOVES -> break
    :: number < MOVES ->
       LOAD(t, TAIL, ACQ);
again:
       FIND;
#ifdef HINT_FIRST
       STORE(TAIL, AT(1 - RING(t), on[1 - RING(t)]), REL);
#endif
       MAKE_ROOM;
       if
       :: !has_room ->
          if
          :: finished == SENDERS -> break /* nobody needs it any more */
          :: else -> goto again
          fi
       :: else
       fi;
       CAS(r, STAMP(t), old, CONTENT(t, MOVED(on[1 - RING(t)])), ACQ_REL);
       if
       :: r != old -> goto again
       :: else
       fi;
       on[RING(t)] = PLACE(t) + 1;
       STORE(TAIL, AT(1 - RING(t), on[1 - RING(t)]), REL);
       number++
    od;
    finished++
}
