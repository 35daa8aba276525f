/* An open UPC file, as each process sees it, and the steps that the functions of <upc_io.h> are made of.
 *
 * The handle that programs hold points to a record in every thread's segment (at the same offset, thread 0's being the
 * one pointed to), so that equal handles mean the same file on all threads. The record leads to this process's own
 * struct io_file: descriptors, names and positions are private.
 */
#ifndef FATHOM_IO_FILE_H
#define FATHOM_IO_FILE_H

#include "upc_io.h"

#include "blocked.h"
#include "collective.h"

struct io_file {
    int fd;
    int flags;          /* of upc_all_fopen, as upc_all_fcntl changed them */
    upc_off_t position; /* of the individual file pointer, or of the common one, which every thread follows */
    char *name;
    struct upc_hint *hints;
    size_t hint_count;
    /* The asynchronous operation that has begun and not been waited for. */
    int is_outstanding;
    upc_off_t async_result;
    int async_error;
    upc_flag_t async_flags;
    fathom_ptr handle;
    struct io_file *next; /* of those open */
};

/* The file of a handle; null and errno EBADF if it is not open, EBUSY if an asynchronous operation is outstanding. */
struct io_file *io_find(fathom_ptr handle);
struct io_file *io_find_idle(fathom_ptr handle);

/* The lock that makes an operation of one thread atomic (UPC_STRONG_CA). */
fathom_ptr io_lock_of(const struct io_file *f);

/* upc_all_fsync without the look-up. Collective. 0, or -1 and errno. */
int io_sync(struct io_file *f);

/* Keeps copies of hints; a key given before gets the new value. 0, or -1 and errno. */
int io_set_hint(struct io_file *f, const struct upc_hint *hint);

/* 0 on all threads if `error` is 0 on all, else the first thread's that is not. Collective, contains a barrier. */
int io_agree(int error);
/* Thread 0's value, on all threads. Collective, contains a barrier. */
upc_off_t io_from_0(upc_off_t value);
/* -1 with errno set, or 0, as `error` says. */
int io_answer(int error);

static inline int io_can_read(const struct io_file *f) { return !(f->flags & UPC_WRONLY); }
static inline int io_can_write(const struct io_file *f) { return !(f->flags & UPC_RDONLY); }
static inline int io_is_common(const struct io_file *f) { return (f->flags & UPC_COMMON_FP) != 0; }

/* ---- moving data (io_move.c) ------------------------------------------------------------------------------------- */

/* A sequence of memory regions, and the place in it. */
struct io_memory {
    size_t regions, next, left;
    const struct upc_local_memvec *local; /* one of the two is the list */
    const struct upc_shared_memvec *shared;
    char *at;
    struct blocked_walk walk;
};

/* Moves what the file vector says between the file and memory, in order, until the end of the file. Bytes moved, or -1
 * and errno. */
upc_off_t io_move(struct io_file *f, int is_write, struct io_memory *m, size_t entries, const struct upc_filevec *vec);

/* Goes n bytes on, n being within the memory. */
void io_memory_skip(struct io_memory *m, size_t n);

#endif
