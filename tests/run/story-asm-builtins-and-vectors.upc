// threads: 1 2
/* What headers and tuned programs bring along: inline assembly, __builtin_*, vector types, __int128, atomic builtins on local pointers to
 * shared data, thread-local storage, section and alias attributes. */
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <stdatomic.h>
#include "check.h"

shared [4] float v[8 * THREADS];
shared unsigned long word[THREADS];
typedef float four __attribute__((vector_size(16)));
static __thread int per_thread = 3;
shared __int128 wide[THREADS];
shared int hits[THREADS];

static unsigned long swap(unsigned long x) {
#ifdef __aarch64__
    __asm__ volatile("rev %0, %0" : "+r"(x) : : "memory");
#else
    __asm__ volatile("bswap %0" : "+r"(x) : : "memory");
#endif
    return x;
}

static void twice(float *four_of_them) {
#ifdef __x86_64__
    __m128 m = _mm_loadu_ps(four_of_them);
    m = _mm_add_ps(m, m);
    _mm_storeu_ps(four_of_them, m);
#else
    four *m = (four *)four_of_them;
    *m += *m;
#endif
}

int main(void) {
    int me = MYTHREAD;
    word[me] = 0x0102030405060708ul;
    word[me] = swap(word[me]);
    CHECK(word[me] == 0x0807060504030201ul);
    CHECK_EQ(13, __builtin_popcountl(word[me]));
    CHECK(__builtin_bswap64(word[me]) == 0x0102030405060708ul);
    CHECK(__builtin_expect(word[me] != 0, 1));
    CHECK_EQ(0, __builtin_constant_p(word[me]));
    CHECK_EQ(offsetof(struct { char c; int i; }, i), 4);
    for (int i = 0; i < 4; i++) v[4 * me + i] = i + 1;
    float *local = (float *)&v[4 * me];
    four x = {local[0], local[1], local[2], local[3]}, y = x * x + 1;
    twice(local);
    CHECK(v[4 * me + 3] == 8 && y[3] == 17);
    wide[me] = (__int128)word[me] << 64 | 5;
    CHECK((unsigned long)(wide[me] >> 64) == word[me] && (int)wide[me] == 5);
    wide[me] -= 6;
    CHECK((unsigned long)(wide[me] >> 64) == word[me] - 1);
    __atomic_fetch_add((int *)&hits[me], 2, __ATOMIC_SEQ_CST);
    __sync_fetch_and_add((int *)&hits[me], 3);
    CHECK_EQ(5, hits[me]);
    _Atomic int counter = 1;
    atomic_fetch_add(&counter, hits[me]);
    CHECK_EQ(6, counter);
    per_thread += me;
    upc_barrier;
    CHECK_EQ(3 + me, per_thread);
    CHECK(__builtin_types_compatible_p(typeof(me), int));
    CHECK(__builtin_choose_expr(1, hits[me], "no") == 5);
    _Static_assert(sizeof(four) == 16, "vector");
    _Alignas(64) char aligned[64];
    CHECK_EQ(0, (uintptr_t)aligned % 64);
    if (me < 0) __builtin_unreachable();
    return 0;
}
