/* What the kernels of the area transfers share: patterns of memory, and two threads that take turns. All in words of 64 bits.
 *
 * A pattern is `1`, word after word; a stride in words; or `w`, words in any order, through a list of addresses on each side,
 * which is how gas.h takes them.
 */
#pragma once
#include "probe/probe.h"

enum { WORD = 8, LINE = 64 };

/* One side of a transfer: where it is in the calling thread's segment, or in a near thread's. */
struct side {
    size_t stride;       /* in words; 0: through the list */
    size_t words, bytes; /* of payload; from the first word to the end of the last */
    fathom_ptr at;
    fathom_ptr *list; /* an address for each word, whatever the pattern, if the other side may be through a list */
};

/* Words of a block of `bytes=`; 0 and an error if it has none. */
size_t words_of(const struct request *request, struct reply *reply);
/* Reads a pattern by its name in the request; false and an error if it is none. */
bool read_pattern(struct side *side, const struct request *request, struct reply *reply, const char *name,
                  size_t words);
/* The words of the side in the order of the transfer: for `w` a random one, the same at every call. */
bool make_list(struct side *side);
/* Takes memory in the own segment and touches it. */
bool place(struct side *side);
/* A side that `owner` has, told to all. Collective. */
bool place_of(struct side *side, int owner);
void give_back(struct side *side);

/* Words from one side to the other, each side from its own first word on, by the call of gas.h for the two patterns. Where one
 * side is through a list both have one.
 */
void transfer(const struct side *dst, size_t dst_first, const struct side *src, size_t src_first, size_t words);
/* Every word read, or written; neither in a way that changes with the size. */
void read_words(const struct side *side);
void write_words(const struct side *side);

/* A turn of a thread. */
typedef void turn(void *argument);

/* In thread 0's segment. */
struct game {
    uint32_t turn; /* even: thread 0's */
    uint32_t is_over;
    double second_ns; /* of thread 1's last turn */
};

struct turns {
    turn *body;
    void *argument;
    enum { FIRST, SECOND, BOTH } whose; /* turns that count */
    int warm;                           /* more turns than this before the first that counts */
    bool serves;                        /* messages, while it waits for its turn */
    const double *ended_ns; /* on thread 0: when the first turn was over, unless it is when its body returns */
};

/* Are there two near threads, each with a processor? Collective; false: the reply says why. */
bool are_two(struct reply *reply);
/* Threads 0 and 1 in turn; a sample is the mean time of the turns that count, over several. `at`: of a game of zeros. */
void take_turns(const struct request *request, struct reply *reply, fathom_ptr at, const struct turns *turns);
