/* Loops over landed data, for generated code (docs/decisions/0012). A counting loop whose reads of shared arrays are
 * `x[i + c]` runs in strips: what a strip reads of far threads is fetched before it, in at most one transfer a thread, and
 * the loop's body reads it by a C pointer. The runtime's part is gas/strip.c. Included by the prelude; includes nothing. */
#ifndef FATHOM_STRIP_H
#define FATHOM_STRIP_H

enum { FATHOM_STRIP_SLOTS = 6 };

/* The elements of one array, or of the array that a pointer-to-shared leads to, that a loop reads. */
struct fathom_slot {
    const void *at;    /* in this run: the first iteration's element with the lowest offset */
    long thread, base; /* of element 0 of the block of element 0; base is an offset in the segment */
    long first;        /* the element of the loop's first iteration, counted from there */
    long block, size;  /* elements of a block, 0: all on one thread; bytes of an element */
    long extra;        /* highest minus lowest offset */
};

struct fathom_strip {
    int slots, may_run;
    long trips;     /* iterations of the whole loop */
    long done, end; /* iterations: that have been handed out, that have landed */
    long step;      /* iterations of the next strip */
    struct fathom_slot slot[FATHOM_STRIP_SLOTS];
};

/* Loops of so many iterations and more are worth a question; the largest long if strips are off, or no thread is far. */
extern long fathom_strips_from;

void fathom_strip_begin(struct fathom_strip *s, long trips);
/* A slot: element `index` of the array that begins at `start`, in whose first block `phase` elements are before it, is the one
 * that the first iteration reads at the lowest offset. */
void fathom_strip_range(struct fathom_strip *s, fathom_ptr start, unsigned long phase, long index, unsigned long block,
                        unsigned long size, long extra);
/* After the slots: the loop writes such elements, or bytes from, ..., from + bytes - 1 of private memory (bytes < 0: any of
 * the object in which `from` is). If they may be among those of a slot, the loop must not run in strips. */
void fathom_strip_writes(struct fathom_strip *s, fathom_ptr start, unsigned long phase, long index, unsigned long block,
                         unsigned long size, long extra);
void fathom_strip_stores(struct fathom_strip *s, const volatile void *from, long bytes);
/* May the loop run in strips, and does it read anything far? */
int fathom_strip_open(struct fathom_strip *s);
/* The same for a loop that calls fathom_strip_use (-fcomm-check). */
int fathom_strip_open_to_check(struct fathom_strip *s);
/* The loop that begins at line `loop` of a file uses, at another line, the object `value`, or bytes skip to skip + bytes - 1 of
 * it, in the landed element whose place is `at`. Returns `value`. */
const void *fathom_strip_use(const void *value, unsigned long skip, unsigned long bytes, const void *element,
                             fathom_ptr at, const char *file, int loop, int line);
/* At least one and at most n iterations are next; n are left. Sets slot[...].at for them. */
unsigned long fathom_strip_next(struct fathom_strip *s, unsigned long n);

#endif
