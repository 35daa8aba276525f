/* The access forms of generated code (prelude.h and the conduit's header): every size of a strict and of a relaxed access,
 * to a neighbour's memory, near or far; an object goes whole, and opening and closing bring a part of it back. Then flat
 * pointer arithmetic. */
#include "program.h"

struct object {
    int a[5];
    unsigned char tail;
};

#define SCALAR(type, at, some)                                                                                         \
    do {                                                                                                               \
        const fathom_ptr to = (at);                                                                                    \
        type v = (type)(some), w;                                                                                      \
        fathom_strict_write(fathom_is_near(to), to, &v, sizeof v);                                                     \
        fathom_strict_read(fathom_is_near(to), to, &w, sizeof w);                                                      \
        CHECK(w == v);                                                                                                 \
    } while (0)

int main(void) {
    fathom_ptr box = upc_all_alloc((size_t)fathom_threads, 128).addr;
    fathom_ptr p = fathom_threads_on(box, (fathom_mythread + 1) % fathom_threads);
    CHECK(fathom_thread_of(p) == (fathom_mythread + 1) % fathom_threads &&
          fathom_offset_of(p) == fathom_offset_of(box));
    CHECK(fathom_flat_add(p, 3, 8) - p == 24 && fathom_flat_diff(fathom_flat_add(p, -3, 8), p, 8) == -3);
    CHECK(fathom_word_of(fathom_void_add(fathom_pptr_of(p, 7), -5)) == p - 5);
    SCALAR(signed char, p, -7);
    SCALAR(unsigned short, p + 2, 60000);
    SCALAR(int, p + 4, -123456789);
    SCALAR(float, p + 8, 1.5);
    SCALAR(double, p + 16, -2.25);
    SCALAR(unsigned long, p + 24, ~0ul / 3);
    struct object o = {{1, 2, 3, 4, 5}, 6}, r, copy;
    const fathom_ptr q = p + 32;
    fathom_strict_write_object(fathom_is_near(q), q, &o, sizeof o);
    fathom_strict_read_object(fathom_is_near(q), q, &r, sizeof r);
    CHECK(r.a[0] == 1 && r.a[4] == 5 && r.tail == 6);
    struct object *opened = fathom_strict_open(fathom_is_near(q), q, &copy, 4, 4);
    opened->a[1] += 40;
    fathom_strict_close(fathom_is_near(q), q, opened, 4, 4);
    fathom_strict_read_object(fathom_is_near(q), q, &r, sizeof r);
    CHECK(r.a[0] == 1 && r.a[1] == 42 && r.a[2] == 3 && r.tail == 6);
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    long small = 77, found;
    fathom_write(fathom_is_near(p), p, &small, sizeof small);
    fathom_write(fathom_is_near(q), q, &o, sizeof o);
    fathom_fence();
    fathom_strict_read(fathom_is_near(p), p, &found, sizeof found);
    fathom_strict_read_object(fathom_is_near(q), q, &r, sizeof r);
    CHECK(found == 77 && r.a[1] == 2);
#endif
    /* What was written is where the neighbour has it, whole. */
    fathom_barrier(0, 0);
    const double *mine = fathom_local(fathom_threads_on(box, fathom_mythread) + 16);
    CHECK(*mine == -2.25);
    fathom_barrier(0, 0);
    if (fathom_mythread == 0) printf("good\n");
    return 0;
}
