/* The data of the Livermore loops: first values, and the sum that tells whether two runs did the same. */
#include "lfk.h"

#include <string.h>

struct lfk_data lfk;

static unsigned long state;

/* Between lo and hi; the same sequence after every reset. */
static double between(double lo, double hi) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

static void fill(void *array, unsigned long bytes, double lo, double hi) {
    double *a = array;
    for (unsigned long i = 0; i < bytes / sizeof *a; i++) a[i] = between(lo, hi);
}
#define FILL(array, lo, hi) fill(array, sizeof(array), lo, hi)

void lfk_reset(void) {
    struct lfk_data *l = &lfk;
    memset(l, 0, sizeof *l);
    state = 20111213;
    FILL(l->x, 0.1, 1), FILL(l->y, 0.1, 1), FILL(l->z, 0.1, 1), FILL(l->u, 0.1, 1), FILL(l->v, 0.1, 0.3);
    FILL(l->w, 0.1, 1), FILL(l->g, 0.1, 1), FILL(l->xx, 0.1, 1), FILL(l->vx, 0.5, 1);
    FILL(l->sa, 0.1, 1), FILL(l->sb, 0.1, 1);
    FILL(l->vsp, 0.1, 0.6), FILL(l->vstp, 0.1, 0.3), FILL(l->vxne, 0.1, 0.5), FILL(l->vlr, 0.1, 0.6);
    FILL(l->vlin, 0.1, 0.3);
    FILL(l->grd, 1, 1000), FILL(l->ex, 0, 1), FILL(l->dex, 0, 0.01);
    FILL(l->d, 0.4, 0.6);
    FILL(l->b6, 0, 0.01), FILL(l->u1, 0, 1), FILL(l->u2, 0, 1), FILL(l->u3, 0, 1);
    FILL(l->px, 0, 1), FILL(l->cx, 0, 0.01), FILL(l->vy21, 0, 0.01);
    FILL(l->p, 1, 60), FILL(l->b13, -0.001, 0.001), FILL(l->c13, -0.001, 0.001);
    FILL(l->vh, 0.1, 1), FILL(l->vf, 0.1, 1), FILL(l->vg, 0.1, 1);
    FILL(l->za, 0, 0.2), FILL(l->zb, 0, 0.2), FILL(l->zm, 1, 2), FILL(l->zp, 0, 1), FILL(l->zq, 0, 1);
    FILL(l->zr, 0, 0.2), FILL(l->zu, 0, 0.2), FILL(l->zv, 0, 0.2), FILL(l->zz, 0, 0.2);
    for (int i = 0; i < 128; i++) l->e[i] = i % 3, l->f[i] = i % 2;
    /* Two zones of 75 planes: even places say which plane, odd places on which side of it the search goes on. It is
     * the 61st plane that sends the search to the next zone. */
    for (int i = 0; i < 320; i++) {
        l->zone[i] = i % 2 ? (i / 2 % 75 == 60 ? -1 : 1) : i % 9 ? 1 + (int)between(0, 74) : 80 + i % 150;
        l->plan[i] = between(0.75, 1);
    }
    l->zone[0] = 2;
}

unsigned long lfk_checksum(void) {
    const unsigned char *byte = (const unsigned char *)&lfk;
    unsigned long sum = 14695981039346656037ul;
    for (unsigned long i = 0; i < sizeof lfk; i++) sum = (sum ^ byte[i]) * 1099511628211ul;
    return sum;
}
