// threads: 1 2 3 5
/* docs/split-c.md, assignments: reads and writes, gets, puts and stores of scalars, structures and arrays' elements. */
#include "check-split-c.h"

struct particle {
    double x, y, z;
    int tag;
};

char c;
short h;
int i4;
long l;
float f;
double d;
struct particle body, got;
int target[64], ghosts[64];
long arrivals[8];

splitc_main() {
    int next = (MYPROC + 1) % PROCS, before = (MYPROC + PROCS - 1) % PROCS, k, lexed;
    int *global t = toglobal(next, target);
    struct particle *global there = toglobal(next, &body);
    int one = 1, two = 2;

    c = 'a' + MYPROC, h = -MYPROC, i4 = 1 << MYPROC, l = (1L << 40) + MYPROC, f = MYPROC + 0.5f, d = MYPROC / 3.0;
    body.x = MYPROC, body.y = 2 * MYPROC, body.z = 3 * MYPROC, body.tag = 1000 + MYPROC;
    barrier();

    CHECK_EQ('a' + next, *toglobal(next, &c));
    CHECK_EQ(-next, *toglobal(next, &h));
    CHECK_EQ(1 << next, *toglobal(next, &i4));
    CHECK_EQ((1L << 40) + next, *toglobal(next, &l));
    CHECK(*toglobal(next, &f) == next + 0.5f);
    CHECK(*toglobal(next, &d) == next / 3.0);
    got = *there;
    CHECK(got.x == next && got.y == 2 * next && got.z == 3 * next && got.tag == 1000 + next);
    CHECK_EQ(1000 + next, there->tag);
    barrier();

    /* Write; read, modify and write. */
    *there = got;
    there->tag += 5;
    there->x++;
    barrier();
    CHECK_EQ(1005 + MYPROC, body.tag);
    CHECK(body.x == MYPROC + 1);

    /* Puts and gets; the old `x ? y :-1` is no store. */
    for (k = 0; k < 64; k++) t[k] := 64 * MYPROC + k;
    sync();
    barrier();
    for (k = 0; k < 64; k++) CHECK_EQ(64 * before + k, target[k]);
    barrier();
    for (k = 0; k < 64; k++) ghosts[k] := t[k];
    sync();
    for (k = 0; k < 64; k++) CHECK_EQ(64 * MYPROC + k, ghosts[k]);
    got := *there;
    sync();
    CHECK_EQ(1005 + next, got.tag);
    lexed = one ? two :-1;
    CHECK_EQ(2, lexed);
    lexed = one ? one ? two:-3 :-1;
    CHECK_EQ(2, lexed);
    lexed = !one ? two :-(1);
    CHECK_EQ(-1, lexed);
    CHECK(is_sync());
    /* A value that has to be converted. */
    d := t[3];
    sync();
    CHECK(d == 64 * MYPROC + 3);
    *toglobal(next, &f) := 7;
    sync();
    barrier();
    CHECK(f == 7);
    barrier();

    /* Stores: everybody waits for all; then each for its own bytes. */
    for (k = 0; k < 8; k++) *toglobal(next, arrivals + k) :- 8L * MYPROC + k;
    all_store_sync();
    for (k = 0; k < 8; k++) CHECK_EQ(8 * before + k, arrivals[k]);
    barrier();
    for (int round = 0; round < 50; round++) {
        for (k = 0; k < 8; k++) *toglobal(next, arrivals + k) :- (long)round * 100 + k;
        store_sync(sizeof arrivals);
        for (k = 0; k < 8; k++) CHECK_EQ(round * 100 + k, arrivals[k]);
        barrier();
    }
    *toglobal(next, &body) :- got;
    store_sync(sizeof got);
    CHECK_EQ(1005 + MYPROC, body.tag);
    all_store_sync();
    reset_store_sync();

    /* Bulk transfers. */
    for (k = 0; k < 64; k++) target[k] = 1000 * MYPROC + k;
    barrier();
    bulk_read(ghosts, t, sizeof ghosts);
    for (k = 0; k < 64; k++) CHECK_EQ(1000 * next + k, ghosts[k]);
    ghosts[5] = 0;
    bulk_get(ghosts, t, sizeof ghosts);
    bulk_sync();
    CHECK_EQ(1000 * next + 5, ghosts[5]);
    barrier();
    for (k = 0; k < 64; k++) ghosts[k] = MYPROC - k;
    bulk_write(t, ghosts, sizeof ghosts / 2);
    bulk_put(t + 32, ghosts + 32, sizeof ghosts / 4);
    sync();
    barrier();
    bulk_store(t + 48, ghosts + 48, sizeof ghosts / 4);
    store_sync(sizeof ghosts / 4);
    for (k = 0; k < 64; k++) CHECK_EQ(before - k, target[k]);
    barrier();
    byte_write(toglobal(next, (char *)target + 1), 0x7f);
    barrier();
    CHECK_EQ(0x7f, ((char *)target)[1]);
}
