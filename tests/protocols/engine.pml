/* The lock between a thread and its progress thread (runtime/conduit/progress.h, runtime/core/progress.c), and how the
 * thread goes to sleep beside it.
 *
 * Thread 0 is the thread, to which the lock is biased: it enters and leaves with plain stores and one load. Thread 1 is the
 * progress thread. Both add to a plain variable inside: nobody may lose what the other has added, or be inside with it,
 * and nobody waits for ever. A thread that the progress thread finds waiting is not inside. Looking before it sleeps is
 * left out of the wait to enter, and AWAITED and ASLEEP are one: what happens then is covered by going to sleep at any moment.
 *
 * With REST, a message arrives at some time, which either of them may take, and which makes true what the thread waits
 * for. Asleep it is woken by messages alone: so it must not fall asleep when the progress thread has taken this one.
 */
// holds: -DSC -DENTRIES=4 -DLOOKS=4
// holds: -DTSO -DENTRIES=3 -DLOOKS=3
// holds: -DWEAK -DENTRIES=2 -DLOOKS=3
// holds: -DTSO -DENTRIES=3 -DLOOKS=3 -DFENCES
// holds: -DWEAK -DENTRIES=2 -DLOOKS=3 -DFENCES
// fails: -DTSO -DENTRIES=1 -DLOOKS=1 -DNO_FENCE
// fails: -DWEAK -DENTRIES=1 -DLOOKS=1 -DNO_FENCE
// fails: -DWEAK -DENTRIES=2 -DLOOKS=2 -DLEAVE=RLX
// fails: -DWEAK -DENTRIES=2 -DLOOKS=2 -DGIVE=RLX
// fails: -DWEAK -DENTRIES=2 -DLOOKS=2 -DWAIT=RLX
// fails: -DSC -DENTRIES=2 -DLOOKS=2 -DINSIDE_UNASKED
// fails: -DSC -DENTRIES=2 -DLOOKS=2 -DNO_WAKE
// fails: -DSC -DENTRIES=2 -DLOOKS=2 -DGIVE_BY_STORE
// holds: -DREST -DSC -DLOOKS=5
// holds: -DREST -DTSO -DLOOKS=3
// holds: -DREST -DWEAK -DLOOKS=3
// fails: -DREST -DSC -DLOOKS=3 -DNO_SERVED
// fails: -DREST -DSC -DLOOKS=3 -DRESTING_UNASKED

#define THREADS 2
#define INSIDE 0
#define OWNER 1
#define DATA 2 /* inside only */
#define RESTING 3
#define SERVED 4
#ifdef REST
#define LOCATIONS 5
#else
#define LOCATIONS 3
#endif
#ifndef HISTORY
#define HISTORY 7
#endif
#ifndef LEAVE
#define LEAVE REL
#endif
#ifndef GIVE
#define GIVE REL
#endif
#ifndef WAIT
#define WAIT REL
#endif

#include "memory.pml"

/* enum conduit_owner */
#define MAIN 0
#define FREE 1
#define BESIDE 2
#define AWAITED 3

bool is_inside[THREADS]; /* no part of the protocol */
byte sum;
bool asleep; /* in the futex */

/* What the kernel sees: the word as it is. */
#ifdef WEAK
#define NOW(at) value_of[WRITE(at, writes[at] - 1)]
#else
#define NOW(at) memory[at]
#endif

inline use() {
    atomic {
        assert(!is_inside[1 - me]);
        is_inside[me] = true
    }
    LOAD(r, DATA, RLX);
    atomic {
        assert(r == sum);
        sum++
    }
    STORE(DATA, r + 1, RLX);
    atomic { is_inside[me] = false; r = 0 }
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

inline enter() {
    STORE(INSIDE, 1, RLX);
#ifdef FENCES
    FENCE(SEQ);
#endif
    LOAD(r, OWNER, ACQ);
    do
    :: r == MAIN -> break
    :: r == FREE ->
       CAS(r, OWNER, FREE, MAIN, ACQ);
       if
       :: r == FREE -> break
       :: else -> LOAD(r, OWNER, ACQ)
       fi
    :: r == BESIDE || r == AWAITED ->
       if
       :: r == BESIDE -> CAS(r, OWNER, BESIDE, AWAITED, WAIT)
       :: else
       fi;
       if
       :: r == BESIDE || r == AWAITED ->
          atomic { if :: NOW(OWNER) == AWAITED -> asleep = true :: else fi };
          !asleep
       :: else
       fi;
       LOAD(r, OWNER, ACQ)
    od;
    r = 0
}
#define LEAVE_ENGINE() STORE(INSIDE, 0, LEAVE)

/* ---- the progress thread ------------------------------------------------------------------------------------------ */

inline give(to) {
#ifdef GIVE_BY_STORE
    LOAD(r, OWNER, RLX);
    STORE(OWNER, to, GIVE);
#else
    EXCHANGE(r, OWNER, to, GIVE);
#endif
#ifndef NO_WAKE
    if :: r == AWAITED -> asleep = false :: else fi;
#endif
    r = 0
}

inline take() {
    CAS(r, OWNER, FREE, BESIDE, ACQ);
    if
    :: r == FREE -> taken = true
    :: else ->
       STORE(OWNER, BESIDE, SEQ);
#if defined(FENCES)
       FENCE(SEQ);
#elif !defined(NO_FENCE)
       MEMBARRIER();
#endif
       LOAD(r, INSIDE, ACQ);
       taken = !r;
#ifdef INSIDE_UNASKED
       taken = true;
#endif
       LOAD(r, OWNER, ACQ);
       taken = taken || r != BESIDE;
       if :: !taken -> give(MAIN) :: else fi
    fi;
    r = 0
}

/* ---- a program --------------------------------------------------------------------------------------------------- */
#ifndef REST

active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r, other, i;
    bool taken;
    if
    :: me == 0 ->
       for (i : 1 .. ENTRIES) { skip; enter(); use(); LEAVE_ENGINE() }
    :: else ->
       for (i : 1 .. LOOKS) {
           skip;
           take();
           if :: taken -> use(); give(FREE) :: else fi;
           taken = false
       }
    fi
}

#else

byte mailbox, unsent = 1; /* in the kernel */

active [THREADS] proctype thread() {
    MEMORY_THREAD;
    byte r, other, i, seen;
    bool taken, got;
    if
    :: me == 0 ->
       do
       :: true ->
          enter(); /* conduit_poll */
          atomic { got = mailbox > 0; mailbox = 0 }
          if :: got -> STORE(DATA, 1, RLX) :: else fi;
          LOAD(r, SERVED, RLX);
          if :: r != seen -> seen = r; got = true :: else fi;
          LEAVE_ENGINE();
          LOAD(r, DATA, RLX); /* what it waits for */
          if
          :: r == 1 -> break
          :: r == 0 && got -> got = false /* look again */
          :: r == 0 && !got ->
             enter(); /* conduit_rest_begin */
             LOAD(r, SERVED, RLX);
#ifdef NO_SERVED
             r = seen;
#endif
             got = r != seen;
             STORE(RESTING, !got, RLX);
             LEAVE_ENGINE();
             if :: !got -> mailbox > 0 :: else fi; /* asleep */
             STORE(RESTING, 0, REL); /* conduit_rest_end */
             got = false
          fi;
          r = 0
       od
    :: else ->
       if :: unsent -> atomic { unsent--; mailbox++ } fi;
       for (i : 1 .. LOOKS) {
           skip;
           take();
           if
           :: taken ->
              LOAD(r, RESTING, ACQ);
#ifdef RESTING_UNASKED
              r = 0;
#endif
              atomic {
                  assert(!is_inside[0]);
                  got = !r && mailbox > 0;
                  if :: got -> mailbox = 0 :: else fi
              }
              if
              :: got ->
                 STORE(DATA, 1, RLX);
                 LOAD(r, SERVED, RLX);
                 STORE(SERVED, r + 1, RLX)
              :: else
              fi;
              got = false;
              give(FREE)
           :: else
           fi;
           taken = false
       }
    fi
}

#endif
