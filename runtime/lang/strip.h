/* Loops over landed data, for generated code (docs/decisions/0012, 0014). A counting loop whose reads of shared arrays are
 * `x[i + c]` runs in strips: what a strip reads of far threads is fetched before it, in at most one transfer a thread, and
 * the loop's body reads it by a C pointer. What it reads as `table[index[i]]` is gathered: the places are computed before the
 * strip, and the elements are fetched together. The runtime's part is gas/strip.c and gas/gather.c. Included by the prelude;
 * includes nothing. */
#ifndef FATHOM_STRIP_H
#define FATHOM_STRIP_H

/* As MOST_SLOTS, MOST_GATHERS and MOST_SOURCES of crates/lower. */
enum { FATHOM_STRIP_SLOTS = 6, FATHOM_STRIP_GATHERS = 6, FATHOM_STRIP_SOURCES = 8 };

/* The elements of one array, or of the array that a pointer-to-shared leads to, that a loop reads. */
struct fathom_slot {
    const void *at;    /* in this run: the first iteration's element with the lowest offset */
    long thread, base; /* of element 0 of the block of element 0; base is an offset in the segment */
    long first;        /* the element of the loop's first iteration, counted from there */
    long block, size;  /* elements of a block, 0: all on one thread; bytes of an element */
    long extra;        /* highest minus lowest offset */
};

/* The elements of a table that a loop reads at places which it computes, one in each iteration. */
struct fathom_gather {
    const void *at; /* in this run: the first iteration's element, copied; the others' follow */
    long size;      /* bytes of an element */
    long low, high; /* the table's offsets in segments: the first, and the one behind the last; high 0: not known */
    long thread;    /* the one that has the whole table, or -1 */
    long block;     /* elements of a block, or 0 */
    fathom_ptr start;
};

/* Private memory from which places are computed. */
struct fathom_source {
    const volatile char *from;
    long bytes;
};

struct fathom_strip {
    const void *loop; /* where it was opened */
    int slots, gathers, sources, may_run;
    int may_be_left; /* the loop has a jump out of it; set behind fathom_strip_begin */
    long trips;      /* iterations of the whole loop */
    long done, end;  /* iterations: that have been handed out, that have landed */
    long ahead;      /* iterations that are on their way or have landed, if more than `end` */
    long step;       /* iterations of the next strip */
    long most;       /* and of any strip */
    struct fathom_slot slot[FATHOM_STRIP_SLOTS];
    struct fathom_gather gather[FATHOM_STRIP_GATHERS];
    struct fathom_source source[FATHOM_STRIP_SOURCES];
};

/* Loops of so many iterations and more are worth a question; the largest long if strips are off, or no thread is far. */
extern long fathom_strips_from;
/* The same for loops that gather. */
extern long fathom_gathers_from;

void fathom_strip_begin(struct fathom_strip *s, long trips);
/* A slot: element `index` of the array that begins at `start`, in whose first block `phase` elements are before it, is the one
 * that the first iteration reads at the lowest offset. */
void fathom_strip_range(struct fathom_strip *s, fathom_ptr start, unsigned long phase, long index, unsigned long block,
                        unsigned long size, long extra);
/* A table that is gathered from: the array at `start`, with `bytes` on each thread (if it is known, otherwise 0: the object that
 * a pointer leads to), in blocks of `block` elements (0: all on one thread) of `size` bytes. */
void fathom_strip_gather(struct fathom_strip *s, fathom_ptr start, unsigned long bytes, unsigned long block,
                         unsigned long size);
/* The places are computed from these bytes of private memory, which stores of the loop may reach as far as its text says. */
void fathom_strip_source(struct fathom_strip *s, const volatile void *from, long bytes);
/* After all of these: the loop writes such elements, or bytes from, ..., from + bytes - 1 of private memory (bytes < 0: any of
 * the object in which `from` is, which is no source). If they may be among those of a slot, a table or a source, the loop must not
 * run in strips. */
void fathom_strip_writes(struct fathom_strip *s, fathom_ptr start, unsigned long phase, long index, unsigned long block,
                         unsigned long size, long extra);
void fathom_strip_stores(struct fathom_strip *s, const volatile void *from, long bytes);
/* Any element of an array that has `bytes` on each thread, or (0) of the object to which a pointer with this block size leads. */
void fathom_strip_writes_object(struct fathom_strip *s, fathom_ptr start, long bytes, unsigned long block);
/* The same where only sources are asked about: any of an array that has `bytes` on each thread (0: it is not known how many), and
 * anything. */
void fathom_strip_writes_array(struct fathom_strip *s, fathom_ptr start, long bytes);
void fathom_strip_writes_anything(struct fathom_strip *s);
/* May the loop run in strips, and does it read anything far? */
int fathom_strip_open(struct fathom_strip *s);
/* The same for a loop that calls fathom_strip_use (-fcomm-check). */
int fathom_strip_open_to_check(struct fathom_strip *s);
/* The loop copies what its one slot has to `to`, and does nothing else: done, or false if it had better run in strips. */
int fathom_strip_copy(const struct fathom_strip *s, char *to);
struct fathom_own;
/* For the upc_forall that has these iterations, in blocks: may the blocks of this thread run so, and do they read anything far? */
int fathom_strip_open_blocks(struct fathom_strip *s, struct fathom_own *o);
/* The loop that begins at line `loop` of a file uses, at another line, the object `value`, or bytes skip to skip + bytes - 1 of
 * it, in the landed element whose place is `at`. Returns `value`. */
const void *fathom_strip_use(const void *value, unsigned long skip, unsigned long bytes, const void *element,
                             fathom_ptr at, const char *file, int loop, int line);
/* At least one and at most n iterations are next; n are left. Sets slot[...].at for them. */
unsigned long fathom_strip_next(struct fathom_strip *s, unsigned long n);
/* The iterations of a upc_forall that this thread runs: those i from next to hi - 1 for which (i + shift) / block % THREADS is its
 * number. */
struct fathom_own {
    long next, hi, shift, block;
    const long *at; /* those of the next strip */
};
unsigned long fathom_own_next(struct fathom_strip *s, struct fathom_own *o);
/* The same of those in blocks: so many that follow each other are next, from *first on, and slot[...].at are set for them; 0: none are left. */
long fathom_own_run(struct fathom_strip *s, long *first);
/* Before a upc_forall with these iterations, in which there is a loop in strips: its slots as they are in iteration o->next, and in the one behind that.
 * What the loop will read of far threads in this thread's iterations is fetched, if it is not much. */
void fathom_rows_fetch(const struct fathom_strip *s, const struct fathom_strip *next, const struct fathom_own *o);
/* A loop around a loop in strips whose slots move on by as many elements in each iteration, and whose bounds stay: the rows that many iterations read are
 * fetched together, and each iteration finds its own without a question. */
struct fathom_nest {
    /* In the iterations at hand: where each slot has its first element. */
    void *const (*row)[FATHOM_STRIP_SLOTS];
    struct fathom_slot slot[FATHOM_STRIP_SLOTS]; /* in the first iteration */
    long by[FATHOM_STRIP_SLOTS];                 /* elements */
    int slots, which;                            /* which: of two boxes */
    long count;                                  /* iterations of the loop inside */
    long trips, done;                            /* those of the nest: all, and that have been handed out; */
    long end, ahead;                             /* that have landed, and that are on their way or have landed */
};
/* After fathom_strip_begin of `s` with the iterations of the nest: makes its slots all that the nest reads. The loop inside has the slots of `first` in the
 * first iteration, and those of `next` in the second one. */
void fathom_nest_begin(struct fathom_nest *x, struct fathom_strip *s, const struct fathom_strip *first,
                       const struct fathom_strip *next);
/* After fathom_strip_open of `s`: will it do? */
int fathom_nest_open(const struct fathom_nest *x);
/* So many iterations are next, whose rows are there. */
long fathom_nest_next(struct fathom_nest *x);
/* For one whose iterations' affinities are computed: room for those of the next strip, at most s->step. */
long *fathom_own_list(struct fathom_strip *s, struct fathom_own *o);
/* Room for the places of n iterations' elements of gather g; and gathers `first` to `behind` - 1, whose places are there. */
fathom_ptr *fathom_gather_places(int g, unsigned long n);
void fathom_gather_fetch(struct fathom_strip *s, int first, int behind, unsigned long n);

#endif
