/* What the files of the area communication share. A kernel there has thread 0 and one partner, the argument `with=`. */
#pragma once
#include "probe/together.h"

/* A meeting of thread 0 with thread `with=` (1 if it does not say). With itself where `with=0`: no partner then. */
bool communication_begin(const struct request *request, struct reply *reply, int *partner);

/* An argument within its limits; else an error, and false. */
bool argument_within(const struct request *request, struct reply *reply, const char *name, long otherwise, long least,
                     long most, size_t *value);

/* Which of the words an argument is; -1 and an error if it is none. */
int argument_among(const struct request *request, struct reply *reply, const char *name, const char *const *words,
                   int count);

/* communication_messages.c: who has taken all messages answers. */
void communication_mark(int thread);

void put_kernel(const struct request *request, struct reply *reply);
void get_kernel(const struct request *request, struct reply *reply);
void block_put_kernel(const struct request *request, struct reply *reply);
void block_get_kernel(const struct request *request, struct reply *reply);
void scatter_kernel(const struct request *request, struct reply *reply);
void round_trip_kernel(const struct request *request, struct reply *reply);
void flood_kernel(const struct request *request, struct reply *reply);
void funnel_kernel(const struct request *request, struct reply *reply);
void send_overhead_kernel(const struct request *request, struct reply *reply);
void receive_overhead_kernel(const struct request *request, struct reply *reply);
void fetch_add_kernel(const struct request *request, struct reply *reply);
void place_kernel(const struct request *request, struct reply *reply);

void communication_register_messages(void);
void communication_register_blocks(void);
