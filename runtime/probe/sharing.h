/* What the files of the area sharing share: passes over an array that other threads have in their caches. */
#pragma once
#include "probe/together.h"

void pass_kernel(const struct request *request, struct reply *reply);
void sharers_kernel(const struct request *request, struct reply *reply);
void ping_pong_kernel(const struct request *request, struct reply *reply);
void false_sharing_kernel(const struct request *request, struct reply *reply);
