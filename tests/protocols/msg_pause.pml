/* A sender at the heels of its receiver pauses before it looks for room again (lane_look in runtime/msg/lane.h). SENDERS threads send
 * MESSAGES each into a ring that is soon full; one taker takes them, and may stop for ever, anywhere. Every message that was sent is taken
 * once and in order, unless the taker stops; every call of a sender ends, also then: it has sent, or says "full"; and where nothing is taken
 * any more there are at most LATE pauses, in all calls together, however often senders try.
 *
 * SEEN is the head that senders have seen last, HEELS whether the ring was nearly full then and something had been taken. Both are hints,
 * which each sender reads and stores when it likes.
 *
 * What one step is there for:
 *   UNTIL_TAKEN   a sender pauses until something has been taken
 *   ALWAYS        HEELS does not depend on whether something has been taken
 *   BEFORE_ROOM   it fills the place after the pause without asking whether there is room
 */
// holds: -DSC -DSENDERS=1 -DMESSAGES=6
// holds: -DSC -DSENDERS=1 -DMESSAGES=6 -DSTOPS
// holds: -DSC -DSENDERS=2 -DMESSAGES=2
// holds: -DSC -DSENDERS=2 -DMESSAGES=2 -DSTOPS
// holds: -DSC -DSENDERS=3 -DMESSAGES=1 -DSTOPS
// holds: -DTSO -DSENDERS=1 -DMESSAGES=4 -DSTOPS
// holds: -DTSO -DSENDERS=2 -DMESSAGES=2
// holds: -DWEAK -DSENDERS=1 -DMESSAGES=4
// holds: -DWEAK -DSENDERS=1 -DMESSAGES=4 -DSTOPS
// fails: -DSC -DSENDERS=1 -DMESSAGES=6 -DSTOPS -DUNTIL_TAKEN
// fails: -DSC -DSENDERS=1 -DMESSAGES=6 -DSTOPS -DALWAYS
// fails: -DSC -DSENDERS=1 -DMESSAGES=6 -DBEFORE_ROOM

#define THREADS (SENDERS + 1)
#ifndef HISTORY
#define HISTORY 10
#endif
#define TAIL 0
#define HEAD 1
#define SEEN 2
#define HEELS 3
#define SLOTS 2
#define NEARLY 1
#define STAMP(place) (4 + (place) % SLOTS)
#define LOCATIONS (4 + SLOTS)
#include "memory.pml"

/* Calls that a sender makes when it knows that nothing is taken any more. */
#define TRIES 5
/* Pauses then: a sender may have found HEELS set, and set it anew, having seen the last that was taken; and another may have stored an
 * older SEEN. */
#ifndef LATE
#define LATE (2 * SENDERS)
#endif

/* A slot's content: round (4 bits), message (4 bits: sender, number). */
#define ROUNDS 16
#define ROUND(place) (((place) / SLOTS + 1) % ROUNDS)
#define CONTENT(place, message) (16 * ROUND(place) + (message))
#define ROUND_OF(content) ((content) / 16)
#define PER_SENDER (16 / SENDERS)
#define MESSAGE (PER_SENDER * me + number)

byte published, taken, late;
byte finished;
byte came[SENDERS];
bool has_stopped;
#define IS_OVER (finished == SENDERS && taken == published)

active [SENDERS] proctype sender() {
    MEMORY_THREAD;
    byte r, old, seen, before, t, number, tries;
    do
    :: number == MESSAGES || tries == TRIES -> break
    :: else ->
       LOAD(t, TAIL, ACQ);
again:
       LOAD(seen, SEEN, ACQ);
       if
       :: t >= seen + SLOTS ->
          before = seen;
          LOAD(r, HEELS, RLX);
          if
          :: r != 0 ->
             d_step { late = late + has_stopped; assert(late <= LATE) }
#ifdef UNTIL_TAKEN
             NEWS(HEAD, before);
#endif
#ifdef BEFORE_ROOM
             goto fills;
#endif
          :: else
          fi;
          LOAD(seen, HEAD, ACQ);
          /* What is there already is not stored anew: that would be more states and nothing else. */
          if :: seen != before -> STORE(SEEN, seen, REL) :: else fi;
#ifdef ALWAYS
          before = (t >= seen + NEARLY);
#else
          before = (t >= seen + NEARLY && seen != before);
#endif
          if :: r != before -> STORE(HEELS, before, RLX) :: else fi;
          if
          :: t >= seen + SLOTS -> /* "full" */
             if
             :: NEWS(HEAD, seen)
             :: has_stopped -> tries++
             fi;
             goto next
          :: else
          fi
       :: else
       fi;
#ifdef BEFORE_ROOM
fills:
#endif
       LOAD(old, STAMP(t), ACQ);
       if
       :: (ROUND_OF(old) + ROUNDS - ROUND(t)) % ROUNDS < ROUNDS / 2 -> /* filled, in this round or a later one */
          t = t + 1 + ((ROUND_OF(old) + ROUNDS - ROUND(t)) % ROUNDS) * SLOTS;
          goto again
       :: else
       fi;
       CAS(r, STAMP(t), old, CONTENT(t, MESSAGE), ACQ_REL);
       if
       :: r != old -> goto again
       :: else
       fi;
       published++;
       STORE(TAIL, t + 1, REL);
       number++;
next:
       skip;
       d_step { t = 0; old = 0; r = 0; seen = 0; before = 0 }
    od;
    finished++
}

active proctype taker() {
    MEMORY_THREAD;
    byte r, h, stamp;
    do
    :: IS_OVER -> break
#ifdef STOPS
    :: !has_stopped -> has_stopped = true; goto over
#endif
    :: !IS_OVER ->
       LOAD(stamp, STAMP(h), ACQ);
       if
       :: ROUND_OF(stamp) != ROUND(h) ->
          if
          :: NEWS(STAMP(h), stamp) || IS_OVER
#ifdef STOPS
          :: true
#endif
          fi
       :: else ->
          STORE(HEAD, h + 1, REL);
          d_step {
              stamp = stamp % 16;
              r = stamp / PER_SENDER;
              assert(stamp % PER_SENDER == came[r]); /* once, and in order */
              came[r]++;
              taken++;
              h++;
              r = 0
          }
       fi;
       stamp = 0
    od;
over:
    skip
}
