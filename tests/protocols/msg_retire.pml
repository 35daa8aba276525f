/* Freeing a lane or a row while threads make calls (runtime/msg/inside.h, retire.c). CALLERS threads make CALLS calls each: a call
 * looks for the row in the array and uses it if it is there. A freer takes the row out of the array, waits for a grace period,
 * and frees it. Nobody uses it then, and the freer does not wait for ever.
 *
 * A thread's word is odd while it is inside, and larger after each call. INTERRUPTED: a signal handler makes a call, too, at
 * any moment of the thread's own.
 *
 * What one step is there for:
 *   NO_MEMBARRIER     the freer does not make the callers execute a fence
 *   NO_WAIT           it frees what it has just taken out of the array
 *   HANDLER_LEAVES    a handler's call ends by saying that the thread is outside
 *   LOOKS_FIRST       the freer reads the words before it takes the row away
 */
// holds: -DSC -DCALLERS=2 -DCALLS=3
// holds: -DTSO -DCALLERS=1 -DCALLS=3
// holds: -DTSO -DCALLERS=2 -DCALLS=2
// holds: -DWEAK -DCALLERS=1 -DCALLS=3
// holds: -DWEAK -DCALLERS=2 -DCALLS=1
// holds: -DTSO -DCALLERS=1 -DCALLS=2 -DINTERRUPTED
// holds: -DWEAK -DCALLERS=1 -DCALLS=2 -DINTERRUPTED
// fails: -DTSO -DCALLERS=1 -DCALLS=1 -DNO_MEMBARRIER
// fails: -DWEAK -DCALLERS=1 -DCALLS=1 -DNO_MEMBARRIER
// fails: -DSC -DCALLERS=1 -DCALLS=1 -DNO_WAIT
// fails: -DSC -DCALLERS=1 -DCALLS=1 -DINTERRUPTED -DHANDLER_LEAVES
// fails: -DSC -DCALLERS=1 -DCALLS=2 -DLOOKS_FIRST

#define THREADS (CALLERS + 1)
#ifndef HISTORY
#define HISTORY 16
#endif
#define GONE 0 /* the array's entry: the row is not there any more */
#define WORD(t) (1 + (t))
#define LOCATIONS (1 + CALLERS)
#include "memory.pml"

bool freed;

#ifdef HANDLER_LEAVES
#define AFTER(before) ((before) - (before) % 2 + 2)
#else
#define AFTER(before) ((before) % 2 -> (before) : (before) + 2)
#endif

/* The whole of a call but for its beginning, in which `before` was loaded. */
#define USE(before)                                  \
    value = (before) - (before) % 2 + 1;             \
    STORE(WORD(me), value, RLX);                     \
    LOAD(gone, GONE, ACQ);                           \
    if                                               \
    :: !gone -> MAY_BE_INTERRUPTED; assert(!freed) \
    :: else                                          \
    fi;                                              \
    value = AFTER(before);                           \
    STORE(WORD(me), value, REL)

#ifdef INTERRUPTED
#define MAY_BE_INTERRUPTED interrupted()
#else
#define MAY_BE_INTERRUPTED skip
#endif

inline interrupted() {
    if
    :: !handled -> /* once */
       handled = true;
       LOAD(inner, WORD(me), RLX);
       inner_value = inner - inner % 2 + 1;
       STORE(WORD(me), inner_value, RLX);
       LOAD(inner_gone, GONE, ACQ);
       if
       :: !inner_gone -> assert(!freed)
       :: else
       fi;
       inner_value = AFTER(inner);
       STORE(WORD(me), inner_value, REL);
       inner_value = 0;
       inner = 0;
       inner_gone = 0
    :: true
    fi
}

active [CALLERS] proctype caller() {
    MEMORY_THREAD;
    byte word, value, gone, calls, inner, inner_value, inner_gone;
    bool handled;
    do
    :: calls == CALLS -> break
    :: calls < CALLS ->
       LOAD(word, WORD(me), RLX);
       MAY_BE_INTERRUPTED;
       USE(word);
       gone = 0; word = 0; value = 0;
       calls++
    od
}

active proctype freer() {
    MEMORY_THREAD;
    byte t, r, other;
    byte seen[CALLERS];
#ifndef LOOKS_FIRST
    STORE(GONE, 1, REL);
#endif
#ifndef NO_MEMBARRIER
    FENCE(SEQ);
    MEMBARRIER();
#endif
#ifndef NO_WAIT
    t = 0;
    do
    :: t == CALLERS -> break
    :: t < CALLERS -> LOAD(r, WORD(t), ACQ); seen[t] = r; t++
    od;
#ifdef LOOKS_FIRST
    STORE(GONE, 1, REL);
#endif
    t = 0;
    do
    :: t == CALLERS -> break
    :: t < CALLERS && seen[t] % 2 == 0 -> t++
    :: t < CALLERS && seen[t] % 2 == 1 -> AWAIT(r, WORD(t), r != seen[t], ACQ); t++
    od;
#endif
    freed = true
}
