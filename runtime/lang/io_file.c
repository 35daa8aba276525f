/* Opening, closing, synchronising, positions and sizes of files (UPC 1.3, 7.8.3).
 *
 * Every thread has its own descriptor of one ordinary file and moves data with pread and pwrite, so that nothing is
 * buffered here and what one thread has written any other can read. Where an action must happen once (creating,
 * truncating, deleting), thread 0 takes it and tells the others how it went.
 */
#include "io_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC = 0x66696c65, LOCK_OFFSET = 64, HANDLE_BYTES = 128 };

struct record {
    uint32_t magic;
    struct io_file *file;
};

static struct io_file *open_files;

/* ---- agreement --------------------------------------------------------------------------------------------------- */

int io_agree(int error) { return collective_first(error); }

upc_off_t io_from_0(upc_off_t value) {
    gas_broadcast(gas_world(), &value, &value, sizeof value, 0, GAS_IN_ALLSYNC | GAS_OUT_MYSYNC);
    return value;
}

int io_answer(int error) {
    if (!error) return 0;
    errno = error;
    return -1;
}

/* ---- handles ----------------------------------------------------------------------------------------------------- */

static struct record *my_record(fathom_ptr handle) {
    return fathom_local(fathom_make(gas_me(), fathom_offset_of(handle)));
}

struct io_file *io_find(fathom_ptr handle) {
    /* By the list first: a handle closed before may point to memory that is something else by now. */
    for (struct io_file *f = open_files; f; f = f->next)
        if (f->handle == handle && my_record(handle)->magic == MAGIC) return f;
    errno = EBADF;
    return NULL;
}

struct io_file *io_find_idle(fathom_ptr handle) {
    struct io_file *f = io_find(handle);
    if (f && f->is_outstanding) {
        errno = EBUSY;
        return NULL;
    }
    return f;
}

fathom_ptr io_lock_of(const struct io_file *f) { return f->handle + LOCK_OFFSET; }

/* ---- hints ------------------------------------------------------------------------------------------------------- */

int io_set_hint(struct io_file *f, const struct upc_hint *hint) {
    if (!hint || !hint->key || !hint->value) return io_answer(EINVAL);
    char *value = strdup(hint->value);
    if (!value) return io_answer(ENOMEM);
    for (size_t i = 0; i < f->hint_count; i++) {
        if (strcmp(f->hints[i].key, hint->key) != 0) continue;
        free((char *)f->hints[i].value);
        f->hints[i].value = value;
        return 0;
    }
    char *key = strdup(hint->key);
    struct upc_hint *more = realloc(f->hints, (f->hint_count + 1) * sizeof *more);
    if (more) f->hints = more;
    if (!key || !more) {
        free(key);
        free(value);
        return io_answer(ENOMEM);
    }
    f->hints[f->hint_count++] = (struct upc_hint){key, value};
    return 0;
}

/* The hint "file_perm" is the mode in octal digits; the others change nothing here (7.8.3.1 p6). */
static mode_t creation_mode(const struct io_file *f) {
    for (size_t i = 0; i < f->hint_count; i++)
        if (strcmp(f->hints[i].key, "file_perm") == 0) {
            char *end;
            long mode = strtol(f->hints[i].value, &end, 8);
            if (*f->hints[i].value && !*end && mode >= 0 && mode <= 07777) return (mode_t)mode;
        }
    return 0666;
}

/* ---- open and close ---------------------------------------------------------------------------------------------- */

static void release(struct io_file *f) {
    for (size_t i = 0; i < f->hint_count; i++) {
        free((char *)f->hints[i].key);
        free((char *)f->hints[i].value);
    }
    free(f->hints);
    free(f->name);
    free(f);
}

/* At termination, files still open are closed (7.8 p4): the system does it, but for deletion. The handler is registered
 * before main, so that it runs after the runtime's own, in which threads wait for each other; where one thread ends the
 * job, it runs in that thread. Hence every thread deletes, and only the first finds the file. */
static void close_at_exit(void) {
    for (struct io_file *f = open_files; f; f = f->next)
        if (f->flags & UPC_DELETE_ON_CLOSE) unlink(f->name);
}

static __attribute__((constructor)) void prepare_close_at_exit(void) { atexit(close_at_exit); }

static int exactly_one(int flags) { return flags && !(flags & (flags - 1)); }

/* 7.8.3.1 p3 */
static int check_open(const char *fname, int flags) {
    int known = UPC_RDONLY | UPC_WRONLY | UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_COMMON_FP | UPC_APPEND | UPC_CREATE |
                UPC_EXCL | UPC_STRONG_CA | UPC_TRUNC | UPC_DELETE_ON_CLOSE;
    if (!fname || (flags & ~known)) return EINVAL;
    if (!exactly_one(flags & (UPC_RDONLY | UPC_WRONLY | UPC_RDWR))) return EINVAL;
    if (!exactly_one(flags & (UPC_INDIVIDUAL_FP | UPC_COMMON_FP))) return EINVAL;
    if ((flags & UPC_EXCL) && !(flags & UPC_CREATE)) return EINVAL;
    if ((flags & UPC_TRUNC) && (flags & UPC_RDONLY)) return EINVAL;
    return 0;
}

static int open_descriptor(struct io_file *f) {
    int mode = f->flags & UPC_RDONLY ? O_RDONLY : f->flags & UPC_WRONLY ? O_WRONLY : O_RDWR;
    if (gas_me() == 0) {
        if (f->flags & UPC_CREATE) mode |= O_CREAT;
        if (f->flags & UPC_EXCL) mode |= O_EXCL;
        if (f->flags & UPC_TRUNC) mode |= O_TRUNC;
    }
    f->fd = open(f->name, mode | O_CLOEXEC, creation_mode(f));
    return f->fd < 0 ? errno : 0;
}

static struct io_file *new_file(const char *fname, int flags, size_t numhints, const struct upc_hint *hints) {
    struct io_file *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->fd = -1;
    f->flags = flags;
    f->name = strdup(fname);
    for (size_t i = 0; f->name && i < numhints; i++)
        if (io_set_hint(f, &hints[i]) != 0) {
            release(f);
            return NULL;
        }
    if (f->name) return f;
    release(f);
    return NULL;
}

fathom_ptr upc_all_fopen(const char *fname, int flags, size_t numhints, struct upc_hint const *hints) {
    int error = check_open(fname, flags);
    if (!error && numhints && !hints) error = EINVAL;
    struct io_file *f = NULL;
    if (!error && !(f = new_file(fname, flags, numhints, hints))) error = errno;
    /* Thread 0 first: it may have to create what the others open. */
    if (!error && gas_me() == 0) error = open_descriptor(f);
    error = io_agree(error);
    if (!error && gas_me() != 0) error = open_descriptor(f);
    struct stat s;
    if (!error && fstat(f->fd, &s) != 0) error = errno;
    error = io_agree(error);
    if (error) {
        if (f && f->fd >= 0) close(f->fd);
        if (f) release(f);
        io_answer(error); /* single-valued (7.8.3.1 p11) */
        return 0;
    }
    if (flags & UPC_APPEND) f->position = io_from_0(s.st_size);

    f->handle = gas_all_alloc(HANDLE_BYTES);
    if (!f->handle) gas_fatal("upc_all_fopen: no shared memory left for a file handle");
    memset(my_record(f->handle), 0, HANDLE_BYTES);
    *my_record(f->handle) = (struct record){MAGIC, f};
    f->next = open_files;
    open_files = f;
    gas_barrier(); /* before anyone takes the lock in thread 0's record */
    return f->handle;
}

int upc_all_fclose(fathom_ptr fd) {
    struct io_file *f = io_find_idle(fd);
    if (!f) return -1;
    int error = io_sync(f) ? errno : 0;
    if (close(f->fd) != 0 && !error) error = errno;
    error = io_agree(error);
    if ((f->flags & UPC_DELETE_ON_CLOSE) && gas_me() == 0 && unlink(f->name) != 0 && !error) error = errno;
    for (struct io_file **p = &open_files; *p; p = &(*p)->next)
        if (*p == f) {
            *p = f->next;
            break;
        }
    my_record(fd)->magic = 0;
    release(f);
    error = io_agree(error);
    if (gas_me() == 0) gas_free(fd);
    return io_answer(error);
}

/* ---- synchronising, positions, sizes ----------------------------------------------------------------------------- */

int io_sync(struct io_file *f) {
    gas_barrier(); /* all that was written before has reached the system */
    int error = 0;
    /* One system flushes once for all of its processes. Some files cannot be flushed and need not be. */
    if ((gas_me() == 0 || !gas_is_local(0)) && fsync(f->fd) != 0 && errno != EINVAL && errno != EROFS) error = errno;
    return io_answer(io_agree(error));
}

int upc_all_fsync(fathom_ptr fd) {
    struct io_file *f = io_find_idle(fd);
    return f ? io_sync(f) : -1;
}

/* The size as it is when all threads have come here; -1 and errno if it cannot be had. */
static upc_off_t agreed_size(struct io_file *f) {
    struct stat s;
    gas_barrier();
    upc_off_t size = fstat(f->fd, &s) == 0 ? s.st_size : -errno;
    size = io_from_0(size);
    if (size >= 0) return size;
    errno = (int)-size;
    return -1;
}

upc_off_t upc_all_fseek(fathom_ptr fd, upc_off_t offset, int origin) {
    struct io_file *f = io_find_idle(fd);
    if (!f) return -1;
    /* Each thread may have its own origin with individual pointers, so all ask for the size. */
    upc_off_t size = agreed_size(f), base;
    switch (origin) {
    case UPC_SEEK_SET: base = 0; break;
    case UPC_SEEK_CUR: base = f->position; break;
    case UPC_SEEK_END: base = size; break;
    default: return io_answer(EINVAL);
    }
    if (base < 0) return -1;
    upc_off_t to;
    if (__builtin_add_overflow(base, offset, &to) || to < 0) return io_answer(EINVAL);
    return f->position = to;
}

upc_off_t upc_all_fget_size(fathom_ptr fd) {
    struct io_file *f = io_find_idle(fd);
    return f ? agreed_size(f) : -1;
}

int upc_all_fset_size(fathom_ptr fd, upc_off_t size) {
    struct io_file *f = io_find_idle(fd);
    if (!f) return -1;
    if (!io_can_write(f)) return io_answer(EBADF);
    if (size < 0) return io_answer(EINVAL);
    if (io_sync(f) != 0) return -1;
    int error = gas_me() == 0 && ftruncate(f->fd, size) != 0 ? errno : 0;
    return io_answer(io_agree(error));
}

int upc_all_fpreallocate(fathom_ptr fd, upc_off_t size) {
    struct io_file *f = io_find_idle(fd);
    if (!f) return -1;
    if (!io_can_write(f)) return io_answer(EBADF);
    if (size < 0) return io_answer(EINVAL);
    gas_barrier();
    int error = gas_me() == 0 && size > 0 ? posix_fallocate(f->fd, 0, size) : 0;
    return io_answer(io_agree(error));
}
