/* Every mechanism that the tuning table can choose gives the same data: forced by gas_tune, over patterns, sizes, alignments and
 * both directions; what lies around the data stays as it was. One that this processor lacks, or that is not for an element of
 * that size, must leave the work to another. */
#include "suite.h"

#include "gas_tuning.h"

enum { SPAN = 40000 };

static const char *const copies[] = {"in-place", "library", "string", "stream"};
static const char *const spread[] = {"loop", "wide", "library", "prefetch", "vector", "stream"};
static const char *const both[] = {"loop", "wide", "library", "prefetch"};
static const char *const squares[] = {"loop", "tiles"};
static const char *const pieces[] = {"pack", "each"};

static const struct {
    const char *decision;
    const char *const *mechanisms;
    int count;
} decisions[] = {
    {"contiguous", copies, 4}, {"gather", spread, 6},     {"scatter", spread, 6},
    {"strided", both, 4},      {"put-indexed", both, 4},  {"get-indexed", both, 4},
    {"transpose", squares, 2}, {"put-pieces", pieces, 2}, {"get-pieces", pieces, 2},
};
enum { DECISIONS = sizeof decisions / sizeof *decisions };

static char *local, *model, *in; /* SPAN each */
static fathom_ptr there;

/* The far memory and the own one have new contents; `model` is what the far one has. */
static void begin(void) {
    fill_pattern(local, SPAN, random_word(&mine));
    fill_pattern(model, SPAN, random_word(&mine));
    gas_put(there, model, SPAN);
}

/* After a put: is the far memory as the model says? */
static void check(const char *decision, const char *mechanism, const char *what, size_t element, size_t bytes) {
    gas_get(in, there, SPAN);
    size_t at = 0;
    while (at < SPAN && in[at] == model[at]) at++;
    ASSERT(at == SPAN, "%s: %s: %s of %zu bytes in elements of %zu: byte %zu", decision, mechanism, what, bytes,
           element, at);
}

static void contiguous(const char *decision, const char *mechanism) {
    size_t n = random_size(&mine, 30000), to = random_below(&mine, 200), from = random_below(&mine, 200);
    begin();
    gas_put(there + to, local + from, n);
    memcpy(model + to, local + from, n);
    check(decision, mechanism, "put", 1, n);
    gas_get(local + from, there + to, n);
    gas_put(there + to, local + from, n);
    check(decision, mechanism, "get and put", 1, n);
}

/* Element by element, as the copies should be. */
static void naive(char *dst, ptrdiff_t dst_stride, const char *src, ptrdiff_t src_stride, size_t element, size_t n) {
    for (size_t i = 0; i < n; i++) memcpy(dst + (ptrdiff_t)i * dst_stride, src + (ptrdiff_t)i * src_stride, element);
}

static void strided(const char *decision, const char *mechanism) {
    static const size_t usual[] = {1, 2, 4, 8, 16, 24, 32, 64, 128};
    size_t element = random_below(&mine, 4) ? usual[random_below(&mine, 9)] : 1 + random_below(&mine, 200);
    ptrdiff_t packed = (ptrdiff_t)element;
    ptrdiff_t apart = packed * (ptrdiff_t)(2 + random_below(&mine, 3)) + (random_below(&mine, 3) ? 0 : packed / 2);
    size_t most = SPAN / 2 / (size_t)apart, n = 1 + random_below(&mine, most < 700 ? most : 700);
    /* Aligned for lines, or not at all. */
    size_t at = random_below(&mine, 2) ? 0 : 1 + random_below(&mine, 100);
    ptrdiff_t strides[3][2] = {{apart, packed}, {packed, apart}, {apart, apart}};
    for (int k = 0; k < 3; k++) {
        ptrdiff_t *to = &strides[k][0], *from = &strides[k][1];
        begin();
        gas_put_strided(there + at, to, local, from, element, &n, 1);
        naive(model + at, *to, local, *from, element, n);
        check(decision, mechanism, "put", element, n * element);
        memcpy(in, local, SPAN);
        gas_get_strided(local + at, to, there, from, element, &n, 1);
        naive(in + at, *to, model, *from, element, n);
        ASSERT(memcmp(local, in, SPAN) == 0, "%s: %s: get of %zu elements of %zu", decision, mechanism, n, element);
        /* Downwards. */
        ptrdiff_t down_to = -*to, down_from = -*from;
        size_t last_to = (n - 1) * (size_t)*to, last_from = (n - 1) * (size_t)*from;
        begin();
        gas_put_strided(there + at + last_to, &down_to, local + last_from, &down_from, element, &n, 1);
        naive(model + at, *to, local, *from, element, n);
        check(decision, mechanism, "put downwards", element, n * element);
    }
}

static void indexed(const char *decision, const char *mechanism) {
    enum { MOST = 300 };
    size_t element = 1 + random_below(&mine, 128), n = 1 + random_below(&mine, MOST);
    if (random_below(&mine, 2)) element = (size_t)1 << random_below(&mine, 7);
    fathom_ptr far[MOST];
    void *near[MOST];
    begin();
    for (size_t i = 0; i < n; i++) {
        size_t place = n % 7 ? i * 7 % n : i; /* each once */
        far[i] = there + place * element;
        near[i] = local + i * element;
    }
    gas_put_indexed(far, (const void *const *)near, element, n);
    for (size_t i = 0; i < n; i++) memcpy(model + (far[i] - there), near[i], element);
    check(decision, mechanism, "put", element, n * element);
    gas_get_indexed(near, far, element, n);
    gas_put_indexed(far, (const void *const *)near, element, n);
    check(decision, mechanism, "get and put", element, n * element);
}

static void transpose(const char *decision, const char *mechanism) {
    size_t element = (size_t)1 << random_below(&mine, 7), rows = 1 + random_below(&mine, 40),
           columns = 1 + random_below(&mine, 40);
    while (rows * columns * element > SPAN) rows = (rows + 1) / 2, columns = (columns + 1) / 2;
    ptrdiff_t e = (ptrdiff_t)element, to[2] = {e, (ptrdiff_t)rows * e}, from[2] = {(ptrdiff_t)columns * e, e};
    size_t n[2] = {rows, columns};
    begin();
    gas_put_strided(there, to, local, from, element, n, 2);
    for (size_t c = 0; c < columns; c++)
        naive(model + c * rows * element, e, local + c * element, from[0], element, rows);
    check(decision, mechanism, "put", element, rows * columns * element);
}

/* Elements of vectors' sizes, at every place within a line, where the loops take different ways. */
CASE(data_of_vectors_at_every_alignment) {
    static const size_t elements[] = {32, 48, 64, 96, 128};
    fathom_ptr all = everywhere((size_t)SPAN * (size_t)count());
    there = on(neighbour(1), all) + (fathom_ptr)me() * SPAN;
    local = aligned_alloc(64, SPAN), model = malloc(SPAN), in = malloc(SPAN);
    ASSERT(!gas_tune("gather: wide") && !gas_tune("scatter: wide") && !gas_tune("strided: wide"), "wide");
    for (size_t k = 0; k < sizeof elements / sizeof *elements; k++)
        for (size_t at = 0; at < 64; at += 8) {
            size_t element = elements[k], n = 1 + at / 8 % 4;
            ptrdiff_t packed = (ptrdiff_t)element, strides[] = {packed, 2 * packed, packed + 16};
            for (int to = 0; to < 3; to++)
                for (int from = 0; from < 3; from++) {
                    begin();
                    gas_put_strided(there + at, &strides[to], local, &strides[from], element, &n, 1);
                    naive(model + at, strides[to], local, strides[from], element, n);
                    check("wide", "wide", "put", element, n * element);
                }
        }
    gas_tune_reset();
    free(local), free(model), free(in);
    free_everywhere(all);
}

CASE(data_by_every_mechanism) {
    fathom_ptr all = everywhere((size_t)SPAN * (size_t)count());
    there = on(neighbour(1), all) + (fathom_ptr)me() * SPAN;
    local = aligned_alloc(64, SPAN), model = malloc(SPAN), in = malloc(SPAN);
    for (int d = 0; d < DECISIONS; d++)
        for (int k = 0; k < decisions[d].count; k++) {
            const char *decision = decisions[d].decision, *mechanism = decisions[d].mechanisms[k];
            char line[100];
            snprintf(line, sizeof line, "%s: %s", decision, mechanism);
            const char *wrong = gas_tune(line);
            ASSERT(!wrong, "%s: %s", line, wrong ? wrong : "");
            for (long i = 0; i < suite_rounds(6); i++) {
                if (d == 0)
                    contiguous(decision, mechanism);
                else if (strstr(decision, "-indexed"))
                    indexed(decision, mechanism);
                else if (strcmp(decision, "transpose") == 0)
                    transpose(decision, mechanism);
                else
                    strided(decision, mechanism), indexed(decision, mechanism);
            }
            gas_tune_reset();
        }
    free(local), free(model), free(in);
    free_everywhere(all);
}

/* Every size that is moved in place, and those after it, a byte too far on neither side. */
CASE(data_of_every_small_size) {
    fathom_ptr all = everywhere(256);
    char *remote_model = malloc(256), *mine_too = malloc(256);
    fathom_ptr to = on(neighbour(1), all);
    gas_barrier();
    for (volatile size_t n = 0; n <= 80; n++) {
        if (me() == 0) {
            fill_pattern(mine_too, 256, n), fill_pattern(remote_model, 256, n + 1000);
            gas_put(to, remote_model, 256);
            gas_put(to + 70, mine_too + 33, n);
            memcpy(remote_model + 70, mine_too + 33, n);
            char back[256];
            gas_get(back, to, 256);
            ASSERT(memcmp(back, remote_model, 256) == 0, "put of %zu bytes", n);
            memset(back, 7, sizeof back);
            gas_get(back + 100, to + 70, n);
            ASSERT(memcmp(back + 100, remote_model + 70, n) == 0 && back[99] == 7 && back[100 + n] == 7,
                   "get of %zu bytes", n);
        }
    }
    free(remote_model), free(mine_too);
    free_everywhere(all);
}

/* What a line may be, and what is wrong with others: the reader's grammar, by its calls. */
CASE(tuning_lines_are_read_or_named) {
    static const char *const good[] = {"",
                                       "# x",
                                       "gather element=8 aligned=512..: prefetch",
                                       "strided aligned=4096: loop",
                                       "contiguous: library",
                                       " gather  element=8..15 stride=64.. : loop < 10 , vector # x",
                                       "get-indexed element=4: loop < 0, prefetch",
                                       "spins: 100",
                                       "contiguous:stream\r\n",
                                       "put computer=this: message < 64, direct",
                                       "get computer=other : auto",
                                       "far-gather-all threads=2..3: doubling < 4096, ring",
                                       "broadcast threads=4..: read"};
    static const char *const bad[] = {"contiguous",
                                      "contiguous: ",
                                      "contiguous: loop",
                                      "contiguous: library <",
                                      "contiguous: library < 10",
                                      "contiguous: library < 10, string < 5, stream",
                                      "contiguous element=4: library",
                                      "gather element=: loop",
                                      "gather element=8..4: loop",
                                      "gather element=0: loop",
                                      "gather stride=-4: loop",
                                      "gather aligned=x: loop",
                                      "put-indexed aligned=512: loop",
                                      "gather: prefetchx",
                                      "nothing: loop",
                                      "spins: many",
                                      "spins 5",
                                      "gather: loop < 99999999999999999999999, vector",
                                      "gather: loop < 1, vector < 2, loop < 3, vector < 4, loop",
                                      "put computer=here: direct",
                                      "put computer=thisone: direct",
                                      "put threads=2: direct",
                                      "broadcast computer=this: read",
                                      "broadcast threads=0: read",
                                      "broadcast: slices",
                                      "stream threads=2: auto"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const char *wrong = gas_tune(good[i]);
        ASSERT(!wrong, "`%s`: %s", good[i], wrong ? wrong : "");
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ASSERT(gas_tune(bad[i]), "`%s` was taken", bad[i]);
    gas_tune_reset();
    const char *before = gas_tuned("gather", 8, 64, 1000);
    EQUAL(0, gas_tune("gather: loop") != NULL);
    EQUAL(0, gas_tune("gather element=8..15 stride=64..127: loop < 100, prefetch < 1000, stream") != NULL);
    /* Of a cache, an element fills a line, and its own bytes where it is contiguous. */
    ASSERT(strcmp(gas_tuned("gather", 8, 64, 8), "loop") == 0, "%s", gas_tuned("gather", 8, 64, 8));
    ASSERT(strcmp(gas_tuned("gather", 8, 64, 16), "prefetch") == 0, "%s", gas_tuned("gather", 8, 64, 16));
    ASSERT(strcmp(gas_tuned("gather", 12, 100, 100), "prefetch") == 0, "%s", gas_tuned("gather", 12, 100, 100));
    ASSERT(strcmp(gas_tuned("gather", 15, 127, 1000), "stream") == 0, "%s", gas_tuned("gather", 15, 127, 1000));
    ASSERT(strcmp(gas_tuned("gather", 16, 64, 1000), "loop") == 0, "%s", gas_tuned("gather", 16, 64, 1000));
    ASSERT(strcmp(gas_tuned("gather", 8, 128, 1000), "loop") == 0, "%s", gas_tuned("gather", 8, 128, 1000));
    ASSERT(!gas_tuned("nothing", 8, 128, 1000), "there is no such decision");
    /* Strides that leave sets out count for these, too; those that leave out most are not among the strides. */
    EQUAL(0, gas_tune("gather stride=512..: loop < 2640, prefetch") != NULL);
    EQUAL(0, gas_tune("gather aligned=1024..2048: stream") != NULL);
    static const struct {
        size_t element, stride, bytes;
        const char *taken;
    } sizes[] = {{8, 768, 72, "loop"},      {8, 768, 80, "prefetch"},      {8, 520, 288, "loop"},
                 {8, 520, 296, "prefetch"}, {8, 512, 9999, "loop"},        {8, 3072, 8, "stream"},
                 {8, 2048, 8, "stream"},    {8, 4096, 9999, "loop"},       {8, 20480, 9999, "loop"},
                 {64, 512, 64, "loop"},     {256, 1024, 9999, "prefetch"}, {256, 2048, 256, "stream"},
                 {60, 840, 780, "loop"},    {60, 840, 960, "prefetch"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *taken = gas_tuned("gather", sizes[i].element, sizes[i].stride, sizes[i].bytes);
        ASSERT(strcmp(taken, sizes[i].taken) == 0, "%zu of %zu, %zu apart: %s", sizes[i].bytes, sizes[i].element,
               sizes[i].stride, taken);
    }
    gas_tune_reset();
    ASSERT(strcmp(gas_tuned("gather", 8, 64, 1000), before) == 0, "it is not as it was");
}
