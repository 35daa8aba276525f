/* The mutex of the runtime's short sections (runtime/core/mutex.[ch]): one thread inside at a time, which sees what the one
 * before it has done, and nobody sleeps for ever.
 *
 * Each thread takes it ROUNDS times and adds to a plain variable inside. With LATE, a sleep may end by its time, as
 * mutex_lock_within has it: then the thread may go away without the mutex. A futex is an atomic step of the kernel: it
 * compares and sleeps, or wakes one of those that sleep.
 *
 * TAKE_AS_ONE: who has slept takes the mutex as one who has not, and forgets that others sleep. NO_COMPARE: a sleep does
 * not compare first.
 */
// holds: -DSC -DTHREADS=3 -DROUNDS=2
// holds: -DTSO -DTHREADS=3 -DROUNDS=1
// holds: -DTSO -DTHREADS=2 -DROUNDS=2
// holds: -DWEAK -DTHREADS=2 -DROUNDS=2
// holds: -DWEAK -DTHREADS=3 -DROUNDS=1
// holds: -DSC -DTHREADS=3 -DROUNDS=2 -DLATE
// holds: -DTSO -DTHREADS=3 -DROUNDS=1 -DLATE
// holds: -DWEAK -DTHREADS=2 -DROUNDS=2 -DLATE
// fails: -DSC -DTHREADS=3 -DROUNDS=1 -DTAKE_AS_ONE
// fails: -DSC -DTHREADS=2 -DROUNDS=1 -DNO_COMPARE
// fails: -DWEAK -DTHREADS=2 -DROUNDS=1 -DUNLOCK=RLX
// fails: -DWEAK -DTHREADS=2 -DROUNDS=1 -DLOCK=RLX

#ifndef LOCK
#define LOCK ACQ
#endif
#ifndef UNLOCK
#define UNLOCK REL
#endif
#ifndef HISTORY
#define HISTORY 16
#endif
#define WORD 0
#define DATA 1 /* inside only */
#define LOCATIONS 2
#include "memory.pml"

byte inside, done, ended;
bool asleep[THREADS];

inline futex_wait() {
    atomic {
        ADD(r, WORD, 0, SEQ);
#ifdef NO_COMPARE
        r = 2;
#endif
        if :: r == 2 -> asleep[me] = true :: else fi
    }
#ifdef LATE
    if
    :: !asleep[me]
    :: asleep[me] = false; late = true
    fi
#else
    !asleep[me]
#endif
}

inline futex_wake() {
    atomic {
        to = 0;
        do
        :: to < THREADS && asleep[to] -> asleep[to] = false; break
        :: to < THREADS -> to++
        :: to == THREADS -> /* nobody, if there is nobody */
           i = 0;
           do :: i < THREADS && !asleep[i] -> i++ :: else -> break od;
           if :: i < THREADS -> asleep[i] = false :: else fi;
           break
        od;
        to = 0;
        i = 0
    }
}

active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r, round, to, i;
    bool late;
    for (round : 1 .. ROUNDS) {
        late = false;
        CAS(r, WORD, 0, 1, LOCK);
        do
        :: r == 0 || late -> break
        :: r != 0 && !late ->
#ifdef TAKE_AS_ONE
           CAS(r, WORD, 0, 1, LOCK);
           if
           :: r == 0 -> break
           :: else -> CAS(r, WORD, 1, 2, RLX)
           fi;
#else
           EXCHANGE(r, WORD, 2, LOCK);
           if
           :: r == 0 -> break
           :: else
           fi;
#endif
           futex_wait();
#ifdef LATE
           if
           :: late -> EXCHANGE(r, WORD, 2, LOCK) /* once more: it may be free meanwhile */
           :: else -> r = 1
           fi
#else
           r = 1
#endif
        od;
        if
        :: r == 0 ->
           inside++;
           assert(inside == 1);
           LOAD(r, DATA, RLX);
           STORE(DATA, r + 1, RLX);
           done++;
           inside--;
           EXCHANGE(r, WORD, 0, UNLOCK);
           if :: r == 2 -> futex_wake() :: else fi
        :: else
        fi
    };
    r = 0;
    d_step { ended++; i = (ended == THREADS) }
    /* The last one sees what all have added, and finds the mutex free. */
    if
    :: i ->
       EXCHANGE(r, WORD, 2, LOCK);
       assert(r == 0);
       LOAD(r, DATA, RLX);
       assert(r == done)
    :: else
    fi
}
