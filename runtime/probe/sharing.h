/* What the files of the area sharing share: passes over an array that other threads have in their caches. */
#pragma once
#include "probe/together.h"

/* Drops the lines from all caches, of other processors too; false if this processor has no such instruction. */
bool flush_lines(char *at, size_t bytes);

void pass_kernel(const struct request *request, struct reply *reply);
void sharers_kernel(const struct request *request, struct reply *reply);
void ping_pong_kernel(const struct request *request, struct reply *reply);
void false_sharing_kernel(const struct request *request, struct reply *reply);
