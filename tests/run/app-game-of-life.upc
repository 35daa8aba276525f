// threads: 1 2 3 4 7
/* Conway's life on a torus of cyclic cells (every neighbour is another thread's), against the same game in private
 * memory. */
#include "check.h"

#define W 6
#define H 17
#define WIDTH (W * THREADS)

shared unsigned char world[2][H][W * THREADS];

static int next(int self, int around) { return around == 3 || (around == 2 && self); }

int main(void) {
    unsigned char mine[2][H][WIDTH];
    int i, j, now = 0;
    for (i = 0; i < H; i++)
        for (j = 0; j < WIDTH; j++) mine[0][i][j] = (i * 7 + j * 3 + i * j) % 5 < 2;
    for (i = 0; i < H; i++)
        upc_forall (j = 0; j < WIDTH; j++; &world[0][i][j]) world[0][i][j] = mine[0][i][j];
    upc_barrier;

    for (int generation = 0; generation < 12; generation++, now = !now) {
        for (i = 0; i < H; i++)
            upc_forall (j = 0; j < WIDTH; j++; &world[!now][i][j]) {
                int around = -world[now][i][j];
                for (int di = H - 1; di <= H + 1; di++)
                    for (int dj = WIDTH - 1; dj <= WIDTH + 1; dj++) around += world[now][(i + di) % H][(j + dj) % WIDTH];
                world[!now][i][j] = next(world[now][i][j], around);
            }
        for (i = 0; i < H; i++)
            for (j = 0; j < WIDTH; j++) {
                int around = -mine[now][i][j];
                for (int di = H - 1; di <= H + 1; di++)
                    for (int dj = WIDTH - 1; dj <= WIDTH + 1; dj++) around += mine[now][(i + di) % H][(j + dj) % WIDTH];
                mine[!now][i][j] = next(mine[now][i][j], around);
            }
        upc_barrier;
        for (i = 0; i < H; i++)
            for (j = 0; j < WIDTH; j++) CHECK_EQ(mine[!now][i][j], world[!now][i][j]);
        upc_barrier;
    }
    return 0;
}
