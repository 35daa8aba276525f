/* Takes the lists of schedule.h further: messages, what is kept of them, and who may run ahead of whom. All of it is used
 * inside the gate; handlers only keep what has come, and the steps are taken by polls (core_collectives), outside of handlers.
 */
#include "gas/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "gas/lines.h"
#include "gas/transfer.h"

enum { NEAR_LONG = 4096, FAR_LONG = 65536, MOST_BYTES = 32768, BUCKETS = 1024 };

/* Data of one step of another member's, or the place of it. */
struct packet {
    struct packet *next;
    uint64_t number;
    fathom_ptr place; /* 0: here */
    int step;         /* of the sender's list */
    enum gas_call_kind kind;
    size_t bytes, got;
    _Alignas(16) char data[];
};

/* With a team's number: its lists that block have numbers of their own. A team's number is less (team.c). */
#define BLOCKS (1ul << 63)

/* This thread's dealings with another on one team. A message may come before this thread has heard of the team. */
struct link {
    uint64_t team;
    int thread;
    struct link *next;            /* in the bucket */
    struct packet *first, **last; /* that have come and are not taken, in this order */
    uint64_t heard;               /* collectives that the other is known to have begun */
    uint64_t asked;               /* ... and the number that it has been asked to report; 0: none */
    uint64_t wanted;              /* the number that it has asked this thread to report; 0: none */
    struct link *next_wanted;
};

struct gas_crew {
    uint64_t team;
    struct gas_crew *next;
    uint64_t begun;
    struct link *wanted; /* those whose `wanted` has not been reported */
};

static CONDUIT_LARGE struct link *links[BUCKETS];
static struct gas_crew *crews;
static struct gas_schedule *under_way, **last_under_way = &under_way;
static bool is_advancing;

/* ---- teams and members ------------------------------------------------------------------------------------------- */

static struct link **place_of_link(uint64_t team, int thread) {
    struct link **at = &links[((team + (uint64_t)thread) * 0x9e3779b97f4a7c15ul) >> 54];
    while (*at && ((*at)->team != team || (*at)->thread != thread)) at = &(*at)->next;
    return at;
}
_Static_assert(BUCKETS == 1 << (64 - 54), "the hash has as many bits");

static struct link *link_with(uint64_t team, int thread) {
    struct link **at = place_of_link(team, thread);
    if (!*at) {
        *at = gas_room(sizeof **at);
        **at = (struct link){.team = team, .thread = thread, .last = &(*at)->first};
    }
    return *at;
}

static struct gas_crew *crew_of(uint64_t team) {
    struct gas_crew *c = crews;
    while (c && c->team != team) c = c->next;
    if (c) return c;
    c = gas_room(sizeof *c);
    *c = (struct gas_crew){.team = team, .next = crews};
    return crews = c;
}

static struct link *link_of(const struct gas_schedule *s, int rank) {
    return link_with(s->id, gas_team_member(s->team, rank));
}

static void heard(struct link *l, uint64_t begun) {
    if (begun > l->heard) l->heard = begun;
    if (l->heard >= l->asked) l->asked = 0;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void on_data(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs;
    struct link *l = link_with(args[0], gas_token_source(token));
    heard(l, args[2]);
    size_t all = args[3];
    struct packet *p = NULL;
    for (struct packet *q = l->first; q && !p; q = q->next) /* the pieces of one step come in a row */
        if (q->got < q->bytes && !q->place) p = q;
    if (!p) {
        p = gas_room(sizeof *p + (args[4] ? 0 : all));
        *p = (struct packet){0};
        p->number = args[1];
        p->bytes = all;
        p->place = args[4];
        p->step = (int)(args[5] >> 8);
        p->kind = (enum gas_call_kind)(args[5] & 0xff);
        *l->last = p;
        l->last = &p->next;
    }
    if (bytes) memcpy(p->data + p->got, payload, bytes);
    p->got += bytes;
}

static void on_read(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    struct gas_schedule *s = under_way;
    while (s->id != args[0] || s->number != args[1]) s = s->next; /* it waits for this answer */
    s->steps[args[2]].is_away = false;
    s->away--;
}

static void on_question(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    struct gas_crew *c = crew_of(args[0]);
    if (c->begun >= args[1]) {
        core_reply(token, GAS_SYNC_BEGUN, NULL, 0, (uint64_t[]){args[0], c->begun}, 2);
        return;
    }
    struct link *l = link_with(args[0], gas_token_source(token));
    if (!l->wanted) {
        l->next_wanted = c->wanted;
        c->wanted = l;
    }
    l->wanted = args[1];
}

/* May come when the team has been freed. */
static void on_begun(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    struct link *l = *place_of_link(args[0], gas_token_source(token));
    if (l) heard(l, args[1]);
}

void gas_schedule_start(void) {
    core_handler(GAS_SYNC_DATA, on_data);
    core_handler(GAS_SYNC_READ, on_read);
    core_handler(GAS_SYNC_QUESTION, on_question);
    core_handler(GAS_SYNC_BEGUN, on_begun);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool is_own(const void *p, size_t n) {
    return fathom_is_shared(p) && fathom_thread_of(fathom_word(p)) == fathom_mythread &&
           fathom_offset_of(fathom_word(p)) + n <= core_memory.segment_bytes;
}

static size_t longest_message(int thread) { return core_is_near(thread) ? NEAR_LONG : FAR_LONG; }

/* May this member send to that one? Where it is half way to the limit it asks, so that the answer may come in time. */
static bool may_send(const struct gas_schedule *s, struct link *l) {
    if (s->number >= l->heard + GAS_AHEAD / 2 && !l->asked) {
        l->asked = l->heard + 1;
        core_request(l->thread, GAS_SYNC_QUESTION, NULL, 0, (uint64_t[]){s->id, l->asked}, 2);
    }
    return s->number < l->heard + GAS_AHEAD;
}

static void send(struct gas_schedule *s, struct gas_step *step, struct link *l) {
    bool stays = step->n > longest_message(l->thread) && is_own(step->from, step->n);
    uint64_t which = (uint64_t)(step - s->steps) << 8 | s->kind;
    uint64_t args[] = {s->id, s->number, s->crew->begun, step->n, stays ? fathom_word(step->from) : 0, which};
    if (stays) {
        step->is_away = true;
        s->away++;
    }
    size_t most = conduit_max_medium() < MOST_BYTES ? conduit_max_medium() : MOST_BYTES, n = stays ? 0 : step->n,
           done = 0;
    do {
        size_t piece = n - done < most ? n - done : most;
        core_request(l->thread, GAS_SYNC_DATA, step->from + done, piece, args, 6);
        done += piece;
    } while (done < n);
}

/* Null: it has not come, or not all of it. */
static struct packet *packet_for(const struct gas_schedule *s, const struct link *l) {
    struct packet *p = l->first;
    while (p && p->number != s->number) p = p->next;
    if (p && p->kind != s->kind)
        core_fatal(
            "the members of a team have begun different collective operations, this one %s and thread %d %s: all "
            "begin the same in the same order",
            gas_call_name(s->kind), l->thread, gas_call_name(p->kind));
    return p && (p->place || p->got == p->bytes) ? p : NULL;
}

static void remove_packet(struct link *l, struct packet *p) {
    struct packet **at = &l->first;
    while (*at != p) at = &(*at)->next;
    *at = p->next;
    if (!p->next) l->last = at;
    free(p);
}

/* The data of a packet; null if it is still on its way. */
static const char *data_of(struct gas_schedule *s, const struct gas_step *step, struct packet *p) {
    if (!p->place) return p->data;
    if (fathom_is_near(p->place)) return fathom_local(p->place);
    if (!s->gets) {
        s->gets = true;
        s->got = step->kind == GAS_STEP_TAKE ? step->to : gas_room(p->bytes);
        s->transfer = (struct gas_transfer){0};
        gas_transfer_get(&s->transfer, s->got, p->place, p->bytes);
    }
    return gas_transfer_done(&s->transfer) ? s->got : NULL;
}

static bool take(struct gas_schedule *s, const struct gas_step *step) {
    struct link *l = link_of(s, step->rank);
    struct packet *p = packet_for(s, l);
    if (!p) return false;
    if (p->bytes != step->n)
        core_fatal("the members of a team give different sizes to a collective operation: %zu bytes, and thread %d %zu",
                   step->n, l->thread, p->bytes);
    const char *his = data_of(s, step, p);
    if (!his) return false;
    if (step->kind == GAS_STEP_COMBINE)
        gas_combine(&s->by.o, step->to, step->his_is_left ? his : step->from, step->his_is_left ? step->from : his,
                    step->n / s->by.o.elem);
    else if (his != step->to && step->n)
        memcpy(step->to, his, step->n);
    if (step->again) return true;
    if (s->gets) {
        if (s->got != step->to) free(s->got);
        s->gets = false;
    }
    if (p->place) core_request(l->thread, GAS_SYNC_READ, NULL, 0, (uint64_t[]){s->id, s->number, (uint64_t)p->step}, 3);
    remove_packet(l, p);
    return true;
}

/* Has nobody to read any more what the step is about to write? */
static bool may_write(const struct gas_schedule *s, const struct gas_step *step) {
    for (int i = 0; s->away && i < s->current; i++) {
        const struct gas_step *sent = &s->steps[i];
        if (sent->is_away && sent->from < step->to + step->n && step->to < sent->from + sent->n) return false;
    }
    return true;
}

static bool do_step(struct gas_schedule *s) {
    struct gas_step *step = &s->steps[s->current];
    if (step->kind == GAS_STEP_SEND) {
        struct link *l = link_of(s, step->rank);
        if (!may_send(s, l)) return false;
        send(s, step, l);
        return true;
    }
    if (!may_write(s, step)) return false;
    if (step->kind < GAS_STEP_COPY) return take(s, step);
    if (step->kind == GAS_STEP_MERGE)
        gas_combine(&s->by.o, step->to, step->to, step->from, step->n / s->by.o.elem);
    else if (step->n)
        memmove(step->to, step->from, step->n);
    return true;
}

static void advance(struct gas_schedule *s) {
    while (s->current < s->count && do_step(s)) s->current++;
    s->is_complete = s->current == s->count && !s->away;
}

/* What a step calls polls, and a function that combines may: that comes back here. */
static void advance_all(void) {
    if (is_advancing) return;
    is_advancing = true;
    bool completed = false;
    for (struct gas_schedule **at = &under_way, *s; (s = *at);) {
        advance(s);
        if (!s->is_complete) {
            at = &s->next;
            continue;
        }
        completed = true;
        *at = s->next;
        if (!s->next) last_under_way = at;
    }
    if (!under_way) core_collectives = NULL;
    is_advancing = false;
    if (completed && core_gate_is_on) core_gate_news();
}

/* ---- one list ---------------------------------------------------------------------------------------------------- */

struct gas_schedule *gas_schedule_new(gas_team t, enum gas_call_kind kind, int root, int steps) {
    struct gas_schedule *s = gas_room(sizeof *s);
    *s = (struct gas_schedule){.team = t, .id = t->id, .kind = kind, .root = root, .room = steps > 4 ? steps : 4};
    s->steps = gas_room((size_t)s->room * sizeof *s->steps);
    return s;
}

void gas_schedule_blocks(struct gas_schedule *s) {
    s->blocks = true;
    s->id |= BLOCKS;
}

struct gas_step *gas_schedule_add(struct gas_schedule *s, struct gas_step step) {
    if (s->count == s->room) {
        s->room *= 2;
        s->steps = realloc(s->steps, (size_t)s->room * sizeof *s->steps);
        if (!s->steps) core_fatal("no memory for a collective operation");
    }
    s->steps[s->count] = step;
    return &s->steps[s->count++];
}

bool gas_schedule_is_long(const struct gas_schedule *s, size_t n) {
    (void)s;
    return n > (conduit_near.count > 1 ? NEAR_LONG : FAR_LONG);
}

bool gas_schedule_stays(const struct gas_schedule *s, const void *p, size_t n) {
    return gas_schedule_is_long(s, n) && is_own(p, n);
}

char *gas_schedule_room(struct gas_schedule *s, size_t n) {
    fathom_ptr readable = gas_schedule_is_long(s, n) ? gas_alloc(n) : 0;
    return s->rooms[s->room_count++] = readable ? fathom_local(readable) : gas_room(n);
}

char *gas_schedule_private_room(struct gas_schedule *s, size_t n) { return s->rooms[s->room_count++] = gas_room(n); }

static void end(struct gas_schedule *s) {
    for (int i = 0; i < s->room_count; i++) {
        if (fathom_is_shared(s->rooms[i]))
            gas_free(fathom_word(s->rooms[i]));
        else
            free(s->rooms[i]);
    }
    s->team->begun_now--;
    free(s->steps);
    free(s);
}

static bool is_done(struct gas_part *p) {
    struct gas_schedule *s = p->state;
    if (!s->is_complete) advance_all();
    if (!s->is_complete) return false;
    end(s);
    return true;
}

gas_handle gas_schedule_begin(struct gas_schedule *s) {
    gas_team t = s->team;
    struct gas_crew **of_team = &t->crews[s->blocks], *crew;
    if (!*of_team) *of_team = crew_of(s->id);
    s->crew = crew = *of_team;
    s->number = crew->begun++;
    if (!s->blocks) gas_call_begun(t, s->kind, s->root);
    t->begun_now++;
    for (struct link **at = &crew->wanted, *l; (l = *at);) {
        if (crew->begun < l->wanted) {
            at = &l->next_wanted;
            continue;
        }
        l->wanted = 0;
        *at = l->next_wanted;
        core_request(l->thread, GAS_SYNC_BEGUN, NULL, 0, (uint64_t[]){s->id, crew->begun}, 2);
    }
    *last_under_way = s;
    last_under_way = &s->next;
    core_collectives = advance_all;
    advance_all();
    if (s->is_complete) {
        end(s);
        return GAS_DONE;
    }
    struct gas_transfer *transfer = gas_transfer_new();
    gas_transfer_part(transfer, is_done, s);
    return gas_transfer_handle(transfer);
}

/* ---- the others -------------------------------------------------------------------------------------------------- */

/* The member with which the list has its next dealings, or which has yet to read what it left there; or -1. */
static int awaited_member(const struct gas_schedule *s) {
    if (s->current < s->count && s->steps[s->current].kind < GAS_STEP_COPY) return s->steps[s->current].rank;
    for (int i = 0; i < s->count; i++)
        if (s->steps[i].is_away) return s->steps[i].rank;
    return -1;
}

static bool is_data_missing(const struct gas_schedule *s) {
    for (int i = s->current; i < s->count; i++)
        if (s->steps[i].kind == GAS_STEP_TAKE || s->steps[i].kind == GAS_STEP_COMBINE) return true;
    return false;
}

/* How many lists the awaited member has to have begun, so that the next step can be done. A list that may not send has a number of
 * at least GAS_AHEAD. */
static uint64_t needed_of(const struct gas_schedule *s) {
    bool sends = s->current < s->count && s->steps[s->current].kind == GAS_STEP_SEND;
    return s->number + 1 - (sends ? GAS_AHEAD : 0);
}

/* The members without which the list cannot complete, as long as they have not begun it: those whose data the result is made
 * of, though others may pass it on; and `rank`. */
static struct gas_need need_of(const struct gas_schedule *s, int rank) {
    struct gas_need n = {s->team->id, s->number + 1, s->kind, GAS_COUNTS_BEGUN, 0, -1, rank, -1};
    uint64_t of_rank = needed_of(s);
    if (!is_data_missing(s)) {
        n.number = of_rank;
        return n;
    }
    if (of_rank != n.number) n.also = -1; /* it need not have begun this one */
    gas_need_data(&n, s->team, s->root);
    return n;
}

void gas_schedule_look_up(const struct gas_transfer *waited) {
    CORE_GATE;
    for (struct gas_schedule *s = under_way; s; s = s->next) {
        int rank = awaited_member(s);
        if (rank < 0) continue;
        gas_team_look_up(s->team, rank);
        break; /* the first that began is what the others wait for, or as good as any */
    }
    for (const struct gas_part *p = waited ? waited->parts : NULL; p; p = p->next) {
        const struct gas_schedule *s = p->state;
        int rank = p->is_done == is_done && !s->is_complete ? awaited_member(s) : -1;
        if (rank < 0) continue;
        if (s->blocks) { /* members that all send to all are never far apart: what is awaited belongs to this call */
            gas_calls_look_up_made(s->team, rank, s->team->calls->count, true);
            return;
        }
        struct gas_need need = need_of(s, rank);
        gas_calls_look_up_begun(s->team, rank, needed_of(s), &need);
        return;
    }
}

static void forget(gas_team t, uint64_t id) {
    for (int r = 0; r < t->size; r++) {
        struct link **at = place_of_link(id, gas_team_member(t, r)), *l = *at;
        if (!l) continue;
        *at = l->next;
        free(l);
    }
    struct gas_crew **at = &crews, *c;
    while (*at && (*at)->team != id) at = &(*at)->next;
    if (!(c = *at)) return;
    *at = c->next;
    free(c);
}

void gas_schedule_forget(gas_team t) {
    forget(t, t->id);
    forget(t, t->id | BLOCKS);
}
