/* The lock of jobs in which some threads are far (runtime/gas/lock_queue.c), a queue after Mellor-Crummey and Scott: one
 * holder at a time, who sees what was written under the lock before, turns in the order in which the threads have joined,
 * and nobody waits for ever.
 *
 * Each thread takes the lock ROUNDS times, with the same place each time, as a thread does that holds one lock at a time.
 * What a far thread is told by a message is a store by its handler: the same order, and so the same store here. With TRY,
 * thread 0 only tries.
 *
 * What single steps are there for: NO_JOINER: who releases does not wait for one that has joined and not said so yet.
 * NO_COMPARE: who sees nobody behind itself says that the lock is free without looking again. KEEP: a place is used
 * again as its last use left it.
 */
// holds: -DSC -DTHREADS=3 -DROUNDS=2
// holds: -DSC -DTHREADS=4 -DROUNDS=1
// holds: -DSC -DTHREADS=3 -DROUNDS=2 -DTRY
// holds: -DTSO -DTHREADS=3 -DROUNDS=1
// holds: -DTSO -DTHREADS=2 -DROUNDS=2 -DTRY
// holds: -DWEAK -DTHREADS=2 -DROUNDS=2
// holds: -DWEAK -DTHREADS=3 -DROUNDS=1
// fails: -DSC -DTHREADS=2 -DROUNDS=1 -DNO_JOINER
// fails: -DSC -DTHREADS=2 -DROUNDS=1 -DNO_COMPARE
// fails: -DSC -DTHREADS=2 -DROUNDS=2 -DKEEP
// fails: -DWEAK -DTHREADS=2 -DROUNDS=1 -DGRANT=RLX
// fails: -DWEAK -DTHREADS=2 -DROUNDS=1 -DGET=RLX

#ifndef GRANT
#define GRANT SEQ
#endif
#ifndef GET
#define GET SEQ
#endif
#ifndef HISTORY
#define HISTORY 12
#endif
#define LAST 0 /* the lock's word: thread + 1 */
#define DATA 1 /* inside only */
#define NEXT(t) (2 + (t))
#define GRANTED(t) (2 + THREADS + (t))
#define LOCATIONS (2 + 2 * THREADS)
#include "memory.pml"

byte inside, done, joined;

inline fresh_place() {
    skip;
#ifndef KEEP
    STORE(NEXT(me), 0, RLX);
    STORE(GRANTED(me), 0, RLX)
#endif
}

inline lock() {
    fresh_place();
    atomic {
        EXCHANGE(r, LAST, me + 1, GET);
        turn = joined;
        joined++
    }
    if
    :: r == 0
    :: else ->
       STORE(NEXT(r - 1), me + 1, SEQ);
       AWAIT(r, GRANTED(me), r == 1, GET)
    fi;
    taken = true
}

inline trylock() {
    fresh_place();
    atomic {
        CAS(r, LAST, 0, me + 1, GET);
        taken = r == 0;
        if :: taken -> turn = joined; joined++ :: else fi
    }
}

inline unlock() {
    LOAD(r, NEXT(me), ACQ);
    if
    :: r == 0 ->
#ifdef NO_COMPARE
       STORE(LAST, 0, SEQ);
       r = 0;
#else
       CAS(r, LAST, me + 1, 0, SEQ);
       if
       :: r == me + 1 -> r = 0
       :: else ->
#ifdef NO_JOINER
          r = 0
#else
          AWAIT(r, NEXT(me), r != 0, ACQ)
#endif
       fi
#endif
    :: else
    fi;
    if :: r != 0 -> STORE(GRANTED(r - 1), 1, GRANT) :: else fi
}

active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r, round, turn;
    bool taken;
    for (round : 1 .. ROUNDS) {
        taken = false;
#ifdef TRY
        if :: me == 0 -> trylock() :: else -> lock() fi;
#else
        lock();
#endif
        if
        :: taken ->
           atomic {
               inside++;
               assert(inside == 1);
               assert(turn == done)
           }
           LOAD(r, DATA, RLX);
           assert(r == done);
           STORE(DATA, r + 1, RLX);
           atomic { done++; inside-- }
           unlock()
        :: else
        fi
    }
}
