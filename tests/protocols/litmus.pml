/* The memory of memory.pml itself: litmus tests whose answers are known. Each is a model that asks whether an outcome
 * is possible: then the assertion fails. */
// possible:   -DTSO -DSTORE_BUFFERING
// possible:   -DWEAK -DSTORE_BUFFERING
// impossible: -DSC -DSTORE_BUFFERING
// impossible: -DTSO -DSTORE_BUFFERING -DFENCED
// impossible: -DWEAK -DSTORE_BUFFERING -DFENCED
// impossible: -DTSO -DSTORE_BUFFERING -DMEMBARRIERED
// impossible: -DWEAK -DSTORE_BUFFERING -DMEMBARRIERED
// possible:   -DWEAK -DMESSAGE -DW=RLX -DR=ACQ
// possible:   -DWEAK -DMESSAGE -DW=REL -DR=RLX
// impossible: -DWEAK -DMESSAGE -DW=REL -DR=ACQ
// impossible: -DTSO -DMESSAGE -DW=RLX -DR=RLX
// impossible: -DWEAK -DMESSAGE -DRELEASE_FENCE -DW=RLX -DR=ACQ
// possible:   -DWEAK -DLATE_STORE
// impossible: -DTSO -DLATE_STORE
// impossible: -DWEAK -DLATE_STORE -DFENCED
// impossible: -DWEAK -DCHAIN
// impossible: -DTSO -DLOST_UPDATE
// impossible: -DWEAK -DLOST_UPDATE
#define LOCATIONS 3
#define HISTORY 6
#if defined(STORE_BUFFERING) || defined(MESSAGE) || defined(LATE_STORE) || defined(LOST_UPDATE)
#define THREADS 2
#else
#define THREADS 3
#endif
#include "memory.pml"
#define X 0
#define Y 1
#define Z 2
byte seen[3], ended;

#ifdef STORE_BUFFERING /* both write, and neither sees the other's */
active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r;
    STORE(me, 1, RLX);
#ifdef FENCED
    FENCE(SEQ);
#endif
#ifdef MEMBARRIERED /* one of the two does it for both */
    byte other;
    if :: me == 0 -> MEMBARRIER() :: else fi;
#endif
    LOAD(r, 1 - me, RLX);
    d_step { seen[me] = r; ended++; assert(!(ended == 2 && seen[0] == 0 && seen[1] == 0)) }
}
#endif

#ifdef MESSAGE /* the flag is seen, and what was written before it is not */
active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r;
    if
    :: me == 0 ->
       STORE(X, 1, RLX);
#ifdef RELEASE_FENCE
       FENCE(REL);
#endif
       STORE(Y, 1, W)
    :: me == 1 ->
       LOAD(r, Y, R);
       if
       :: r == 1 -> LOAD(r, X, RLX); assert(r == 1)
       :: else
       fi
    fi
}
#endif

#ifdef LATE_STORE /* a store takes effect after another thread's that read a later store of this thread's */
active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r;
    if
    :: me == 0 ->
       STORE(X, 1, RLX);
#ifdef FENCED
       FENCE(REL);
#endif
       STORE(Y, 1, RLX)
    :: me == 1 ->
       LOAD(r, Y, ACQ);
       if
       :: r == 1 -> ADD(r, X, 2, RLX); assert(r == 1)
       :: else
       fi
    fi
}
#endif

#ifdef CHAIN /* an atomic operation between does not break what the first one released */
active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r;
    if
    :: me == 0 -> STORE(X, 1, RLX); ADD(r, Y, 1, REL)
    :: me == 1 -> ADD(r, Y, 1, RLX)
    :: me == 2 ->
       LOAD(r, Y, ACQ);
       if
       :: r == 2 -> LOAD(r, X, RLX); assert(r == 1)
       :: else
       fi
    fi
}
#endif

#ifdef LOST_UPDATE /* each atomic addition counts */
active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r;
    ADD(r, X, 1, RLX);
    ADD(r, X, 1, RLX);
    seen[me] = r + 1;
    ended++;
    assert(ended < 2 || seen[0] == 4 || seen[1] == 4)
}
#endif
