/* The record that every translation unit leaves for the runtime; see docs/decisions/0001. */
#ifndef FATHOM_UNIT_H
#define FATHOM_UNIT_H

/* The version of the agreement between generated code and runtime, and in the lowest bit whether the code was generated for
 * memory that not all threads reach by loads and stores. */
#ifdef FATHOM_CONDUIT_DISTRIBUTED
enum { fathom_abi_distributed = 1 };
#else
enum { fathom_abi_distributed = 0 };
#endif
enum { fathom_abi_version = 4, fathom_abi = fathom_abi_version << 1 | fathom_abi_distributed };

struct fathom_unit {
    unsigned abi; /* fathom_abi */
    /* THREADS of the static environment; 0 in the dynamic one. */
    int static_threads;
    const char *file;
    /* Initialises shared objects and private objects that point to them; may be null. */
    void (*init)(void);
    /* The language is Split-C: global pointers reach all objects of a processor (lang/split_c.c). */
    int is_split_c;
};

/* Initialises the elements of a shared array that have affinity to this thread, of `size` bytes each; `block` is 0 for
 * indefinite. `from` has `rows` rows of `given` elements, the array has rows of `width`: where THREADS is a factor of a
 * dimension, the initialiser says less than all, or more than there is on so few threads. */
void fathom_init_array(fathom_ptr start, const void *from, unsigned long rows, unsigned long given, unsigned long width,
                       unsigned long block, unsigned long size, const char *name);

#endif
