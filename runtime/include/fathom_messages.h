/** @file fathom_messages.h
 * @brief Active messages: a part of fathom.h, which programs include.
 *
 * It has functions that run where the data are.
 */
#ifndef FATHOM_H
#error "include fathom.h, of which this is a part"
#endif
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup fathom_messages Active messages
 * @brief Run a function on another thread, with arguments and a payload.
 *
 * A *request* runs its handler on the receiver, which may answer with one *reply*. A handler runs inside a call of the
 * receiver that communicates or waits, one at a time; it may read and write near memory, reply once, and make no other
 * call that communicates or waits. Short messages carry up to ::FATHOM_MAX_ARGS arguments of 64 bits; medium ones also
 * a payload of up to fathom_max_medium() bytes, which is valid until the handler returns; long ones a payload of any
 * size that is put into the receiver's segment before the handler runs. An answer that is not ready when the handler
 * returns is a request to the sender (fathom_source()), later. Calls return when arguments and payload may be
 * changed. Each message between a pair of threads arrives once and in order, requests among requests and replies among
 * replies.
 *
 * @code
 * static int counted;
 * static void count(fathom_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) { counted++; }
 * ...
 * int on_count = fathom_register(count);
 * fathom_barrier_all();                                  // now all have it
 * fathom_request_short(0, on_count, NULL, 0);
 * unsigned round = 0;
 * if (fathom_me() == 0) while (counted < fathom_count()) fathom_pause(&round);
 * @endcode
 * @{ */

/** The greatest number of arguments of a message. */
#define FATHOM_MAX_ARGS ((int)GAS_MAX_ARGS)
/** Identifies the message of a running handler; valid until the handler returns. */
typedef gas_token fathom_token;
/** A handler.
 * `payload` is null if there is none. That of a medium message is aligned to 8 bytes. */
typedef gas_handler fathom_handler;

/** Adds a handler to this thread's table, which has room for 192. All threads register the same handlers in the same order,
 * and no message may name a handler before all threads have registered it: a barrier between is usual. Before fathom_init(),
 * where it may be called, too, none is needed.
 * @param handler the function.
 * @return the handler's number, the same on all threads. */
static inline int fathom_register(fathom_handler *handler) { return gas_register(handler); }
/** The greatest payload of a medium message: at least 4096 bytes.
 * @return the number of bytes, the same on all threads. */
static inline size_t fathom_max_medium(void) { return gas_max_medium(); }
/** Sends a request without payload.
 * @param thread the receiver; may be the sender: then the handler has run when this returns.
 * @param handler its number.
 * @param args,nargs the arguments; null and 0 if there are none. */
static inline void fathom_request_short(int thread, int handler, const uint64_t *args, int nargs) {
    gas_request_short(thread, handler, args, nargs);
}
/** Sends a request with a payload that is copied. Other parameters as for fathom_request_short().
 * @param thread,handler,args,nargs as there.
 * @param payload,bytes at most fathom_max_medium(). */
static inline void fathom_request_medium(int thread, int handler, const void *payload, size_t bytes,
                                         const uint64_t *args, int nargs) {
    gas_request_medium(thread, handler, payload, bytes, args, nargs);
}
/** Sends a request with a payload that is put into place. Other parameters as for fathom_request_short().
 * @param thread,handler,args,nargs as there.
 * @param dst the destination: a global address on `thread`, which no other operation uses meanwhile.
 * @param payload,bytes of any size. */
static inline void fathom_request_long(int thread, int handler, fathom_ptr dst, const void *payload, size_t bytes,
                                       const uint64_t *args, int nargs) {
    gas_request_long(thread, handler, dst, payload, bytes, args, nargs);
}
/** As fathom_request_short(), if there is room for it now. Never waits.
 * @param thread,handler,args,nargs as there.
 * @return 1 if it has been sent; else 0, and messages have been served. */
static inline int fathom_try_request_short(int thread, int handler, const uint64_t *args, int nargs) {
    return gas_try_request_short(thread, handler, args, nargs);
}
/** As fathom_request_medium(), if there is room for it now. Never waits.
 * @param thread,handler,payload,bytes,args,nargs as there.
 * @return 1 if it has been sent; else 0, and messages have been served. */
static inline int fathom_try_request_medium(int thread, int handler, const void *payload, size_t bytes,
                                            const uint64_t *args, int nargs) {
    return gas_try_request_medium(thread, handler, payload, bytes, args, nargs);
}
/** Gives room for the payload of a request, to be packed where it leaves from: it is not copied again where the conduit
 * can do without. fathom_request_commit() must follow; other calls may come between, but no second one of these (by
 * this POSIX thread).
 * @param thread the receiver.
 * @param bytes at most fathom_max_medium().
 * @param nargs the number of arguments.
 * @return the room, aligned to 8 bytes. */
static inline void *fathom_request_prepare(int thread, size_t bytes, int nargs) {
    return gas_request_prepare(thread, bytes, nargs);
}
/** Sends the request that has been prepared. The room is no longer the caller's.
 * @param handler its number.
 * @param bytes of payload; at most what was prepared.
 * @param args as many arguments as were said. */
static inline void fathom_request_commit(int handler, size_t bytes, const uint64_t *args) {
    gas_request_commit(handler, bytes, args);
}
/** Answers a request, from its handler, without payload.
 * @param token of the request.
 * @param handler,args,nargs as for fathom_request_short(). */
static inline void fathom_reply_short(fathom_token token, int handler, const uint64_t *args, int nargs) {
    gas_reply_short(token, handler, args, nargs);
}
/** Answers a request, from its handler, with a payload that is copied.
 * @param token of the request.
 * @param handler,args,nargs as for fathom_request_short().
 * @param payload,bytes at most fathom_max_medium(). */
static inline void fathom_reply_medium(fathom_token token, int handler, const void *payload, size_t bytes,
                                       const uint64_t *args, int nargs) {
    gas_reply_medium(token, handler, payload, bytes, args, nargs);
}
/** Answers a request, from its handler, with a payload that is put at `dst`, on the thread that sent the request.
 * @param token of the request.
 * @param handler,args,nargs as for fathom_request_short().
 * @param dst a global address on the thread that sent the request.
 * @param payload,bytes of any size. */
static inline void fathom_reply_long(fathom_token token, int handler, fathom_ptr dst, const void *payload, size_t bytes,
                                     const uint64_t *args, int nargs) {
    gas_reply_long(token, handler, dst, payload, bytes, args, nargs);
}
/** The thread that sent the message.
 * @param token of the request or reply.
 * @return its number. */
static inline int fathom_source(fathom_token token) { return gas_token_source(token); }
/** Delivers the messages that have arrived. Never waits. */
static inline void fathom_progress(void) { gas_poll(); }
/** One turn of a loop that waits for another thread: serves messages, spins, after a while yields, and then sleeps
 * until a message arrives or a thread calls fathom_wake(), a millisecond at most. Not inside a handler.
 * @param round 0 before the loop; the function counts. */
static inline void fathom_pause(unsigned *round) { gas_wait_hint(round); }
/** Wakes a thread that sleeps in fathom_pause(): call it after a store or a put that changes what the thread waits for.
 * Signals, locks, barriers and messages wake by themselves. Costs little if the thread does not sleep.
 * @param thread the thread that may be waiting. */
static inline void fathom_wake(int thread) { gas_wake(thread); }

/** @} */

#ifdef __cplusplus
}
#endif
