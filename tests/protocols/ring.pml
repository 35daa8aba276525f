/* A ring of messages (runtime/conduit/queue/ring.h), and waiting for room in it (queue.c): every message is taken once, whole,
 * and in its sender's order; a sender that waits for room goes on when there is some; one that has stopped stops nobody
 * while there is room; and nobody waits for a taker that is gone.
 *
 * The last thread is the taker. The others send MESSAGES each, and sleep as soon as they find no room; no sleep ends by its
 * time. A message is one word (sender, number of the message) beside its place's control word. The numbers of places have
 * NUMBERS values.
 *
 * STOPS: thread 0 claims a place and never publishes it. GONE: the taker's process ends at any moment.
 *
 * What one step is there for, or what was there first:
 *   NUMBERS=PLACES    what an earlier round left in a line has the number that is waited for
 *   CLEARS            a message may have two places, the second of which is cleared to 0, and 0 is also a number
 *   IN_ORDER          the taker waits for the place of a sender that has stopped
 *   PLACE_FIRST       a sender claims a place before there is room, and waits then; it cannot give up
 *   LOOKS_FIRST       a sender looks for room, then asks to be told, then sleeps
 *   ASKS_FIRST        asks before its bell is armed: another sender takes the room, and who was told finds nothing
 *   STORES            asks by a plain store, which ends the release sequence of another who asks
 *   RELAXED_PUBLISH, RELAXED_CLAIM
 * SLEEPER_FENCE and so on are those of bell.pml.
 */
// holds: -DSC -DSENDERS=2 -DMESSAGES=2 -DPLACES=1
// holds: -DSC -DSENDERS=3 -DMESSAGES=1 -DPLACES=2
// holds: -DSC -DSENDERS=3 -DMESSAGES=1 -DPLACES=4 -DSTOPS
// holds: -DSC -DSENDERS=2 -DMESSAGES=3 -DPLACES=4 -DSTOPS
// holds: -DSC -DSENDERS=2 -DMESSAGES=2 -DPLACES=2 -DGONE
// holds: -DTSO -DSENDERS=2 -DMESSAGES=2 -DPLACES=1 -DWITH_MEMBARRIER
// holds: -DTSO -DSENDERS=2 -DMESSAGES=1 -DPLACES=1 -DBOTH_FENCE
// holds: -DTSO -DSENDERS=2 -DMESSAGES=2 -DPLACES=4 -DSTOPS -DWITH_MEMBARRIER
// holds: -DWEAK -DSENDERS=1 -DMESSAGES=3 -DPLACES=1 -DWITH_MEMBARRIER
// holds: -DWEAK -DSENDERS=1 -DMESSAGES=2 -DPLACES=1 -DBOTH_FENCE
// holds: -DWEAK -DSENDERS=2 -DMESSAGES=1 -DPLACES=2 -DWITH_MEMBARRIER
// holds: -DWEAK -DSENDERS=1 -DMESSAGES=3 -DPLACES=2 -DWITH_MEMBARRIER
// holds: -DWEAK -DSENDERS=2 -DMESSAGES=1 -DPLACES=2 -DSTOPS -DWITH_MEMBARRIER
// fails: -DSC -DSENDERS=1 -DMESSAGES=3 -DPLACES=2 -DNUMBERS=2
// fails: -DSC -DSENDERS=1 -DMESSAGES=6 -DPLACES=4 -DCLEARS
// fails: -DSC -DSENDERS=2 -DMESSAGES=1 -DPLACES=2 -DSTOPS -DIN_ORDER
// fails: -DSC -DSENDERS=2 -DMESSAGES=3 -DPLACES=2 -DGONE -DPLACE_FIRST
// fails: -DSC -DSENDERS=2 -DMESSAGES=2 -DPLACES=1 -DLOOKS_FIRST
// fails: -DSC -DSENDERS=2 -DMESSAGES=2 -DPLACES=1 -DASKS_FIRST
// fails: -DTSO -DSENDERS=1 -DMESSAGES=2 -DPLACES=1
// fails: -DWEAK -DSENDERS=1 -DMESSAGES=1 -DPLACES=1 -DWITH_MEMBARRIER -DRELAXED_PUBLISH
// fails: -DWEAK -DSENDERS=1 -DMESSAGES=3 -DPLACES=2 -DWITH_MEMBARRIER -DRELAXED_CLAIM
// fails: -DWEAK -DSENDERS=2 -DMESSAGES=2 -DPLACES=1 -DWITH_MEMBARRIER -DSTORES

#define TAKER SENDERS
#define THREADS (SENDERS + 1)
#ifndef HISTORY
#define HISTORY 10
#endif
#define TAIL 0
#define HEAD 1
#define IS_AWAITED 2
#define AWAITING(t) (3 + (t))
#define ARMED(t) (3 + SENDERS + (t))
#define CONTROL(place) (3 + 2 * SENDERS + (place) % PLACES)
#define WORD(place) (3 + 2 * SENDERS + PLACES + (place) % PLACES)
#define LOCATIONS (3 + 2 * SENDERS + 2 * PLACES)
#include "memory.pml"

#ifndef NUMBERS
#define NUMBERS (2 * PLACES)
#endif
#ifdef CLEARS
#define NUMBER(place) (((place) + 1) % NUMBERS)
#define PLACES_OF(number) ((number) == 3 || (number) == 5 -> 2 : 1) /* messages at places 0, 1, 2 and 3, 4, 5 and 6, 7 */
#else
#define NUMBER(place) (128 + (place) % NUMBERS)
#define PLACES_OF(number) 1
#endif
#define MESSAGE(sender, number) (16 * (sender) + (number))

#ifdef RELAXED_PUBLISH
#define PUBLISH RLX
#else
#define PUBLISH REL
#endif
#ifdef RELAXED_CLAIM
#define CLAIM RLX
#else
#define CLAIM REL
#endif

#ifdef WITH_MEMBARRIER
#define SLEEPER_FENCE MEMBARRIER()
#define TAKER_FENCE skip
#endif
#ifdef BOTH_FENCE
#define SLEEPER_FENCE FENCE(SEQ)
#define TAKER_FENCE FENCE(SEQ)
#endif
#ifndef SLEEPER_FENCE
#define SLEEPER_FENCE skip
#define TAKER_FENCE skip
#endif

bool asleep[SENDERS], gone;
byte published; /* or about to be: for the taker to wait for, instead of looking for ever */

#ifdef STOPS
#define EXPECTED ((SENDERS - 1) * MESSAGES)
#else
#define EXPECTED (SENDERS * MESSAGES)
#endif

/* ---- a sender -------------------------------------------------------------------------------------------------- */

inline claim(places) {
    LOAD(tail, TAIL, RLX);
    do
    :: true ->
       if
       :: tail + places - seen > PLACES -> LOAD(seen, HEAD, ACQ)
       :: else
       fi;
       if
       :: tail + places - seen > PLACES -> claimed = false; break
       :: else ->
          CAS(r, TAIL, tail, tail + places, CLAIM);
          if
          :: r == tail -> claimed = true; break
          :: else -> tail = r
          fi
       fi
    od
}

inline ask() {
    EXCHANGE(r, AWAITING(me), 1, REL);
#ifdef STORES
    STORE(IS_AWAITED, 1, REL)
#else
    EXCHANGE(r, IS_AWAITED, 1, REL)
#endif
}

inline sleep_on_bell() {
    atomic {
        ADD(r, ARMED(me), 0, SEQ);
        if :: r == 1 -> asleep[me] = true :: else fi
    }
    !asleep[me] || gone /* the time ends the sleep, and the sender looks whether the taker is gone */
}

active [SENDERS] proctype sender() {
    MEMORY_THREAD;
    byte r, other, tail, number = 1;
    int seen;
    bool claimed;
    do
    :: number > MESSAGES -> break
    :: number <= MESSAGES ->
#ifdef PLACE_FIRST
       ADD(tail, TAIL, 1, RLX);
       AWAIT(seen, HEAD, tail - seen < PLACES, ACQ);
#else
       claim(PLACES_OF(number));
       do
       :: claimed || gone -> break
       :: else ->
#ifdef LOOKS_FIRST
          STORE(ARMED(me), 1, RLX);
          SLEEPER_FENCE;
          claim(PLACES_OF(number));
          ask();
#else
#ifdef ASKS_FIRST
          ask();
          STORE(ARMED(me), 1, RLX);
#else
          STORE(ARMED(me), 1, RLX);
          ask();
#endif
          SLEEPER_FENCE;
          claim(PLACES_OF(number));
#endif
          if :: claimed :: else -> sleep_on_bell() fi;
          STORE(ARMED(me), 0, RLX);
          if :: claimed :: else -> claim(PLACES_OF(number)) fi
       od;
       if :: !claimed -> break :: else fi;
#endif
#ifdef STOPS
       if :: me == 0 -> break :: else fi;
#endif
       published++;
       STORE(WORD(tail), MESSAGE(me, number), RLX);
#ifdef CLEARS
       if :: PLACES_OF(number) == 2 -> STORE(CONTROL(tail + 1), 0, RLX) :: else fi;
#endif
       STORE(CONTROL(tail), NUMBER(tail), PUBLISH);
       number++
    od
}

/* ---- the taker ------------------------------------------------------------------------------------------------- */

inline ring(t) {
    TAKER_FENCE;
    LOAD(r, ARMED(t), RLX);
    if
    :: r ->
       EXCHANGE(r, ARMED(t), 0, SEQ);
       if :: r -> asleep[t] = false :: else fi
    :: else
    fi
}

inline wake_senders() {
    TAKER_FENCE;
    LOAD(r, IS_AWAITED, RLX);
    if
    :: r ->
       EXCHANGE(r, IS_AWAITED, 0, ACQ);
       for (to : 0 .. SENDERS - 1) {
           LOAD(r, AWAITING(to), RLX);
           if
           :: r -> EXCHANGE(r, AWAITING(to), 0, ACQ); ring(to)
           :: else
           fi
       }
       to = 0
    :: else
    fi
}

inline look_at(at) {
    LOAD(r, CONTROL(at), ACQ);
    found = (r == NUMBER(at))
}

/* The first place behind `next` that has been published. */
inline seek_ahead() {
    LOAD(tail, TAIL, ACQ);
    place = next;
    do
    :: found || place >= tail -> break
    :: else ->
       if
       :: !ahead[place % PLACES] -> look_at(place)
       :: else
       fi;
       if :: !found -> place++ :: else fi
    od
}

active proctype taker() {
    MEMORY_THREAD;
    byte r, next, tail, place, to, got, last[SENDERS];
    bool found, ahead[PLACES];
    do
    :: got == EXPECTED -> break
#ifdef GONE
    :: got < EXPECTED -> gone = true; break
#endif
    :: published > got ->
       place = next;
       look_at(place);
#ifndef IN_ORDER
       if :: !found -> seek_ahead() :: else fi;
#endif
       if
       :: found ->
          LOAD(r, WORD(place), RLX);
          d_step {
              to = r / 16;
              assert(r % 16 == last[to] + 1);
              last[to] = r % 16;
              got++;
              if
              :: place != next -> ahead[place % PLACES] = true
              :: else ->
                 next = next + PLACES_OF(r % 16);
                 do
                 :: ahead[next % PLACES] -> ahead[next % PLACES] = false; next++
                 :: else -> break
                 od
              fi;
              to = 0; place = 0; found = false
          }
          STORE(HEAD, next, REL);
          wake_senders()
       :: else ->
          place = 0;
          tail = 0;
#ifdef IN_ORDER
          NEWS(CONTROL(next), r)
#endif
       fi
    od
}
