/* The lock that may be overtaken (runtime/gas/lock_barging.c): one holder at a time, who sees what was written under
 * the lock before; a waiter that has marked the lock is overtaken at most MOST_PASSED times; and nobody sleeps for
 * ever.
 *
 * Each thread takes the lock ROUNDS times. Sleeping is one step here, which compares and sleeps, as bell.pml shows of
 * the bells; and a sleep ends by a wake only. IMPATIENT: the first may reserve the lock itself.
 *
 * What single steps are there for: NO_MARK: the first does not say that it waits. NO_BOUND: nothing is counted.
 * LOOK_ONCE: who takes the lock looks for others that wait only before it lets the next be first. NO_RESERVE: a
 * reserved lock may be taken by anybody.
 */
// holds: -DSC -DLOCKERS=3 -DROUNDS=1 -DMOST_PASSED=1
// holds: -DSC -DLOCKERS=3 -DROUNDS=1 -DMOST_PASSED=0 -DIMPATIENT
// holds: -DSC -DLOCKERS=2 -DROUNDS=4 -DMOST_PASSED=2
// holds: -DSC -DLOCKERS=2 -DROUNDS=3 -DMOST_PASSED=1 -DIMPATIENT
// holds: -DTSO -DLOCKERS=2 -DROUNDS=2 -DMOST_PASSED=1
// holds: -DWEAK -DLOCKERS=2 -DROUNDS=1 -DMOST_PASSED=1
// fails: -DSC -DLOCKERS=2 -DROUNDS=1 -DMOST_PASSED=1 -DNO_MARK
// fails: -DSC -DLOCKERS=2 -DROUNDS=3 -DMOST_PASSED=1 -DNO_BOUND
// fails: -DSC -DLOCKERS=2 -DROUNDS=4 -DMOST_PASSED=1 -DNO_RESERVE
// fails: -DSC -DLOCKERS=3 -DROUNDS=1 -DMOST_PASSED=1 -DLOOK_ONCE

#define THREADS LOCKERS
#ifndef HISTORY
#define HISTORY 16
#endif
#define WORD 0
#define NEXT 1
#define SERVING 2
#define PASSED 3
#define TO_WAKE 4
#define DATA 5
#define LOCATIONS 6
#include "memory.pml"

#define HOLDER 15
#define FIRST 16
#define RESERVED 32

byte asleep[LOCKERS]; /* on WORD or SERVING, plus one */
byte inside, done;
byte overtaken; /* since the first has marked the lock */
bool marked;

inline sleep(at, old) {
    atomic {
        ADD(r, at, 0, SEQ);
        if :: r == (old) -> asleep[me] = at + 1 :: else fi
    }
    asleep[me] == 0
}

inline wake(at) {
    d_step {
        i = 0;
        do
        :: i < LOCKERS -> if :: asleep[i] == at + 1 -> asleep[i] = 0 :: else fi; i++
        :: else -> break
        od;
        i = 0
    }
}

/* For the proof only: this thread has taken the lock. */
inline taken(is_first) {
    assert(inside == 0);
    inside++;
    if
    :: is_first -> overtaken = 0; marked = false
    :: else -> if :: marked -> overtaken++; assert(overtaken <= MOST_PASSED) :: else fi
    fi
}

inline take_free() {
    do
    :: true ->
       LOAD(now, WORD, SEQ);
#ifdef NO_RESERVE
       if :: now & HOLDER -> break :: else fi;
#else
       if :: now & (HOLDER | RESERVED) -> break :: else fi;
#endif
       atomic {
           CAS(r, WORD, now, now | (me + 1), SEQ);
           if :: r == now -> has = true; taken(false) :: else fi
       }
       if :: has -> break :: else fi
    od
}

inline become_first() {
    do
    :: true ->
       LOAD(now, SERVING, SEQ);
       if :: now == ticket -> break :: else fi;
       sleep(SERVING, now)
    od
}

inline take_as_first() {
    do
    :: true ->
       LOAD(now, WORD, SEQ);
       if
       :: !(now & HOLDER) ->
          LOAD(others, NEXT, SEQ);
          others = (others != ticket + 1 -> FIRST : 0);
          atomic {
              CAS(r, WORD, now, others | (me + 1), SEQ);
              if :: r == now -> has = true; taken(true) :: else fi
          }
          if :: has -> break :: else fi
       :: else ->
          wanted = now | FIRST;
#ifdef NO_MARK
          wanted = now;
#endif
#ifdef IMPATIENT
          if :: wanted = wanted | RESERVED :: true fi;
#endif
          r = now;
          if
          :: wanted != now ->
             atomic {
                 CAS(r, WORD, now, wanted, SEQ);
                 if :: r == now && !marked -> marked = true; overtaken = 0 :: else fi
             }
          :: else
          fi;
          if
          :: r == now -> sleep(WORD, wanted)
          :: else
          fi
       fi
    od
}

inline lock_it() {
    has = false;
    atomic {
        CAS(r, WORD, 0, me + 1, SEQ);
        if :: r == 0 -> has = true; taken(false) :: else fi
    }
    if :: has :: else -> take_free() fi;
    if
    :: has
    :: else ->
       ADD(ticket, NEXT, 1, SEQ);
       become_first();
       take_as_first();
       STORE(PASSED, 0, RLX);
       STORE(SERVING, ticket + 1, SEQ);
#ifndef LOOK_ONCE
       LOAD(others, NEXT, SEQ);
       others = (others != ticket + 1);
#endif
       STORE(TO_WAKE, (others != 0), RLX);
       if
       :: others ->
          LOAD(now, WORD, SEQ);
          do
          :: now & FIRST -> break
          :: else ->
             CAS(r, WORD, now, now | FIRST, SEQ);
             if :: r == now -> break :: else -> now = r fi
          od
       :: else
       fi
    fi
}

inline unlock_it() {
    has = false;
    LOAD(now, WORD, RLX);
    assert((now & HOLDER) == me + 1);
    if
    :: now == me + 1 ->
       atomic {
           CAS(r, WORD, now, 0, SEQ);
           if :: r == now -> has = true; inside-- :: else fi
       }
    :: else
    fi;
    if
    :: has
    :: else ->
       LOAD(r, PASSED, RLX);
       r++;
       STORE(PASSED, r, RLX);
       wanted = (r > MOST_PASSED -> RESERVED : 0);
#ifdef NO_BOUND
       wanted = 0;
#endif
       LOAD(ticket, SERVING, RLX);
       LOAD(others, TO_WAKE, RLX);
       STORE(TO_WAKE, 0, RLX);
       do
       :: true ->
          LOAD(now, WORD, SEQ);
          atomic {
              CAS(r, WORD, now, (now & (255 - HOLDER)) | wanted, SEQ);
              if :: r == now -> inside-- :: else fi
          }
          if :: r == now -> break :: else fi
       od;
       if :: others -> wake(SERVING) :: else fi;
       wake(WORD)
    fi
}

active [LOCKERS] proctype locker() {
    MEMORY_THREAD;
    byte r, now, wanted, ticket, others, round, i;
    bool has;
    for (round : 1 .. ROUNDS) {
        lock_it();
        LOAD(r, DATA, RLX);
        assert(r == done);
        done++;
        STORE(DATA, r + 1, RLX);
        unlock_it();
        d_step { r = 0; now = 0; wanted = 0; ticket = 0; others = 0; has = false }
    }
}
