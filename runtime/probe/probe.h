/* What the kernels of the host's probes share. A prober is one program over gas.h, built for each conduit. It reads requests
 * from standard input, one a line, `chase bytes=32768 stride=64 samples=11 limit_ms=800`, performs each on all its threads, and
 * answers each with one line:
 *
 *     samples 1.52@0.25 1.53@0.25 1.68@0.28 ; accesses=51200 overhead_ns=0.1
 *     impossible system there are no huge pages here
 *     error no kernel is called `chase`
 *
 * The word behind `impossible` is the kind of reason, for programs (enum reason).
 *
 * Samples are ns per operation, what the loop costs subtracted; behind each stands what a cycle of thread 0's processor took
 * around it. A kernel's inner loop is exactly the stimulus; who changes one looks at the assembler. Every kernel ends within its
 * limit.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gas.h"
#include "probe/reason.h"

struct request;
struct reply;

/* An argument of the request, or `otherwise` if it has none of this name. */
long request_number(const struct request *request, const char *name, long otherwise);
const char *request_word(const struct request *request, const char *name, const char *otherwise);
/* How many samples are asked for, and in how many seconds it must be over. */
int request_samples(const struct request *request);
double request_limit_s(const struct request *request);

/* What thread 0 answers. On the other threads they do nothing. A sample is answered when it has been taken, and not later with
 * others: reply_sample looks at the processor's frequency, in some 10 microseconds.
 */
void reply_sample(struct reply *reply, double ns_per_operation);
/* Subtracts the time of what is not the operation from all samples, and never more than the least of them: it is part of each, and was
 * disturbed where it seems longer.
 */
void reply_subtract(struct reply *reply, double ns_per_operation);
void reply_fact(struct reply *reply, const char *name, double value);
/* This machine cannot perform it, and why. */
__attribute__((format(printf, 3, 4))) void reply_impossible(struct reply *reply, enum reason reason, const char *format,
                                                            ...);
/* The request makes no sense. */
__attribute__((format(printf, 2, 3))) void reply_error(struct reply *reply, const char *format, ...);

/* A kernel. It is called on every thread; thread 0 answers. Between kernels there is a barrier, and whoever has nothing to do
 * sleeps there.
 */
struct kernel {
    const char *name;
    void (*run)(const struct request *request, struct reply *reply);
};
/* The kernels of each file; the last has no name. main.c knows the lists. */
extern const struct kernel kernels_memory[], kernels_bandwidth[], kernels_transfer[], kernels_whole[],
    kernels_communication[], kernels_sharing[], kernels_synchronisation[], kernels_scheduling[], kernels_mechanisms[],
    kernels_ways[], kernels_queues[];

/* Nanoseconds of the monotonic clock. */
double now_ns(void);
/* What reading it adds to a time: the least of many. */
double clock_cost(void);

/* Each thread is bound to a processor of its own, where there are enough. A kernel that starts processes or POSIX threads lets
 * them have all that the prober was started with, and is bound again when it has ended.
 */
void use_all_processors(void);
void use_own_processor(void);
/* Does each of the first `threads` threads of this computer have a processor that none of the others has? A launcher may give each a
 * processor of its own and no more. Collective; every thread answers for its computer.
 */
bool have_own_processors(int threads);

/* Is this a simulated machine? Its threads take turns, and what they do besides communication takes no time. */
bool time_is_simulated(void);

/* Samples an operation of one thread: finds how many operations take long enough to be timed (half a millisecond, or the request's
 * `sample_us`; with `pause_ns` it is one, and a pause before each sample), then takes the samples asked for while time is left, at least one. body(argument, n) performs n operations;
 * nothing(argument, n) performs the loop without them, or is NULL where a loop costs nothing that counts. Facts: `operations` in a
 * sample, `overhead_ns` subtracted from each operation, `switches`: how often the thread lost its processor meanwhile.
 */
void sample(const struct request *request, struct reply *reply, void (*body)(void *argument, long n),
            void (*nothing)(void *argument, long n), void *argument);
/* The same with samples of `least_ns` or more. */
void sample_long(const struct request *request, struct reply *reply, void (*body)(void *argument, long n),
                 void (*nothing)(void *argument, long n), void *argument, double least_ns);
/* The same where `step` operations belong together, such as transfers that are under way at once: n is a multiple of it, however
 * long they take. On a slow network one operation alone may be long enough to be timed.
 */
void sample_steps(const struct request *request, struct reply *reply, void (*body)(void *argument, long n),
                  void *argument, long step);

/* Memory on pages of the kind asked for (`pages=normal|huge`), touched but with `touch=visits`; NULL if there is none, and the reply
 * says why. Freed with drop_memory.
 */
void *take_memory(const struct request *request, struct reply *reply, size_t bytes);
/* Is memory to be touched first where and when the kernel visits it? */
bool touched_by_visits(const struct request *request);
void drop_memory(void *memory, size_t bytes);

/* Makes the compiler believe that a value is used. */
#define USED(value) __asm__ volatile("" : : "r"(value) : "memory")
