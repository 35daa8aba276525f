/* Teams: splits of the world and of each other, ranks and members against a model. */
#include "suite.h"

struct choice {
    int colour, key;
};

/* Splits `parent` by random choices that every thread knows, and checks this thread's team against them. Colours below
 * 0 come up too. */
static gas_team split_at_random(gas_team parent, int colours) {
    int size = gas_team_size(parent), rank = gas_team_rank(parent);
    struct choice choice[size];
    memset(choice, 0, sizeof choice);
    for (int r = 0; r < size; r++)
        choice[r] =
            (struct choice){(int)random_between(&together, -1, colours - 1), (int)random_between(&together, -2, 2)};
    gas_team team = gas_team_split(parent, choice[rank].colour, choice[rank].key);
    if (choice[rank].colour < 0) {
        ASSERT(team == NULL, "colour %d", choice[rank].colour);
        return NULL;
    }
    int members = 0, before = 0;
    for (int r = 0; r < size; r++) {
        if (choice[r].colour != choice[rank].colour) continue;
        int ahead = 0; /* members that come before r */
        for (int s = 0; s < size; s++)
            if (choice[s].colour == choice[r].colour &&
                (choice[s].key < choice[r].key || (choice[s].key == choice[r].key && s < r)))
                ahead++;
        EQUAL(gas_team_thread(parent, r), gas_team_thread(team, ahead));
        if (r == rank) before = ahead;
        members++;
    }
    EQUAL(members, gas_team_size(team));
    EQUAL(before, gas_team_rank(team));
    EQUAL(me(), gas_team_thread(team, before));
    return team;
}

static void use(gas_team team) {
    int64_t sum = 0, expected = 0, mine = me() + 1;
    for (int r = 0; r < gas_team_size(team); r++) expected += gas_team_thread(team, r) + 1;
    gas_all_reduce(team, &sum, &mine, 1, GAS_I64, GAS_ADD, 0);
    EQUAL(expected, sum);
    gas_team_barrier(team);
    int root = gas_team_size(team) - 1, from = me();
    gas_broadcast(team, &from, &from, sizeof from, root, 0);
    EQUAL(gas_team_thread(team, root), from);
}

CASE(teams_world_is_all_threads_in_order) {
    gas_team world = gas_world();
    EQUAL(count(), gas_team_size(world));
    EQUAL(me(), gas_team_rank(world));
    for (int t = 0; t < count(); t++) EQUAL(t, gas_team_thread(world, t));
    use(world);
}

CASE(teams_split_at_random_and_again) {
    for (long i = suite_rounds(8); i-- > 0;) {
        /* The sequence that all share must not depend on which team a thread is in: so each level has its own. */
        struct suite_random outer = together;
        gas_team team = split_at_random(gas_world(), 1 + (int)(i % 3));
        if (team) {
            use(team);
            struct suite_random level = together;
            gas_team inner = split_at_random(team, 2);
            if (inner) {
                use(inner);
                use(team == inner ? team : inner);
                gas_team_free(inner);
            }
            together = level;
            use(team);
            gas_team_free(team);
        }
        use(gas_world());
        together = outer;
        random_word(&together);
    }
}

CASE(teams_many_alive_at_once) {
    enum { ALIVE = 6 };
    gas_team teams[ALIVE];
    for (int i = 0; i < ALIVE; i++) teams[i] = gas_team_split(gas_world(), me() % (i + 1), -me());
    for (int round = 0; round < 5; round++)
        for (int i = ALIVE - 1; i >= 0; i--) use(teams[i]);
    for (int i = 0; i < ALIVE; i++) gas_team_free(teams[i]);
}

CASE(teams_made_and_freed_many_times) {
    for (long i = suite_rounds(60); i-- > 0;) {
        gas_team team = gas_team_split(gas_world(), (int)(me() + i) % 2, 0);
        gas_team_barrier(team);
        gas_team_free(team);
    }
    use(gas_world());
}

/* Barriers of two halves do not touch each other: one half makes many while the other makes none. */
CASE(teams_barriers_hold_only_their_members) {
    gas_team half = gas_team_split(gas_world(), me() % 2, 0);
    if (me() % 2 == 0)
        for (int i = 0; i < 100; i++) gas_team_barrier(half);
    gas_barrier();
    if (me() % 2 == 1)
        for (int i = 0; i < 100; i++) gas_team_barrier(half);
    gas_barrier();
    gas_team_free(half);
}

/* Lists in any order, of any part of a team, and ranks from one team to another. */
CASE(teams_of_lists_and_their_ranks) {
    for (long i = suite_rounds(6); i-- > 0;) {
        int list[count()], n = 0;
        for (int t = 0; t < count(); t++) { /* a random part, in random order */
            int at = (int)random_below(&together, (uint64_t)n + 1);
            if (random_below(&together, 3) == 0) continue;
            memmove(&list[at + 1], &list[at], (size_t)(n - at) * sizeof *list);
            list[at] = t;
            n++;
        }
        gas_team team = gas_team_create(gas_world(), list, n);
        int place = -1;
        for (int r = 0; r < n; r++)
            if (list[r] == me()) place = r;
        ASSERT(!team == (place < 0), "member %d of %d", place, n);
        if (team) {
            EQUAL(n, gas_team_size(team));
            EQUAL(place, gas_team_rank(team));
            for (int t = 0; t < count(); t++) {
                int rank = -1;
                for (int r = 0; r < n; r++)
                    if (list[r] == t) rank = r;
                EQUAL(rank, gas_team_rank_of(team, t));
                EQUAL(rank, gas_team_translate(gas_world(), t, team));
                if (rank >= 0) EQUAL(t, gas_team_translate(team, rank, gas_world()));
            }
            use(team);
            fathom_ptr at[n];
            EQUAL(1, gas_team_alloc(team, 100, at));
            for (int r = 0; r < n; r++) EQUAL(list[r], fathom_thread_of(at[r]));
            gas_put_value(at[(place + 1) % n], (uint64_t)place, 8);
            gas_team_barrier(team);
            EQUAL((place + n - 1) % n, *(int64_t *)fathom_local(at[place]));
            gas_team_barrier(team);
            gas_free(at[place]);
            EQUAL(0, gas_team_alloc(team, place == n - 1 ? 1ul << 60 : 64, at)); /* one has no room: none has */
            EQUAL(1, gas_team_alloc(team, place == n - 1 ? 0 : 64, at));         /* one wants nothing */
            for (int r = 0; r < n; r++) EQUAL(r == n - 1, at[r] == 0);
            gas_free(at[place]);
            gas_team_free(team);
        }
    }
}

ENDS(team_with_a_rank_twice, 1, 1, "fathom: thread [0-9]+: gas_team_create: rank 0 is in the list twice.*\\|") {
    gas_team_create(gas_world(), (int[]){0, 0}, 2);
}
ENDS(team_with_a_rank_too_many, 1, 1,
     "fathom: thread [0-9]+: gas_team_create: rank [0-9]+ in the list, of a team of [0-9]+.*\\|") {
    gas_team_create(gas_world(), (int[]){count()}, 1);
}
ENDS(team_of_lists_that_differ, 2, 1, "fathom: thread [0-9]+: gas_team_create: the members give different lists.*\\|") {
    gas_team_create(gas_world(), me() == 0 ? (int[]){0, 1} : (int[]){1, 0}, 2);
    gas_barrier();
}
ENDS(rank_of_no_thread, 1, 1, "fathom: thread [0-9]+: gas_team_rank_of: thread -1 of [0-9]+.*\\|") {
    gas_team_rank_of(gas_world(), -1);
}

/* A mistake that only one thread makes, as all the others wait for it. */
#define FREED(function) "fathom: thread [0-9]+: " function ": the team has been freed.*\\|"
static gas_team freed(void) {
    gas_team t = gas_team_split(gas_world(), 0, 0), other;
    gas_team_free(t);
    other = gas_team_split(gas_world(), 0, 0); /* has not taken its place */
    ASSERT(other != t, "a freed team's place is used at once");
    gas_barrier();
    return t;
}
ENDS(team_that_is_freed_at_a_barrier, 1, 1, FREED("gas_team_barrier")) { gas_team_barrier(freed()); }
ENDS(team_that_is_freed_in_a_collective, 1, 1, FREED("gas_all_reduce")) {
    int64_t one = 1, sum;
    gas_all_reduce(freed(), &sum, &one, 1, GAS_I64, GAS_ADD, 0);
}
ENDS(team_that_is_freed_in_a_collective_that_is_begun, 1, 1, FREED("gas_broadcast_nb")) {
    int x = 0;
    gas_handle h = gas_broadcast_nb(freed(), &x, &x, sizeof x, 0);
    gas_wait(&h);
}
ENDS(team_that_is_freed_twice, 1, 1, FREED("gas_team_free")) { gas_team_free(freed()); }
ENDS(team_that_is_freed_asked_for_its_rank, 1, 1, FREED("gas_team_rank")) { gas_team_rank(freed()); }
ENDS(rank_in_no_team, 1, 1, "fathom: thread [0-9]+: gas_team_rank: null team.*\\|") { gas_team_rank(NULL); }
