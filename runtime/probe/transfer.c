/* Kernels of the area transfers: the basic transfers of the copy-transfer model. What a whole transfer is made of is here, each by
 * itself; whole transfers are in transfer_whole.c.
 *
 * Copies are made by the calls of gas.h, so that what is measured is the loop that the runtime uses. Where memory is shared the
 * port of a network is a piece of memory in the receiver's segment, as large as the block: what one thread writes there the other
 * reads, from the cache that holds it. Both take turns, so that each side's time is its own: filling the port while the other
 * waits, with the port's lines in the other's cache, is a send; emptying it is a receive; only reading it is what crosses the
 * network; and storing words straight to their places in the other's memory, whose caches hold them, is a deposit.
 *
 * An operation is a block, or a port full of it; the fact `bytes` is its payload.
 */
#define _GNU_SOURCE
#include "probe/transfer.h"

#include <stdlib.h>
#include <string.h>

/* ---- copies of one thread ---------------------------------------------------------------------------------------- */

struct copy {
    struct side dst, src;
};

static void copy_blocks(void *argument, long n) {
    const struct copy *c = argument;
    for (; n > 0; n--) transfer(&c->dst, 0, &c->src, 0, c->src.words);
}

/* `copy from=X to=Y bytes=N`: xCy on thread 0. */
static void copy_kernel(const struct request *request, struct reply *reply) {
    struct copy c;
    if (gas_me() != 0) return;
    size_t words = words_of(request, reply);
    if (!words || !read_pattern(&c.dst, request, reply, "to", words) ||
        !read_pattern(&c.src, request, reply, "from", words))
        return;
    bool through_lists = !c.dst.stride || !c.src.stride;
    if (place(&c.dst) && place(&c.src) && (!through_lists || (make_list(&c.dst) && make_list(&c.src)))) {
        copy_blocks(&c, 1);
        sample(request, reply, copy_blocks, NULL, &c);
        reply_fact(reply, "bytes", (double)(words * WORD));
    } else {
        reply_impossible(reply, REASON_MEMORY, "no room for %zu and %zu bytes in the segment", c.dst.bytes,
                         c.src.bytes);
    }
    give_back(&c.src);
    give_back(&c.dst);
}

/* ---- where memory is not shared ---------------------------------------------------------------------------------- */

/* `far from=X to=Y bytes=N`: a whole put of thread 0's block to thread 1, which serves meanwhile. With one side contiguous, and so
 * not in the way, it stands for the other side: contiguous to contiguous is Nd, from x to contiguous xS0, and so on.
 */
static void far(const struct request *request, struct reply *reply) {
    struct copy c;
    size_t words = words_of(request, reply);
    if (!words || !read_pattern(&c.dst, request, reply, "to", words) ||
        !read_pattern(&c.src, request, reply, "from", words))
        return;
    if (gas_count() < 2) {
        reply_impossible(reply, REASON_THREADS, "it needs two threads");
        return;
    }
    bool through_lists = !c.dst.stride || !c.src.stride, ok = true;
    if (gas_me() == 1) ok = place(&c.dst);
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
            reply_impossible(reply, REASON_MEMORY, "no room for %zu and %zu bytes in the segments", c.dst.bytes,
                             c.src.bytes);
        }
    }
    gas_barrier();
    if (gas_me() == 0) c.dst.at = 0;
    if (gas_me() == 0) give_back(&c.src);
    give_back(&c.dst);
}

/* ---- ports and deposits ------------------------------------------------------------------------------------------ */

enum { MOST_PORT = 8 << 20 };

/* What one of the two threads does in its turns. */
struct player {
    struct side block; /* its memory */
    struct side port;  /* contiguous, in thread 1's segment */
    size_t next;       /* where its words are that move next, a port full of them */
};

/* Reads every line of the port, wide enough that only the crossing counts. */
static void read_port(const struct side *port) {
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

static void send_turn(void *argument) {
    struct player *p = argument;
    if (gas_me() == 1) {
        read_port(&p->port);
        return;
    }
    transfer(&p->port, 0, &p->block, p->next, p->port.words);
    p->next = (p->next + p->port.words) % p->block.words;
}

static void receive_turn(void *argument) {
    struct player *p = argument;
    if (gas_me() == 0) {
        write_words(&p->port);
        return;
    }
    transfer(&p->block, p->next, &p->port, 0, p->port.words);
    p->next = (p->next + p->port.words) % p->block.words;
}

static void cross_turn(void *argument) {
    struct player *p = argument;
    if (gas_me() == 0)
        write_words(&p->port);
    else
        read_port(&p->port);
}

static void deposit_turn(void *argument) {
    struct player *p = argument;
    if (gas_me() == 0)
        write_words(&p->block);
    else
        read_words(&p->block);
}

/* The turns of threads 0 and 1 with a port in thread 1's segment, as large as the block; only the largest blocks go through it piece
 * after piece, one in a turn. `owner`: whose the block is, and `name` the pattern's.
 */
static void with_port(const struct request *request, struct reply *reply, turn *body, const char *name, int owner,
                      int whose) {
    if (!are_two(reply)) return;
    struct player p = {0};
    size_t words = words_of(request, reply), room = words;
    bool is_deposit = body == deposit_turn;
    if (room > MOST_PORT / WORD && !is_deposit) {
        room = MOST_PORT / WORD;
        words -= words % room;
    }
    if (!words || !read_pattern(&p.block, request, reply, name, words)) return;
    p.port = (struct side){.stride = 1, .words = room, .bytes = room * WORD};
    fathom_ptr game = gas_all_alloc(LINE), port = gas_all_alloc(room * WORD + LINE);
    bool ok = game && port;
    if (ok && gas_me() == 0) memset(fathom_local(fathom_make(0, fathom_offset_of(game))), 0, sizeof(struct game));
    if (ok) memset(fathom_local(fathom_make(gas_me(), fathom_offset_of(port))), 1, room * WORD);
    p.port.at = port ? fathom_make(1, fathom_offset_of(port)) : 0;
    if (ok && gas_me() == owner) ok = place(&p.block);
    /* A deposit is to the other's memory. */
    fathom_ptr at = p.block.at, told = at;
    gas_broadcast(gas_world(), &told, &at, sizeof at, owner, 0);
    fathom_ptr own = p.block.at;
    p.block.at = told;
    ok = ok && told != 0;
    if (ok && p.block.stride == 0 && gas_me() < 2) ok = make_list(&p.block) && make_list(&p.port);
    uint64_t mine = ok, all = 0;
    gas_all_reduce(gas_world(), &all, &mine, 1, GAS_U64, GAS_MIN, 0);
    if (!all)
        reply_impossible(reply, REASON_MEMORY, "no room for %zu bytes in the segments", p.block.bytes);
    else if (gas_me() < 2)
        take_turns(request, reply, game,
                   &(struct turns){.body = body, .argument = &p, .whose = whose, .warm = (int)(words / room)});
    gas_barrier();
    reply_fact(reply, "bytes", (double)((is_deposit ? p.block.words : p.port.words) * WORD));
    free(p.port.list);
    p.block.at = own;
    give_back(&p.block);
    if (gas_me() == 0 && game) gas_free(game);
    if (gas_me() == 0 && port) gas_free(port);
}

/* `send from=X bytes=N`: xS0, thread 0's time to fill the port. */
static void send(const struct request *request, struct reply *reply) {
    with_port(request, reply, send_turn, "from", 0, FIRST);
}
/* `receive to=Y bytes=N`: 0Ry, thread 1's time to empty it. */
static void receive(const struct request *request, struct reply *reply) {
    with_port(request, reply, receive_turn, "to", 1, SECOND);
}
/* `cross bytes=N`: Nd, thread 1's time to read what thread 0 wrote. */
static void cross(const struct request *request, struct reply *reply) {
    with_port(request, reply, cross_turn, "to", 1, SECOND);
}
/* `deposit to=Y bytes=N`: 0Dy, thread 0's time to store to thread 1's memory. */
static void deposit(const struct request *request, struct reply *reply) {
    with_port(request, reply, deposit_turn, "to", 1, FIRST);
}

const struct kernel kernels_transfer[] = {
    {"copy", copy_kernel}, {"send", send}, {"receive", receive}, {"cross", cross},
    {"deposit", deposit},  {"far", far},   {NULL, NULL},
};
