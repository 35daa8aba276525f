/* A row that moves between its two rings (runtime/msg/lane.h, docs/decisions/0009): a small one, where it is at first, and a large one.
 * SENDERS threads send MESSAGES each into the row and move it, TAKERS take the messages. Every message is taken once, no taker
 * gets two of one sender in the wrong order, all come, and nobody waits for ever.
 *
 * Places are one sequence, and each place is in one of the rings. A message that is the LAST says that the next place is in the other
 * ring. So which ring a place is in is decided when all places before it are filled, and never changes: whoever knows a place
 * and its ring (a *spot*) may keep it for as long as it likes. TAIL, a hint, and HEAD are spots.
 *
 * A slot says its round, and so which place it was filled for. If that is before the place to be filled, and has been taken, the slot
 * is free: it need not be of the round before, because the row was in the other ring meanwhile. A message behind which no slot of
 * the small ring is free is the last; up to MOVES times the row is moved for no reason, from any ring.
 *
 * SINGLE: one sender and one taker, stores instead of compare-and-swaps.
 * DIES: sender 0 stops for ever, anywhere; the others' messages come nevertheless.
 * LATE: takers begin when as many messages wait as the large ring has slots: the small one limits nobody.
 *
 * What one step is there for:
 *   STEPS_OVER        a sender that finds a place filled goes on in the same ring, whatever was filled in there
 *   HINT_FIRST        the mover changes TAIL before its last message is there
 *   HINT_STAYS        TAIL names the place behind the last message in the ring that has been left
 *   LAST_ROUND        a slot whose content is not of the very round before counts as filled
 *   UNCHECKED         a sender does not look whether the former message has been taken
 *   OWN_RING          it takes all that was sent in one ring for taken once HEAD is in the other
 *   TOO_LATE          (LATE) a message is the last when its own slot is the last one that is free, and then never
 *   STORES_HEAD       a taker advances HEAD by a store
 *   LOOKS_AHEAD       a taker that finds its place empty takes the other ring's, without having found the last message
 */
// holds: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=2
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DMOVES=2
// holds: -DSC -DSENDERS=1 -DTAKERS=2 -DMESSAGES=3 -DMOVES=2
// holds: -DSC -DSENDERS=2 -DTAKERS=2 -DMESSAGES=1 -DMOVES=2
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DMOVES=2 -DDIES
// holds: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=4 -DSINGLE
// holds: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=0 -DLARGE=4 -DLATE
// holds: -DTSO -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=2
// holds: -DTSO -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1 -DMOVES=2
// holds: -DTSO -DSENDERS=1 -DTAKERS=2 -DMESSAGES=2 -DMOVES=2
// holds: -DTSO -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=2 -DSINGLE
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DMOVES=2
// holds: -DWEAK -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1 -DMOVES=2
// holds: -DWEAK -DSENDERS=1 -DTAKERS=2 -DMESSAGES=2 -DMOVES=2
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DMOVES=2 -DSINGLE
// fails: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DMOVES=2 -DSTEPS_OVER
// fails: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DMOVES=2 -DHINT_FIRST
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=2 -DMOVES=2 -DHINT_STAYS
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=2 -DLAST_ROUND
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=2 -DUNCHECKED
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=4 -DOWN_RING
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=0 -DLARGE=4 -DLATE -DTOO_LATE
// fails: -DSC -DSENDERS=1 -DTAKERS=2 -DMESSAGES=3 -DMOVES=2 -DSTORES_HEAD
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DMOVES=2 -DLOOKS_AHEAD

#define THREADS (SENDERS + TAKERS)
#ifndef HISTORY
#define HISTORY 10
#endif
#define SMALL 2
#ifndef LARGE
#define LARGE 2
#endif
#define TAIL 0
#define HEAD 1
#define SLOTS(spot) (RING(spot) -> LARGE : SMALL)
#define STAMP(spot) (2 + RING(spot) * SMALL + PLACE(spot) % SLOTS(spot))
#define LOCATIONS (2 + SMALL + LARGE)
#include "memory.pml"

#define RING(spot) ((spot) % 2)
#define PLACE(spot) ((spot) / 2)
#define BEHIND(spot) ((spot) + 2)
#define NEXT(spot, content) (BEHIND(spot) ^ ((content) / LAST % 2))

/* A slot's content: round (3 bits), whether it is the last, message (4 bits: sender, number). */
#define ROUNDS 8
#define LAST 16
#define FORMER(spot) ((PLACE(spot) / SLOTS(spot)) % ROUNDS)
#define ROUND(spot) ((PLACE(spot) / SLOTS(spot) + 1) % ROUNDS)
#define CONTENT(spot, what) (32 * ROUND(spot) + (what))
#define ROUND_OF(content) ((content) / 32)
#define MESSAGE (4 * me + number)

/* How many rounds a content is ahead of the one before the spot's: from 1 on, it is the spot's or a later one. */
#define AHEAD(spot, content) ((ROUND_OF(content) + ROUNDS - FORMER(spot)) % ROUNDS)
#ifdef LAST_ROUND
#define IS_FILLED(spot, content) (AHEAD(spot, content) != 0)
#else
#define IS_FILLED(spot, content) (AHEAD(spot, content) >= 1 && AHEAD(spot, content) < ROUNDS / 2)
#endif
#define ROUNDS_AGO(spot, content) ((ROUNDS - AHEAD(spot, content)) % ROUNDS + 1)
/* Has it been taken, before HEAD was `seen`? */
#ifdef UNCHECKED
#define IS_TAKEN(spot, content) true
#else
#ifdef OWN_RING
#define IS_TAKEN(spot, content) \
    (RING(spot) != RING(seen) || PLACE(spot) < PLACE(seen) + ROUNDS_AGO(spot, content) * SLOTS(spot))
#else
#define IS_TAKEN(spot, content) (PLACE(spot) < PLACE(seen) + ROUNDS_AGO(spot, content) * SLOTS(spot))
#endif
#endif

byte published, taken;       /* messages */
byte moves;                  /* for no reason */
byte finished;               /* senders that send no more */
byte came[SENDERS * TAKERS]; /* of a sender to a taker: behind the last one */
bool met[16];
#define IS_OVER (finished == SENDERS && taken == published)

#ifdef DIES
#define MAY_DIE if :: me == 0 -> goto over :: true fi
#else
#define MAY_DIE skip
#endif

#ifdef SINGLE
#define COMMIT(what) STORE(STAMP(t), CONTENT(t, what), REL); r = old
#else
#define COMMIT(what) CAS(r, STAMP(t), old, CONTENT(t, what), ACQ_REL)
#endif

active [SENDERS] proctype sender() {
    MEMORY_THREAD;
    byte r, old, next, seen, t, number;
    bool leaves;
    do
    :: number == MESSAGES -> break
    :: number < MESSAGES ->
       LOAD(t, TAIL, ACQ);
again:
       LOAD(seen, HEAD, ACQ);
       LOAD(old, STAMP(t), ACQ);
       if
       :: IS_FILLED(t, old) ->
          t = t + 2 * (AHEAD(t, old) - 1) * SLOTS(t);
#ifdef STEPS_OVER
          t = BEHIND(t);
#else
          t = NEXT(t, old);
#endif
          goto again
       :: else
       fi;
       if
       :: IS_TAKEN(t, old)
       :: else -> /* full: tries again when something has been taken */
          NEWS(HEAD, seen);
          goto again
       fi;
       if
       :: RING(t) == 0 ->
#ifdef TOO_LATE
          leaves = false;
#else
          LOAD(next, STAMP(BEHIND(t)), ACQ);
          d_step { leaves = IS_FILLED(BEHIND(t), next) || !IS_TAKEN(BEHIND(t), next); next = 0 }
#endif
       :: else -> leaves = false
       fi;
       if
       :: true
       :: !leaves && moves < MOVES -> moves++; leaves = true
       fi;
       seen = 0;
       MAY_DIE;
#ifdef HINT_FIRST
       if
       :: leaves -> STORE(TAIL, NEXT(t, LAST), REL)
       :: else
       fi;
#endif
       COMMIT(MESSAGE + LAST * leaves);
       if
       :: r != old -> goto again
       :: else
       fi;
       published++;
       MAY_DIE;
#ifdef HINT_STAYS
       STORE(TAIL, BEHIND(t), REL);
#else
       STORE(TAIL, NEXT(t, LAST * leaves), REL);
#endif
       d_step { number++; t = 0; old = 0; r = 0; leaves = false }
    od;
over:
    finished++
}

active [TAKERS] proctype taker() {
    MEMORY_THREAD;
    byte r, h, stamp, message;
#ifdef LATE
    published == LARGE;
#endif
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
             if
             :: PLACE(h) > 0 ->
                LOAD(stamp, STAMP(h ^ 1), ACQ);
                if
                :: ROUND_OF(stamp) == ROUND(h ^ 1) -> message = stamp; r = h; STORE(HEAD, NEXT(h ^ 1, stamp), REL); goto took
                :: else
                fi;
                LOAD(stamp, STAMP(h), ACQ);
             :: else
             fi;
#endif
             (NEWS(STAMP(h), stamp) || NEWS(HEAD, h) || IS_OVER);
             goto next
          fi
       :: else
       fi;
       LOAD(message, STAMP(h), RLX); /* the word is read behind the stamp: see msg_express.pml */
#if defined STORES_HEAD || defined SINGLE
       STORE(HEAD, NEXT(h, stamp), REL);
       r = h;
#else
       CAS(r, HEAD, h, NEXT(h, stamp), ACQ_REL);
#endif
       if
       :: r != h -> h = r; goto again
       :: else
       fi;
took:
       skip;
       d_step {
           message = message % 16;
           assert(!met[message]);
           met[message] = true;
           r = message / 4;
           assert(message % 4 >= came[r * TAKERS + me - SENDERS]);
           came[r * TAKERS + me - SENDERS] = message % 4 + 1;
           taken++
       }
next:
       skip; /* nothing may jump into a step of several */
       d_step { h = 0; stamp = 0; r = 0; message = 0 }
    od
}
