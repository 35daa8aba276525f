/* The barriers of runtime/conduit/smp (barrier.c: the row; barrier_tree.c: the tree), split as a program may use them.
 *
 * After its notify a thread may stop until every thread that has not paused as well has completed its wait: all
 * notified suffices (UPC 1.3, 6.6.1). What a thread wrote before its notify every thread reads after its wait. The
 * kinds that a thread is given are those that all have said, and with VALUES, the first value given and one that
 * differs from it.
 */
// holds: -DTREE -DSC -DTHREADS=5 -DBARRIERS=1
// holds: -DTREE -DSC -DTHREADS=4 -DBARRIERS=2
// holds: -DTREE -DTSO -DTHREADS=3 -DBARRIERS=2
// holds: -DTREE -DWEAK -DTHREADS=3 -DBARRIERS=2
// holds: -DTREE -DSC -DTHREADS=3 -DBARRIERS=2 -DVALUES
// holds: -DTREE -DTSO -DTHREADS=3 -DBARRIERS=1 -DVALUES -DWHOLE
// holds: -DTREE -DWEAK -DTHREADS=3 -DBARRIERS=1 -DVALUES -DWHOLE -DHISTORY=5
// holds: -DROW -DSC -DTHREADS=3 -DBARRIERS=4
// holds: -DROW -DTSO -DTHREADS=2 -DBARRIERS=4
// holds: -DROW -DWEAK -DTHREADS=2 -DBARRIERS=4
// holds: -DDISSEMINATION -DSC -DTHREADS=5 -DBARRIERS=2 -DWHOLE
// fails: -DDISSEMINATION -DSC -DTHREADS=5 -DBARRIERS=1
// fails: -DDISSEMINATION -DSC -DTHREADS=3 -DBARRIERS=1
// fails: -DTREE -DSC -DTHREADS=3 -DBARRIERS=2 -DCLEARED_LATE
// fails: -DTREE -DWEAK -DTHREADS=3 -DBARRIERS=2 -DNO_FENCE
// fails: -DTREE -DWEAK -DTHREADS=3 -DBARRIERS=1 -DARRIVAL=RLX
// fails: -DROW -DSC -DTHREADS=2 -DBARRIERS=2 -DSETS=1

#ifndef HISTORY
#define HISTORY 8
#endif
#ifndef ARRIVAL
#define ARRIVAL ACQ_REL
#endif
#ifndef SETS
#define SETS 2
#endif
#define TURN(barrier) ((barrier) % SETS)

/* ---- the tree's shape, as `plan` makes it for two children a node ----------------------------------------------- */
#if THREADS == 3
#define NODES 3
#define GROUPS 2
#define LEAF(t) ((t) / 2)
#define SIZE(n) ((n) == 1 -> 1 : 2)
#define PARENT(n) 2
#endif
#if THREADS == 4
#define NODES 3
#define GROUPS 2
#define LEAF(t) ((t) / 2)
#define SIZE(n) 2
#define PARENT(n) 2
#endif
#if THREADS == 5
#define NODES 6
#define GROUPS 3
#define LEAF(t) ((t) / 2)
#define SIZE(n) (((n) == 2 || (n) == 4) -> 1 : 2)
#define PARENT(n) ((n) < 2 -> 3 : ((n) == 2 -> 4 : 5))
#endif
#define ROOT (NODES - 1)

/* ---- where things are -------------------------------------------------------------------------------------------- */
#ifdef TREE
#define NODE(n) (n)
#define GROUP(g) (NODES + (g))
#define BEHIND (NODES + GROUPS)
#ifdef VALUES
#define FIRST(n) (BEHIND + 2 * (n))
#define OTHER(n) (FIRST(n) + 1)
#define GROUP_FIRST(g) (BEHIND + 2 * NODES + 2 * (g))
#define GROUP_OTHER(g) (GROUP_FIRST(g) + 1)
#define USED (BEHIND + 2 * NODES + 2 * GROUPS)
#else
#define USED BEHIND
#endif
#endif
#ifdef ROW
#define WORD(turn, t) ((turn) * THREADS + (t))
#define USED (SETS * THREADS)
#endif
#ifdef DISSEMINATION
#define ROUNDS (THREADS > 4 -> 3 : 2)
#define FLAG(t, turn, k) (((t) * 2 + (turn)) * 3 + (k))
#define USED (THREADS * 6)
#endif
#define DATA(t) (USED + (t))
#define LOCATIONS (USED + THREADS)

#include "memory.pml"

/* ---- what is known of all threads, which is no part of the protocol ---------------------------------------------- */
byte notified[BARRIERS + 2], paused[BARRIERS + 2], completed[BARRIERS + 2], kinds[BARRIERS + 2];
#ifdef VALUES
bool given_a[BARRIERS + 2], given_b[BARRIERS + 2];
#endif

/* ---- the protocols ----------------------------------------------------------------------------------------------- */
#ifdef TREE
/* Two bits each: arrivals, those of kind 0, those of kind 1, those with a value. */
#define COUNTED(kinds, first) (1 + ((kinds) & 1) * 4 + ((kinds) / 2) * 16 + ((first) -> 64 : 0))
#define KINDS_OF(word) ((((word) >> 2 & 3) -> 1 : 0) + (((word) >> 4 & 3) -> 2 : 0))
/* A group's word: the barrier, whether there are values, the kinds. */
#define RELEASED(barrier, kinds, first) ((barrier) * 8 + ((first) -> 4 : 0) + (kinds))

inline say(n, value) {
    LOAD(r, FIRST(n), RLX);
    if
    :: r == 0 -> CAS(r, FIRST(n), 0, value, RLX)
    :: else
    fi;
    if
    :: r != 0 && r != value -> STORE(OTHER(n), value, RLX)
    :: else
    fi
}

inline notify() {
    n = LEAF(me);
    do
    :: true ->
#ifdef VALUES
       if
       :: first -> say(n, first); if :: other -> say(n, other) :: else fi
       :: else
       fi;
#endif
       atomic {
           ADD(r, NODE(n), COUNTED(heard, first), ARRIVAL);
           r = r + COUNTED(heard, first);
           if
           :: (r & 3) != SIZE(n) -> break
           :: else
           fi;
           heard = KINDS_OF(r);
           first = r >> 6
       }
#ifdef CLEARED_LATE
       if :: n != ROOT -> STORE(NODE(n), 0, RLX) :: else fi;
#else
       STORE(NODE(n), 0, RLX);
#endif
#ifdef VALUES
       if
       :: first ->
          LOAD(first, FIRST(n), RLX); LOAD(other, OTHER(n), RLX);
          STORE(FIRST(n), 0, RLX); STORE(OTHER(n), 0, RLX)
       :: else -> other = 0
       fi;
#endif
       if
       :: n == ROOT -> release(); break
       :: else -> n = PARENT(n)
       fi
    od;
    n = 0; r = 0
}
inline release() {
#ifdef VALUES
    if
    :: first ->
       for (n : 0 .. GROUPS - 1) { skip; STORE(GROUP_FIRST(n), first, RLX); STORE(GROUP_OTHER(n), other, RLX) }
    :: else
    fi;
#endif
#ifndef NO_FENCE
    FENCE(REL);
#endif
    for (n : 0 .. GROUPS - 1) { skip; STORE(GROUP(n), RELEASED(barrier, heard, first), RLX) }
#ifdef CLEARED_LATE
    STORE(NODE(ROOT), 0, RLX)
#endif
}
inline wait() {
    AWAIT(r, GROUP(LEAF(me)), r >> 3 == barrier, ACQ);
    heard = r & 3;
    first = r >> 2 & 1;
#ifdef VALUES
    other = 0;
    if
    :: first -> LOAD(first, GROUP_FIRST(LEAF(me)), RLX); LOAD(other, GROUP_OTHER(LEAF(me)), RLX)
    :: else
    fi
#endif
}
#endif

#ifdef ROW
inline notify() { STORE(WORD(TURN(barrier), me), barrier * 4 + heard, REL) }
inline wait() {
    heard = 0;
    for (n : 0 .. THREADS - 1) {
        skip;
        AWAIT(r, WORD(TURN(barrier), n), r >> 2 == barrier, ACQ);
        heard = heard | (r & 3)
    }
    n = 0; r = 0
}
#endif

#ifdef DISSEMINATION
/* What smp once had: a thread tells the one 2^k further in round k, and only in its wait those after the first. */
inline tell(k) {
    STORE(FLAG((me + (1 << (k))) % THREADS, barrier % 2, k), barrier * 4 + heard, REL)
}
inline notify() { tell(0) }
inline wait() {
    for (n : 0 .. ROUNDS - 1) {
        skip;
        AWAIT(r, FLAG(me, barrier % 2, n), r >> 2 == barrier, ACQ);
        heard = heard | (r & 3);
        if :: n + 1 < ROUNDS -> tell(n + 1) :: else fi
    }
    n = 0; r = 0
}
#endif

/* ---- a program --------------------------------------------------------------------------------------------------- */
active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte barrier, r, n, heard, first, other;
    for (barrier : 1 .. BARRIERS) {
        skip;
#ifndef SC
        STORE(DATA(me), barrier, RLX);
#endif
        atomic {
        heard = 1 + (me + barrier) % 2;
        kinds[barrier] = kinds[barrier] | heard;
#ifdef VALUES
        first = 0;
        if /* nobody gives one in the second barrier: nothing is left of the first */
        :: true
        :: barrier == 1 -> first = 1; given_a[barrier] = true
        :: barrier == 1 -> first = 2; given_b[barrier] = true
        fi;
        other = 0;
#endif
        notified[barrier]++
        }
        notify();
#ifndef WHOLE
        if
        :: atomic { paused[barrier]++; paused[barrier] + completed[barrier] >= THREADS }
        :: true
        fi;
#endif
        wait();
        atomic {
        assert(notified[barrier] == THREADS);
        assert(heard == kinds[barrier]);
#ifdef VALUES
        assert((first != 0) == (given_a[barrier] || given_b[barrier]));
        assert((other != 0) == (given_a[barrier] && given_b[barrier]));
        assert(other == 0 || other != first);
        assert((first != 1 && other != 1) || given_a[barrier]);
        assert((first != 2 && other != 2) || given_b[barrier]);
        first = 0; other = 0;
#endif
        completed[barrier]++
        }
#ifndef SC
        select(n : 0 .. THREADS - 1);
        LOAD(r, DATA(n), RLX);
        assert(r == barrier || r == barrier + 1);
        n = 0; r = 0
#endif
    }
}
