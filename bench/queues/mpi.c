/* MPI's send and receive between two processes of one computer. */
#include "contender.h"

#include <mpi.h>

static int other;
static char *out_data, *in_data;

static void create(int participants) {
    (void)participants;
    MPI_Init(NULL, NULL);
    out_data = aligned_alloc(4096, MOST), in_data = aligned_alloc(4096, MOST);
    if (!out_data || !in_data) die("memory");
    memset(out_data, 0, MOST), memset(in_data, 0, MOST);
}
static void open_(int me, int participants) { (void)participants, other = 1 - me; }
static void close_(void) { MPI_Finalize(); }

static inline void put(const void *data, size_t bytes) {
    MPI_Send(data, (int)bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
}
static inline void *place(size_t bytes) { return (void)bytes, out_data; }
static inline void commit(size_t bytes) { put(out_data, bytes); }
static inline const void *take(size_t bytes) {
    MPI_Recv(in_data, (int)bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return in_data;
}
static inline void done(void) {}

#define HAS_BULK
#include "loops.h"

const struct contender CONTENDER = {.name = "MPI",
                                    .kind = LAUNCHED,
                                    .rows = ROUND_TRIPS | STREAM | BULK,
                                    .create = create,
                                    .open = open_,
                                    .close = close_,
                                    LOOPS};
