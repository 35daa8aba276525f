/* Requests and replies of the prober; kernels see them through probe.h. */
#pragma once
#include "probe/probe.h"

enum { REQUEST_BYTES = 2000, REQUEST_ARGUMENTS = 32 };

struct request {
    char text[REQUEST_BYTES]; /* what the others point into */
    const char *kernel;
    int arguments;
    struct {
        const char *name, *value;
    } argument[REQUEST_ARGUMENTS];
    struct reply *reply; /* told when an argument is no number */
};

/* Takes a line apart; a line that is no request leaves an error in the reply. */
bool request_parse(struct request *request, struct reply *reply, const char *line);

/* One for each request, emptied in between. Only thread 0's has memory. */
struct reply {
    bool answers; /* this is thread 0 */
    struct {
        double ns, cycle_ns; /* of an operation; of a cycle meanwhile */
    } * sample;
    size_t samples, room;
    double cycle_ns; /* before the sample that is being taken */
    char *facts;     /* ` name=value` each */
    size_t facts_bytes, facts_room;
    enum { REPLY_SAMPLES, REPLY_IMPOSSIBLE, REPLY_ERROR } kind;
    enum reason reason; /* where it is impossible */
    char text[512];     /* why there are no samples */
};
void reply_clear(struct reply *reply);
/* Writes the line; false if nobody reads it. */
bool reply_write(struct reply *reply, const struct request *request);

/* sample.c */
extern const struct kernel kernels_sample[];
/* What a dependent addition takes now, in some 10 microseconds. */
double cycle_ns(void);

/* place.c: binds this thread, as far as possible, to a processor that no other has; returns its number, -1 if it is not bound. */
int place_bind(void);
