/* Reductions of one element type: included once for each of the eleven, by collective_reduce.c.
 *
 * The includer defines SUFFIX and TYPE; WIDE, in which scalars add and multiply (unsigned, so that overflow wraps as it
 * does in the machine); UELEM and IELEM, the unsigned and signed integers of TYPE's size for vectors, or neither where
 * the type has no vectors; IS_FLOAT. This header undefines them.
 *
 * A fold of contiguous memory keeps four vectors of partial results, so that it runs at the speed of loads and not of
 * the operator's latency: operators are associative and, but for UPC_NONCOMM_FUNC, commutative (7.4.3.1 p3, p4).
 */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define N(name) JOIN(name, SUFFIX)

typedef TYPE (*N(func_))(TYPE, TYPE);

static inline TYPE N(add_)(TYPE a, TYPE b) { return (TYPE)((WIDE)a + (WIDE)b); }
static inline TYPE N(mult_)(TYPE a, TYPE b) { return (TYPE)((WIDE)a * (WIDE)b); }
static inline TYPE N(logand_)(TYPE a, TYPE b) { return (TYPE)(a && b); }
static inline TYPE N(logor_)(TYPE a, TYPE b) { return (TYPE)(a || b); }
static inline TYPE N(min_)(TYPE a, TYPE b) { return a < b ? a : b; }
static inline TYPE N(max_)(TYPE a, TYPE b) { return a > b ? a : b; }
#if !IS_FLOAT
static inline TYPE N(and_)(TYPE a, TYPE b) { return (TYPE)(a & b); }
static inline TYPE N(or_)(TYPE a, TYPE b) { return (TYPE)(a | b); }
static inline TYPE N(xor_)(TYPE a, TYPE b) { return (TYPE)(a ^ b); }
#endif

#if IS_FLOAT
#define EACH_BITWISE(DO)
#else
#define EACH_BITWISE(DO) DO(UPC_AND, and_) DO(UPC_OR, or_) DO(UPC_XOR, xor_)
#endif
/* clang-format off */
#define EACH_OPERATOR(DO)                                                                                              \
    DO(UPC_ADD, add_) DO(UPC_MULT, mult_) DO(UPC_LOGAND, logand_) DO(UPC_LOGOR, logor_)                                \
    DO(UPC_MIN, min_) DO(UPC_MAX, max_) EACH_BITWISE(DO)
/* clang-format on */

static TYPE N(combine_)(upc_op_t op, N(func_) func, TYPE a, TYPE b) {
    switch (op) {
#define CASE(OP, F)                                                                                                    \
    case OP: return N(F)(a, b);
        EACH_OPERATOR(CASE)
#undef CASE
    default: return func(a, b);
    }
}

static void N(combine_values_)(const struct gas_operator *o, void *dst, const void *a, const void *b, size_t count) {
    const struct collective_operator *how = (const struct collective_operator *)o;
    for (size_t i = 0; i < count; i++)
        ((TYPE *)dst)[i] = N(combine_)(how->op, NULL, ((const TYPE *)a)[i], ((const TYPE *)b)[i]);
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

#ifdef UELEM
typedef TYPE N(vec_) __attribute__((vector_size(16)));
typedef UELEM N(uvec_) __attribute__((vector_size(16)));
typedef IELEM N(ivec_) __attribute__((vector_size(16)));
typedef TYPE N(loose_) __attribute__((vector_size(16), aligned(__alignof__(TYPE)), may_alias));

#if IS_FLOAT
static inline N(vec_) N(vadd_)(N(vec_) a, N(vec_) b) { return a + b; }
static inline N(vec_) N(vmult_)(N(vec_) a, N(vec_) b) { return a * b; }
#else
static inline N(vec_) N(vadd_)(N(vec_) a, N(vec_) b) { return (N(vec_))((N(uvec_))a + (N(uvec_))b); }
static inline N(vec_) N(vmult_)(N(vec_) a, N(vec_) b) { return (N(vec_))((N(uvec_))a * (N(uvec_))b); }
static inline N(vec_) N(vand_)(N(vec_) a, N(vec_) b) { return a & b; }
static inline N(vec_) N(vor_)(N(vec_) a, N(vec_) b) { return a | b; }
static inline N(vec_) N(vxor_)(N(vec_) a, N(vec_) b) { return a ^ b; }
#endif
static inline N(vec_) N(vselect_)(N(ivec_) mask, N(vec_) a, N(vec_) b) {
    return (N(vec_))((mask & (N(ivec_))a) | (~mask & (N(ivec_))b));
}
static inline N(vec_) N(vmin_)(N(vec_) a, N(vec_) b) { return N(vselect_)((N(ivec_))(a < b), a, b); }
static inline N(vec_) N(vmax_)(N(vec_) a, N(vec_) b) { return N(vselect_)((N(ivec_))(a > b), a, b); }

enum { N(LANES_) = 16 / sizeof(TYPE) };

/* Folds the n elements at p, of which there are at least four vectors, down to one. */
#define VECTOR_FOLD(OP, F)                                                                                             \
    static TYPE N(fold_##F)(const TYPE *p, size_t n) {                                                                 \
        const N(loose_) *v = (const N(loose_) *)p;                                                                     \
        N(vec_) a = v[0], b = v[1], c = v[2], d = v[3];                                                                \
        size_t vectors = n / N(LANES_), i = 4;                                                                         \
        for (; i + 4 <= vectors; i += 4) {                                                                             \
            a = N(v##F)(a, v[i]);                                                                                      \
            b = N(v##F)(b, v[i + 1]);                                                                                  \
            c = N(v##F)(c, v[i + 2]);                                                                                  \
            d = N(v##F)(d, v[i + 3]);                                                                                  \
        }                                                                                                              \
        a = N(v##F)(N(v##F)(a, b), N(v##F)(c, d));                                                                     \
        TYPE r = a[0];                                                                                                 \
        for (int lane = 1; lane < N(LANES_); lane++) r = N(F)(r, a[lane]);                                             \
        for (i *= N(LANES_); i < n; i++) r = N(F)(r, p[i]);                                                            \
        return r;                                                                                                      \
    }
#define EACH_VECTOR(DO) DO(UPC_ADD, add_) DO(UPC_MULT, mult_) DO(UPC_MIN, min_) DO(UPC_MAX, max_) EACH_BITWISE(DO)
EACH_VECTOR(VECTOR_FOLD)
#undef VECTOR_FOLD
#endif

/* ---- contiguous memory ------------------------------------------------------------------------------------------- */

/* p[0] ⊕ … ⊕ p[n-1], n > 0. */
static TYPE N(fold_)(upc_op_t op, N(func_) func, const TYPE *p, size_t n) {
#ifdef UELEM
    if (n >= 4 * N(LANES_)) switch (op) {
#define CASE(OP, F)                                                                                                    \
    case OP: return N(fold_##F)(p, n);
            EACH_VECTOR(CASE)
#undef CASE
        }
#endif
    TYPE r = p[0];
    switch (op) {
#define CASE(OP, F)                                                                                                    \
    case OP:                                                                                                           \
        for (size_t i = 1; i < n; i++) r = N(F)(r, p[i]);                                                              \
        break;
        EACH_OPERATOR(CASE)
#undef CASE
    default:
        for (size_t i = 1; i < n; i++) r = func(r, p[i]);
    }
    return r;
}

/* d[i] = carry ⊕ p[0] ⊕ … ⊕ p[i] for n elements; returns the last. */
static TYPE N(scan_)(upc_op_t op, N(func_) func, TYPE *d, const TYPE *p, size_t n, TYPE carry) {
    switch (op) {
#define CASE(OP, F)                                                                                                    \
    case OP:                                                                                                           \
        for (size_t i = 0; i < n; i++) d[i] = carry = N(F)(carry, p[i]);                                               \
        break;
        EACH_OPERATOR(CASE)
#undef CASE
    default:
        for (size_t i = 0; i < n; i++) d[i] = carry = func(carry, p[i]);
    }
    return carry;
}

/* ---- shared arrays ----------------------------------------------------------------------------------------------- */

/* A value that need not be there: no elements, no value. */
struct N(partial_) {
    TYPE value;
    int is_there;
};

static void N(append_)(struct N(partial_) * left, upc_op_t op, N(func_) func, struct N(partial_) right) {
    if (!right.is_there) return;
    left->value = left->is_there ? N(combine_)(op, func, left->value, right.value) : right.value;
    left->is_there = 1;
}

/* n elements from element `from` on, where the walk is, in one piece of memory: where they lie if they are one run that is
 * within reach, else in `piece`, gathered. The walk goes on past them. */
static const TYPE *N(take_)(const struct blocked *a, struct blocked_walk *w, size_t from, size_t n, TYPE *piece) {
    if (n <= w->left && is_reachable(w->at)) {
        const TYPE *p = fathom_local(w->at);
        blocked_walk_on(w, n);
        return p;
    }
    if (!all_are_reachable) {
        blocked_get(piece, a, from, from + n);
        *w = blocked_walk_from(a, from + n);
        return piece;
    }
    for (size_t done = 0; done < n;) {
        size_t run = w->left < n - done ? w->left : n - done;
        const TYPE *p = fathom_local(w->at);
        for (size_t i = 0; i < run; i++) piece[done + i] = p[i];
        blocked_walk_on(w, run);
        done += run;
    }
    return piece;
}

/* The other way: where the next n elements can be written, and then to have them there. */
static TYPE *N(place_)(const struct blocked_walk *w, size_t n, TYPE *piece) {
    return n <= w->left && is_reachable(w->at) ? fathom_local(w->at) : piece;
}

static void N(give_)(const struct blocked *a, struct blocked_walk *w, size_t from, size_t n, const TYPE *at,
                     const TYPE *piece) {
    if (at != piece) {
        blocked_walk_on(w, n);
        return;
    }
    if (!all_are_reachable) {
        blocked_put(a, from, from + n, piece);
        *w = blocked_walk_from(a, from + n);
        return;
    }
    for (size_t done = 0; done < n;) {
        size_t run = w->left < n - done ? w->left : n - done;
        TYPE *p = fathom_local(w->at);
        for (size_t i = 0; i < run; i++) p[i] = piece[done + i];
        blocked_walk_on(w, run);
        done += run;
    }
}

/* Elements [from, to) in order. */
static struct N(partial_) N(fold_range_)(const struct blocked *a, size_t from, size_t to, upc_op_t op, N(func_) func) {
    struct N(partial_) r = {0, 0};
    if (from == to) return r;
    struct blocked_walk w = blocked_walk_from(a, from);
    struct piece piece = piece_for(to - from, sizeof(TYPE));
    while (from < to) {
        size_t n = step(&w, to - from, piece.elements);
        struct N(partial_) some = {N(fold_)(op, func, N(take_)(a, &w, from, n, piece.at), n), 1};
        N(append_)(&r, op, func, some);
        from += n;
    }
    free(piece.at);
    return r;
}

static void N(combine_partials_)(const struct gas_operator *o, void *dst, const void *a, const void *b, size_t count) {
    const struct reduction *how = (const struct reduction *)o;
    for (size_t i = 0; i < count; i++) {
        struct N(partial_) left = ((const struct N(partial_) *)a)[i];
        N(append_)(&left, how->op, (N(func_))how->func, ((const struct N(partial_) *)b)[i]);
        ((struct N(partial_) *)dst)[i] = left;
    }
}
_Static_assert(sizeof(struct N(partial_)) <= GAS_MOST_ELEMENT &&
                   !(sizeof(struct N(partial_)) & (sizeof(struct N(partial_)) - 1)),
               "as operators want their values");

/* What a reduction of the array is: which elements this thread folds, and how all put that together. */
static struct reduction N(reduction_)(const struct blocked *a, size_t n, upc_op_t op, N(func_) func) {
    bool by_index = op == UPC_NONCOMM_FUNC || (a->block == 0 && is_worth_sharing(n * sizeof(TYPE)));
    return (struct reduction){{sizeof(struct N(partial_)), N(combine_partials_)}, op, (void (*)(void))func, by_index};
}

/* ⊕ of the whole array, on the thread `root`, or (-1) on every thread. Collective. */
static struct N(partial_) N(reduce_)(const struct blocked *a, size_t n, const struct reduction *how, int root) {
    struct N(partial_) mine = {0, 0}, all = {0, 0};
    N(func_) func = (N(func_))how->func;
    if (how->by_index) {
        size_t from, to;
        blocked_share(n, (size_t)gas_me(), (size_t)gas_count(), &from, &to);
        mine = N(fold_range_)(a, from, to, how->op, func);
    } else {
        size_t count;
        fathom_ptr part = blocked_part(a, n, (size_t)gas_me(), &count);
        if (count) {
            mine.value = N(fold_)(how->op, func, fathom_local(part), count);
            mine.is_there = 1;
        }
    }
    gas_reduce_by(gas_world(), &all, &mine, 1, &how->operator, root, 0);
    return all;
}

void N(upc_all_reduce)(fathom_pptr dst, fathom_pptr src, upc_op_t op, size_t nelems, size_t blk_size, N(func_) func,
                       upc_flag_t flags) {
    struct blocked a =
        check_reduction(FUNCTION("upc_all_reduce"), dst, src, op, blk_size, sizeof(TYPE), IS_FLOAT, func != NULL);
    struct reduction how = N(reduction_)(&a, nelems, op, func);
    enter(FUNCTION("upc_all_reduce"), &how, flags);
    int root = (int)fathom_thread_of(dst.addr);
    struct N(partial_) r = N(reduce_)(&a, nelems, &how, root);
    if (r.is_there && root == gas_me()) *(TYPE *)fathom_local(dst.addr) = r.value;
    leave(&how, flags);
}

void N(bupc_all_reduce_all)(fathom_pptr dst, fathom_pptr src, upc_op_t op, size_t nelems, size_t blk_size,
                            N(func_) func, upc_flag_t flags) {
    struct blocked a =
        check_reduction(FUNCTION("bupc_all_reduce_all"), dst, src, op, blk_size, sizeof(TYPE), IS_FLOAT, func != NULL);
    struct reduction how = N(reduction_)(&a, nelems, op, func);
    enter(FUNCTION("bupc_all_reduce_all"), &how, flags);
    struct N(partial_) r = N(reduce_)(&a, nelems, &how, -1);
    if (r.is_there) *(TYPE *)fathom_local(fathom_make(gas_me(), fathom_offset_of(dst.addr))) = r.value;
    leave(&how, flags);
}

/* Of arrays in which the threads' order is the elements': each folds what it holds, learns what comes before it, and scans
 * what it holds. Nobody touches what is another's. */
static void N(scan_own_)(const struct blocked *dst, const struct blocked *src, size_t n, const struct reduction *how) {
    N(func_) func = (N(func_))how->func;
    struct N(partial_) mine = {0, 0}, before = {0, 0};
    size_t count, same;
    fathom_ptr from = blocked_part(src, n, (size_t)gas_me(), &count);
    fathom_ptr to = blocked_part(dst, n, (size_t)gas_me(), &same);
    const TYPE *p = count ? fathom_local(from) : NULL;
    TYPE *d = count ? fathom_local(to) : NULL;
    if (count) mine = (struct N(partial_)){N(fold_)(how->op, func, p, count), 1};
    gas_scan_by(gas_world(), &before, &mine, 1, &how->operator, true, 0);
    if (!count) return;
    if (before.is_there) {
        N(scan_)(how->op, func, d, p, count, before.value);
    } else {
        d[0] = p[0];
        N(scan_)(how->op, func, d + 1, p + 1, count - 1, p[0]);
    }
}

/* Else each takes an equal range of indices, wherever they lie: folds it, learns what comes before it, scans it. */
void N(upc_all_prefix_reduce)(fathom_pptr dst, fathom_pptr src, upc_op_t op, size_t nelems, size_t blk_size,
                              N(func_) func, upc_flag_t flags) {
    struct blocked a = check_reduction(FUNCTION("upc_all_prefix_reduce"), dst, src, op, blk_size, sizeof(TYPE),
                                       IS_FLOAT, func != NULL);
    check_phase(FUNCTION("upc_all_prefix_reduce"), dst, blk_size);
    struct blocked b = blocked_at(dst, blk_size, sizeof(TYPE));
    struct reduction how = N(reduction_)(&a, nelems, op, func);
    if (a.start == b.start && blocked_is_one_row(&a, nelems)) {
        collective_enter_own(FUNCTION("upc_all_prefix_reduce"), flags);
        N(scan_own_)(&b, &a, nelems, &how);
        collective_leave_own(flags);
        return;
    }
    collective_enter(FUNCTION("upc_all_prefix_reduce"), flags);
    size_t from, to;
    blocked_share(nelems, (size_t)gas_me(), (size_t)gas_count(), &from, &to);
    struct N(partial_) mine = N(fold_range_)(&a, from, to, op, func), before = {0, 0};
    gas_scan_by(gas_world(), &before, &mine, 1, &how.operator, true, 0);

    struct blocked_walk in = blocked_walk_from(&a, from), out = blocked_walk_from(&b, from);
    struct piece piece = piece_for(to - from, sizeof(TYPE)), result = piece_for(to - from, sizeof(TYPE));
    while (from < to) {
        size_t n = step(&in, to - from, piece.elements);
        n = step(&out, n, piece.elements);
        const TYPE *p = N(take_)(&a, &in, from, n, piece.at);
        TYPE *d = N(place_)(&out, n, result.at);
        if (before.is_there) {
            before.value = N(scan_)(op, func, d, p, n, before.value);
        } else {
            d[0] = p[0];
            before.value = N(scan_)(op, func, d + 1, p + 1, n - 1, p[0]);
            before.is_there = 1;
        }
        N(give_)(&b, &out, from, n, d, result.at);
        from += n;
    }
    free(piece.at);
    free(result.at);
    collective_leave(flags);
}

#undef JOIN2
#undef JOIN
#undef N
#undef EACH_BITWISE
#undef EACH_OPERATOR
#undef EACH_VECTOR
#undef SUFFIX
#undef TYPE
#undef WIDE
#undef UELEM
#undef IELEM
#undef IS_FLOAT
