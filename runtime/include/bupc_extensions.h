/* The extensions that Berkeley UPC made common: clocks, semaphores, asynchronous and strided copies, atomics.
 *
 * <upc.h> includes this header, because programs use these names after including <upc.h> alone. It adds names that
 * begin with bupc_ or BUPC_ only. __BERKELEY_UPC__ stays undefined. The plain-C part is also what the runtime's
 * sources include.
 */
#ifndef BUPC_EXTENSIONS_H
#define BUPC_EXTENSIONS_H

#include <stddef.h>
#include <stdint.h>

#ifndef __UPC__
#include "lang/prelude.h" /* fathom_pptr, for the runtime's own sources */
#endif

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

typedef uint64_t bupc_tick_t;
#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX ((bupc_tick_t)UINT64_MAX)

bupc_tick_t bupc_ticks_now(void);
uint64_t bupc_ticks_to_us(bupc_tick_t ticks);
uint64_t bupc_ticks_to_ns(bupc_tick_t ticks);
/* Microseconds between two distinct values of the clock, and for one reading. */
double bupc_tick_granularityus(void);
double bupc_tick_overheadus(void);
double bupc_tick_granularity(void);
double bupc_tick_overhead(void);

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* The distance of thread y's memory from thread x; compare with <= and >=. */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 100
#define BUPC_THREADS_NEAR 200
#define BUPC_THREADS_FAR 300
#define BUPC_THREADS_VERYFAR 400
unsigned int bupc_thread_distance(int x, int y);
int bupc_thread_castable(unsigned int thread);

/* Lets the runtime make progress; also a null strict access. */
void bupc_poll(void);

/* exit and getenv, by the names that Berkeley UPC has for programs whose main is in C: the threads' environments and
 * the job's end need no other calls here. */
void bupc_exit(int status) __attribute__((__noreturn__));
char *bupc_getenv(const char *name);

/* ---- handles ----------------------------------------------------------------------------------------------------- */

typedef struct fathom_transfer *bupc_handle_t;
#define BUPC_COMPLETE_HANDLE ((bupc_handle_t)0)

void bupc_waitsync(bupc_handle_t h);
int bupc_trysync(bupc_handle_t h);
/* On n handles; those synchronised become BUPC_COMPLETE_HANDLE. `all`: every one; `some`: at least one, unless all are
 * complete already. */
void bupc_waitsync_all(bupc_handle_t *ph, size_t n);
int bupc_trysync_all(bupc_handle_t *ph, size_t n);
void bupc_waitsync_some(bupc_handle_t *ph, size_t n);
int bupc_trysync_some(bupc_handle_t *ph, size_t n);
void bupc_waitsynci(void);
int bupc_trysynci(void);
/* Gathers the implicit-handle transfers begun between the two calls into one handle. */
void bupc_begin_accessregion(void);
bupc_handle_t bupc_end_accessregion(void);

/* ---- semaphores -------------------------------------------------------------------------------------------------- */

/* Flags of bupc_sem_alloc; 0 is INTEGER | MPRODUCER | MCONSUMER. A BOOLEAN one counts to 1; S… promises that a single
 * thread posts (PRODUCER) or waits (CONSUMER). */
#define BUPC_SEM_BOOLEAN 1
#define BUPC_SEM_INTEGER 2
#define BUPC_SEM_SPRODUCER 4
#define BUPC_SEM_MPRODUCER 8
#define BUPC_SEM_SCONSUMER 16
#define BUPC_SEM_MCONSUMER 32
#define BUPC_SEM_MAXVALUE 65535

#define BUPC_DUMP_MIN_LENGTH 100

/* Fathom has other traces and statistics (fathom run --explain): these calls have no effect. The arguments of the
 * first, in their own parentheses, are those of printf; a mask is a string of letters. */
#define bupc_trace_printf(parenthesized_args) ((void)0)
#define bupc_trace_setmask(mask) ((void)(mask))
#define bupc_stats_setmask(mask) ((void)(mask))
#define bupc_trace_getmask() ("")
#define bupc_stats_getmask() ("")
#define bupc_trace_settracelocal(on) ((void)(on))
#define bupc_trace_gettracelocal() (0)

typedef struct bupc_pmemvec {
    void *addr;
    size_t len;
} bupc_pmemvec_t;

typedef struct bupc_smemvec {
#ifdef __UPC__
    shared void *addr;
#else
    fathom_pptr addr;
#endif
    size_t len;
} bupc_smemvec_t;

#ifdef __UPC__

typedef shared struct bupc_sem_opaque bupc_sem_t;

/* On the calling thread, value 0. Not collective. */
bupc_sem_t *bupc_sem_alloc(int flags);
void bupc_sem_free(bupc_sem_t *s);
/* Each is also a null strict access. post adds 1 (n); wait sleeps until the value is at least 1 (n), then subtracts it;
 * try subtracts it and returns 1, or returns 0. The N forms are for INTEGER semaphores. */
void bupc_sem_post(bupc_sem_t *s);
void bupc_sem_postN(bupc_sem_t *s, size_t n);
void bupc_sem_wait(bupc_sem_t *s);
void bupc_sem_waitN(bupc_sem_t *s, size_t n);
int bupc_sem_try(bupc_sem_t *s);
int bupc_sem_tryN(bupc_sem_t *s, size_t n);
/* A memput that posts n to s, which has the affinity of dst, when the data have arrived. */
void bupc_memput_signal(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n);
void bupc_memput_signal_async(shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n);

/* ---- pointers ---------------------------------------------------------------------------------------------------- */

/* Describes a pointer in words, in a buffer of at least BUPC_DUMP_MIN_LENGTH; 0, or -1 with errno EINVAL. */
int bupc_dump_shared(shared const void *ptr, char *buf, int maxlen);
/* A C pointer to the object, or null if this process cannot reach it. */
void *bupc_cast(shared const void *ptr);
int bupc_castable(shared const void *ptr);
/* The inverse: the shared object at a C pointer, in this thread's segment or in any that it can reach. */
shared void *bupc_inverse_cast(void *ptr);
/* The pointer, with `phase`, into `thread`'s segment that corresponds to `ptr` in this thread's own. */
shared void *bupc_local_to_shared(void *ptr, int thread, int phase);
/* p + incr for `shared [blockelems] T *p` with elements of elemsz bytes, none of them a constant. */
shared void *bupc_ptradd(shared void *p, size_t blockelems, size_t elemsz, ptrdiff_t incr);

/* ---- copies ------------------------------------------------------------------------------------------------------ */

bupc_handle_t bupc_memcpy_async(shared void *dst, shared const void *src, size_t n);
bupc_handle_t bupc_memget_async(void *dst, shared const void *src, size_t n);
bupc_handle_t bupc_memput_async(shared void *dst, const void *src, size_t n);
bupc_handle_t bupc_memset_async(shared void *dst, int c, size_t n);
void bupc_memcpy_asynci(shared void *dst, shared const void *src, size_t n);
void bupc_memget_asynci(void *dst, shared const void *src, size_t n);
void bupc_memput_asynci(shared void *dst, const void *src, size_t n);
void bupc_memset_asynci(shared void *dst, int c, size_t n);

/* The bytes of one list of regions go, in order, to another list of the same total size. Each region lies on one
 * thread. vlist: regions of any lengths. ilist: regions of one length. fstrided: `count` chunks of `len` bytes whose
 * starts are `stride` bytes apart. strided: count[0] bytes, count[1] times at strides[0], … for `levels` strides. */
#define BUPC_DECLARE_COPIES(RET, SUFFIX)                                                                               \
    RET bupc_memcpy_vlist##SUFFIX(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,                    \
                                  bupc_smemvec_t const srclist[]);                                                     \
    RET bupc_memput_vlist##SUFFIX(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,                    \
                                  bupc_pmemvec_t const srclist[]);                                                     \
    RET bupc_memget_vlist##SUFFIX(size_t dstcount, bupc_pmemvec_t const dstlist[], size_t srccount,                    \
                                  bupc_smemvec_t const srclist[]);                                                     \
    RET bupc_memcpy_ilist##SUFFIX(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount,       \
                                  shared const void *const srclist[], size_t srclen);                                  \
    RET bupc_memput_ilist##SUFFIX(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount,       \
                                  const void *const srclist[], size_t srclen);                                         \
    RET bupc_memget_ilist##SUFFIX(size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,              \
                                  shared const void *const srclist[], size_t srclen);                                  \
    RET bupc_memcpy_fstrided##SUFFIX(shared void *dst, size_t dstlen, size_t dststride, size_t dstcount,               \
                                     shared const void *src, size_t srclen, size_t srcstride, size_t srccount);        \
    RET bupc_memput_fstrided##SUFFIX(shared void *dst, size_t dstlen, size_t dststride, size_t dstcount,               \
                                     const void *src, size_t srclen, size_t srcstride, size_t srccount);               \
    RET bupc_memget_fstrided##SUFFIX(void *dst, size_t dstlen, size_t dststride, size_t dstcount,                      \
                                     shared const void *src, size_t srclen, size_t srcstride, size_t srccount);        \
    RET bupc_memcpy_strided##SUFFIX(shared void *dst, const size_t dststrides[], shared const void *src,               \
                                    const size_t srcstrides[], const size_t count[], size_t levels);                   \
    RET bupc_memput_strided##SUFFIX(shared void *dst, const size_t dststrides[], const void *src,                      \
                                    const size_t srcstrides[], const size_t count[], size_t levels);                   \
    RET bupc_memget_strided##SUFFIX(void *dst, const size_t dststrides[], shared const void *src,                      \
                                    const size_t srcstrides[], const size_t count[], size_t levels);
BUPC_DECLARE_COPIES(void, )
BUPC_DECLARE_COPIES(bupc_handle_t, _async)
#undef BUPC_DECLARE_COPIES

#include <bupc_atomic.h>

#endif
#endif
