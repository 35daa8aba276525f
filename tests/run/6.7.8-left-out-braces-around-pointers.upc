// Initialisers take their places in order when the braces of inner aggregates are left out (C11, 6.7.9 p20); a null
// pointer-to-shared, with or without phase, is one of them.
#include <assert.h>
#include <upc.h>

shared [4] int data[4 * THREADS];

struct pair {
    int before;
    shared [4] int *ends[2];
    int after;
};

struct plain {
    shared int *cells[2];
    shared void *any;
    int after;
};

struct pair outside = {1, 0, 0, 2};
struct pair rows[2] = {1, 0, 0, 2, 3, 0, 0, 4};

static void check(struct pair p, int before, shared [4] int *first, shared [4] int *second, int after) {
    assert(p.before == before && p.ends[0] == first && p.ends[1] == second && p.after == after);
}

int main(void) {
    shared [4] int *one = &data[1];
    static struct pair kept[] = {{1, 0, 0, 2}, 3, {0}, 4};
    struct pair here = {1, 0, one, 2}, mixed[2] = {1, one, 0, 2, 3, 0, one + 1, 4};
    struct pair named = {.ends[1] = 0, 5}, again = {7, .ends[0] = 0, &data[1], 8};
    struct { shared [4] int *grid[2][2]; int after; } table = {0, one, 0, 0, 9};
    struct { struct { shared [4] int *inner; int n; }; shared [4] int *outer; } nested = {0, 3, one};
    struct plain cells = {0, (shared int *)one, 0, 6};
    shared [4] int *list[][2] = {0, 0, one, 0};

    static shared [4] int *scalar = {0};
    shared int *thin = {0};
    assert(scalar == 0 && thin == 0 && (shared [4] int *){0} == 0 && (shared int *){0} == 0);
    check(outside, 1, 0, 0, 2);
    check(rows[0], 1, 0, 0, 2);
    check(rows[1], 3, 0, 0, 4);
    check(kept[0], 1, 0, 0, 2);
    check(kept[1], 3, 0, 0, 4);
    check(here, 1, 0, one, 2);
    check(mixed[0], 1, one, 0, 2);
    check(mixed[1], 3, 0, &data[2], 4);
    check(named, 0, 0, 0, 5);
    check(again, 7, 0, one, 8);
    check((struct pair){2, 0, one, 1}, 2, 0, one, 1);
    assert(table.grid[0][0] == 0 && table.grid[0][1] == one && table.grid[1][1] == 0 && table.after == 9);
    assert(nested.inner == 0 && nested.n == 3 && nested.outer == one);
    assert(cells.cells[0] == 0 && cells.cells[1] == (shared int *)one && cells.any == 0 && cells.after == 6);
    assert(sizeof list == 2 * sizeof list[0] && list[0][1] == 0 && list[1][0] == one && list[1][1] == 0);
    return 0;
}
