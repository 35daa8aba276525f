/* Atomic operations of domains by MPI's accumulates, where no thread shares memory with another: an object that threads
 * of one node also reached by the processor's instructions would not be safe from MPI's.
 *
 * MPI promises atomicity among accumulates that all have the same operation, or none (MPI_NO_OP, a get): a domain with
 * operations that come down to more than one of MPI's is left to the version over messages. */
#include <string.h>

#include "conduit/mpi/ranks.h"
#include "conduit/operand.h"
#include "conduit/progress.h"
#include "gas.h"
#include "lang/prelude.h"

static MPI_Datatype datatype(int type) {
    switch (type) {
    case GAS_I32: return MPI_INT32_T;
    case GAS_U32: return MPI_UINT32_T;
    case GAS_I64: return MPI_INT64_T;
    case GAS_F32: return MPI_FLOAT;
    case GAS_F64: return MPI_DOUBLE;
    default: return MPI_UINT64_T;
    }
}

/* What of MPI does it; MPI_OP_NULL: compare-and-swap, a call of its own. */
static MPI_Op operation(int op) {
    switch (op) {
    case GAS_GET: return MPI_NO_OP;
    case GAS_SET:
    case GAS_SWAP: return MPI_REPLACE;
    case GAS_ADD:
    case GAS_SUB:
    case GAS_INC:
    case GAS_DEC: return MPI_SUM;
    case GAS_MULT: return MPI_PROD;
    case GAS_AND: return MPI_BAND;
    case GAS_OR: return MPI_BOR;
    case GAS_XOR:
    case GAS_NOT: return MPI_BXOR;
    case GAS_MIN: return MPI_MIN;
    case GAS_MAX: return MPI_MAX;
    default: return MPI_OP_NULL;
    }
}

bool ranks_atomic_is_possible(int type, unsigned long ops) {
    if (cluster.groups != cluster.threads) return false;
    bool is_real = type == GAS_F32 || type == GAS_F64, found = false;
    MPI_Op one = MPI_NO_OP;
    for (int op = GAS_GET; op <= GAS_CSWAP; op++) {
        if (!(ops >> op & 1) || op == GAS_GET) continue;
        if (found && operation(op) != one) return false;
        found = true;
        one = operation(op);
        if (is_real && (one == MPI_OP_NULL || one == MPI_BAND || one == MPI_BOR || one == MPI_BXOR)) return false;
    }
    return true;
}

void ranks_atomic(void *fetch, uint64_t target, int type, int op, const void *op1, const void *op2) {
    int thread = (int)fathom_thread_of(target), bytes;
    MPI_Aint at = (MPI_Aint)fathom_offset_of(target);
    MPI_Datatype t = datatype(type);
    MPI_Type_size(t, &bytes);
    union operand before, operand = {0};
    switch (op) {
    case GAS_CSWAP: break;
    case GAS_GET: break;
    case GAS_INC: operand = operand_small(type, 1); break;
    case GAS_DEC:
    case GAS_NOT: operand = operand_small(type, -1); break;
    case GAS_SUB: operand = operand_negative(type, op1, (size_t)bytes); break;
    default: memcpy(&operand, op1, (size_t)bytes);
    }
    bool entered = conduit_enter();
    if (op == GAS_CSWAP)
        MPI_Compare_and_swap(op2, op1, &before, t, thread, at, ranks_window());
    else
        MPI_Fetch_and_op(&operand, &before, t, thread, at, operation(op), ranks_window());
    ranks_flush(thread);
    conduit_leave(entered);
    if (fetch) memcpy(fetch, &before, (size_t)bytes);
}
