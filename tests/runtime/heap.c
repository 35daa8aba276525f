/* The shared heap: heap stress | full | reuse | all | budget. Run with a FATHOM_HEAP that suits, budget without. */
#include "program.h"
#include "lang/random.h"

#define SLOTS 400

struct slot {
    fathom_ptr p;
    size_t n;
    int all;
    unsigned char fill;
};

static uint64_t seed;

static size_t some_size(void) {
    unsigned long r = fathom_random(&seed);
    return 1 + r % (r >> 60 == 0 ? 3ul << 20 : r >> 60 < 4 ? 40000 : 500);
}

static void touch(const struct slot *s, int write) {
    for (int t = 0; t < (s->all ? fathom_threads : 1); t++) {
        unsigned char *c = fathom_local(s->p + ((unsigned long)t << FATHOM_SEG_BITS));
        if (write) {
            memset(c, s->fill, s->n);
        } else {
            for (size_t i = 0; i < s->n; i += i < 64 || i + 64 > s->n ? 1 : 61) CHECK(c[i] == s->fill);
            CHECK(c[s->n - 1] == s->fill);
        }
    }
}

/* Random sizes and lives; each block is filled and found unchanged when it is freed; a third are freed by a
 * neighbour. */
static void stress(int rounds) {
    static struct slot slots[SLOTS];
    seed = 977 * (unsigned long)fathom_mythread;
    fathom_ptr box = upc_all_alloc((size_t)fathom_threads, sizeof(fathom_ptr)).addr;
    fathom_ptr *mine = fathom_local(box + ((unsigned long)fathom_mythread << FATHOM_SEG_BITS));
    fathom_ptr *next = fathom_local(box + ((unsigned long)((fathom_mythread + 1) % fathom_threads) << FATHOM_SEG_BITS));
    *mine = 0;
    fathom_barrier(0, 0);
    for (int i = 0; i < rounds; i++) {
        struct slot *s = &slots[fathom_random(&seed) % SLOTS];
        if (s->p) {
            touch(s, 0);
            fathom_ptr give = s->p;
            if (i % 3 == 0) give = __atomic_exchange_n(next, give, __ATOMIC_SEQ_CST);
            gas_free(give);
            s->p = 0;
        } else {
            s->all = fathom_random(&seed) % 4 == 0;
            s->n = some_size();
            s->fill = (unsigned char)fathom_random(&seed);
            s->p = s->all ? gas_global_alloc(s->n) : gas_alloc(s->n);
            if (!s->p) continue;
            CHECK(s->p % (s->n >= 1 << 20 ? 4096 : 64) == 0);
            CHECK(fathom_thread_of(s->p) == (s->all ? 0 : fathom_mythread));
            touch(s, 1);
        }
    }
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].p) touch(&slots[i], 0), gas_free(slots[i].p);
    fathom_barrier(0, 0);
    gas_free(*mine);
    fathom_barrier(0, 0);
    if (fathom_mythread == 0) gas_free(box);
    fathom_barrier(0, 0);
    /* All is free again: a block of nearly the whole heap (FATHOM_HEAP=64m) must fit. */
    fathom_ptr p = gas_alloc(60ul << 20);
    CHECK(p);
    gas_free(p);
    fathom_barrier(0, 0);
    p = gas_all_alloc(60ul << 20);
    CHECK(p && fathom_thread_of(p) == 0);
}

/* To the end of the heap: null, no crash; then the same again after freeing. */
static void full(void) {
    enum { most = 4096 };
    static fathom_ptr p[most];
    int first = 0;
    for (int again = 0; again < 3; again++) {
        int n = 0;
        while (n < most && (p[n] = gas_alloc(100000))) {
            memset(fathom_local(p[n]), 1, 100000);
            n++;
        }
        CHECK(n > 600 && n < 700); /* FATHOM_HEAP=64m */
        if (again) CHECK(n == first);
        first = n;
        CHECK(!gas_alloc(1ul << 40) && !gas_alloc((size_t)-1) && !gas_alloc(0));
        CHECK(!upc_global_alloc((size_t)-1, (size_t)-1).addr && !upc_global_alloc(0, 8).addr);
        for (int i = again & 1; i < n; i += 2) gas_free(p[i]);
        for (int i = !(again & 1); i < n; i += 2) gas_free(p[i]);
        fathom_barrier(0, 0);
    }
    CHECK(!upc_all_alloc((size_t)fathom_threads, 70ul << 20).addr);
    fathom_pptr a = upc_all_alloc((size_t)fathom_threads, 30ul << 20);
    fathom_pptr b = upc_all_alloc((size_t)fathom_threads, 30ul << 20);
    CHECK(a.addr && b.addr && !gas_alloc(10ul << 20));
    fathom_barrier(0, 0);
    upc_all_free(a);
    upc_all_free(b);
}

/* Memory that was freed is given out again, and what was freed last need not be memory any more. */
static void reuse(void) {
    for (int i = 0; i < 200; i++) {
        fathom_ptr p = gas_alloc(100ul << 20);
        CHECK(p);
        memset(fathom_local(p), i, 1 << 16);
        gas_free(p);
    }
    fathom_ptr lowest = 0, highest = 0;
    for (int i = 0; i < 100000; i++) {
        fathom_ptr p = gas_alloc(200);
        if (!lowest || p < lowest) lowest = p;
        if (p > highest) highest = p;
        gas_free(p);
    }
    CHECK(highest - lowest < 1000);
}

/* What collective and global allocation return. */
static void all(void) {
    fathom_pptr a = upc_all_alloc(10, 100), b = upc_global_alloc(10, 100);
    CHECK(a.addr && b.addr && a.phase == 0 && a.addr != b.addr);
    *board_word(fathom_mythread, 0) = (long)a.addr;
    *board_word(fathom_mythread, 2) = (long)b.addr;
    fathom_barrier(0, 0);
    for (int t = 0; t < fathom_threads; t++) {
        CHECK(*board_word(t, 0) == (long)a.addr);
        CHECK(t == fathom_mythread || *board_word(t, 2) != (long)b.addr);
    }
    fathom_barrier(0, 0);
    if (fathom_mythread == fathom_threads - 1) upc_free(a);
    upc_free(b);
    for (int i = 0; i < 100; i++) {
        fathom_pptr c = upc_all_alloc((size_t)i + 1, 64);
        memset(fathom_local(c.addr + ((unsigned long)fathom_mythread << FATHOM_SEG_BITS)), i, 64);
        upc_all_free(c);
    }
}

/* Without FATHOM_HEAP, all heaps together get no more than the computer has, wherever the memory is asked for. */
static void budget(void) {
    size_t most = (size_t)sysconf(_SC_PHYS_PAGES) * 4096 + (64ul << 30 /* of swap, at the most */), got = 0;
    if (fathom_mythread == 0) {
        fathom_ptr p[1000];
        size_t share = (1ul << 30) / (size_t)fathom_threads;
        int n = 0;
        while (n < 1000 && (p[n] = n & 1 ? gas_alloc(1ul << 30) : gas_global_alloc(share))) n++;
        got = (size_t)n << 30;
        CHECK(n > 0 && got <= most);
        CHECK(!gas_alloc(most) && !upc_global_alloc(1, most).addr);
        while (n) gas_free(p[--n]);
    }
    fathom_barrier(0, 0);
}

int main(int argc, char **argv) {
    CHECK(argc > 1);
    if (!strcmp(argv[1], "stress")) stress(argc > 2 ? atoi(argv[2]) : 20000);
    if (!strcmp(argv[1], "full")) full();
    if (!strcmp(argv[1], "reuse")) reuse();
    if (!strcmp(argv[1], "all")) all();
    if (!strcmp(argv[1], "budget")) budget();
    fathom_barrier(0, 0);
    if (fathom_mythread == 0) printf("good\n");
    return 0;
}
