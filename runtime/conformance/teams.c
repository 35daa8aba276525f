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
