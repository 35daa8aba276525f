/* An MPI whose windows have separate copies, made of one whose windows have not: preloaded, it says so, and ends a job that
 * accesses memory through a window all the same.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int MPI_Win_get_attr(MPI_Win window, int key, void *value, int *known) {
    static int separate = MPI_WIN_SEPARATE;
    int result = PMPI_Win_get_attr(window, key, value, known);
    if (key == MPI_WIN_MODEL) *(int **)value = &separate;
    return result;
}

int MPI_Win_lock_all(int assertion, MPI_Win window) {
    (void)assertion, (void)window;
    fprintf(stderr, "separate.c: a window with separate copies is used\n");
    abort();
}
