/* Kernels of the area transfers: the basic transfers of the copy-transfer model, in words of 64 bits.
 *
 * A pattern is `1`, word after word; a stride in words; or `w`, words in any order, through a list of addresses on each side, which
 * is how gas.h takes them. Copies are made by the calls of gas.h, so that what is measured is the loop that the runtime uses.
 *
 * Where memory is shared the port of a network is a piece of memory in the receiver's segment, as large as the block: what one
 * thread writes there the other reads, from the cache that holds it. Both take turns, so that each side's time is its own: filling the port while the
 * other waits, with the port's lines in the other's cache, is a send; emptying it is a receive; only reading it is what crosses the
 * network; and storing words straight to their places in the other's memory, whose caches hold them, is a deposit.
 *
 * An operation is a block, or a port full of it; the fact `bytes` is its payload.
 */
#define _GNU_SOURCE
#include "probe/probe.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 8 };

/* ---- patterns --------------------------------------------------------------------------------------------------------------- */

/* One side of a transfer: where it is in the calling thread's segment, or in a near thread's. */
struct side {
	size_t stride;	  /* in words; 0: through the list */
	size_t words, bytes; /* of payload; from the first word to the end of the last */
	fathom_ptr at;
	fathom_ptr *list; /* an address for each word, whatever the pattern, if one side is through a list */
};

/* 0 for `w`, -1 for what is no pattern. */
static long pattern_of(const char *text)
{
	char *end;
	if (strcmp(text, "w") == 0)
		return 0;
	long stride = strtol(text, &end, 10);
	return *end || end == text || stride < 1 || stride > 1 << 20 ? -1 : stride;
}

static bool read_pattern(struct side *side, const struct request *request, struct reply *reply, const char *name, size_t words)
{
	const char *text = request_word(request, name, "1");
	long stride = pattern_of(text);
	if (stride < 0) {
		reply_error(reply, "`%s=%.40s` is no pattern: 1, a stride in words, or w", name, text);
		return false;
	}
	*side = (struct side){.stride = (size_t)stride, .words = words, .bytes = words * WORD};
	if (stride > 1)
		side->bytes = ((words - 1) * (size_t)stride + 1) * WORD;
	return true;
}

/* The words of the side in the order of the transfer: for `w` a random one, the same at every call. */
static bool make_list(struct side *side)
{
	side->list = malloc(side->words * sizeof *side->list);
	if (!side->list)
		return false;
	size_t step = (side->stride ? side->stride : 1) * WORD;
	for (size_t i = 0; i < side->words; i++)
		side->list[i] = side->at + i * step;
	uint64_t seed = 0x9e3779b97f4a7c15u;
	for (size_t i = side->words; !side->stride && i > 1; i--) {
		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		size_t j = seed % i;
		fathom_ptr other = side->list[i - 1];
		side->list[i - 1] = side->list[j];
		side->list[j] = other;
	}
	return true;
}

/* Takes memory in the own segment and touches it. */
static bool place(struct side *side)
{
	side->at = gas_alloc(side->bytes + WORD);
	if (!side->at)
		return false;
	memset(fathom_local(side->at), 1, side->bytes);
	return true;
}

static void give_back(struct side *side)
{
	if (side->at)
		gas_free(side->at);
	free(side->list);
	*side = (struct side){0};
}

/* Words from `first` on, `words` of them, from one side to the other. The lists of both are there if one is needed. */
static void transfer(const struct side *dst, size_t dst_first, const struct side *src, size_t src_first, size_t words)
{
	if (dst->list) {
		gas_put_indexed(dst->list + dst_first, (const void *const *)(src->list + src_first), WORD, words);
		return;
	}
	fathom_ptr to = dst->at + dst_first * dst->stride * WORD;
	const void *from = fathom_local(src->at + src_first * src->stride * WORD);
	if (dst->stride == 1 && src->stride == 1) {
		gas_put(to, from, words * WORD);
		return;
	}
	ptrdiff_t dst_step = (ptrdiff_t)(dst->stride * WORD), src_step = (ptrdiff_t)(src->stride * WORD);
	gas_put_strided(to, &dst_step, from, &src_step, WORD, &words, 1);
}

/* ---- copies of one thread --------------------------------------------------------------------------------------------------- */

struct copy {
	struct side dst, src;
};

static void copy_blocks(void *argument, long n)
{
	const struct copy *c = argument;
	for (; n > 0; n--)
		transfer(&c->dst, 0, &c->src, 0, c->src.words);
}

static size_t words_of(const struct request *request, struct reply *reply)
{
	long bytes = request_number(request, "bytes", 0);
	if (bytes >= WORD)
		return (size_t)bytes / WORD;
	reply_error(reply, "a block of %ld bytes has no word", bytes);
	return 0;
}

/* `copy from=X to=Y bytes=N`: xCy on thread 0. */
static void copy_kernel(const struct request *request, struct reply *reply)
{
	struct copy c;
	if (gas_me() != 0)
		return;
	size_t words = words_of(request, reply);
	if (!words || !read_pattern(&c.dst, request, reply, "to", words) || !read_pattern(&c.src, request, reply, "from", words))
		return;
	bool through_lists = !c.dst.stride || !c.src.stride;
	if (place(&c.dst) && place(&c.src) && (!through_lists || (make_list(&c.dst) && make_list(&c.src)))) {
		copy_blocks(&c, 1);
		sample(request, reply, copy_blocks, NULL, &c);
		reply_fact(reply, "bytes", (double)(words * WORD));
	} else {
		reply_impossible(reply, "no room for %zu and %zu bytes in the segment", c.dst.bytes, c.src.bytes);
	}
	give_back(&c.src);
	give_back(&c.dst);
}

/* ---- where memory is not shared --------------------------------------------------------------------------------------------- */

/* `far from=X to=Y bytes=N`: a whole put of thread 0's block to thread 1, which serves meanwhile. With one side contiguous, and so
 * not in the way, it stands for the other side: contiguous to contiguous is Nd, from x to contiguous xS0, and so on.
 */
static void far(const struct request *request, struct reply *reply)
{
	struct copy c;
	size_t words = words_of(request, reply);
	if (!words || !read_pattern(&c.dst, request, reply, "to", words) || !read_pattern(&c.src, request, reply, "from", words))
		return;
	if (gas_count() < 2) {
		reply_impossible(reply, "it takes two threads");
		return;
	}
	bool through_lists = !c.dst.stride || !c.src.stride, ok = true;
	if (gas_me() == 1)
		ok = place(&c.dst);
	fathom_ptr own = c.dst.at, told = own;
	gas_broadcast(gas_world(), &told, &own, sizeof own, 1, 0);
	if (gas_me() == 0) {
		c.dst.at = told;
		ok = told && place(&c.src) && (!through_lists || (make_list(&c.dst) && make_list(&c.src)));
		if (ok) {
			copy_blocks(&c, 1);
			sample(request, reply, copy_blocks, NULL, &c);
			reply_fact(reply, "bytes", (double)(words * WORD));
		} else {
			reply_impossible(reply, "no room for %zu and %zu bytes in the segments", c.dst.bytes, c.src.bytes);
		}
	}
	gas_barrier();
	if (gas_me() == 0)
		c.dst.at = 0;
	if (gas_me() == 0)
		give_back(&c.src);
	give_back(&c.dst);
}

/* ---- turns ------------------------------------------------------------------------------------------------------------------ */

/* In thread 0's segment. */
struct game {
	uint32_t turn; /* even: thread 0's */
	uint32_t is_over;
	double second_ns; /* of thread 1's last turn */
};

/* Serves messages meanwhile if there are any to serve. */
static bool serves;

static void wait_turn(const uint32_t *turn, uint32_t wanted)
{
	unsigned round = 0;
	for (unsigned spins = 0; __atomic_load_n(turn, __ATOMIC_ACQUIRE) != wanted; spins++) {
		if (spins > 1u << 16)
			gas_wait_hint(&round);
		else if (serves)
			gas_poll();
	}
}

/* A turn of a thread. */
typedef void turn(void *argument);

/* The time of a turn until its last store is visible. */
static double timed_turn(turn *body, void *argument, double clock_ns)
{
	double begun = now_ns();
	body(argument);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	double ns = now_ns() - begun - clock_ns;
	return ns > 0 ? ns : 0;
}

/* What reading the clock twice and a fence cost. */
static double clock_and_fence_cost(void)
{
	double least = 1e9;
	for (int i = 0; i < 50; i++) {
		double begun = now_ns();
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		double ns = now_ns() - begun;
		least = ns < least ? ns : least;
	}
	return least;
}

#define SAMPLE_NS 200e3

enum { BOTH = 2 };

/* Threads 0 and 1 in turn; a sample is the mean time of the turn of thread `whose`, or of both turns, over several. */
static void take_turns(const struct request *request, struct reply *reply, fathom_ptr at, turn *body, void *argument, int whose,
	int warm)
{
	struct game *g = fathom_local(fathom_make(0, fathom_offset_of(at)));
	double clock_ns = clock_and_fence_cost(), end = now_ns() + request_limit_s(request) * 1e9;
	if (gas_me() == 1) {
		for (uint32_t next = 1;; next += 2) {
			wait_turn(&g->turn, next);
			if (__atomic_load_n(&g->is_over, __ATOMIC_RELAXED))
				return;
			g->second_ns = timed_turn(body, argument, clock_ns);
			__atomic_store_n(&g->turn, next + 1, __ATOMIC_RELEASE);
		}
	}
	uint32_t next = 0;
	double share = request_limit_s(request) * 1e9 / (request_samples(request) + 2);
	double wanted = share < SAMPLE_NS ? share : SAMPLE_NS, sum = 0;
	long rounds = 1, samples = -1; /* the first is to warm up, and to find how many turns a sample takes */
	for (; samples < request_samples(request) && (samples < 1 || now_ns() < end); samples++) {
		sum = 0;
		long done = 0, least = samples < 0 ? warm + 1 : rounds;
		for (; done < least || (samples < 0 && sum < wanted && now_ns() < end); done++) {
			double first_ns = timed_turn(body, argument, clock_ns);
			__atomic_store_n(&g->turn, ++next, __ATOMIC_RELEASE);
			wait_turn(&g->turn, ++next);
			sum += (whose != 1 ? first_ns : 0) + (whose != 0 ? g->second_ns : 0);
		}
		if (samples < 0)
			rounds = sum > wanted ? (long)((double)done * wanted / sum) + 1 : done;
		else
			reply_sample(reply, sum / (double)done);
	}
	__atomic_store_n(&g->is_over, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&g->turn, next + 1, __ATOMIC_RELEASE);
}

/* Are there two near threads, each with a processor? Collective. */
static bool are_two(struct reply *reply)
{
	int near, first = gas_near(&near);
	cpu_set_t set;
	use_all_processors();
	int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
	use_own_processor();
	/* Thread 0's answer counts, for all. */
	uint32_t why = first > 0 || near < 2 ? 1 : processors < 2 ? 2 : 0;
	uint32_t mine = why;
	gas_broadcast(gas_world(), &why, &mine, sizeof why, 0, 0);
	if (why == 1)
		reply_impossible(reply, "threads 0 and 1 do not share memory: what crosses between them goes through %s", gas_conduit());
	else if (why == 2)
		reply_impossible(reply, "it takes two processors");
	return why == 0;
}

/* ---- ports and deposits ----------------------------------------------------------------------------------------------------- */

enum { LEAST_PORT = 32768, MOST_PORT = 8 << 20, LINE = 64 };

/* What one of the two threads does in its turns. */
struct player {
	struct side block; /* its memory */
	struct side port;  /* contiguous, in thread 1's segment */
	size_t chunk, next, times; /* words that move in one go; where the block's next are; how often in a turn */
};

static void read_words(const struct side *side)
{
	if (side->list)
		for (size_t i = 0; i < side->words; i++)
			USED(*(const uint64_t *)fathom_local(side->list[i]));
	else
		for (size_t i = 0, step = side->stride * WORD; i < side->words; i++)
			USED(*(const uint64_t *)((const char *)fathom_local(side->at) + i * step));
}

/* Not memset, which changes its ways with the size. */
static void write_line_by_line(char *at, size_t bytes)
{
	typedef uint64_t wide __attribute__((vector_size(16)));
	wide value = {1, 1};
	for (size_t i = 0; i + sizeof value <= bytes; i += sizeof value) {
		USED(at);
		memcpy(at + i, &value, sizeof value);
	}
	if (bytes % sizeof value)
		memcpy(at + bytes - WORD, &value, WORD);
}

static void write_words(const struct side *side)
{
	uint64_t value = 1;
	USED(value);
	if (side->list)
		for (size_t i = 0; i < side->words; i++)
			*(uint64_t *)fathom_local(side->list[i]) = value;
	else if (side->stride == 1)
		write_line_by_line(fathom_local(side->at), side->bytes);
	else
		for (size_t i = 0, step = side->stride * WORD; i < side->words; i++)
			*(uint64_t *)((char *)fathom_local(side->at) + i * step) = value;
}

/* Reads every line of the port, wide enough that only the crossing counts. */
static void read_port(const struct side *port)
{
	typedef double wide __attribute__((vector_size(16)));
	const wide *at = fathom_local(port->at), *end = at + port->bytes / sizeof *at;
	for (; at < end; at += 4) {
#pragma GCC unroll 4
		for (int k = 0; k < 4; k++) {
			wide value = at[k];
#ifdef __x86_64__
			__asm__ volatile("" : : "x"(value));
#else
			__asm__ volatile("" : : "m"(value));
#endif
		}
	}
}

static void send_turn(void *argument)
{
	struct player *p = argument;
	if (gas_me() == 1) {
		read_port(&p->port);
		return;
	}
	for (size_t i = 0; i < p->times; i++) {
		transfer(&p->port, i * p->chunk, &p->block, p->next, p->chunk);
		p->next = (p->next + p->chunk) % p->block.words;
	}
}

static void receive_turn(void *argument)
{
	struct player *p = argument;
	if (gas_me() == 0) {
		write_words(&p->port);
		return;
	}
	for (size_t i = 0; i < p->times; i++) {
		transfer(&p->block, p->next, &p->port, i * p->chunk, p->chunk);
		p->next = (p->next + p->chunk) % p->block.words;
	}
}

static void cross_turn(void *argument)
{
	struct player *p = argument;
	if (gas_me() == 0)
		write_words(&p->port);
	else
		read_port(&p->port);
}

static void deposit_turn(void *argument)
{
	struct player *p = argument;
	if (gas_me() == 0)
		write_words(&p->block);
	else
		read_words(&p->block);
}

/* The turns of threads 0 and 1 with a port in thread 1's segment. Blocks larger than the port go through it in pieces, smaller ones
 * several times in a turn. `owner`: whose the block is, and `name` the pattern's.
 */
static void with_port(const struct request *request, struct reply *reply, turn *body, const char *name, int owner, int whose)
{
	if (!are_two(reply))
		return;
	struct player p = {0};
	size_t words = words_of(request, reply), room = words * WORD;
	room = (room < LEAST_PORT ? LEAST_PORT : room > MOST_PORT ? MOST_PORT : room) / WORD;
	bool is_deposit = body == deposit_turn;
	if (!words || !read_pattern(&p.block, request, reply, name, words))
		return;
	/* The block in whole chunks, the port in whole lines. */
	p.chunk = words < room ? words : room;
	p.times = is_deposit ? 1 : room / p.chunk;
	if (!is_deposit && words > room) {
		words -= words % room;
		read_pattern(&p.block, request, reply, name, words);
	}
	p.port = (struct side){.stride = 1, .words = p.chunk * p.times, .bytes = p.chunk * p.times * WORD};
	fathom_ptr game = gas_all_alloc(LINE), port = gas_all_alloc(room * WORD + LINE);
	bool ok = game && port;
	if (ok && gas_me() == 0)
		memset(fathom_local(fathom_make(0, fathom_offset_of(game))), 0, sizeof(struct game));
	if (ok)
		memset(fathom_local(fathom_make(gas_me(), fathom_offset_of(port))), 1, room * WORD);
	p.port.at = port ? fathom_make(1, fathom_offset_of(port)) : 0;
	if (ok && gas_me() == owner)
		ok = place(&p.block);
	/* A deposit is to the other's memory. */
	fathom_ptr at = p.block.at, told = at;
	gas_broadcast(gas_world(), &told, &at, sizeof at, owner, 0);
	fathom_ptr own = p.block.at;
	p.block.at = told;
	ok = ok && told != 0;
	if (ok && p.block.stride == 0 && gas_me() < 2)
		ok = make_list(&p.block) && make_list(&p.port);
	uint64_t mine = ok, all = 0;
	gas_all_reduce(gas_world(), &all, &mine, 1, GAS_U64, GAS_MIN, 0);
	if (!all)
		reply_impossible(reply, "no room for %zu bytes in the segments", p.block.bytes);
	else if (gas_me() < 2)
		take_turns(request, reply, game, body, &p, whose, (int)(p.block.words / (p.chunk * p.times)));
	gas_barrier();
	reply_fact(reply, "bytes", (double)((is_deposit ? p.block.words : p.port.words) * WORD));
	free(p.port.list);
	p.block.at = own;
	give_back(&p.block);
	if (gas_me() == 0 && game)
		gas_free(game);
	if (gas_me() == 0 && port)
		gas_free(port);
}

/* `send from=X bytes=N`: xS0, thread 0's time to fill the port. */
static void send(const struct request *request, struct reply *reply) { with_port(request, reply, send_turn, "from", 0, 0); }
/* `receive to=Y bytes=N`: 0Ry, thread 1's time to empty it. */
static void receive(const struct request *request, struct reply *reply) { with_port(request, reply, receive_turn, "to", 1, 1); }
/* `cross bytes=N`: Nd, thread 1's time to read what thread 0 wrote. */
static void cross(const struct request *request, struct reply *reply) { with_port(request, reply, cross_turn, "to", 1, 1); }
/* `deposit to=Y bytes=N`: 0Dy, thread 0's time to store to thread 1's memory. */
static void deposit(const struct request *request, struct reply *reply) { with_port(request, reply, deposit_turn, "to", 1, 0); }

/* ---- whole transfers -------------------------------------------------------------------------------------------------------- */

/* What basic transfers are to predict: a block from thread 0's memory to thread 1's, with buffers on both sides. */
static struct whole {
	struct side from, buffer, inbox, to;
	struct arrived {
		uint64_t words; /* in this turn, so far */
		char rest[LINE - 8];
	} *arrived;	/* in thread 1's segment */
	size_t piece;	/* words of a message */
} whole;

/* Straight to where they belong. */
static void direct_turn(void *argument)
{
	(void)argument;
	if (gas_me() == 0)
		transfer(&whole.to, 0, &whole.from, 0, whole.from.words);
	else
		read_words(&whole.to);
}

/* Buffer packing: gathered, put as one piece, scattered by the receiver. */
static void packing_turn(void *argument)
{
	size_t words = whole.from.words;
	(void)argument;
	if (gas_me() == 0) {
		transfer(&whole.buffer, 0, &whole.from, 0, words);
		transfer(&whole.inbox, 0, &whole.buffer, 0, words);
	} else {
		transfer(&whole.to, 0, &whole.inbox, 0, words);
	}
}

/* The same in one thread: gathered and scattered. */
static void pack_alone(void *argument, long n)
{
	(void)argument;
	for (; n > 0; n--) {
		transfer(&whole.buffer, 0, &whole.from, 0, whole.from.words);
		transfer(&whole.to, 0, &whole.buffer, 0, whole.from.words);
	}
}

/* (the first word): scatters the payload. */
static void on_piece(gas_token token, const uint64_t *arguments, int count, void *payload, size_t bytes)
{
	(void)token, (void)count;
	size_t first = arguments[0], words = bytes / WORD;
	if (whole.to.stride) {
		ptrdiff_t to = (ptrdiff_t)(whole.to.stride * WORD), from = WORD;
		if (to == WORD)
			memcpy(fathom_local(whole.to.at + first * WORD), payload, bytes);
		else
			gas_put_strided(whole.to.at + first * (size_t)to, &to, payload, &from, WORD, &words, 1);
	} else {
		for (size_t i = 0; i < words; i++)
			memcpy(fathom_local(whole.to.list[first + i]), (const char *)payload + i * WORD, WORD);
	}
	__atomic_store_n(&whole.arrived->words, first + words, __ATOMIC_RELEASE);
}

static int on_piece_handler;

/* In messages: gathered, sent and scattered piece by piece, the receiver's work beside the sender's. */
static void messages_turn(void *argument)
{
	size_t words = whole.from.words;
	(void)argument;
	if (gas_me() == 1) {
		read_words(&whole.to);
		__atomic_store_n(&whole.arrived->words, 0, __ATOMIC_RELEASE);
		return;
	}
	for (size_t first = 0; first < words; first += whole.piece) {
		size_t n = words - first < whole.piece ? words - first : whole.piece;
		transfer(&whole.buffer, 0, &whole.from, first, n);
		uint64_t at = first;
		gas_request_medium(1, on_piece_handler, fathom_local(whole.buffer.at), n * WORD, &at, 1);
	}
	while (__atomic_load_n(&whole.arrived->words, __ATOMIC_ACQUIRE) != words)
		gas_poll();
}

/* A side that `owner` has, told to all. */
static bool place_of(struct side *side, int owner)
{
	fathom_ptr mine = 0, told;
	if (gas_me() == owner && place(side))
		mine = side->at;
	told = mine;
	gas_broadcast(gas_world(), &told, &mine, sizeof mine, owner, 0);
	side->at = told;
	return told != 0;
}

/* `whole how=direct|packing|messages|alone from=X to=Y bytes=N`: a block from thread 0 to thread 1, and with `alone` within thread
 * 0's memory through a buffer.
 */
static void whole_kernel(const struct request *request, struct reply *reply)
{
	static const struct {
		const char *name;
		turn *body;
	} ways[] = {{"direct", direct_turn}, {"packing", packing_turn}, {"messages", messages_turn}, {"alone", NULL}};
	const char *how = request_word(request, "how", "direct");
	size_t way = 0, count = sizeof ways / sizeof ways[0], words = words_of(request, reply);
	while (way < count && strcmp(ways[way].name, how) != 0)
		way++;
	if (way == count)
		reply_error(reply, "there is no way `%.40s` to transfer a block", how);
	whole = (struct whole){0};
	if (way == count || !words || !read_pattern(&whole.to, request, reply, "to", words) ||
		!read_pattern(&whole.from, request, reply, "from", words))
		return;
	turn *body = ways[way].body;
	if (body && !are_two(reply))
		return;
	if (!on_piece_handler)
		on_piece_handler = gas_register(on_piece);
	int receiver = body ? 1 : 0;
	whole.buffer = whole.inbox = (struct side){.stride = 1, .words = words, .bytes = words * WORD};
	whole.piece = gas_max_medium() / WORD;
	bool ok = place_of(&whole.from, 0), has_buffer = body != direct_turn, has_inbox = body == packing_turn;
	ok = place_of(&whole.to, receiver) && ok;
	ok = (!has_buffer || place_of(&whole.buffer, 0)) && (!has_inbox || place_of(&whole.inbox, 1)) && ok;
	fathom_ptr game = gas_all_alloc(LINE), arrived = gas_all_alloc(sizeof(struct arrived));
	ok = ok && game && arrived;
	if (ok && gas_me() < 2) {
		memset(fathom_local(fathom_make(gas_me(), fathom_offset_of(game))), 0, sizeof(struct game));
		whole.arrived = fathom_local(fathom_make(1 % gas_count(), fathom_offset_of(arrived)));
		whole.arrived->words = 0;
		struct side *const sides[] = {&whole.from, &whole.buffer, &whole.inbox, &whole.to};
		for (size_t i = 0; i < 4 && (!whole.from.stride || !whole.to.stride); i++)
			ok = (!sides[i]->at || make_list(sides[i])) && ok;
	}
	uint64_t mine = ok, all = 0;
	gas_all_reduce(gas_world(), &all, &mine, 1, GAS_U64, GAS_MIN, 0);
	if (!all) {
		reply_impossible(reply, "no room for %zu and %zu bytes in the segments", whole.from.bytes, whole.to.bytes);
	} else if (body && gas_me() < 2) {
		serves = body == messages_turn;
		take_turns(request, reply, game, body, NULL, body == packing_turn ? BOTH : 0, 1);
		serves = false;
	} else if (!body && gas_me() == 0) {
		pack_alone(NULL, 1);
		sample(request, reply, pack_alone, NULL, NULL);
	}
	reply_fact(reply, "bytes", (double)(words * WORD));
	reply_fact(reply, "piece_bytes", (double)(whole.piece * WORD));
	gas_barrier();
	struct {
		struct side *side;
		int owner;
	} const owned[] = {{&whole.from, 0}, {&whole.buffer, 0}, {&whole.inbox, 1}, {&whole.to, receiver}};
	for (size_t i = 0; i < 4; i++) {
		if (gas_me() != owned[i].owner)
			owned[i].side->at = 0;
		give_back(owned[i].side);
	}
	if (gas_me() == 0 && game)
		gas_free(game);
	if (gas_me() == 0 && arrived)
		gas_free(arrived);
}

const struct kernel kernels_transfer[] = {
	{"copy", copy_kernel}, {"send", send}, {"receive", receive}, {"cross", cross}, {"deposit", deposit}, {"far", far},
	{"whole", whole_kernel}, {NULL, NULL},
};
