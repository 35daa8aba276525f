// threads: 1 2 3 5
/* docs/split-c.md, memory: any object of a processor can be pointed to: file scope, static, automatic, allocated. */
#include "check-split-c.h"
#include <string.h>

static int hidden[1000];
int initialised = 42;
char bytes[5000];
int *global published;
int *global inner;

void publish(int *local) { published = (int *global)local; }

void nested(int depth) {
    int mine = MYPROC * 1000 + depth;
    static int kept = 7;
    int *global theirs;
    publish(&mine);
    kept += MYPROC;
    inner = (int *global)&kept;
    barrier();
    theirs = *(int *global *global)toglobal((MYPROC + 1) % PROCS, &published);
    CHECK_EQ((MYPROC + 1) % PROCS * 1000 + depth, *theirs);
    theirs = *(int *global *global)toglobal((MYPROC + 1) % PROCS, &inner);
    CHECK(*theirs >= 7);
    barrier();
    *theirs = 7;
    barrier();
    CHECK_EQ(7, kept);
    if (depth > 0) nested(depth - 1);
}

splitc_main(int argc, char **argv) {
    int next = (MYPROC + 1) % PROCS, i, *heap, *grown;
    int *global *global place;
    char *text;

    CHECK_EQ(1, argc);
    CHECK(argv[0] != NULL);
    for (i = 0; i < 1000; i++) hidden[i] = i * (MYPROC + 1);
    initialised += MYPROC;
    barrier();
    {
        int *global h = toglobal(next, hidden);
        CHECK_EQ(999 * (next + 1), h[999]);
        CHECK_EQ(42 + next, *toglobal(next, &initialised));
    }
    barrier();
    /* A write through a global pointer is seen by the variable, and the other way round. */
    *toglobal(next, &initialised) = 1 + MYPROC;
    barrier();
    CHECK_EQ(1 + (MYPROC + PROCS - 1) % PROCS, initialised);
    initialised = 5;
    CHECK_EQ(5, *(int *global)&initialised);

    nested(20);

    /* malloc, calloc, realloc, free, strdup. */
    heap = calloc(100, sizeof *heap);
    for (i = 0; i < 100; i++) CHECK_EQ(0, heap[i]);
    for (i = 0; i < 100; i++) heap[i] = MYPROC + i;
    grown = realloc(heap, 100000 * sizeof *heap);
    grown[99999] = MYPROC;
    published = (int *global)grown;
    barrier();
    place = toglobal(next, &published);
    CHECK_EQ(next + 99, (*place)[99]);
    CHECK_EQ(next, (*place)[99999]);
    barrier();
    free(grown);
    text = strdup("split");
    CHECK_EQ('l', *((char *global)text + 2));
    free(text);
    for (i = 0; i < 2000; i++) {
        char *p = malloc(i), *q = malloc(7);
        CHECK(p && q);
        memset(p, i, i);
        free(p);
        free(q);
    }
    memset(bytes, MYPROC, sizeof bytes);
    barrier();
    CHECK_EQ(next, *toglobal(next, bytes + 4999));
    barrier();
    return 0;
}
