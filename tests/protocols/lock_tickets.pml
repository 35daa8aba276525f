/* The lock of jobs whose threads are all near (gas_lock in runtime/gas/lock.c): turns in the order of the tickets, the holder
 * sees what was written under the lock before, and nobody sleeps for ever. Who waits says so and sleeps on the number that
 * is served; a release wakes by a bit of the ticket, so here each bit stands for one of BITS sets.
 *
 * Each thread takes the lock ROUNDS times; with TRY thread 0 only tries. Sleeping is one step, which compares and sleeps, as
 * bell.pml shows of the bells. LATE: a sleep may also end by its time.
 *
 * What single steps are there for: NO_SLEEPERS: who sleeps does not say so. WAKE_ONE: a release wakes one of those that
 * share the bit. LOOK_FIRST: a release looks for sleepers before it hands on.
 */
// holds: -DSC -DTHREADS=3 -DROUNDS=2
// holds: -DSC -DTHREADS=3 -DROUNDS=2 -DBITS=1
// holds: -DSC -DTHREADS=3 -DROUNDS=2 -DTRY -DLATE
// holds: -DTSO -DTHREADS=3 -DROUNDS=1
// holds: -DTSO -DTHREADS=2 -DROUNDS=2 -DTRY
// holds: -DWEAK -DTHREADS=2 -DROUNDS=2
// holds: -DWEAK -DTHREADS=3 -DROUNDS=1
// fails: -DSC -DTHREADS=2 -DROUNDS=1 -DNO_SLEEPERS
// fails: -DSC -DTHREADS=3 -DROUNDS=1 -DBITS=1 -DWAKE_ONE
// fails: -DSC -DTHREADS=2 -DROUNDS=1 -DLOOK_FIRST
// fails: -DWEAK -DTHREADS=2 -DROUNDS=1 -DSERVE=RLX
// fails: -DWEAK -DTHREADS=2 -DROUNDS=1 -DGET=RLX -DLOOK=RLX

#ifndef SERVE
#define SERVE SEQ
#endif
#ifndef GET
#define GET ACQ
#endif
#ifndef LOOK
#define LOOK SEQ
#endif
#ifndef BITS
#define BITS 2
#endif
#ifndef HISTORY
#define HISTORY 14
#endif
#define TICKETS 0 /* the ticket that the next to come gets */
#define SERVING 1
#define SLEEPERS 2
#define DATA 3 /* inside only */
#define LOCATIONS 4
#include "memory.pml"

byte inside, done;
byte asleep[THREADS]; /* on SERVING: the bit, plus one */

inline sleep() {
    atomic {
        ADD(r, SERVING, 0, SEQ);
        if :: r == serving -> asleep[me] = ticket % BITS + 1 :: else fi
    }
#ifdef LATE
    if
    :: asleep[me] == 0
    :: asleep[me] = 0
    fi
#else
    asleep[me] == 0
#endif
}

inline wake(turn) {
    skip;
    d_step {
        i = 0;
        do
        :: i < THREADS && asleep[i] == (turn) % BITS + 1 ->
           asleep[i] = 0;
#ifdef WAKE_ONE
           break
#else
           i++
#endif
        :: i < THREADS && asleep[i] != (turn) % BITS + 1 -> i++
        :: i == THREADS -> break
        od;
        i = 0
    }
}

inline lock() {
    skip;
    ADD(ticket, TICKETS, 1, SEQ);
    LOAD(serving, SERVING, GET);
    if
    :: serving != ticket ->
#ifndef NO_SLEEPERS
       ADD(r, SLEEPERS, 1, SEQ);
#endif
       LOAD(serving, SERVING, LOOK);
       do
       :: serving == ticket -> break
       :: else -> sleep(); LOAD(serving, SERVING, LOOK)
       od;
       skip;
#ifndef NO_SLEEPERS
       ADD(r, SLEEPERS, 255, RLX)
#endif
    :: else
    fi;
    taken = true
}

inline trylock() {
    LOAD(ticket, SERVING, ACQ);
    CAS(r, TICKETS, ticket, ticket + 1, SEQ);
    taken = r == ticket
}

inline unlock() {
    skip;
#ifdef LOOK_FIRST
    LOAD(r, SLEEPERS, SEQ);
    EXCHANGE(serving, SERVING, ticket + 1, SERVE);
#else
    EXCHANGE(serving, SERVING, ticket + 1, SERVE);
    LOAD(r, SLEEPERS, SEQ);
#endif
    if :: r != 0 -> wake(ticket + 1) :: else fi
}

active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r, i, round, ticket, serving;
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
               assert(ticket == done)
           }
           LOAD(r, DATA, RLX);
           assert(r == done);
           STORE(DATA, r + 1, RLX);
           atomic { done++; inside-- }
           unlock()
        :: else
        fi;
        r = 0; serving = 0; ticket = 0
    }
}
