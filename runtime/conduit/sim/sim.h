/* What the files of conduit sim share. */
#ifndef SIM_H
#define SIM_H

#include "conduit/sim/engine.h"
#include "conduit/work.h"

extern int sim_me, sim_threads;
extern struct sim_thread *sim_self; /* this thread's block */
extern bool sim_has_turns;          /* it has begun, and not ended */

extern const struct conduit_overrides sim_overrides;

/* Maps what is shared with the engine; complains and exits if there is none. Returns the number of threads. */
int sim_attach(void);
/* This process is thread `me`. */
void sim_begin(int me);

/* Writes a record; `parts` follow it, each filled up to a multiple of 8 bytes. */
struct sim_part {
    const void *at;
    size_t bytes;
};
void sim_record(enum sim_record what, int thread, size_t bytes, uint64_t offset, uint64_t id,
                const struct sim_part *parts, int count);
/* Stops, with sim_self->args filled in, and goes on when the engine says. Serves messages meanwhile. */
void sim_stop(enum sim_stop why);
/* How often it has stopped. */
unsigned sim_stops(void);
/* Is the stop that begins, after this work, one of a thread that does the same again and again (polls.c)? */
bool sim_does_it_again(enum sim_stop why, const void *records, size_t bytes, uint64_t work);
/* It has done so, as often as the engine says. */
void sim_has_repeated(uint64_t times);
/* Calls `say` with the counted work of that by place. */
void sim_tell_repeated(void (*say)(const struct fathom_place *, unsigned long));
/* Has the thread not stopped since the last call with this word? */
bool sim_asks_again(unsigned *asked);

/* The file of all segments, which this thread has open and the engine may map; its length. */
void sim_share_segments(int fd, uint64_t bytes);
/* The next words that this thread wants of other segments, as places in that file; NULL: they cannot be fetched. */
uint64_t *sim_fetch_list(void);
/* Has the engine put the words in their places of the list, of which there are so many. Whether it has. */
bool sim_hand_over_list(uint32_t count);
/* The word at `at` in that file will be at `dst` before this thread stops, or waits for a get; false: it will not. */
bool sim_fetches_later(void *dst, uint64_t at);
/* Fetches these words. */
void sim_fetch(void);
void sim_read_at(void *dst, uint64_t at, size_t n);

/* This thread has written into the memory of that one, which perhaps polls it. */
void sim_touch(int thread);

/* Copy from and to any thread's segment. */
void sim_read(void *dst, uint64_t src, size_t n);
/* The same, perhaps not before this thread stops, or calls sim_fetch. */
void sim_read_later(void *dst, uint64_t src, size_t n);
void sim_write(uint64_t dst, const void *src, size_t n);

void sim_barrier_notify(const struct conduit_ballot *mine);
bool sim_barrier_try(struct conduit_ballot *all);
void sim_wait(int us);

/* The costs of the classes of conduit/work.h, in thousandths of picoseconds; NULL outside of a simulation. */
const uint64_t *sim_costs(void);
const uint64_t *sim_declared(void);
/* The override `declare`. */
void sim_declare(double operations, double bytes);
/* Picoseconds of counted work since the last call; the same in units, what remains being left for the next call. */
uint64_t sim_counted(void);
uint64_t sim_counted_in(uint64_t unit);

/* The number of the place in the program's text that generated code named last; 0: none. */
uint32_t sim_place(void);
/* Records that tell the places' names, and the counted work of this thread by place. */
void sim_tell_places(void);
/* Calls `say` with places of the program and the work that each of their counters has counted, always in the same order. */
void sim_performed(void (*say)(const struct fathom_place *, unsigned long));
void sim_tell_work(void);

/* The number of the place in a program without units of our front end, by the calls that led here; 0: none. */
extern bool sim_walks; /* the program's place is found on its stack */
void sim_lines_start(void);
uint32_t sim_places(void); /* those that generated code names: they have the first numbers, from 1 on */
uint32_t sim_line(void);
void sim_tell_lines(void);
extern uintptr_t sim_load_address;

/* Samples of where this computer's time goes, if they are asked for. */
void sim_samples_start(void);
void sim_tell_samples(void);

/* The program says where it accesses memory; may it now; a record of what it has said since the last one. */
void sim_has_accesses(void);
bool sim_takes_accesses(void);
void sim_note_access(const void *p, size_t bytes, bool writes);
void sim_flush_accesses(void);

/* May this code stop: not a signal handler that has interrupted a stop, nor a handler of a message? */
bool sim_may_stop(void);
uint64_t sim_now_ns(void);

#endif
