/* Data that are kept (lane_has_release and lane_is_done in runtime/msg/lane.h). Every message has data, which the taker releases when it
 * likes, in any order: it stores the slot's round in RELEASED. Until then its slot is not used again, and whoever asks is told that
 * they are in use. SENDERS threads of one process send MESSAGES each into a row with two rings (msg_move.pml). Who has looked at a
 * place of the small one looks at those behind, too, and puts into CLEAR up to which of them all may be filled: before that place
 * nobody looks again, and the row stays in the small ring.
 *
 * TAKERS take. Each may keep one message of the small ring until all others have come: the senders go on in the large ring. Those of
 * the large ring are released before a taker waits, because a full ring ends by that alone. Behind its last message a sender waits until that
 * is released, as it says whoever asks.
 *
 * PROMPT: each is released before the next is taken.
 *
 * What one step is there for:
 *   UNRELEASED    a slot is filled anew when its message has been taken
 *   CLEAR_TAKEN   the look at the places behind asks whether their messages have been taken, and not for their data
 *   CLEAR_BEYOND  CLEAR is behind the first place that may not be filled
 *   CLEAR_LAST    the last place before CLEAR is filled without a look: the row does not leave the small ring there
 *   CLEAR_OLD     a place that has been filled meanwhile is filled again
 *   STAYS         a message in the small ring is not the last if data in the slot behind it are kept
 *   COMES_BACK    the row goes back into the small ring though data there are kept
 *   DONE_TAKEN    data are out of use when their message has been taken
 *   DONE_EARLY    they are out of use when their slot is the first that may not be filled without a look
 *   DONE_ALONE    they are in use until RELEASED has their round; that their slot is used anew says nothing
 */
// holds: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=5
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DPROMPT
// holds: -DSC -DSENDERS=1 -DTAKERS=2 -DMESSAGES=3
// holds: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=8 -DSMALL=3
// holds: -DSC -DSENDERS=1 -DTAKERS=2 -DMESSAGES=4 -DSMALL=3
// holds: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DSMALL=3 -DPROMPT
// holds: -DTSO -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4 -DSMALL=3
// holds: -DTSO -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1 -DSMALL=3
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3 -DSMALL=3
// holds: -DWEAK -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1 -DSMALL=3
// holds: -DTSO -DSENDERS=1 -DTAKERS=1 -DMESSAGES=4
// holds: -DTSO -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1
// holds: -DWEAK -DSENDERS=1 -DTAKERS=1 -DMESSAGES=3
// holds: -DWEAK -DSENDERS=2 -DTAKERS=1 -DMESSAGES=1
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=5 -DUNRELEASED
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=5 -DSMALL=3 -DCLEAR_TAKEN
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=5 -DSMALL=3 -DCLEAR_BEYOND
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=5 -DSMALL=3 -DCLEAR_LAST
// fails: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=2 -DSMALL=3 -DCLEAR_OLD
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=5 -DSTAYS
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=5 -DCOMES_BACK
// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=5 -DDONE_TAKEN
// fails: -DSC -DSENDERS=2 -DTAKERS=1 -DMESSAGES=3 -DDONE_ALONE

// fails: -DSC -DSENDERS=1 -DTAKERS=1 -DMESSAGES=5 -DDONE_EARLY

#define THREADS (SENDERS + TAKERS)
#ifndef HISTORY
#define HISTORY 10
#endif
#ifndef SMALL
#define SMALL 2
#endif
#define LARGE 2
#define RING(spot) ((spot) % 2)
#define PLACE(spot) ((spot) / 2)
#define SLOTS(spot) (RING(spot) -> LARGE : SMALL)
#define SLOT(spot) (RING(spot) * SMALL + PLACE(spot) % SLOTS(spot))
#define HEAD 0
#define STAMP(spot) (1 + SLOT(spot))
#define RELEASED(spot) (1 + SMALL + LARGE + SLOT(spot))
#define CLEAR (1 + 2 * (SMALL + LARGE))
#define LOCATIONS (2 + 2 * (SMALL + LARGE))
#include "memory.pml"

#define BEHIND(spot) ((spot) + 2)
#define NEXT(spot, content) (BEHIND(spot) ^ ((content) / LAST % 2))

/* A slot's content: round (3 bits), whether it is the last, message (4 bits). 0: it was never filled. */
#define LAST 16
#define ROUND(spot) (PLACE(spot) / SLOTS(spot) + 1)
#define CONTENT(spot, what) (32 * ROUND(spot) + (what))
#define ROUND_OF(content) ((content) / 32)
#define OF_EACH (16 / SENDERS)
#define MESSAGE (OF_EACH * me + number)
#define IS_FILLED(spot, content) (ROUND_OF(content) >= ROUND(spot))
/* Its message, for which the slot was filled in an earlier round, has been taken before HEAD was `seen`. */
#define IS_TAKEN(spot, content) \
    (PLACE(spot) < PLACE(seen) + (ROUND(spot) - ROUND_OF(content)) * SLOTS(spot))

byte published, taken, finished;
bool met[16], is_released[16];
#define IS_OVER (finished == SENDERS && taken == published)

/* Have the data of the slot's message of this round been released? */
inline has_release(spot, round) {
    LOAD(r, RELEASED(spot), ACQ);
    has = r == round
}

/* In `has`: may the spot be filled, as far as its slot's former message goes? */
inline look_at(spot, content) {
    if
    :: content == 0 || IS_FILLED(spot, content) -> has = true
    :: content != 0 && !IS_FILLED(spot, content) && !IS_TAKEN(spot, content) -> has = false
    :: else ->
#ifdef UNRELEASED
       has = true
#else
       has_release(spot, ROUND_OF(content))
#endif
    fi
}

active [SENDERS] proctype sender() {
    MEMORY_THREAD;
    byte r, old, next, seen, t, n, number, first, mine;
    bool has, leaves, looks;
    do
    :: number == MESSAGES -> break
    :: else ->
again:
       if
       :: RING(t) == 0 -> LOAD(n, CLEAR, ACQ)
       :: else -> n = 0
       fi;
#ifdef CLEAR_LAST
       looks = PLACE(t) >= n;
#else
       looks = PLACE(t) + 1 >= n;
#endif
       n = 0;
       if
       :: looks -> LOAD(seen, HEAD, ACQ)
       :: else
       fi;
       LOAD(old, STAMP(t), ACQ);
#ifdef CLEAR_OLD
       has = looks && IS_FILLED(t, old);
#else
       has = IS_FILLED(t, old);
#endif
       if
       :: has -> t = NEXT(t, old); goto again
       :: else
       fi;
       if
       :: !looks -> leaves = false
       :: else ->
          look_at(t, old);
          if
          :: !has -> (NEWS(HEAD, seen) || NEWS(RELEASED(t), r) || NEWS(STAMP(t), old)); goto again
          :: else
          fi;
          leaves = RING(t) == 0 || PLACE(t) <= PLACE(seen);
          if
          :: leaves && RING(t) == 0 -> /* if not even the next place may be filled */
             n = 1;
             do
             :: n == SMALL -> break
             :: else ->
                LOAD(next, STAMP(t + 2 * n), ACQ);
#ifdef STAYS
                has = next == 0 || IS_FILLED(t + 2 * n, next) || IS_TAKEN(t + 2 * n, next);
#else
#ifdef CLEAR_TAKEN
                has = next == 0 || IS_FILLED(t + 2 * n, next) || IS_TAKEN(t + 2 * n, next);
                if
                :: n == 1 -> look_at(t + 2, next)
                :: else
                fi;
#else
                look_at(t + 2 * n, next);
#endif
#endif
                if
                :: has -> n++
                :: else -> break
                fi
             od;
             leaves = n == 1;
             if
#ifdef CLEAR_BEYOND
             :: !leaves -> STORE(CLEAR, PLACE(t) + n + 1, REL)
#else
             :: !leaves -> STORE(CLEAR, PLACE(t) + n, REL)
#endif
             :: else
             fi
          :: leaves && RING(t) == 1 -> /* back, if all has been taken and all of the small ring is free */
             n = 1;
             do
             :: n > SMALL -> break
             :: else ->
                LOAD(next, STAMP((t + 2 * n) ^ 1), ACQ);
                has = next == 0 || !IS_FILLED((t + 2 * n) ^ 1, next);
#ifndef COMES_BACK
                if
                :: has -> look_at((t + 2 * n) ^ 1, next)
                :: else
                fi;
#endif
                leaves = leaves && has;
                n++
             od
          :: else
          fi
       fi;
       skip; /* nothing may jump into a step of several */
       CAS(r, STAMP(t), old, CONTENT(t, MESSAGE + LAST * leaves), ACQ_REL);
       if
       :: r != old -> goto again
       :: else
       fi;
       d_step {
           assert(old == 0 || is_released[old % 16]); /* the slot's former data */
           published++;
           mine = t;
           first = (number -> first : t);
           t = NEXT(t, LAST * leaves);
           number++;
           old = 0; next = 0; r = 0; n = 0; seen = 0; has = false; leaves = false; looks = false
       }
    od;
    finished++;
    /* The first message's data are out of use if its slot may be filled without a look, for a later place. */
    LOAD(n, CLEAR, ACQ);
#ifdef DONE_EARLY
    has = PLACE(first) + SMALL <= n;
#else
    has = PLACE(first) + SMALL < n;
#endif
    d_step {
        assert(RING(first) == 1 || !has || is_released[OF_EACH * me]);
        n = 0; has = false; first = 0
    }
    /* Are the last message's data out of use? They will be. */
asks:
#ifdef DONE_TAKEN
    LOAD(seen, HEAD, ACQ);
    has = PLACE(mine) < PLACE(seen);
    r = 0; old = 0;
    if
    :: has
    :: else -> (NEWS(HEAD, seen)); goto asks
    fi;
#else
    has_release(mine, ROUND(mine));
    if
    :: has
    :: else ->
       next = r;
#ifdef DONE_ALONE
       (NEWS(RELEASED(mine), next));
       goto asks
#else
       LOAD(old, STAMP(mine), ACQ);
       if
       :: ROUND_OF(old) != ROUND(mine)
       :: else -> (NEWS(RELEASED(mine), next) || NEWS(STAMP(mine), old)); goto asks
       fi
#endif
    fi;
#endif
    number--;
    assert(is_released[MESSAGE])
}

inline release(spot, message) {
    is_released[message] = true;
    STORE(RELEASED(spot), ROUND(spot), REL)
}

active [TAKERS] proctype taker() {
    MEMORY_THREAD;
    byte r, h, stamp, kept, kept_message;
    bool keeps;
    do
    :: IS_OVER -> break
    :: keeps -> release(kept, kept_message); keeps = false; kept = 0; kept_message = 0
    :: !IS_OVER ->
       LOAD(h, HEAD, ACQ);
again:
       LOAD(stamp, STAMP(h), ACQ);
       if
       :: ROUND_OF(stamp) != ROUND(h) ->
          LOAD(r, HEAD, ACQ);
          if
          :: r != h -> h = r; goto again
          :: else
          fi;
          if
          :: keeps && RING(kept) == 1 -> release(kept, kept_message); keeps = false; kept = 0; kept_message = 0
          :: else -> (NEWS(STAMP(h), stamp) || NEWS(HEAD, h) || IS_OVER)
          fi;
          goto next
       :: else
       fi;
       CAS(r, HEAD, h, NEXT(h, stamp), ACQ_REL);
       if
       :: r != h -> h = r; goto again
       :: else
       fi;
       d_step {
           assert(!met[stamp % 16]);
           met[stamp % 16] = true;
           taken++
       }
       if
#ifndef PROMPT
       :: !keeps -> keeps = true; kept = h; kept_message = stamp % 16
#endif
       :: release(h, stamp % 16)
       fi;
next:
       skip;
       d_step { h = 0; stamp = 0; r = 0 }
    od;
    if
    :: keeps -> release(kept, kept_message); keeps = false
    :: else
    fi
}
