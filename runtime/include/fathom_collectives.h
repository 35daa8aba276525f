/** @file fathom_collectives.h
 * @brief Synchronisation and collectives: a part of fathom.h, which programs include.
 *
 * It has barriers, locks, teams, and collectives.
 */
#ifndef FATHOM_H
#error "include fathom.h, of which this is a part"
#endif
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup fathom_barriers Barriers
 * @brief No thread leaves a barrier before all have entered it; all accesses before it are visible after it.
 *
 * @code
 * fathom_barrier_begin();      // I have written my part
 * compute_something_private();
 * fathom_barrier_end();        // everybody has
 * @endcode
 * @{ */

/** Waits for all threads. Collective. Serves messages. It does not complete operations that have only been begun
 * (`_nb`, `_nbi`): wait for them before it, if their effect must be visible after it. */
static inline void fathom_barrier_all(void) { gas_barrier(); }
/** First half of a barrier: tells the others that this thread has arrived. No collective call may be between the
 * halves. */
static inline void fathom_barrier_begin(void) { gas_barrier_notify(); }
/** Have all threads arrived? Then fathom_barrier_end() must not be called.
 * @return 1 or 0. Never waits; serves messages. */
static inline int fathom_barrier_test(void) { return gas_barrier_try(); }
/** Second half of a barrier: waits for the others. */
static inline void fathom_barrier_end(void) { gas_barrier_wait(); }

/** @} */

/** @defgroup fathom_locks Locks
 * @brief Mutual exclusion between any threads, first come first served.
 *
 * @code
 * fathom_ptr lock = fathom_lock_create();     // one thread; the others get to know the address
 * fathom_lock(lock);
 * ...
 * fathom_unlock(lock);
 * @endcode
 * @{ */

/** A new lock in this thread's segment, not held; freed by fathom_free(). Not collective.
 * @return 0 if there is no room. */
static inline fathom_ptr fathom_lock_create(void) {
    fathom_ptr lock = gas_alloc(64);
    if (lock) gas_fill(lock, 0, 64);
    return lock;
}
/** Takes a lock; waits until it is free. All writes of earlier holders are visible. Taking it twice is an error.
 * @param lock a result of fathom_lock_create(), on any thread. */
static inline void fathom_lock(fathom_ptr lock) { gas_lock(lock); }
/** Takes a lock if it is free.
 * @param lock a result of fathom_lock_create(), on any thread.
 * @return 1 if it was taken, else 0. */
static inline int fathom_trylock(fathom_ptr lock) { return gas_trylock(lock); }
/** Releases a lock. Releasing a lock that this thread does not hold is an error.
 * @param lock a result of fathom_lock_create(), on any thread. */
static inline void fathom_unlock(fathom_ptr lock) { gas_unlock(lock); }

/** @} */

/** @defgroup fathom_collectives Teams and collectives
 * @brief Operations that all members of a team perform together.
 *
 * Buffers are private or near memory of the caller; `bytes` is for each member. A collective returns when this thread's
 * buffers may be changed and its result is complete; others may not have returned yet. All members call the same
 * collectives of a team in the same order. dst and src may be the same (if their sizes are equal), but not overlap
 * otherwise.
 *
 * @code
 * double sum, mine = partial();
 * fathom_all_reduce(fathom_world(), &sum, &mine, 1, FATHOM_F64, FATHOM_ADD);
 * @endcode
 * @{ */

/** An ordered set of threads. */
typedef gas_team fathom_team;

/** The team of all threads, in the order of their numbers.
 * @return the team; lives as long as the job. */
static inline fathom_team fathom_world(void) { return gas_world(); }
/** Divides a team: members that give the same colour form a new one, ordered by key, then by rank in the parent.
 * Collective on the parent.
 * @param parent the team to divide.
 * @param colour 0 or more; a member with a negative one joins no team and gets null.
 * @param key any number.
 * @return the new team, or null. */
static inline fathom_team fathom_team_split(fathom_team parent, int colour, int key) {
    return gas_team_split(parent, colour, key);
}
/** Ends a team, when the handles of its collectives have been waited for. Collective on it.
 * @param team a result of fathom_team_split() or fathom_team_create(); null is ignored. */
static inline void fathom_team_free(fathom_team team) { gas_team_free(team); }
/** This thread's rank in the team: 0 to fathom_team_size() - 1.
 * @param team this thread is a member of it.
 * @return the rank. */
static inline int fathom_team_rank(fathom_team team) { return gas_team_rank(team); }
/** The number of members of the team.
 * @param team any.
 * @return 1 or more. */
static inline int fathom_team_size(fathom_team team) { return gas_team_size(team); }
/** The number of the thread that has rank `rank`.
 * @param team any.
 * @param rank 0 to fathom_team_size() - 1.
 * @return 0 to fathom_count() - 1. */
static inline int fathom_team_thread(fathom_team team, int rank) { return gas_team_thread(team, rank); }

/** The team of the members of `parent` that have these ranks, in this order. Collective on the parent.
 * @param parent the team that they are members of.
 * @param ranks their ranks in it, all different; the same list on all members.
 * @param n the length of the list.
 * @return the new team; null for members that are not in the list. */
static inline fathom_team fathom_team_create(fathom_team parent, const int *ranks, int n) {
    return gas_team_create(parent, ranks, n);
}
/** The rank of a thread in a team.
 * @param team any.
 * @param thread 0 to fathom_count() - 1.
 * @return its rank, or -1 if it is not a member. */
static inline int fathom_team_rank_of(fathom_team team, int thread) { return gas_team_rank_of(team, thread); }
/** The rank in one team of a member of another.
 * @param from a team.
 * @param rank a rank in it.
 * @param to another team.
 * @return that member's rank in `to`, or -1. */
static inline int fathom_team_translate(fathom_team from, int rank, fathom_team to) {
    return gas_team_translate(from, rank, to);
}
/** Memory in the segment of each member of a team. Collective on the team. Each member frees its own by fathom_free().
 * @param team the team; all its members call it.
 * @param bytes for this member; 0 gives null.
 * @param[out] at the members' addresses, by rank.
 * @return 1; 0 if a member has no room, and then nothing is allocated. */
static inline int fathom_team_alloc(fathom_team team, size_t bytes, fathom_ptr *at) {
    return gas_team_alloc(team, bytes, at);
}

/** A barrier of the team.
 * @param team the team; all its members call it. */
static inline void fathom_team_barrier(fathom_team team) { gas_team_barrier(team); }
/** Copies `bytes` from the root's `src` to every member's `dst`.
 * @param team the team; all its members call it.
 * @param dst room for `bytes`.
 * @param src the root's data; the others' is ignored.
 * @param bytes the number of bytes.
 * @param root the rank of the root. */
static inline void fathom_broadcast(fathom_team team, void *dst, const void *src, size_t bytes, int root) {
    gas_broadcast(team, dst, src, bytes, root, 0);
}
/** Member r gets piece r of the root's `src`, which has fathom_team_size() pieces of `bytes`.
 * @param team the team; all its members call it.
 * @param dst room for one piece.
 * @param src the root's pieces, by rank; the others' is ignored.
 * @param bytes of one piece.
 * @param root the rank of the root. */
static inline void fathom_scatter(fathom_team team, void *dst, const void *src, size_t bytes, int root) {
    gas_scatter(team, dst, src, bytes, root, 0);
}
/** The root's `dst` gets the `bytes` of all members, by rank.
 * @param team the team; all its members call it.
 * @param dst the root's room for all pieces; the others' is not changed.
 * @param src one piece.
 * @param bytes of one piece.
 * @param root the rank of the root. */
static inline void fathom_gather(fathom_team team, void *dst, const void *src, size_t bytes, int root) {
    gas_gather(team, dst, src, bytes, root, 0);
}
/** Each member's `dst` gets the `bytes` of all members, by rank.
 * @param team the team; all its members call it.
 * @param dst room for all pieces.
 * @param src one piece.
 * @param bytes of one piece. */
static inline void fathom_all_gather(fathom_team team, void *dst, const void *src, size_t bytes) {
    gas_gather_all(team, dst, src, bytes, 0);
}
/** Piece r of member s's `src` becomes piece s of member r's `dst`; a transposition.
 * @param team the team; all its members call it.
 * @param dst room for a piece from each member.
 * @param src a piece for each member.
 * @param bytes of one piece. */
static inline void fathom_all_to_all(fathom_team team, void *dst, const void *src, size_t bytes) {
    gas_exchange(team, dst, src, bytes, 0);
}
/** Combines `count` elements of all members, each with its counterparts, into the root's `dst`. The result is the same
 * every time, for floating-point values, too.
 * @param team,dst,src,root the team, the destination, the source, the rank of the root.
 * @param count elements.
 * @param type their type.
 * @param op FATHOM_ADD, FATHOM_MULT, FATHOM_MIN, FATHOM_MAX; for integers also FATHOM_AND, FATHOM_OR, FATHOM_XOR. */
static inline void fathom_reduce(fathom_team team, void *dst, const void *src, size_t count, enum fathom_type type,
                                 enum fathom_operator op, int root) {
    gas_reduce(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op, root, 0);
}
/** As fathom_reduce(), into each member's `dst`.
 * @param team,dst,src,count,type,op as there. */
static inline void fathom_all_reduce(fathom_team team, void *dst, const void *src, size_t count, enum fathom_type type,
                                     enum fathom_operator op) {
    gas_all_reduce(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op, 0);
}
/** Member r gets the combination of members 0 to r; see fathom_reduce().
 * @param team,dst,src,count,type,op as there.
 * @param exclusive not 0: of members 0 to r - 1, and member 0's dst is not changed. */
static inline void fathom_scan(fathom_team team, void *dst, const void *src, size_t count, enum fathom_type type,
                               enum fathom_operator op, int exclusive) {
    gas_scan(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op, exclusive, 0);
}
/** Combines fathom_team_size() * `count` elements of all members; member r gets those from r * `count` on.
 * @param team,type,op as for fathom_reduce().
 * @param dst room for `count` elements.
 * @param src fathom_team_size() * `count` elements.
 * @param count elements that each member gets. */
static inline void fathom_reduce_scatter(fathom_team team, void *dst, const void *src, size_t count,
                                         enum fathom_type type, enum fathom_operator op) {
    gas_reduce_scatter(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op);
}

/** An operator of the program: dst[i] = a[i] o b[i] for `count` elements. It is associative, and need not be
 * commutative: a[i] comes from lower ranks. dst may be a or b. It communicates with no other thread. */
typedef gas_combiner fathom_combiner;
/** fathom_reduce() by a function of the program.
 * @param team,dst,src,count,root as there.
 * @param elem_bytes of an element: a power of two up to 64.
 * @param combine the function.
 * @param context is passed to it. */
static inline void fathom_reduce_with(fathom_team team, void *dst, const void *src, size_t count, size_t elem_bytes,
                                      fathom_combiner *combine, void *context, int root) {
    gas_reduce_with(team, dst, src, count, elem_bytes, combine, context, root, 0);
}
/** fathom_all_reduce() by a function of the program.
 * @param team,dst,src,count,elem_bytes,combine,context as for fathom_reduce_with(). */
static inline void fathom_all_reduce_with(fathom_team team, void *dst, const void *src, size_t count, size_t elem_bytes,
                                          fathom_combiner *combine, void *context) {
    gas_all_reduce_with(team, dst, src, count, elem_bytes, combine, context, 0);
}
/** fathom_scan() by a function of the program.
 * @param team,dst,src,count,elem_bytes,combine,context as for fathom_reduce_with().
 * @param exclusive as for fathom_scan(). */
static inline void fathom_scan_with(fathom_team team, void *dst, const void *src, size_t count, size_t elem_bytes,
                                    fathom_combiner *combine, void *context, int exclusive) {
    gas_scan_with(team, dst, src, count, elem_bytes, combine, context, exclusive, 0);
}
/** fathom_reduce_scatter() by a function of the program.
 * @param team,dst,src,count as there.
 * @param elem_bytes,combine,context as for fathom_reduce_with(). */
static inline void fathom_reduce_scatter_with(fathom_team team, void *dst, const void *src, size_t count,
                                              size_t elem_bytes, fathom_combiner *combine, void *context) {
    gas_reduce_scatter_with(team, dst, src, count, elem_bytes, combine, context);
}

/** fathom_reduce_scatter() with shares of different sizes.
 * @param team,type,op as for fathom_reduce().
 * @param dst room for this member's share.
 * @param src the elements of all shares, by rank, one behind the other.
 * @param counts the elements of each member's share, by rank; the same on all members. */
static inline void fathom_reduce_scatter_pieces(fathom_team team, void *dst, const void *src, const size_t *counts,
                                                enum fathom_type type, enum fathom_operator op) {
    gas_reduce_scatter_pieces(team, dst, src, counts, (enum gas_atomic_type)type, (enum gas_atomic_op)op);
}
/** fathom_reduce_scatter_pieces() by a function of the program.
 * @param team,dst,src,counts as there.
 * @param elem_bytes,combine,context as for fathom_reduce_with(). */
static inline void fathom_reduce_scatter_pieces_with(fathom_team team, void *dst, const void *src, const size_t *counts,
                                                     size_t elem_bytes, fathom_combiner *combine, void *context) {
    gas_reduce_scatter_pieces_with(team, dst, src, counts, elem_bytes, combine, context);
}

/** The root's pieces, of any sizes, to the members.
 * @param team the team; all its members call it.
 * @param dst room for this member's piece.
 * @param bytes of this member's piece.
 * @param src the root's buffer; the others' is ignored, as are their `at` and `sizes`.
 * @param at where in `src` each member's piece begins, by rank.
 * @param sizes the bytes of each member's piece, by rank.
 * @param root the rank of the root. */
static inline void fathom_scatter_pieces(fathom_team team, void *dst, size_t bytes, const void *src, const size_t *at,
                                         const size_t *sizes, int root) {
    gas_scatter_pieces(team, dst, bytes, src, at, sizes, root);
}
/** The members' pieces, of any sizes, to the root.
 * @param team the team; all its members call it.
 * @param dst the root's buffer; the others' is ignored, as are their `at` and `sizes`.
 * @param at where in `dst` each member's piece goes, by rank.
 * @param sizes the bytes of each member's piece, by rank.
 * @param src this member's piece.
 * @param bytes of this member's piece.
 * @param root the rank of the root. */
static inline void fathom_gather_pieces(fathom_team team, void *dst, const size_t *at, const size_t *sizes,
                                        const void *src, size_t bytes, int root) {
    gas_gather_pieces(team, dst, at, sizes, src, bytes, root);
}
/** The members' pieces, of any sizes, to all members.
 * @param team,dst,at,sizes,src,bytes as for fathom_gather_pieces(), on all members. */
static inline void fathom_all_gather_pieces(fathom_team team, void *dst, const size_t *at, const size_t *sizes,
                                            const void *src, size_t bytes) {
    gas_gather_all_pieces(team, dst, at, sizes, src, bytes);
}
/** A piece of any size from each member to each.
 * @param team the team; all its members call it.
 * @param dst,dst_at,dst_bytes where the piece of each member goes, and its size, by rank.
 * @param src,src_at,src_bytes where the piece for each member is, and its size, by rank. */
static inline void fathom_all_to_all_pieces(fathom_team team, void *dst, const size_t *dst_at, const size_t *dst_bytes,
                                            const void *src, const size_t *src_at, const size_t *src_bytes) {
    gas_exchange_pieces(team, dst, dst_at, dst_bytes, src, src_at, src_bytes);
}

/** @} */

/** @defgroup fathom_begun Collectives with handles
 * @brief Collectives that are begun, and completed later, so that a thread computes meanwhile.
 *
 * All members of a team begin its collectives in the same order, and if one calls the form with a handle, all do; any number may
 * be under way, on any teams, and other collectives of the team may be called meanwhile. A handle is tested and waited for as those of puts and gets
 * (fathom_test(), fathom_wait_op(), fathom_wait_all(), ...), once, and in any order. When it is complete, this thread's result is
 * there and its buffers may change; until then the source may not change, and the destination has no value. Results are bit
 * by bit those of the calls that block.
 *
 * They advance in every call that communicates, polls or waits, of any kind; a thread that computes for long calls
 * fathom_progress() now and then. A function that combines may run in any such call. A member may be up to 16
 * collectives ahead of another; beyond that its handles stay incomplete until the other has begun some.
 *
 * @code
 * fathom_op op = fathom_all_reduce_nb(fathom_world(), &sum, &mine, 1, FATHOM_F64, FATHOM_ADD);
 * compute_what_needs_no_sum();
 * fathom_wait_op(&op);
 * @endcode
 * @{ */

/** Begins fathom_team_barrier(): complete when all members have begun it. It does not complete operations that have only been
 * begun.
 * @param team the team; all its members call it.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_team_barrier_nb(fathom_team team) { return gas_team_barrier_nb(team); }
/** Begins fathom_broadcast().
 * @param team,dst,src,bytes,root as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_broadcast_nb(fathom_team team, void *dst, const void *src, size_t bytes, int root) {
    return gas_broadcast_nb(team, dst, src, bytes, root);
}
/** Begins fathom_scatter().
 * @param team,dst,src,bytes,root as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_scatter_nb(fathom_team team, void *dst, const void *src, size_t bytes, int root) {
    return gas_scatter_nb(team, dst, src, bytes, root);
}
/** Begins fathom_gather().
 * @param team,dst,src,bytes,root as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_gather_nb(fathom_team team, void *dst, const void *src, size_t bytes, int root) {
    return gas_gather_nb(team, dst, src, bytes, root);
}
/** Begins fathom_all_gather().
 * @param team,dst,src,bytes as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_all_gather_nb(fathom_team team, void *dst, const void *src, size_t bytes) {
    return gas_gather_all_nb(team, dst, src, bytes);
}
/** Begins fathom_all_to_all().
 * @param team,dst,src,bytes as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_all_to_all_nb(fathom_team team, void *dst, const void *src, size_t bytes) {
    return gas_exchange_nb(team, dst, src, bytes);
}
/** Begins fathom_reduce().
 * @param team,dst,src,count,type,op,root as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_reduce_nb(fathom_team team, void *dst, const void *src, size_t count,
                                         enum fathom_type type, enum fathom_operator op, int root) {
    return gas_reduce_nb(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op, root);
}
/** Begins fathom_all_reduce().
 * @param team,dst,src,count,type,op as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_all_reduce_nb(fathom_team team, void *dst, const void *src, size_t count,
                                             enum fathom_type type, enum fathom_operator op) {
    return gas_all_reduce_nb(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op);
}
/** Begins fathom_reduce_with(). `context` must exist until it is complete.
 * @param team,dst,src,count,elem_bytes,combine,context,root as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_reduce_with_nb(fathom_team team, void *dst, const void *src, size_t count,
                                              size_t elem_bytes, fathom_combiner *combine, void *context, int root) {
    return gas_reduce_with_nb(team, dst, src, count, elem_bytes, combine, context, root);
}
/** Begins fathom_all_reduce_with(). `context` must exist until it is complete.
 * @param team,dst,src,count,elem_bytes,combine,context as for fathom_reduce_with().
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_all_reduce_with_nb(fathom_team team, void *dst, const void *src, size_t count,
                                                  size_t elem_bytes, fathom_combiner *combine, void *context) {
    return gas_all_reduce_with_nb(team, dst, src, count, elem_bytes, combine, context);
}

/** Begins fathom_scan().
 * @param team,dst,src,count,type,op,exclusive as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_scan_nb(fathom_team team, void *dst, const void *src, size_t count,
                                       enum fathom_type type, enum fathom_operator op, int exclusive) {
    return gas_scan_nb(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op, exclusive);
}
/** Begins fathom_scan_with(). `context` must exist until it is complete.
 * @param team,dst,src,count,elem_bytes,combine,context,exclusive as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_scan_with_nb(fathom_team team, void *dst, const void *src, size_t count,
                                            size_t elem_bytes, fathom_combiner *combine, void *context, int exclusive) {
    return gas_scan_with_nb(team, dst, src, count, elem_bytes, combine, context, exclusive);
}
/** Begins fathom_reduce_scatter().
 * @param team,dst,src,count,type,op as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_reduce_scatter_nb(fathom_team team, void *dst, const void *src, size_t count,
                                                 enum fathom_type type, enum fathom_operator op) {
    return gas_reduce_scatter_nb(team, dst, src, count, (enum gas_atomic_type)type, (enum gas_atomic_op)op);
}
/** Begins fathom_reduce_scatter_with(). `context` must exist until it is complete.
 * @param team,dst,src,count,elem_bytes,combine,context as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_reduce_scatter_with_nb(fathom_team team, void *dst, const void *src, size_t count,
                                                      size_t elem_bytes, fathom_combiner *combine, void *context) {
    return gas_reduce_scatter_with_nb(team, dst, src, count, elem_bytes, combine, context);
}
/** Begins fathom_reduce_scatter_pieces(). `counts` may change when the call returns.
 * @param team,dst,src,counts,type,op as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_reduce_scatter_pieces_nb(fathom_team team, void *dst, const void *src,
                                                        const size_t *counts, enum fathom_type type,
                                                        enum fathom_operator op) {
    return gas_reduce_scatter_pieces_nb(team, dst, src, counts, (enum gas_atomic_type)type, (enum gas_atomic_op)op);
}
/** Begins fathom_reduce_scatter_pieces_with(). `counts` may change when the call returns; `context` must exist until it is
 * complete.
 * @param team,dst,src,counts,elem_bytes,combine,context as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_reduce_scatter_pieces_with_nb(fathom_team team, void *dst, const void *src,
                                                             const size_t *counts, size_t elem_bytes,
                                                             fathom_combiner *combine, void *context) {
    return gas_reduce_scatter_pieces_with_nb(team, dst, src, counts, elem_bytes, combine, context);
}
/** Begins fathom_scatter_pieces(). `at` and `sizes` may change when the call returns, here and in those that follow.
 * @param team,dst,bytes,src,at,sizes,root as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_scatter_pieces_nb(fathom_team team, void *dst, size_t bytes, const void *src,
                                                 const size_t *at, const size_t *sizes, int root) {
    return gas_scatter_pieces_nb(team, dst, bytes, src, at, sizes, root);
}
/** Begins fathom_gather_pieces().
 * @param team,dst,at,sizes,src,bytes,root as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_gather_pieces_nb(fathom_team team, void *dst, const size_t *at, const size_t *sizes,
                                                const void *src, size_t bytes, int root) {
    return gas_gather_pieces_nb(team, dst, at, sizes, src, bytes, root);
}
/** Begins fathom_all_gather_pieces().
 * @param team,dst,at,sizes,src,bytes as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_all_gather_pieces_nb(fathom_team team, void *dst, const size_t *at, const size_t *sizes,
                                                    const void *src, size_t bytes) {
    return gas_gather_all_pieces_nb(team, dst, at, sizes, src, bytes);
}
/** Begins fathom_all_to_all_pieces().
 * @param team,dst,dst_at,dst_bytes,src,src_at,src_bytes as there.
 * @return the handle; ::FATHOM_DONE if it is complete. */
static inline fathom_op fathom_all_to_all_pieces_nb(fathom_team team, void *dst, const size_t *dst_at,
                                                    const size_t *dst_bytes, const void *src, const size_t *src_at,
                                                    const size_t *src_bytes) {
    return gas_exchange_pieces_nb(team, dst, dst_at, dst_bytes, src, src_at, src_bytes);
}

/** @} */

#ifdef __cplusplus
}
#endif
