/* The work of a program whose operations are counted, on a conduit that computes a machine's times: `counts` in its
 * conduit.toml. Generated code adds the cost of each block of operations (crates/lower/src/plan/work.rs) to
 * `fathom_work`; the conduit defines what is declared here.
 *
 * The sum is a pointer to a type that programs do not have, because the C compiler then knows that the program's stores do
 * not change it, and keeps it in a register through a loop, or multiplies behind it.
 */
#ifndef CONDUIT_WORK_H
#define CONDUIT_WORK_H

/* Classes of operations, in the order of a block's counts. */
enum fathom_work_class {
    FATHOM_WORK_INTEGER,
    FATHOM_WORK_MULTIPLY,
    FATHOM_WORK_DIVIDE,
    FATHOM_WORK_FLOAT,
    FATHOM_WORK_FLOAT_DIVIDE,
    FATHOM_WORK_LOAD,
    FATHOM_WORK_STORE,
    FATHOM_WORK_BRANCH,
    FATHOM_WORK_CALL,
    FATHOM_WORK_SHARED,
    FATHOM_WORK_CLASSES
};

struct fathom_picosecond {
    char is_one;
};

/* What only counts, here and in generated code, lies in a section of its own: simulated machines have no such objects, so
 * that their caches must not see accesses to them. */
#define FATHOM_COUNTED __attribute__((section("fathom_counted")))

/* Picoseconds of work of this thread, and how far they may come before a loop that waits calls fathom_work_tick. */
extern struct fathom_picosecond *fathom_work, *fathom_work_limit;

/* A place in the program's text. Generated code names one before what communicates; a unit's places stand in a
 * section of their own, so that those of a program have numbers. */
struct fathom_place {
    const char *file;
    unsigned line;
};
extern const struct fathom_place *fathom_here;
/* What generated code has for each unit in another section: it calls `say` with each place at which a block of
 * operations begins, and with the picoseconds of work of that block so far. */
typedef void fathom_performed(void (*say)(const struct fathom_place *place, unsigned long work));

/* The cost of a block with these counts, in picoseconds. */
unsigned long fathom_work_cost(const unsigned counts[FATHOM_WORK_CLASSES]);
/* Lets other threads go on. */
void fathom_work_tick(void);
/* Before a loop that waits for shared objects to change, and at the begin of each of its iterations, if these do the same again
 * and again as long as the objects have the same values: a simulation need not perform them. A simple one sets no
 * variables; another one may set some in its first iteration. */
void fathom_wait_begins(void);
void fathom_waits(int is_simple);

#endif
