/* upc_all_reduceT, upc_all_prefix_reduceT and bupc_all_reduce_allT for the eleven types (UPC 1.3, 7.4.3).
 *
 * A thread reduces what it holds, which is contiguous whatever the block size; the partial results are
 * put together by a reduction or a scan of gas. Where order matters (UPC_NONCOMM_FUNC, prefixes) a thread takes a range of indices instead. The
 * code for a type is in collective_type.h; here is what does not depend on it.
 */
#include "upc_collective.h"

#include "blocked.h"
#include "collective.h"

enum {
    PIECE_BYTES = 4096,        /* gathered at once from short runs, */
    FAR_PIECE_BYTES = 1 << 20, /* and from threads out of reach */
    LONG_RUN_BYTES = 512,
    SHARING_BYTES = 64 * 1024, /* below this, a block on one thread is that thread's work alone */
};

/* Whether all threads are within reach, which saves asking for every block; known after the first look. */
static int all_are_reachable = -1;

static inline int is_reachable(fathom_ptr at) {
    return all_are_reachable == 1 || gas_is_local((int)fathom_thread_of(at));
}

static void look_around(void) {
    all_are_reachable = 1;
    for (int t = 0; t < gas_count(); t++) all_are_reachable &= gas_is_local(t) != 0;
}

static void check_operation(const char *function, upc_op_t op, int is_float, int has_func) {
    switch (op) {
    case UPC_AND:
    case UPC_OR:
    case UPC_XOR:
        if (is_float) gas_fatal("%s: a bitwise operation on a floating-point type (UPC 1.3, 7.4.3 p2)", function);
        break;
    case UPC_ADD:
    case UPC_MULT:
    case UPC_LOGAND:
    case UPC_LOGOR:
    case UPC_MIN:
    case UPC_MAX: break;
    case UPC_FUNC:
    case UPC_NONCOMM_FUNC:
        if (!has_func) gas_fatal("%s: null function with UPC_FUNC or UPC_NONCOMM_FUNC", function);
        break;
    default: gas_fatal("%s: operation 0x%x is not one of 7.4.3 p1", function, (unsigned)op);
    }
}

static struct blocked check_reduction(const char *function, fathom_pptr dst, fathom_pptr src, upc_op_t op,
                                      size_t blk_size, size_t elem_bytes, int is_float, int has_func) {
    if (!dst.addr || !src.addr) gas_fatal("%s: null %s", function, dst.addr ? "source" : "destination");
    check_operation(function, op, is_float, has_func);
    if (blk_size && src.phase >= blk_size)
        gas_fatal("%s: the source's phase is %lu, but blocks have %zu elements", function, src.phase, blk_size);
    if (all_are_reachable < 0) look_around();
    return blocked_at(src, blk_size, elem_bytes);
}

/* 7.4.3.1 promises that the destination begins on the source's thread in the source's phase. Nothing here gains
 * by that, and programs exist that do not keep to it, so they may begin apart. */
static void check_phase(const char *function, fathom_pptr dst, size_t blk_size) {
    if (blk_size && dst.phase >= blk_size)
        gas_fatal("%s: the destination's phase is %lu, but blocks have %zu elements", function, dst.phase, blk_size);
}

/* An operator on partial results, which need not be there: a thread may have no elements. */
struct reduction {
    struct gas_operator operator;
    upc_op_t op;
    void (*func)(void);
    bool by_index; /* a thread folds a range of indices, not what it holds: it reads from others */
};

static void enter(const char *function, const struct reduction *how, upc_flag_t flags) {
    (how->by_index ? collective_enter : collective_enter_own)(function, flags);
}
static void leave(const struct reduction *how, upc_flag_t flags) {
    (how->by_index ? collective_leave : collective_leave_own)(flags);
}

/* Threads help with an array that lies on one of them if all can reach it and there is enough of it. */
static int is_worth_sharing(size_t bytes) { return all_are_reachable && bytes >= SHARING_BYTES; }

/* Room for what is gathered, of up to `limit` elements. */
struct piece {
    void *at;
    size_t elements;
};
static struct piece piece_for(size_t limit, size_t elem_bytes) {
    size_t most = (all_are_reachable ? PIECE_BYTES : FAR_PIECE_BYTES) / elem_bytes, n = limit < most ? limit : most;
    return (struct piece){gas_room(n * elem_bytes), n};
}

/* How many elements to take next: a long run whole, where it lies; of short ones, and out of reach, a piece. */
static size_t step(const struct blocked_walk *w, size_t limit, size_t piece) {
    size_t n = w->left < limit ? w->left : limit;
    if (n * w->elem_bytes >= LONG_RUN_BYTES && is_reachable(w->at)) return n;
    return limit < piece ? limit : piece;
}

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
#define FUNCTION(name) name TEXT(SUFFIX)

#define SUFFIX C
#define TYPE signed char
#define WIDE unsigned
#define UELEM unsigned char
#define IELEM signed char
#define IS_FLOAT 0
#include "collective_type.h"

#define SUFFIX UC
#define TYPE unsigned char
#define WIDE unsigned
#define UELEM unsigned char
#define IELEM signed char
#define IS_FLOAT 0
#include "collective_type.h"

#define SUFFIX S
#define TYPE short
#define WIDE unsigned
#define UELEM unsigned short
#define IELEM short
#define IS_FLOAT 0
#include "collective_type.h"

#define SUFFIX US
#define TYPE unsigned short
#define WIDE unsigned
#define UELEM unsigned short
#define IELEM short
#define IS_FLOAT 0
#include "collective_type.h"

#define SUFFIX I
#define TYPE int
#define WIDE unsigned
#define UELEM unsigned
#define IELEM int
#define IS_FLOAT 0
#include "collective_type.h"

#define SUFFIX UI
#define TYPE unsigned
#define WIDE unsigned
#define UELEM unsigned
#define IELEM int
#define IS_FLOAT 0
#include "collective_type.h"

#define SUFFIX L
#define TYPE long
#define WIDE unsigned long
#define UELEM unsigned long
#define IELEM long
#define IS_FLOAT 0
#include "collective_type.h"

#define SUFFIX UL
#define TYPE unsigned long
#define WIDE unsigned long
#define UELEM unsigned long
#define IELEM long
#define IS_FLOAT 0
#include "collective_type.h"

#define SUFFIX F
#define TYPE float
#define WIDE float
#define UELEM unsigned
#define IELEM int
#define IS_FLOAT 1
#include "collective_type.h"

#define SUFFIX D
#define TYPE double
#define WIDE double
#define UELEM unsigned long
#define IELEM long
#define IS_FLOAT 1
#include "collective_type.h"

/* No vectors of these. */
#define SUFFIX LD
#define TYPE long double
#define WIDE long double
#define IS_FLOAT 1
#include "collective_type.h"

/* ---- one value at a time ----------------------------------------------------------------------------------------- */

/* clang-format off */
#define EACH_TYPE(DO)                                                                                                  \
    DO(UPC_CHAR, C, signed char) DO(UPC_UCHAR, UC, unsigned char) DO(UPC_SHORT, S, short)                              \
    DO(UPC_USHORT, US, unsigned short) DO(UPC_INT, I, int) DO(UPC_UINT, UI, unsigned)                                  \
    DO(UPC_LONG, L, long) DO(UPC_LLONG, L, long) DO(UPC_ULONG, UL, unsigned long)                                      \
    DO(UPC_ULLONG, UL, unsigned long) DO(UPC_FLOAT, F, float) DO(UPC_DOUBLE, D, double)                                \
    DO(UPC_LDOUBLE, LD, long double)
/* clang-format on */

struct collective_operator collective_operator_of(upc_type_t type, upc_op_t op) {
    check_operation("reduction", op, type == UPC_FLOAT || type == UPC_DOUBLE || type == UPC_LDOUBLE, 0);
    switch (type) {
#define CASE(CODE, T, TYPE)                                                                                            \
    case CODE: return (struct collective_operator){{sizeof(TYPE), combine_values_##T}, type, op};
        EACH_TYPE(CASE)
#undef CASE
    default: gas_fatal("reduction: type %d has no operations (UPC 1.3, 7.4.3.1)", type);
    }
}
