/* How many lines conflict: the associativity of a cache whose index nobody knows.
 *
 *     conflicts bytes=B stride=P threshold_ns=T broom=N
 *
 * One line of each P bytes is a candidate. Walked through round and round, candidates that all fit into the cache are never missed;
 * if a set of it has to hold one line too many, at least one load a round takes more than T ns, by whatever rule lines are replaced.
 * Candidates are left out, many at a time and then one by one, as long as the rest still does not fit (group testing). What is
 * left are lines of one set, one more than it has ways, whatever the hardware makes of addresses, and whatever pages the system gave.
 * A cache before the one in question may hold some of the lines: N other lines, the broom, sweep them out of it after each round. Some
 * of the broom may belong to the set that is found, so that each is left out for a trial, and counts if that makes the rest fit.
 * Samples are ways, one for each set found. Facts: `candidates`, and `congruent`, how many of all candidates fall into the first
 * set that was found: their share is one over the number of sets that lines P apart can fall into.
 */
#include <stdlib.h>
#include <string.h>

#include "probe/memory.h"

enum { MOST_CANDIDATES = 8192, ROUNDS = 40, PARDONED = 1 };

struct hunt {
	char **broom;
	int broom_lines;
	double threshold_ticks;
	double end_ns;
	bool late;
};

/* Lines that do not all fit are missed at least once in every round; lines that fit are missed when something else drove them
 * out, which does not happen round after round. Two rounds come before, which bring the cache into the state that rounds leave
 * behind.
 */
static bool overflows(struct hunt *h, char *const *set, int n) {
	if (now_ns() > h->end_ns) h->late = true;
	for (int round = -2, without = 0; round < ROUNDS; round++) {
		bool slow = false;
		for (int i = 0; i < n; i++) {
			uint64_t before = tick();
			(void)*(volatile char *)set[i];
			slow |= (double)(tick() - before) > h->threshold_ticks;
		}
		for (int i = 0; i < 2 * h->broom_lines; i++)
			(void)*(volatile char *)h->broom[i % h->broom_lines];
		if (round >= 0 && !slow && ++without > PARDONED) return false;
	}
	return true;
}

/* Leaves candidates of which none can be left out. Their number, or 0 if all of them fit. */
static int smallest_set(struct hunt *h, char **set, int n) {
	char **rest = malloc((size_t)n * sizeof *rest);
	if (!rest || !overflows(h, set, n)) return free(rest), 0;
	for (int piece = n / 4 > 0 ? n / 4 : 1;;) {
		bool smaller = false;
		for (int at = 0; at < n && n > 1 && !h->late;) {
			int out = at + piece <= n ? piece : n - at;
			memcpy(rest, set, (size_t)at * sizeof *rest);
			memcpy(rest + at, set + at + out, (size_t)(n - at - out) * sizeof *rest);
			if (n - out > 0 && overflows(h, rest, n - out)) {
				n -= out;
				memcpy(set, rest, (size_t)n * sizeof *rest);
				smaller = true;
			} else {
				at += out;
			}
		}
		if (h->late) return free(rest), 0;
		if (piece > n / 4 && piece > 1)
			piece = n / 4 > 0 ? n / 4 : 1;
		else if (piece > 1)
			piece = (piece + 1) / 2;
		else if (!smaller)
			break;
	}
	free(rest);
	return n;
}

/* How many lines of the broom are in the set. */
static int in_broom(struct hunt *h, char *const *set, int size) {
	int found = 0, lines = h->broom_lines;
	for (int i = 0; i < lines; i++) {
		char *last = h->broom[lines - 1], *out = h->broom[i];
		h->broom[i] = last;
		h->broom_lines = lines - 1;
		found += !overflows(h, set, size);
		h->broom_lines = lines;
		h->broom[i] = out;
		h->broom[lines - 1] = last;
	}
	return found;
}

/* How many of the candidates can stand in for a member of the set. */
static int congruent_with(struct hunt *h, char **set, int size, char *const *all, int n) {
	int found = 0;
	char *first = set[0];
	for (int i = 0; i < n && !h->late; i++) {
		bool member = false;
		for (int k = 1; k < size; k++)
			member |= all[i] == set[k];
		if (!member) set[0] = all[i];
		found += member || overflows(h, set, size);
		set[0] = first;
	}
	return h->late ? 0 : found;
}

/* Ticks of some nanoseconds, and what reading the clock twice takes. */
static double ticks_of_ns(double ns, double *clock) {
	double started = now_ns(), least = 1e9;
	uint64_t first = tick();
	while (now_ns() - started < 2e6) {
		uint64_t before = tick(), after = tick();
		if ((double)(after - before) < least) least = (double)(after - before);
	}
	*clock = least;
	return ns * (double)(tick() - first) / (now_ns() - started);
}

void run_conflicts(const struct request *request, struct reply *reply) {
	if (gas_me() != 0) return;
	size_t bytes = (size_t)request_number(request, "bytes", 0), stride = (size_t)request_number(request, "stride", 4096);
	int n = stride >= 64 && bytes / stride <= MOST_CANDIDATES ? (int)(bytes / stride) : 0;
	if (n < 2) return reply_error(reply, "conflicts takes 2 to %d lines, 64 bytes or more apart", (int)MOST_CANDIDATES);
	int broom = (int)request_number(request, "broom", 32);
	if (broom < 0 || broom > 256) return reply_error(reply, "a broom of %d lines", broom);
	char *memory = keep_memory(request, reply, bytes + (size_t)broom * stride);
	char **all = memory ? malloc((2 * (size_t)n + (size_t)broom) * sizeof *all) : NULL, **set = all + n;
	if (!memory) return;
	if (!all) return reply_impossible(reply, "there is no memory for a list of %d lines", n);
	double clock, ticks = ticks_of_ns((double)request_number(request, "threshold_ns", 20), &clock), begin = now_ns();
	int wanted = request_samples(request), found = 0, tried = 0, congruent = 0;
	struct hunt h = {.broom = set + n, .broom_lines = broom, .threshold_ticks = clock + ticks, .end_ns = begin + request_limit_s(request) * 1e9};
	for (; found < wanted && tried < 2 * wanted && !h.late; tried++) {
		size_t offset = 64 * random_below(stride / 64);
		for (int i = 0; i < n; i++)
			all[i] = memory + (size_t)i * stride + offset;
		for (int i = 0; i < broom; i++)
			h.broom[i] = memory + ((size_t)n + (size_t)i) * stride + offset;
		/* In another order each time, by which other sets are found. */
		for (int i = n; i > 1; i--) {
			int j = (int)random_below((uint64_t)i);
			char *keep = all[i - 1];
			all[i - 1] = all[j];
			all[j] = keep;
		}
		memcpy(set, all, (size_t)n * sizeof *set);
		int size = smallest_set(&h, set, n);
		if (!size) continue;
		reply_sample(reply, size - 1 + in_broom(&h, set, size));
		if (found++ == 0) congruent = congruent_with(&h, set, size, all, n);
	}
	free(all);
	if (!found) return reply_impossible(reply, "no set of %d lines that does not fit was found", n);
	reply_fact(reply, "candidates", n);
	reply_fact(reply, "congruent", congruent);
	reply_fact(reply, "tried", tried);
}
