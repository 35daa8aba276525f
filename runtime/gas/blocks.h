/* Blocks of shared memory in one heap, which gas/heap.c is built on. See blocks.c. */
#ifndef GAS_BLOCKS_H
#define GAS_BLOCKS_H

#include <stddef.h>

#include "core/mutex.h"

#define BLOCK_GRAIN 64ul        /* sizes and addresses are multiples of it */
#define BLOCK_HEADER 64ul       /* before every block */
#define BLOCK_PAGED (1ul << 20) /* blocks from this size on start on a page */
#define BLOCK_PAGE 4096ul

/* Stands before a block's bytes, used or free. Distances are in bytes; addresses are those of thread 0's copy in the
 * symmetric heap. */
struct block {
    uint64_t seal;             /* the kind of block, mixed with its address */
    uint64_t size;             /* of the bytes that follow */
    uint64_t before;           /* distance from the header of the block before this one; 0: it is the heap's first */
    struct block *next, *prev; /* in the list of free blocks of its class */
    uint64_t asked;            /* bytes that the program asked for */
    int64_t known;             /* to whom its extent is: heap.c */
    uint64_t unused;
};

#define CLASS_STEPS 16
#define CLASS_ROWS 34

/* One heap: blocks without gaps from `low` to `high`, addresses in the processes that the heap is near. It grows at its upper end, or (down) at its lower one. */
struct blocks {
    struct mutex lock;
    bool down;
    uint64_t low, high;
    struct block *edge; /* the block at the end that grows, if there is one */
    uint64_t rows;      /* bit r: row r has a class with free blocks */
    uint32_t steps[CLASS_ROWS];
    struct block *free[CLASS_ROWS][CLASS_STEPS];
};

/* Moves the growing end by `bytes` outward (or inward, negative); false if there is no room. Supplied by heap.c. */
bool blocks_move_edge(struct blocks *h, int64_t bytes);
/* Gives the pages of a free range back to the kernel; its contents are no longer needed. Supplied by heap.c. */
void blocks_release(const struct blocks *h, uint64_t from, uint64_t to);

void blocks_start(struct blocks *h, const void *at, bool down);
/* `n` bytes at a multiple of `align`, a power of two (1: as the size wants it); null if there is no room. The caller holds
 * the lock, here and for giving back. */
void *blocks_take(struct blocks *h, size_t n, uint64_t align);
void blocks_give(struct blocks *h, struct block *b);
/* The header of the used block that starts at `p`; null if there is none, and *freed says whether there was one. */
struct block *blocks_find(const struct blocks *h, const void *p, bool *freed);
/* That of the used block which has the byte at `p`; null if none has it, or it is no start and there are many blocks before it. */
struct block *blocks_find_around(const struct blocks *h, const void *p);

#endif
