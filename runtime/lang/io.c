/* Reading and writing: shared and local, by position and by list, blocking and asynchronous (UPC 1.3, 7.8.4 … 7.8.7).
 *
 * The sixteen functions fill in a request and either perform it and synchronise, or perform it and keep the result for
 * upc_all_fwait_async: 7.8.7 p4 lets an operation complete in the call that begins it.
 */
#include "upc_io.h"

#include <errno.h>

#include "io_file.h"

struct request {
    const char *function;
    int is_write;
    enum { BY_POSITION, BY_LIST } where;
    struct io_memory memory;
    size_t entries; /* of the file vector; by position there is one, made in perform */
    const struct upc_filevec *vec;
    upc_flag_t flags;
};

/* Bytes that a common-pointer operation gives one thread at least: small ones are not worth dividing. */
enum { COMMON_SHARE_BYTES = 64 * 1024 };

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static size_t memory_bytes(const struct io_memory *m) {
    size_t n = 0;
    for (size_t i = 0; i < m->regions; i++) n += m->shared ? m->shared[i].len : m->local[i].len;
    return n;
}

/* 0 or an errno. */
static int check_list(const struct request *r) {
    if (r->memory.regions && !r->memory.shared && !r->memory.local) return EINVAL;
    if (r->entries && !r->vec) return EINVAL;
    size_t n = 0;
    upc_off_t last = 0;
    for (size_t i = 0; i < r->entries; i++) {
        if (!r->vec[i].len) continue;               /* 7.8.6 p6: the entry is ignored */
        if (r->vec[i].offset < last) return EINVAL; /* 7.8.6 p10; and none is negative */
        last = r->vec[i].offset;
        n += r->vec[i].len;
    }
    return n == memory_bytes(&r->memory) ? 0 : EINVAL; /* 7.8.6.1 p3 */
}

static int check_request(const struct io_file *f, const struct request *r) {
    if (r->is_write ? !io_can_write(f) : !io_can_read(f)) return EBADF;
    if (r->where == BY_LIST) return check_list(r);
    if (io_is_common(f) && !r->memory.shared) return EINVAL; /* 7.8.3 p3 */
    const struct io_memory *m = &r->memory;
    if (memory_bytes(m) && (m->shared ? !m->shared[0].baseaddr.addr : !m->local[0].baseaddr)) return EFAULT;
    return 0;
}

/* ---- performing -------------------------------------------------------------------------------------------------- */

/* Strong semantics take no notice of the flags (7.8.1.3 p4). */
static upc_flag_t effective_flags(const struct io_file *f, upc_flag_t flags) {
    return f->flags & UPC_STRONG_CA ? (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC) : flags;
}

/* How a thread's part of an operation went. */
struct outcome {
    upc_off_t moved;
    int error;
};
static void add_outcomes(const struct gas_operator *o, void *dst, const void *a, const void *b, size_t count) {
    (void)o, (void)count;
    const struct outcome *x = a, *y = b;
    *(struct outcome *)dst = (struct outcome){x->moved + y->moved, x->error ? x->error : y->error};
}

/* One operation by all threads: each takes a part of the bytes, wherever in shared memory they lie. */
static upc_off_t perform_common(struct io_file *f, struct request *r, int error) {
    size_t n = memory_bytes(&r->memory), from = 0, to = 0;
    size_t workers = (n + COMMON_SHARE_BYTES - 1) / COMMON_SHARE_BYTES;
    if (workers > (size_t)gas_count()) workers = (size_t)gas_count();
    if (!error && (size_t)gas_me() < workers) blocked_share(n, (size_t)gas_me(), workers, &from, &to);
    struct outcome mine = {0, error}, all;
    if (from < to) {
        struct upc_filevec part = {f->position + (upc_off_t)from, to - from};
        io_memory_skip(&r->memory, from);
        mine.moved = io_move(f, r->is_write, &r->memory, 1, &part);
        if (mine.moved < 0) mine.error = errno;
    }
    static const struct gas_operator sum = {sizeof mine, add_outcomes};
    fathom_fence(); /* what has been read is in place when the others learn of it */
    gas_reduce_by(gas_world(), &all, &mine, 1, &sum, -1, 0);
    if (all.error) return io_answer(all.error);
    f->position += all.moved;
    return all.moved;
}

/* One operation by this thread alone. */
static upc_off_t perform_individual(struct io_file *f, struct request *r, int error) {
    if (error) return io_answer(error);
    struct upc_filevec here = {f->position, memory_bytes(&r->memory)};
    int is_strong = f->flags & UPC_STRONG_CA;
    if (is_strong) gas_lock(io_lock_of(f));
    upc_off_t moved = r->where == BY_LIST ? io_move(f, r->is_write, &r->memory, r->entries, r->vec)
                                          : io_move(f, r->is_write, &r->memory, 1, &here);
    int saved = errno;
    if (is_strong) gas_unlock(io_lock_of(f));
    errno = saved;
    if (moved > 0 && r->where == BY_POSITION) f->position += moved;
    return moved;
}

/* With the synchronisation at entry, without that at exit. */
static upc_off_t perform(struct io_file *f, struct request *r) {
    collective_enter(r->function, effective_flags(f, r->flags));
    int error = check_request(f, r);
    if (r->where == BY_POSITION && io_is_common(f)) return perform_common(f, r, error);
    return perform_individual(f, r, error);
}

static upc_off_t run(fathom_ptr fd, struct request r) {
    struct io_file *f = io_find_idle(fd);
    if (!f) return -1;
    upc_off_t moved = perform(f, &r);
    int saved = errno;
    collective_leave(effective_flags(f, r.flags));
    errno = saved;
    return moved;
}

static void start(fathom_ptr fd, struct request r) {
    struct io_file *f = io_find(fd);
    if (!f) gas_fatal("%s_async: the file is not open", r.function);
    if (f->is_outstanding)
        gas_fatal("%s_async: an asynchronous operation on %s is outstanding (UPC 1.3, 7.8.7 p1)", r.function, f->name);
    f->async_flags = effective_flags(f, r.flags);
    f->async_result = perform(f, &r);
    f->async_error = errno;
    f->is_outstanding = 1;
}

static upc_off_t finish(struct io_file *f) {
    f->is_outstanding = 0;
    collective_leave(f->async_flags);
    if (f->async_result < 0) errno = f->async_error;
    return f->async_result;
}

static struct io_file *find_outstanding(fathom_ptr fd) {
    struct io_file *f = io_find(fd);
    if (f && !f->is_outstanding) {
        errno = EINVAL;
        return NULL;
    }
    return f;
}

upc_off_t upc_all_fwait_async(fathom_ptr fd) {
    struct io_file *f = find_outstanding(fd);
    return f ? finish(f) : -1;
}

upc_off_t upc_all_ftest_async(fathom_ptr fd, int *flag) {
    struct io_file *f = find_outstanding(fd);
    if (flag) *flag = 1;
    return f ? finish(f) : -1;
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* The one-entry vector must outlive the request: the caller holds it. */
static struct request by_position(const char *function, int is_write, const struct upc_local_memvec *local,
                                  const struct upc_shared_memvec *shared, upc_flag_t flags) {
    return (struct request){.function = function,
                            .is_write = is_write,
                            .where = BY_POSITION,
                            .memory = {.regions = 1, .local = local, .shared = shared},
                            .flags = flags};
}

static struct request by_list(const char *function, int is_write, size_t regions, const struct upc_local_memvec *local,
                              const struct upc_shared_memvec *shared, size_t entries, const struct upc_filevec *vec,
                              upc_flag_t flags) {
    return (struct request){.function = function,
                            .is_write = is_write,
                            .where = BY_LIST,
                            .memory = {.regions = regions, .local = local, .shared = shared},
                            .entries = entries,
                            .vec = vec,
                            .flags = flags};
}

#define LOCAL(NAME, IS_WRITE)                                                                                          \
    upc_off_t NAME(fathom_ptr fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags) {                         \
        struct upc_local_memvec v = {buffer, size * nmemb};                                                            \
        return run(fd, by_position(#NAME, IS_WRITE, &v, NULL, flags));                                                 \
    }                                                                                                                  \
    void NAME##_async(fathom_ptr fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags) {                      \
        struct upc_local_memvec v = {buffer, size * nmemb};                                                            \
        start(fd, by_position(#NAME, IS_WRITE, &v, NULL, flags));                                                      \
    }

#define SHARED(NAME, IS_WRITE)                                                                                         \
    upc_off_t NAME(fathom_ptr fd, fathom_pptr buffer, size_t blocksize, size_t size, size_t nmemb, upc_flag_t flags) { \
        struct upc_shared_memvec v = {buffer, blocksize * size, size * nmemb};                                         \
        return run(fd, by_position(#NAME, IS_WRITE, NULL, &v, flags));                                                 \
    }                                                                                                                  \
    void NAME##_async(fathom_ptr fd, fathom_pptr buffer, size_t blocksize, size_t size, size_t nmemb,                  \
                      upc_flag_t flags) {                                                                              \
        struct upc_shared_memvec v = {buffer, blocksize * size, size * nmemb};                                         \
        start(fd, by_position(#NAME, IS_WRITE, NULL, &v, flags));                                                      \
    }

#define LIST(NAME, IS_WRITE, VECTOR, AS_LOCAL, AS_SHARED)                                                              \
    upc_off_t NAME(fathom_ptr fd, size_t memvec_entries, VECTOR const *memvec, size_t filevec_entries,                 \
                   struct upc_filevec const *filevec, upc_flag_t flags) {                                              \
        return run(fd,                                                                                                 \
                   by_list(#NAME, IS_WRITE, memvec_entries, AS_LOCAL, AS_SHARED, filevec_entries, filevec, flags));    \
    }                                                                                                                  \
    void NAME##_async(fathom_ptr fd, size_t memvec_entries, VECTOR const *memvec, size_t filevec_entries,              \
                      struct upc_filevec const *filevec, upc_flag_t flags) {                                           \
        start(fd, by_list(#NAME, IS_WRITE, memvec_entries, AS_LOCAL, AS_SHARED, filevec_entries, filevec, flags));     \
    }

LOCAL(upc_all_fread_local, 0)
LOCAL(upc_all_fwrite_local, 1)
SHARED(upc_all_fread_shared, 0)
SHARED(upc_all_fwrite_shared, 1)
LIST(upc_all_fread_list_local, 0, struct upc_local_memvec, memvec, NULL)
LIST(upc_all_fwrite_list_local, 1, struct upc_local_memvec, memvec, NULL)
LIST(upc_all_fread_list_shared, 0, struct upc_shared_memvec, NULL, memvec)
LIST(upc_all_fwrite_list_shared, 1, struct upc_shared_memvec, NULL, memvec)
