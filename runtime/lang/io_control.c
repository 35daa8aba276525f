/* upc_all_fcntl (UPC 1.3, 7.8.3.8): modes, names and hints of an open file. */
#include <errno.h>

#include "io_file.h"

/* Every UPC_SET_ command first does what upc_all_fsync does. */
static int set_flags(struct io_file *f, int clear, int set, int rewind) {
    if (io_sync(f) != 0) return -1;
    f->flags = (f->flags & ~clear) | set;
    if (rewind) f->position = 0;
    return 0;
}

int upc_all_fcntl(fathom_ptr fd, int cmd, void *arg) {
    struct io_file *f = io_find(fd);
    if (!f) return -1;
    if (cmd == UPC_ASYNC_OUTSTANDING) return f->is_outstanding;
    if (f->is_outstanding) return io_answer(EBUSY);
    switch (cmd) {
    case UPC_GET_CA_SEMANTICS: return f->flags & UPC_STRONG_CA;
    case UPC_SET_WEAK_CA_SEMANTICS: return set_flags(f, UPC_STRONG_CA, 0, 0);
    case UPC_SET_STRONG_CA_SEMANTICS: return set_flags(f, 0, UPC_STRONG_CA, 0);
    case UPC_GET_FP: return f->flags & (UPC_COMMON_FP | UPC_INDIVIDUAL_FP);
    case UPC_SET_COMMON_FP: return set_flags(f, UPC_INDIVIDUAL_FP, UPC_COMMON_FP, 1);
    case UPC_SET_INDIVIDUAL_FP: return set_flags(f, UPC_COMMON_FP, UPC_INDIVIDUAL_FP, 1);
    case UPC_GET_FL: return f->flags;
    case UPC_GET_FN:
        if (!arg) return io_answer(EINVAL);
        *(const char **)arg = f->name;
        return 0;
    case UPC_GET_HINTS:
        if (!arg) return io_answer(EINVAL);
        *(const struct upc_hint **)arg = f->hints;
        return (int)f->hint_count;
    case UPC_SET_HINT:
        if (io_sync(f) != 0) return -1;
        return io_set_hint(f, arg);
    default: return io_answer(EINVAL);
    }
}
