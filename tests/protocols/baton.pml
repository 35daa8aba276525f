/* Turns of a simulated job (runtime/conduit/sim/turns.c, crates/simulate/src/program/shared.rs): one thread runs at a
 * time, or the engine; threads hand turns that the engine has foreseen on among themselves, and the order of turns is
 * that of an engine that gives each one itself. Nobody sleeps for ever.
 *
 * Each of the RUNNERS has STOPS turns. From one to its next event it takes a time of 0 to 2. The engine gives the
 * thread with the earliest event its turn, and foresees any number of turns behind it. Inside, each adds to a plain
 * variable: it finds what all before it have added. A futex is an atomic step of the kernel: it compares and sleeps, or
 * wakes those that sleep.
 *
 * OWN_ALONE: a thread looks at its own next event alone, and not at those of threads before it. UNASKED: at none.
 * STARTED_ALONE: the engine begins when all threads have started, though the last one has yet to wake it. NO_COMPARE: a
 * sleep does not compare first.
 */
// holds: -DSC -DRUNNERS=3 -DSTOPS=2
// holds: -DSC -DRUNNERS=2 -DSTOPS=4
// holds: -DTSO -DRUNNERS=2 -DSTOPS=2
// holds: -DWEAK -DRUNNERS=2 -DSTOPS=1
// fails: -DSC -DRUNNERS=3 -DSTOPS=2 -DOWN_ALONE
// fails: -DSC -DRUNNERS=2 -DSTOPS=2 -DUNASKED
// fails: -DSC -DRUNNERS=2 -DSTOPS=1 -DSTARTED_ALONE
// fails: -DSC -DRUNNERS=2 -DSTOPS=1 -DNO_COMPARE
// fails: -DWEAK -DRUNNERS=2 -DSTOPS=2 -DGIVE=RLX
// fails: -DWEAK -DRUNNERS=2 -DSTOPS=1 -DTAKEN=RLX
// fails: -DWEAK -DRUNNERS=2 -DSTOPS=1 -DRETURN=RLX

#ifndef GIVE
#define GIVE REL
#endif
#ifndef TAKEN
#define TAKEN ACQ
#endif
#ifndef RETURN
#define RETURN REL
#endif
#define THREADS (RUNNERS + 1)
#define HOME RUNNERS /* the engine */
#ifndef HISTORY
#define HISTORY 16
#endif
#define ENGINE 0
#define STARTED 1
#define SOONEST 2
#define DATA 3 /* inside only */
#define TURN(t) (4 + (t))
#define NEXT(t) (4 + RUNNERS + (t))     /* 1 + the thread whose turn is foreseen; 0: the engine goes on */
#define NOW(t) (4 + 2 * RUNNERS + (t))  /* the time of its turn */
#define EVENT(t) (4 + 3 * RUNNERS + (t)) /* its next event; 0: it has not stopped */
#define LOCATIONS (4 + 4 * RUNNERS)
#include "memory.pml"

/* Events in their order: of those at one time the one of the thread with the least number. */
#define CODE(at, t) ((at) * RUNNERS + (t) + 1)
#define TIME(code) (((code) - 1) / RUNNERS)
#define NEVER 250

bool asleep[THREADS], inside;
byte turns, truth[RUNNERS]; /* the events, as nobody knows them */
hidden byte u_;

inline sleep_while_zero(word) {
    atomic {
        ADD(r, word, 0, SEQ);
#ifdef NO_COMPARE
        r = 0;
#endif
        if :: r == 0 -> asleep[me] = true :: else fi
    }
    !asleep[me]
}

/* The kernel looks for sleepers behind a full fence. */
#define WAKE(t)    \
    FENCE(SEQ);    \
    asleep[t] = false

/* Until a word is not 0. */
inline sleep_until(word) {
    do
    :: true ->
       LOAD(r, word, TAKEN);
       if :: r -> break :: else -> sleep_while_zero(word) fi
    od
}

active [RUNNERS] proctype runner() {
    MEMORY_THREAD;
    byte r, now, next, event, soonest, stops;
    ADD(r, STARTED, 1, ACQ_REL);
    if
    :: r == RUNNERS - 1 -> STORE(ENGINE, 1, RETURN); WAKE(HOME)
    :: else
    fi;
    do
    :: stops < STOPS ->
       sleep_until(TURN(me));
       STORE(TURN(me), 0, RLX);
       d_step { assert(!inside); inside = true }
       LOAD(now, NOW(me), RLX);
       d_step {
           u_ = 0;
           do
           :: u_ < RUNNERS -> assert(u_ == me || CODE(now, me) < truth[u_]); u_++
           :: else -> break
           od;
           u_ = 0
       }
       LOAD(r, DATA, RLX);
       assert(r == turns);
       STORE(DATA, r + 1, RLX);
       stops++;
       if
       :: stops == STOPS -> event = NEVER
       :: stops < STOPS -> event = CODE(now, me)
       :: stops < STOPS -> event = CODE(now + 1, me)
       :: stops < STOPS -> event = CODE(now + 2, me)
       fi;
       d_step { turns++; truth[me] = event; inside = false }
       STORE(EVENT(me), event, REL);
       LOAD(next, NEXT(me), RLX);
       if
       :: next > 0 ->
          next--;
          LOAD(soonest, SOONEST, RLX);
          if
          :: event < soonest -> soonest = event; STORE(SOONEST, event, RLX)
          :: else
          fi;
#ifdef OWN_ALONE
          soonest = event;
#endif
#ifdef UNASKED
          soonest = NEVER;
#endif
          LOAD(r, NOW(next), RLX);
          if :: CODE(r, next) < soonest -> r = 1 :: else -> r = 0 fi
       :: else -> r = 0
       fi;
       if
       :: r -> STORE(TURN(next), 1, GIVE); WAKE(next)
       :: else -> STORE(ENGINE, 1, RETURN); WAKE(HOME)
       fi;
       now = 0; next = 0; event = 0; soonest = 0; r = 0
    :: else -> break
    od
}

/* The thread with the earliest event after `last`: `best`, or RUNNERS. */
inline earliest(last) {
    d_step {
        best = RUNNERS;
        u_ = 0;
        do
        :: u_ < RUNNERS ->
           if
           :: event[u_] > last && event[u_] < NEVER && (best == RUNNERS || event[u_] < event[best]) -> best = u_
           :: else
           fi;
           u_++
        :: else -> break
        od;
        u_ = 0
    }
}

active proctype engine() {
    MEMORY_THREAD;
    byte r, best, first, time, follower, latest, event[RUNNERS], told[RUNNERS], count, i;
    d_step {
        i = 0;
        do
        :: i < RUNNERS -> event[i] = CODE(0, i); truth[i] = CODE(0, i); i++
        :: else -> break
        od;
        i = 0
    }
    AWAIT(r, STARTED, r == RUNNERS, ACQ);
#ifndef STARTED_ALONE
    sleep_until(ENGINE);
#endif
    do
    :: true ->
       latest = 0;
       earliest(latest);
       if :: best == RUNNERS -> break :: else fi;
       first = best;
       told[0] = best;
       count = 1;
       do /* as far as it likes */
       :: latest = event[best];
          earliest(latest);
          if :: best == RUNNERS -> break :: else -> told[count] = best; count++ fi
       :: true -> break
       od;
       i = 0;
       do
       :: i < count ->
          STORE(EVENT(told[i]), 0, RLX);
          time = TIME(event[told[i]]);
          STORE(NOW(told[i]), time, RLX);
          follower = 0;
          if :: i + 1 < count -> follower = told[i + 1] + 1 :: else fi;
          STORE(NEXT(told[i]), follower, RLX);
          i++
       :: else -> break
       od;
       STORE(SOONEST, NEVER, RLX);
       STORE(ENGINE, 0, RLX);
       STORE(TURN(first), 1, GIVE);
       WAKE(first);
       sleep_until(ENGINE);
       i = 0;
       do
       :: i < count ->
          LOAD(r, EVENT(told[i]), ACQ);
          if :: r == 0 -> break :: else -> event[told[i]] = r; i++ fi
       :: else -> break
       od;
       skip;
       d_step {
           best = 0; first = 0; time = 0; latest = 0; follower = 0; count = 0; r = 0; i = 0;
           do :: i < RUNNERS -> told[i] = 0; i++ :: else -> break od;
           i = 0
       }
    od
}
