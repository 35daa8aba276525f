/** @file fathom_queues.h
 * @brief Message queues (msg.h) between the threads of a job, on one computer or on several.
 *
 * A thread has one endpoint. Its receive queues admit threads, and another thread connects a row of one of its transmit queues
 * to a queue by thread and number. Between threads that share memory the row is a ring in that memory; otherwise its
 * messages travel over the conduit. The calls of msg.h are the same for both. For programs in C, C++, UPC and Split-C; a program that
 * links with libfathom needs no other library.
 *
 * @code
 * msg_endpoint *e = fathom_queue_endpoint();
 * msg_queue *inbox = msg_queue_create(e, 0, 0, 0);
 * fathom_queue_admit(inbox, FATHOM_ANY_THREAD, 0);          // thread t is source t
 * msg_transmit *out = msg_transmit_create(e, 0, fathom_count(), 0);
 * fathom_barrier_all();                                     // all have their queues
 * for (int t = 0; t < fathom_count(); t++) fathom_queue_connect(out, t, t, 0);
 * @endcode
 */
#ifndef FATHOM_QUEUES_H
#define FATHOM_QUEUES_H

#include <msg.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup fathom_queues Message queues
 * @brief Rows and queues between threads; sending and receiving are msg.h's.
 * @{ */

/** For fathom_queue_admit(): every thread of the job. */
#define FATHOM_ANY_THREAD (-1)

/** The calling thread's endpoint, made by the first call. The calls of msg.h on it may be made by any POSIX thread of the
 * process, and in handlers of active messages; what these send to other computers goes out in the thread's own
 * next call that communicates or polls, and while it computes by its progress thread.
 * @return null if there is none: msg_error() says why. Also after msg_endpoint_close(): a thread has one endpoint
 * in its life. (Not to be closed in a handler.) */
msg_endpoint *fathom_queue_endpoint(void);

/** Lets a thread connect rows to a queue. May be called again for other threads; nobody is admitted at first.
 * @param q a queue of this thread's endpoint.
 * @param thread a thread of the job, or ::FATHOM_ANY_THREAD.
 * @param source who the thread is to this queue (msg_message.source); of ::FATHOM_ANY_THREAD the number of thread 0, and thread
 * t is source + t. This side keeps it: no sender can say otherwise.
 * @return MSG_OK, or MSG_FAILED: msg_error() says why. */
int fathom_queue_admit(msg_queue *q, int thread, uint32_t source);

/** Connects a row of a transmit queue to a queue of a thread, which must have admitted this thread before. Waits for the other
 * thread's runtime, which answers in its next call that communicates, polls or waits (its queues' calls among them); on
 * a conduit with progress threads also while it computes. Not in a handler, and only by the process's own thread.
 * @param t a transmit queue of this thread's endpoint.
 * @param destination the row.
 * @param thread,queue whose queue, and its number there.
 * @return MSG_OK, or MSG_FAILED: msg_error() says why. */
int fathom_queue_connect(msg_transmit *t, unsigned destination, int thread, int queue);

/** Does the row lead to a thread that shares no memory with this one?
 * @param t,destination the transmit queue and its row.
 * @return false also if the row is not connected. */
bool fathom_queue_is_far(const msg_transmit *t, unsigned destination);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
