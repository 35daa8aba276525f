/* Shared memory for models of the runtime's protocols: loads, stores, atomic operations and fences with the orders of
 * C11, on one of three machines.
 *
 *     -DSC      one access after the other
 *     -DTSO     x86: each thread has a store buffer, first in, first out; atomic operations and full fences wait until
 *               it is empty. Whatever the order, a load is an acquire, a store a release.
 *     -DWEAK    C11 without speculation, which covers ARMv8 but for what is said below. A location has a history of
 *               writes; each thread has a view, that is, for each location the oldest write that it may still read. A
 *               relaxed load reads any write not older, a store goes anywhere behind what its thread has seen. A
 *               release write carries its thread's view, and whoever acquires it takes that over. (The "view machine"
 *               of Kang et al., A promising semantics for relaxed-memory concurrency, POPL 2017, without promises.)
 *
 * What WEAK leaves out: a load never reads what has not been written yet, so a relaxed load that is passed by a later
 * store of its thread is not seen. SEQ is a full fence on both sides of the access, as on x86; ARM's is weaker towards
 * relaxed accesses around it.
 *
 * A model defines THREADS and LOCATIONS, and for WEAK, HISTORY (a write more than that is an error), includes this
 * file, and declares each thread with MEMORY_THREAD, whose `me` is 0, 1, ... All locations start as 0; values are bytes. `r`
 * is a variable of the thread.
 *
 *     LOAD(r, at, order)   STORE(at, value, order)   ADD(r, at, value, order), EXCHANGE(r, at, value, order):
 *     the former value in r   CAS(r, at, old, new, order): r == old if it was done   FENCE(order)   MEMBARRIER()
 *     NEWS(at, r): may a load give something else than r, the last that was loaded?
 *     AWAIT(r, at, condition, order): loads until the condition, on r, holds
 *
 * Threads wait by blocking, so that one that waits for ever is an invalid end state, which is what pan looks for first.
 */
#define RLX 0
#define ACQ 1
#define REL 2
#define ACQ_REL 3
#define SEQ 7
#define ACQUIRES(order) (((order) & 1) != 0)
#define RELEASES(order) (((order) & 2) != 0)
#define IS_SEQ(order) ((order) == SEQ)

#define AWAIT(r, at, condition, order)            \
    do                                            \
    :: LOAD(r, at, order);                        \
       if                                         \
       :: (condition) -> break                    \
       :: else -> (NEWS(at, r))                   \
       fi                                         \
    od

/* ---- one access after the other -------------------------------------------------------------------------------- */
#ifdef SC
byte memory[LOCATIONS];
#define MEMORY_THREAD byte me = _pid
#define LOAD(r, at, order) r = memory[at]
#define STORE(at, value, order) memory[at] = (value)
#define ADD(r, at, value, order) d_step { r = memory[at]; memory[at] = r + (value) }
#define EXCHANGE(r, at, value, order) d_step { r = memory[at]; memory[at] = (value) }
#define CAS(r, at, old, new, order) \
    d_step { r = memory[at]; if :: r == (old) -> memory[at] = (new) :: else fi }
#define FENCE(order) skip
#define MEMBARRIER() skip
#define NEWS(at, r) (memory[at] != r)
#endif

/* ---- x86 ------------------------------------------------------------------------------------------------------- */
#ifdef TSO
#ifndef BUFFER
#define BUFFER 4
#endif
byte memory[LOCATIONS];
byte buffer_at[THREADS * BUFFER], buffer_value[THREADS * BUFFER], buffered[THREADS];
hidden byte i_, seen_;

/* What thread `me` sees: the youngest of its own stores to `at`, else the memory. */
inline look(r, at) {
    r = memory[at];
    i_ = 0;
    do
    :: i_ < buffered[me] ->
       if
       :: buffer_at[me * BUFFER + i_] == (at) -> r = buffer_value[me * BUFFER + i_]
       :: else
       fi;
       i_++
    :: else -> break
    od;
    i_ = 0
}
#define LOAD(r, at, order) atomic { true; d_step { look(r, at) } }
#define STORE(at, value, order)                                                       \
    atomic {                                                                          \
        buffered[me] < BUFFER;                                                        \
        d_step {                                                                      \
            buffer_at[me * BUFFER + buffered[me]] = at;                               \
            buffer_value[me * BUFFER + buffered[me]] = (value);                       \
            buffered[me]++                                                            \
        }                                                                             \
    }                                                                                 \
    if :: IS_SEQ(order) -> buffered[me] == 0 :: else fi
#define ADD(r, at, value, order) \
    atomic { buffered[me] == 0; d_step { r = memory[at]; memory[at] = r + (value) } }
#define EXCHANGE(r, at, value, order) \
    atomic { buffered[me] == 0; d_step { r = memory[at]; memory[at] = (value) } }
#define CAS(r, at, old, new, order) \
    atomic { buffered[me] == 0; d_step { r = memory[at]; if :: r == (old) -> memory[at] = (new) :: else fi } }
#define FENCE(order) if :: IS_SEQ(order) -> buffered[me] == 0 :: else fi
/* Each thread's buffer is empty at some moment of the call, one after the other. */
#define MEMBARRIER()                                      \
    for (other : 0 .. THREADS - 1) { skip; buffered[other] == 0 } \
    skip
/* Of the memory: a thread that waits has its own stores behind it, sooner or later. */
#define NEWS(at, r) (memory[at] != r && buffered[me] == 0)

/* A thread's oldest store reaches memory, at any time. */
active [THREADS] proctype drain() {
    byte me = _pid;
end:
    do
    :: d_step {
        buffered[me] > 0;
        memory[buffer_at[me * BUFFER]] = buffer_value[me * BUFFER];
        buffered[me]--;
        i_ = 0;
        do
        :: i_ < buffered[me] ->
           buffer_at[me * BUFFER + i_] = buffer_at[me * BUFFER + i_ + 1];
           buffer_value[me * BUFFER + i_] = buffer_value[me * BUFFER + i_ + 1];
           i_++
        :: else -> break
        od;
        buffer_at[me * BUFFER + i_] = 0;
        buffer_value[me * BUFFER + i_] = 0;
        i_ = 0
    }
    od
}
#define MEMORY_THREAD byte me = _pid - THREADS
#endif

/* ---- C11 ------------------------------------------------------------------------------------------------------- */
#ifdef WEAK
/* Write number i of a location, in the order in which all see them; what nobody can read any more is dropped. */
#define WRITE(at, i) ((at) * HISTORY + (i))
byte value_of[LOCATIONS * HISTORY], writes[LOCATIONS] = 1;
bool follows[LOCATIONS * HISTORY];                /* an atomic operation's, right behind the write that it read */
byte carried[LOCATIONS * HISTORY * LOCATIONS];    /* the view that it carries */
byte view[THREADS * LOCATIONS];
byte released[THREADS * LOCATIONS];               /* what a relaxed store carries: the view of the last release fence */
byte fenced[LOCATIONS];                           /* of the last full fence of anybody */
#define VIEW(t, at) ((t) * LOCATIONS + (at))
hidden byte i_, k_, m_, t_, v_;
hidden byte carry_[LOCATIONS];

#define RAISE(a, b) if :: a < (b) -> a = (b) :: else fi
#define EACH(i, n, body) i = 0; do :: i < (n) -> body; i++ :: else -> break od; i = 0

/* Everything that names a write of `at` from number `from` on names the next one. */
inline renumber(at, from) {
    EACH(i_, THREADS,
         if :: view[VIEW(i_, at)] >= from -> view[VIEW(i_, at)]++ :: else fi;
         if :: released[VIEW(i_, at)] >= from -> released[VIEW(i_, at)]++ :: else fi);
    if :: fenced[at] >= from -> fenced[at]++ :: else fi;
    EACH(i_, LOCATIONS * HISTORY,
         if :: carried[i_ * LOCATIONS + at] >= from -> carried[i_ * LOCATIONS + at]++ :: else fi)
}

inline move_write(at, to, from) {
    value_of[WRITE(at, to)] = value_of[WRITE(at, from)];
    follows[WRITE(at, to)] = follows[WRITE(at, from)];
    EACH(i_, LOCATIONS, carried[WRITE(at, to) * LOCATIONS + i_] = carried[WRITE(at, from) * LOCATIONS + i_])
}

/* Puts a write of `value`, which carries carry_, before number k. */
inline insert(at, k, value, is_atomic) {
    assert(writes[at] < HISTORY); /* more than the model allows for */
    k_ = writes[at];
    do
    :: k_ > k -> move_write(at, k_, k_ - 1); k_--
    :: else -> break
    od;
    writes[at]++;
    renumber(at, k);
    EACH(i_, LOCATIONS, carried[WRITE(at, k) * LOCATIONS + i_] = carry_[i_]; carry_[i_] = 0);
    value_of[WRITE(at, k)] = value;
    follows[WRITE(at, k)] = is_atomic;
    carried[WRITE(at, k) * LOCATIONS + at] = k;
    view[VIEW(me, at)] = k;
    forget(at)
}

/* Drops the writes that every thread's view has left behind. */
inline forget(at) {
    m_ = 255;
    EACH(t_, THREADS, if :: view[VIEW(t_, at)] < m_ -> m_ = view[VIEW(t_, at)] :: else fi);
    do
    :: m_ > 0 ->
       k_ = 0;
       do
       :: k_ + 1 < writes[at] -> move_write(at, k_, k_ + 1); k_++
       :: else -> break
       od;
       value_of[WRITE(at, k_)] = 0;
       follows[WRITE(at, k_)] = 0;
       EACH(i_, LOCATIONS, carried[WRITE(at, k_) * LOCATIONS + i_] = 0);
       follows[WRITE(at, 0)] = 0;
       writes[at]--;
       EACH(i_, THREADS,
            view[VIEW(i_, at)]--;
            if :: released[VIEW(i_, at)] > 0 -> released[VIEW(i_, at)]-- :: else fi);
       if :: fenced[at] > 0 -> fenced[at]-- :: else fi;
       EACH(i_, LOCATIONS * HISTORY,
            if :: carried[i_ * LOCATIONS + at] > 0 -> carried[i_ * LOCATIONS + at]-- :: else fi);
       m_--
    :: else -> break
    od;
    k_ = 0
}

inline see(at, k, order) {
    view[VIEW(me, at)] = k;
    if
    :: ACQUIRES(order) -> EACH(v_, LOCATIONS, RAISE(view[VIEW(me, v_)], carried[WRITE(at, k) * LOCATIONS + v_]))
    :: else
    fi
}
inline forget_all() { EACH(v_, LOCATIONS, forget(v_)) }

inline full_fence(t) {
    EACH(v_, LOCATIONS,
         RAISE(view[VIEW(t, v_)], fenced[v_]);
         fenced[v_] = view[VIEW(t, v_)];
         released[VIEW(t, v_)] = view[VIEW(t, v_)])
}
inline fence_if(order) { if :: IS_SEQ(order) -> full_fence(me) :: else fi }

/* Chooses a write to read, in `at_`. Choices are made so that none ends in a place from which there is no way on. */
#define CHOOSE_READ(at)                                              \
    at_ = view[VIEW(me, at)];                                        \
    do :: at_ + 1 < writes[at] -> at_++ :: break od;                 \
    true
/* A place to write: behind what the thread has seen, and not between a write and the one that follows it. */
#define IS_PLACE(at, k) ((k) == writes[at] || !follows[WRITE(at, k)])
#define CHOOSE_PLACE(at)                                             \
    d_step {                                                         \
        least_ = view[VIEW(me, at)] + 1;                             \
        do :: !IS_PLACE(at, least_) -> least_++ :: else -> break od; \
        at_ = writes[at]                                             \
    }                                                                \
    do                                                               \
    :: at_ > least_ -> at_--                                         \
    :: IS_PLACE(at, at_) -> break                                    \
    od;                                                              \
    least_ = 0
/* A write for an atomic operation: not one that another follows. */
#define CHOOSE_FREE(at)                                              \
    at_ = view[VIEW(me, at)];                                        \
    do                                                               \
    :: at_ + 1 < writes[at] -> at_++                                 \
    :: IS_PLACE(at, at_ + 1) -> break                                \
    od;                                                              \
    true

/* `true` because nothing may jump into a d_step. */
#define BEGIN(order) if :: IS_SEQ(order) -> d_step { full_fence(me) } :: else fi; true
inline carry(order) {
    EACH(v_, LOCATIONS, carry_[v_] = (RELEASES(order) -> view[VIEW(me, v_)] : released[VIEW(me, v_)]))
}
#define TAKE(r, at, order)                                           \
    d_step {                                                         \
        see(at, at_, order);                                         \
        r = value_of[WRITE(at, at_)];                                \
        forget_all();                                                \
        at_ = 0                                                      \
    }
/* What the write that was read carries, the new one carries, too (a release sequence). */
#define REPLACE(r, at, new, order)                                   \
    d_step {                                                         \
        carry(order);                                                \
        EACH(v_, LOCATIONS, RAISE(carry_[v_], carried[WRITE(at, at_) * LOCATIONS + v_])); \
        see(at, at_, order);                                         \
        r = value_of[WRITE(at, at_)];                                \
        insert(at, at_ + 1, new, 1);                                 \
        fence_if(order);                                             \
        forget_all();                                                \
        at_ = 0                                                      \
    }

#define LOAD(r, at, order) atomic { BEGIN(order); CHOOSE_READ(at); TAKE(r, at, order) }
#define STORE(at, value, order)                                      \
    atomic {                                                         \
        BEGIN(order);                                                \
        CHOOSE_PLACE(at);                                            \
        d_step {                                                     \
            carry(order);                                            \
            insert(at, at_, value, 0);                               \
            fence_if(order);                                         \
            forget_all();                                            \
            at_ = 0                                                  \
        }                                                            \
    }
#define ADD(r, at, value, order) atomic { BEGIN(order); CHOOSE_FREE(at); REPLACE(r, at, r + (value), order) }
#define EXCHANGE(r, at, value, order) atomic { BEGIN(order); CHOOSE_FREE(at); REPLACE(r, at, value, order) }
#define CAS(r, at, old, new, order)                                  \
    atomic {                                                         \
        BEGIN(order);                                                \
        at_ = view[VIEW(me, at)];                                    \
        do                                                           \
        :: at_ + 1 < writes[at] -> at_++                             \
        :: value_of[WRITE(at, at_)] != (old) || IS_PLACE(at, at_ + 1) -> break \
        od;                                                          \
        if                                                           \
        :: value_of[WRITE(at, at_)] == (old) -> REPLACE(r, at, new, order) \
        :: else -> TAKE(r, at, order)                                \
        fi                                                           \
    }
inline fence(order) {
    fence_if(order);
    if
    :: RELEASES(order) -> EACH(v_, LOCATIONS, released[VIEW(me, v_)] = view[VIEW(me, v_)])
    :: else
    fi;
    forget_all()
}
#define FENCE(order) atomic { true; d_step { fence(order) } }
/* A full fence of each thread, at some moment of the call, between two of the caller's. */
#define MEMBARRIER()                                                 \
    FENCE(SEQ);                                                      \
    for (other : 0 .. THREADS - 1) { skip; d_step { full_fence(other); forget_all() } } \
    skip;                                                            \
    FENCE(SEQ)
/* (Another thread's MEMBARRIER may have moved the view beyond what was loaded.) */
#define NEWS(at, r) (view[VIEW(me, at)] + 1 < writes[at] || value_of[WRITE(at, view[VIEW(me, at)])] != (r))
#define MEMORY_THREAD byte me = _pid; byte at_, least_
#endif
