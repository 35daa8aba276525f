/* What a program made with --accesses calls at each access: the C compiler puts the calls in, as for its thread sanitizer
 * (-fsanitize=thread), whose library is not linked. These functions are in its place.
 */
#include <string.h>

#include "conduit/sim/sim.h"

void __tsan_init(void);
void __tsan_init(void) { sim_has_accesses(); }

void __tsan_func_entry(void *), __tsan_func_exit(void);
void __tsan_func_entry(void *from) { (void)from; }
void __tsan_func_exit(void) {}

#define ACCESS(name, bytes, writes)                                                                                    \
    void name(void *);                                                                                                 \
    void name(void *p) { sim_note_access(p, bytes, writes); }
#define ACCESSES(bytes)                                                                                                \
    ACCESS(__tsan_read##bytes, bytes, false)                                                                           \
    ACCESS(__tsan_write##bytes, bytes, true)                                                                           \
    ACCESS(__tsan_unaligned_read##bytes, bytes, false)                                                                 \
    ACCESS(__tsan_unaligned_write##bytes, bytes, true)                                                                 \
    ACCESS(__tsan_volatile_read##bytes, bytes, false)                                                                  \
    ACCESS(__tsan_volatile_write##bytes, bytes, true)                                                                  \
    ACCESS(__tsan_unaligned_volatile_read##bytes, bytes, false)                                                        \
    ACCESS(__tsan_unaligned_volatile_write##bytes, bytes, true)                                                        \
    void __tsan_read_write##bytes(void *);                                                                             \
    void __tsan_read_write##bytes(void *p) { sim_note_access(p, bytes, false), sim_note_access(p, bytes, true); }      \
    void __tsan_unaligned_read_write##bytes(void *);                                                                   \
    void __tsan_unaligned_read_write##bytes(void *p) {                                                                 \
        sim_note_access(p, bytes, false), sim_note_access(p, bytes, true);                                             \
    }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *, size_t), __tsan_write_range(void *, size_t);
void __tsan_read_range(void *p, size_t bytes) { sim_note_access(p, bytes, false); }
void __tsan_write_range(void *p, size_t bytes) { sim_note_access(p, bytes, true); }

void *__tsan_memcpy(void *, const void *, size_t), *__tsan_memmove(void *, const void *, size_t);
void *__tsan_memset(void *, int, size_t);
void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
    sim_note_access(from, bytes, false), sim_note_access(to, bytes, true);
    return memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes) {
    sim_note_access(from, bytes, false), sim_note_access(to, bytes, true);
    return memmove(to, from, bytes);
}
void *__tsan_memset(void *to, int c, size_t bytes) {
    sim_note_access(to, bytes, true);
    return memset(to, c, bytes);
}

/* Atomic operations, which the compiler replaces by calls as well. */
#define ATOMICS(bits, type)                                                                                            \
    type __tsan_atomic##bits##_load(const volatile type *, int);                                                       \
    type __tsan_atomic##bits##_load(const volatile type *p, int order) {                                               \
        (void)order, sim_note_access((const void *)p, sizeof *p, false);                                               \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                   \
    }                                                                                                                  \
    void __tsan_atomic##bits##_store(volatile type *, type, int);                                                      \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order) {                                            \
        (void)order, sim_note_access((const void *)p, sizeof *p, true);                                                \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                      \
    }                                                                                                                  \
    CHANGE(bits, type, exchange, __atomic_exchange_n)                                                                  \
    CHANGE(bits, type, fetch_add, __atomic_fetch_add)                                                                  \
    CHANGE(bits, type, fetch_sub, __atomic_fetch_sub)                                                                  \
    CHANGE(bits, type, fetch_and, __atomic_fetch_and)                                                                  \
    CHANGE(bits, type, fetch_or, __atomic_fetch_or)                                                                    \
    CHANGE(bits, type, fetch_xor, __atomic_fetch_xor)                                                                  \
    CHANGE(bits, type, fetch_nand, __atomic_fetch_nand)                                                                \
    COMPARE(bits, type, strong)                                                                                        \
    COMPARE(bits, type, weak)                                                                                          \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *, type, type, int, int);                            \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type old, type v, int yes, int no) {             \
        (void)yes, (void)no, sim_note_access((const void *)p, sizeof *p, true);                                        \
        __atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                            \
        return old;                                                                                                    \
    }
#define CHANGE(bits, type, name, builtin)                                                                              \
    type __tsan_atomic##bits##_##name(volatile type *, type, int);                                                     \
    type __tsan_atomic##bits##_##name(volatile type *p, type v, int order) {                                           \
        (void)order, sim_note_access((const void *)p, sizeof *p, true);                                                \
        return builtin(p, v, __ATOMIC_SEQ_CST);                                                                        \
    }
#define COMPARE(bits, type, how)                                                                                       \
    int __tsan_atomic##bits##_compare_exchange_##how(volatile type *, type *, type, int, int);                         \
    int __tsan_atomic##bits##_compare_exchange_##how(volatile type *p, type *old, type v, int yes, int no) {           \
        (void)yes, (void)no, sim_note_access((const void *)p, sizeof *p, true);                                        \
        return __atomic_compare_exchange_n(p, old, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                      \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int), __tsan_atomic_signal_fence(int);
void __tsan_atomic_thread_fence(int order) {
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) {
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
