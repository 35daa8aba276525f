/* Rounds of near members: waiting, posting, and moves of more data than one round can take. See near.h. */
#include "gas/near.h"

void gas_area_start(struct gas_area *a) { memset(a, 0, offsetof(struct gas_area, stage)); }

struct gas_calls *gas_area_calls(struct gas_area *a) {
    return &a->calls;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

/* What makes the member's part certain not to come was seen before the look that finds that it has not. */
uint64_t near_wait_for(gas_team t, int rank, uint64_t round) {
    uint64_t done;
    bool in_vain = false;
    for (unsigned turn = 0; (done = __atomic_load_n(&t->areas[rank]->done, __ATOMIC_ACQUIRE)) < round;) {
        if (in_vain) gas_calls_end_job(t, rank);
        /* no member rings at the end of short rounds */
        in_vain = core_wait_unrung(&turn) && gas_calls_look_up(t, rank, round);
    }
    return done;
}

void near_wait_for_all(gas_team t, uint64_t round) {
    uint64_t least = t->round; /* others may be ahead, where no member reads this member's posts */
    for (int r = 0; r < t->size; r++) {
        uint64_t done = r == t->rank ? least : near_wait_for(t, r, round);
        if (done < least) least = done;
    }
    if (least > t->all_done) t->all_done = least;
}

const struct near_slot *near_wait_for_slot(gas_team t, int rank) {
    const struct near_slot *s = &t->areas[rank]->slots[t->round % NEAR_SLOTS];
    bool in_vain = false;
    for (unsigned turn = 0; __atomic_load_n(&s->round, __ATOMIC_ACQUIRE) != t->round;) {
        if (in_vain) gas_calls_end_job(t, rank);
        in_vain = core_wait(&turn) && gas_calls_look_up(t, rank, t->round);
    }
    return s;
}

void *near_scratch(gas_team t, size_t bytes) {
    if (bytes > NEAR_SCRATCH) gas_fatal("a collective needs %zu bytes of each member", bytes);
    if (!t->scratch) t->scratch = gas_room((size_t)t->size * NEAR_SCRATCH);
    return t->scratch;
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

size_t near_piece_of(const struct near_move *m) {
    if (near_is_short(m)) return m->n;
    size_t piece = NEAR_STAGE_BYTES / m->parts;
    if (piece > 16) piece &= ~(size_t)15;
    if (piece == 0) gas_fatal("a collective of %zu parts is more than a stage holds", m->parts);
    return piece < m->n ? piece : m->n;
}

void near_post(gas_team t, const struct near_move *m) {
    struct near_slot *s = near_own_slot(t);
    if (near_is_short(m)) {
        s->at = 0;
        memcpy(s->data, m->src, m->n * m->parts);
    } else if (m->is_direct) {
        s->at = (uint64_t)m->src + m->from;
        s->stride = m->n;
        s->length = m->length;
        s->help = m->help;
    } else {
        char *stage = m->n * m->parts <= NEAR_PIECE_BYTES ? near_piece(t) : near_stage(t);
        for (size_t p = 0; p < m->parts; p++) memcpy(stage + p * m->length, m->src + p * m->n + m->from, m->length);
        s->at = (uint64_t)stage;
        s->stride = s->length = m->length;
        s->help = 0;
    }
    near_publish_to_all(t, s);
}

const void *near_posted(gas_team t, const struct near_move *m, int rank, int part) {
    if (rank == t->rank) return m->src + (size_t)part * m->n + m->from;
    const struct near_slot *s = near_slot_of(t, rank);
    if (near_is_short(m)) return s->data + (size_t)part * m->n;
    return (const char *)s->at + (size_t)part * s->stride;
}

void near_run(gas_team t, struct near_move *m, bool posts, near_take *take, const void *context) {
    size_t piece = m->root >= 0 && m->is_direct ? m->n : near_piece_of(m);
    for (; m->from < m->n; m->from += m->length) {
        m->length = gas_least(m->n - m->from, piece);
        t->round++;
        if (m->root >= 0 && !posts && !near_is_short(m)) {
            const struct near_slot *s = near_slot_of(t, m->root);
            m->length = s->length;
            m->help = s->help;
        }
        if (posts) near_post(t, m);
        if (take) take(t, m, context);
        near_end_round(t);
        if (!near_is_short(m)) near_ring_all(t); /* those that wait to use their buffers or their stages again */
    }
}

void near_wait_for_readers(gas_team t, const struct near_move *m) {
    if (m->is_direct && !near_is_short(m) && t->all_done < t->round) near_wait_for_all(t, t->round);
}
