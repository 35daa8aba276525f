/* Whole transfers, which the basic transfers of transfer.c are to predict: a block from thread 0's memory to thread 1's, with
 * buffers on both sides. Nothing of them is in a profile.
 */
#define _GNU_SOURCE
#include "probe/transfer.h"

#include <stdlib.h>
#include <string.h>

/* ---- whole transfers --------------------------------------------------------------------------------------------- */

/* What basic transfers are to predict: a block from thread 0's memory to thread 1's, with buffers on both sides. */
static struct whole {
    struct side from, buffer, inbox, to;
    struct arrived {
        uint64_t words; /* in this turn, so far */
        double at_ns;   /* when the last came */
        char rest[LINE - 16];
    } * arrived;  /* in thread 1's segment */
    size_t piece; /* words of a message */
} whole;

/* Straight to where they belong. */
static void direct_turn(void *argument) {
    (void)argument;
    if (gas_me() == 0)
        transfer(&whole.to, 0, &whole.from, 0, whole.from.words);
    else
        read_words(&whole.to);
}

/* Buffer packing: gathered, put as one piece, scattered by the receiver. */
static void packing_turn(void *argument) {
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
static void pack_alone(void *argument, long n) {
    (void)argument;
    for (; n > 0; n--) {
        transfer(&whole.buffer, 0, &whole.from, 0, whole.from.words);
        transfer(&whole.to, 0, &whole.buffer, 0, whole.from.words);
    }
}

/* (the first word): scatters the payload. */
static void on_piece(gas_token token, const uint64_t *arguments, int count, void *payload, size_t bytes) {
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
    if (first + words == whole.to.words) whole.arrived->at_ns = now_ns();
    __atomic_store_n(&whole.arrived->words, first + words, __ATOMIC_RELEASE);
}

static int on_piece_handler;

/* In messages: gathered, sent and scattered piece by piece, the receiver's work beside the sender's. It is over when the last word is
 * in its place, by the receiver's clock, which is the sender's: both are threads of one computer.
 */
static void messages_turn(void *argument) {
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
    while (__atomic_load_n(&whole.arrived->words, __ATOMIC_ACQUIRE) != words) gas_poll();
}

/* `whole how=direct|packing|messages|alone from=X to=Y bytes=N`: a block from thread 0 to thread 1, and with `alone` within thread
 * 0's memory through a buffer.
 */
static void whole_kernel(const struct request *request, struct reply *reply) {
    static const struct {
        const char *name;
        turn *body;
    } ways[] = {{"direct", direct_turn}, {"packing", packing_turn}, {"messages", messages_turn}, {"alone", NULL}};
    const char *how = request_word(request, "how", "direct");
    size_t way = 0, count = sizeof ways / sizeof ways[0], words = words_of(request, reply);
    while (way < count && strcmp(ways[way].name, how) != 0) way++;
    if (way == count) reply_error(reply, "there is no mechanism `%.40s` to transfer a block", how);
    whole = (struct whole){0};
    if (way == count || !words || !read_pattern(&whole.to, request, reply, "to", words) ||
        !read_pattern(&whole.from, request, reply, "from", words))
        return;
    turn *body = ways[way].body;
    if (body && !are_two(reply)) return;
    if (!on_piece_handler) on_piece_handler = gas_register(on_piece);
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
        reply_impossible(reply, REASON_MEMORY, "no room for %zu and %zu bytes in the segments", whole.from.bytes,
                         whole.to.bytes);
    } else if (body && gas_me() < 2) {
        bool in_messages = body == messages_turn;
        take_turns(request, reply, game,
                   &(struct turns){.body = body,
                                   .whose = body == packing_turn ? BOTH : FIRST,
                                   .warm = 1,
                                   .serves = in_messages,
                                   .ended_ns = in_messages ? &whole.arrived->at_ns : NULL});
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
        if (gas_me() != owned[i].owner) owned[i].side->at = 0;
        give_back(owned[i].side);
    }
    if (gas_me() == 0 && game) gas_free(game);
    if (gas_me() == 0 && arrived) gas_free(arrived);
}

const struct kernel kernels_whole[] = {{"whole", whole_kernel}, {NULL, NULL}};
