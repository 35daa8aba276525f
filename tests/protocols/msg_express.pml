/* Express messages in a lane (runtime/msg/lane.h): SENDERS threads send MESSAGES each, TAKERS threads take them. Every message is
 * taken once and whole, no taker gets two of one sender in the wrong order, and all have come in the end.
 *
 * The slot's two words are written together, and read one after the other, the stamp first. Here a slot is a location that has
 * message and stamp in one byte, written by one compare-and-swap, and read twice: the word that is believed is that of
 * the second reading. Rounds are counted modulo ROUNDS.
 *
 * MANY: a message is a batch of two words in the sender's only cell, which it fills anew when the batch has been taken;
 * takers take one word or both. `head` counts words. Who comes too late may read a cell that is being filled, and has read nothing.
 * KEPT: a sender swaps what senders have put into the slot, as far as they know; only if that is wrong it reads the slot.
 * SINGLE: one sender and one taker, stores instead of compare-and-swaps: then the words are two locations.
 * DIES: sender 0 stops for ever, anywhere; the others' messages come nevertheless.
 *
 * What one step is there for:
 *   TICKET            a place is claimed by an addition to `tail`, and filled later: with DIES the others' messages never come
 *   ROUNDS=1          the slot does not say in which round it was filled
 *   UNCHECKED         a sender does not look whether the former message has been taken
 *   STORES_HEAD       a taker advances `head` by a store
 *   WORD_BEHIND       a taker reads the message after it has advanced `head`
 *   KEPT_STORES       (KEPT) who knows what was in the slot stores
 *   RELAXED_PUBLISH   (SINGLE) the stamp is stored without release
 *   EARLY_CELL        (MANY) a cell is filled anew before the batch has been taken
 *   HALF_TAKEN        (MANY) or when one word of it has been taken
 * That `head` is advanced by a release is for a store that passes an earlier load, which memory.pml leaves out.
 */
// holds: -DSC -DSENDERS=2 -DTAKERS=2 -DMESSAGES=2 -DSLOTS=2
// holds: -DSC -DSENDERS=3 -DTAKERS=1 -DMESSAGES=1 -DSLOTS=2
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=3 -DSLOTS=2
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DDIES
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=4 -DDIES
// holds: -DTSO -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2
// holds: -DTSO -DSENDERS=1 -DTAKERS=2 -DMESSAGES=3 -DSLOTS=2
// holds: -DTSO -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DSLOTS=2 -DSINGLE
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DSLOTS=2
// holds: -DWEAK -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1 -DSLOTS=2
// holds: -DWEAK -DSENDERS=1 -DTAKERS=2 -DMESSAGES=2 -DSLOTS=2
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DSLOTS=2 -DSINGLE
// holds: -DSC -DSENDERS=2 -DTAKERS=2 -DMESSAGES=1 -DSLOTS=2 -DMANY
// holds: -DSC -DSENDERS=1 -DTAKERS=2 -DMESSAGES=2 -DSLOTS=2 -DMANY
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1 -DSLOTS=2 -DMANY -DDIES
// holds: -DTSO -DSENDERS=1 -DTAKERS=2 -DMESSAGES=2 -DSLOTS=2 -DMANY
// holds: -DWEAK -DSENDERS=1 -DTAKERS=2 -DMESSAGES=2 -DSLOTS=2 -DMANY
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DMANY -DSINGLE
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DKEPT
// holds: -DSC -DSENDERS=1 -DTAKERS=2 -DMESSAGES=3 -DSLOTS=2 -DKEPT
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DKEPT -DDIES
// holds: -DTSO -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DKEPT
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DSLOTS=2 -DKEPT
// holds: -DWEAK -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1 -DSLOTS=2 -DKEPT
// holds: -DSC -DSENDERS=1 -DTAKERS=2 -DMESSAGES=2 -DSLOTS=2 -DMANY -DKEPT
// fails: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DKEPT -DKEPT_STORES
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DMANY -DEARLY_CELL
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DMANY -DHALF_TAKEN
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DMANY -DWORD_BEHIND
// fails: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=1 -DSLOTS=2 -DMANY -DSINGLE -DRELAXED_PUBLISH
// fails: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1 -DSLOTS=2 -DDIES -DTICKET
// fails: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=3 -DSLOTS=2 -DROUNDS=1
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DSLOTS=2 -DUNCHECKED
// fails: -DSC -DSENDERS=1 -DTAKERS=2 -DMESSAGES=2 -DSLOTS=2 -DSTORES_HEAD
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DSLOTS=2 -DWORD_BEHIND
// fails: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=2 -DSLOTS=2 -DSINGLE -DRELAXED_PUBLISH

#define THREADS (SENDERS + TAKERS)
#ifndef HISTORY
#define HISTORY 8
#endif
#define TAIL 0
#define HEAD 1
#define STAMP(place) (2 + (place) % SLOTS)
#ifdef MANY
#define WORD(from, i) (2 + SLOTS + 2 * (from) + (i))
#define LOCATIONS_OF_LANE (2 + SLOTS + 2 * SENDERS)
#define WORDS 2
#else
#define WORDS 1
#ifdef SINGLE
#define WORD(place) (2 + SLOTS + (place) % SLOTS)
#define LOCATIONS_OF_LANE (2 + 2 * SLOTS)
#endif
#endif
#ifndef LOCATIONS_OF_LANE
#define LOCATIONS_OF_LANE (2 + SLOTS)
#endif
#ifdef KEPT
#define GUESS(place) (LOCATIONS_OF_LANE + (place) % SLOTS)
#define LOCATIONS (LOCATIONS_OF_LANE + SLOTS)
#else
#define LOCATIONS LOCATIONS_OF_LANE
#endif
#include "memory.pml"

#ifndef ROUNDS
#define ROUNDS 16
#endif
/* A slot's content: round (4 bits), message (4 bits: sender, number). */
#define FORMER(place) (((place) / SLOTS) % ROUNDS)
#define ROUND(place) (((place) / SLOTS + 1) % ROUNDS)
#define CONTENT(place, message) (16 * ROUND(place) + (message))
#define ROUND_OF(content) ((content) / 16)
#define MESSAGE (4 * me + number)
#define PLACE_OF(head) ((head) / WORDS)

#ifdef RELAXED_PUBLISH
#define PUBLISH RLX
#else
#define PUBLISH REL
#endif

byte published, taken;       /* messages */
byte finished;               /* senders that send no more */
byte came[SENDERS * TAKERS]; /* of a sender to a taker: behind the last one */
bool met[16];
#define IS_OVER (finished == SENDERS && taken == published)

#ifdef DIES
#define MAY_DIE if :: me == 0 -> goto over :: true fi
#else
#define MAY_DIE skip
#endif

active [SENDERS] proctype sender() {
    MEMORY_THREAD;
    byte r, old, seen, t, number;
#ifdef MANY
    byte cell = 0; /* head, when it may be filled */
#endif
#ifdef KEPT
    bool guesses;
#endif
    do
    :: number == MESSAGES -> break
    :: number < MESSAGES ->
#ifdef TICKET
       ADD(t, TAIL, 1, RLX);
       MAY_DIE;
       AWAIT(seen, HEAD, t < seen + SLOTS, ACQ);
       STORE(STAMP(t), CONTENT(t, MESSAGE), REL);
       published++;
       number++
#else
#ifdef MANY
       AWAIT(seen, HEAD, seen >= cell, ACQ);
       STORE(WORD(me, 0), 4 * me + 2 * number, RLX);
       STORE(WORD(me, 1), 4 * me + 2 * number + 1, RLX);
#endif
       LOAD(t, TAIL, ACQ);
#ifdef KEPT
       guesses = true;
#endif
again:
       LOAD(seen, HEAD, ACQ);
#ifdef KEPT
       if
       :: guesses -> LOAD(old, GUESS(t), RLX)
       :: else -> LOAD(old, STAMP(t), ACQ)
       fi;
       if
       :: guesses && ROUND_OF(old) != FORMER(t) -> guesses = false; goto again
       :: else
       fi;
#else
       LOAD(old, STAMP(t), ACQ);
#endif
       if
       :: ROUND_OF(old) == FORMER(t) -> skip
       :: else -> t = t + 1 + ((ROUND_OF(old) + ROUNDS - FORMER(t)) % ROUNDS - 1) * SLOTS; goto again
       fi;
#ifndef UNCHECKED
       if
       :: t < PLACE_OF(seen) + SLOTS -> skip
       :: else -> /* full: tries again when something has been taken */
          NEWS(HEAD, seen);
          goto again
       fi;
#endif
       MAY_DIE;
#ifdef SINGLE
#ifndef MANY
       STORE(WORD(t), MESSAGE, RLX);
#endif
       STORE(STAMP(t), CONTENT(t, 0), PUBLISH);
       r = old;
#else
#ifdef KEPT_STORES
       STORE(STAMP(t), CONTENT(t, MESSAGE), REL);
       r = old;
#else
       CAS(r, STAMP(t), old, CONTENT(t, MESSAGE), ACQ_REL);
#endif
#ifdef KEPT
       if
       :: r != old -> guesses = false; goto again
       :: else
       fi;
       STORE(GUESS(t), CONTENT(t, MESSAGE), RLX);
#else
       if
       :: r != old -> goto again
       :: else
       fi;
#endif
#endif
       published = published + WORDS;
#ifdef MANY
#ifdef HALF_TAKEN
       cell = WORDS * t + 1;
#else
#ifndef EARLY_CELL
       cell = WORDS * (t + 1);
#endif
#endif
#endif
       MAY_DIE;
       STORE(TAIL, t + 1, REL);
       number++
#endif
    od;
over:
    finished++
}

inline came_to(message) {
    d_step {
        message = message % 16;
        assert(!met[message]);
        met[message] = true;
        r = message / 4;
        assert(message % 4 >= came[r * TAKERS + me - SENDERS]);
        came[r * TAKERS + me - SENDERS] = message % 4 + 1;
        taken++
    }
}

/* Message, and with MANY the one behind it if n is 2. */
inline read_message() {
#ifdef MANY
    LOAD(message, WORD((stamp % 16) / 4, h % 2), RLX);
    if :: n == 2 -> LOAD(second, WORD((stamp % 16) / 4, 1), RLX) :: else fi
#else
#ifdef SINGLE
    LOAD(message, WORD(h), RLX)
#else
    LOAD(message, STAMP(h), RLX)
#endif
#endif
}

active [TAKERS] proctype taker() {
    MEMORY_THREAD;
    byte r, h, stamp, message, second, n;
    do
    :: IS_OVER -> break
    :: !IS_OVER ->
       LOAD(h, HEAD, ACQ);
again:
       LOAD(stamp, STAMP(PLACE_OF(h)), ACQ);
       if
       :: ROUND_OF(stamp) != ROUND(PLACE_OF(h)) ->
          LOAD(r, HEAD, ACQ);
          if
          :: r != h -> h = r; goto again
          :: else -> /* Empty: looks again when there may be something */
             (NEWS(STAMP(PLACE_OF(h)), stamp) || NEWS(HEAD, h) || IS_OVER);
             goto next
          fi
       :: else
       fi;
       n = 1;
#ifdef MANY
       if :: h % 2 == 0 -> n = 2 :: true fi;
#endif
#ifndef WORD_BEHIND
       read_message();
#endif
#ifdef STORES_HEAD
       STORE(HEAD, h + n, REL);
       r = h;
#else
#ifdef SINGLE
       STORE(HEAD, h + n, REL);
       r = h;
#else
       CAS(r, HEAD, h, h + n, ACQ_REL);
#endif
#endif
       if
       :: r != h -> h = r; goto again
       :: else
       fi;
#ifdef WORD_BEHIND
       read_message();
#endif
       came_to(message);
       if :: n == 2 -> came_to(second) :: else fi;
next:
       skip; /* nothing may jump into a step of several */
       d_step { h = 0; stamp = 0; r = 0; message = 0; second = 0; n = 0 }
    od
}
