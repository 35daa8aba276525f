/* Threads that measure together: thread 0 and others, each on a core of its own.
 *
 * Thread 0 directs. A kernel begins with together_begin on every thread; the others then serve, which is to answer messages and to
 * do the kernel's work while they are told to, until thread 0 ends the meeting. What needs two threads cannot be measured
 * where there is one, and what contains waiting cannot be measured on a shared core: then the reply says `impossible`.
 */
#pragma once
#include "probe/probe.h"

/* Bytes that every thread has for transfers, in its segment and outside of it. */
#define TOGETHER_BYTES ((size_t)8 << 20)

enum together_where {
    TOGETHER_ANYWHERE, /* that is not the same core */
    TOGETHER_NEAR,     /* on one socket and node of memory */
    TOGETHER_FAR       /* thread 0 on one, all others on another */
};

/* Brings thread 0 and the threads `first` .. first + others - 1 together, on the processors `processor=` (thread 0) and
 * `other_processor=` (thread `first`) of the request if it names them. True on the threads of a meeting that takes place. No others:
 * a meeting of thread 0 alone.
 */
bool together_begin(const struct request *request, struct reply *reply, int first, int others,
                    enum together_where where);
/* Thread 0 goes on; the others come back from here when the meeting is over. `work` may be NULL: see together_start. */
bool together_directs(void (*work)(void));
/* Thread 0: the others' service ends, and so does the meeting. */
void together_end(void);

/* Thread 0: from now on this thread calls its work between messages, again and again, and finds the words here. */
void together_start(int thread, uint64_t first_word, uint64_t second_word);
/* ... until it is told to stop, or has had enough and clears together_works. */
void together_stop(int thread);
/* Waits until all have heard what they were told. */
void together_settle(void);
extern uint64_t together_words[2];
extern bool together_works;

/* Performs `task(words)` on a thread, inside a handler, where it may touch near memory and nothing else; its result. */
double together_ask(int thread, const uint64_t words[4]);
extern double (*together_task)(const uint64_t words[4]);

/* Waits until the counter, which handlers advance, has reached the value. */
void together_wait(const uint64_t *counter, uint64_t value);

/* The bytes of a thread; those of this one that are not in its segment. */
fathom_ptr together_memory(int thread);
char *together_private(void);

/* The meeting's processors: facts about two of its threads. */
struct together_place {
    int processor, core, package, node;
};
/* How many processors this thread may use, and which. */
int together_processors(struct together_place *places, int most);

/* Handlers of the kernels' files, entered when the first meeting begins. */
void communication_register(void);
