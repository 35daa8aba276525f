/* Collectives of MPI: together.h. */
#include <mpi.h>

#include "together.h"

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static long agree(long mine) {
    MPI_Bcast(&mine, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return mine;
}

#define WORLD MPI_COMM_WORLD
#define EACH(i, root, n) for (long i = 0, root = 0; i < (n); i++, root = root + 1 < count ? root + 1 : 0)

/* A broadcast of UPC copies on the root, too, as the others do: MPI's has one buffer. */
static void mpi_broadcast(long n) {
    EACH(i, r, n) {
        if (me == r) memcpy(target, source, size);
        MPI_Bcast(target, (int)size, MPI_BYTE, (int)r, WORLD);
    }
}
static void mpi_scatter(long n) {
    EACH(i, r, n) MPI_Scatter(source, (int)size, MPI_BYTE, target, (int)size, MPI_BYTE, (int)r, WORLD);
}
static void mpi_gather(long n) {
    EACH(i, r, n) MPI_Gather(source, (int)size, MPI_BYTE, target, (int)size, MPI_BYTE, (int)r, WORLD);
}
static void mpi_gather_all(long n) {
    for (long i = 0; i < n; i++) MPI_Allgather(source, (int)size, MPI_BYTE, target, (int)size, MPI_BYTE, WORLD);
}
static void mpi_exchange(long n) {
    for (long i = 0; i < n; i++) MPI_Alltoall(source, (int)size, MPI_BYTE, target, (int)size, MPI_BYTE, WORLD);
}
static void mpi_reduce(long n) { EACH(i, r, n) MPI_Reduce(source, target, 1, MPI_INT64_T, MPI_SUM, (int)r, WORLD); }
static void mpi_scan(long n) {
    for (long i = 0; i < n; i++) MPI_Scan(source, target, 1, MPI_INT64_T, MPI_SUM, WORLD);
}

#define ROW(f, n)                                                                                                      \
    { #f " " #n, "mpi", mpi_##f, SIDE_BOTH, n, together_fill, f##_check, 0 }
#define ROW_OF_ONE(f)                                                                                                  \
    { #f " 8", "mpi", mpi_##f, SIDE_BOTH, 8, together_fill_one, f##_check, 0 }
static const struct side_row rows[] = {TOGETHER_SIZES(ROW, broadcast),
                                       TOGETHER_SIZES(ROW, scatter),
                                       TOGETHER_SIZES(ROW, gather),
                                       TOGETHER_SIZES(ROW, gather_all),
                                       TOGETHER_SIZES(ROW, exchange),
                                       ROW_OF_ONE(reduce),
                                       ROW_OF_ONE(scan)};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &me);
    MPI_Comm_size(WORLD, &count);
    size_t room = (size_t)count * TOGETHER_LONGEST;
    source = aligned_alloc(4096, room), target = aligned_alloc(4096, room);
    struct side side = {.me = me, .barrier = barrier, .agree = agree, .unbound = count > 2};
    side_main(&side, rows, sizeof rows / sizeof rows[0], argc, argv);
    MPI_Finalize();
    return 0;
}
