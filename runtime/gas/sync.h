/* The common part of atomics, the heap, locks, teams and collectives: the numbers of their handlers, and their
 * starts. */
#ifndef GAS_SYNC_H
#define GAS_SYNC_H

#include "gas/gas_internal.h"

enum gas_sync_handler {
    GAS_SYNC_ATOMIC = GAS_SYNC_FIRST, /* (transfer, fetch, target, type | op << 8, op1, op2) */
    GAS_SYNC_FETCHED,                 /* (transfer, fetch | width << 56, former value) */
    GAS_SYNC_ATOMIC_PAIR,             /* (transfer, fetch, target, op, op1, op2), operands of two words */
    GAS_SYNC_FETCHED_PAIR,            /* (transfer, fetch, former value) */
    GAS_SYNC_ALLOC,                   /* (answer, n) */
    GAS_SYNC_FREE,                    /* (answer, p, is dropped) */
    GAS_SYNC_EXTENT,                  /* (answer, p, asker) */
    GAS_SYNC_EXTENT_DROP,             /* (transfer, p, all have it) */
    GAS_SYNC_ANSWER,                  /* (answer, value, value) */
    GAS_SYNC_STORE,                   /* (address, value): a 64-bit word of the target's */
    GAS_SYNC_WAKE,                    /* (flag) */
    GAS_SYNC_STREAM,                  /* (team), payload: stream.c */
    GAS_SYNC_CREDIT,                  /* (team, messages) */
    GAS_SYNC_INVITATION,              /* (team, place) */
    GAS_SYNC_LANDED,                  /* (team) */
    GAS_SYNC_DATA,                    /* (team, number, begun, bytes, place, step << 8 | kind), payload: schedule.c */
    GAS_SYNC_READ,                    /* (team, number, step) */
    GAS_SYNC_QUESTION,                /* (team, begun) */
    GAS_SYNC_BEGUN,                   /* (team, begun) */
    GAS_SYNC_CALLS_ASKED,             /* (team), or (need in 5, serial, tries): calls.c */
    GAS_SYNC_CALLS_TOLD,              /* (team, known), payload; or (serial, needed, barrier, need in 5) */
    GAS_SYNC_FETCH_LIST,              /* (record, operations, type | op << 8), payload: fetch.c */
    GAS_SYNC_FETCHED_LIST,            /* (record, width), payload */
    GAS_SYNC_END
};
_Static_assert((int)GAS_SYNC_END <= (int)QUEUES_FIRST, "room in the table of handlers");

/* Reserve the memory that near threads share; called before the threads are made. */
void gas_atomic_prepare(void);
void gas_heap_prepare(void);
void gas_calls_prepare(void);
/* Enter the handlers of their files, and initialise; called in each thread, before any other thread can send to it. */
void gas_atomic_start(void);
void gas_fetch_start(void);
void gas_heap_start(void);
void gas_lock_start(void);
void gas_wait_start(void);
void gas_stream_start(void);
void gas_schedule_start(void);
void gas_team_start(void);
void gas_calls_start(void);

/* Are all threads near each other? On smp the compiler knows. */
static inline bool gas_all_near(void) {
#ifdef FATHOM_CONDUIT_DISTRIBUTED
    return conduit_near.count == fathom_threads;
#else
    return true;
#endif
}

/* The object of an atomic operation is aligned to its size; otherwise the job ends. */
_Noreturn void gas_atomic_misaligned(fathom_ptr target, size_t bytes);
static inline void gas_atomic_check_place(fathom_ptr target, size_t bytes) {
    if (__builtin_expect((target & (bytes - 1)) != 0, 0)) gas_atomic_misaligned(target, bytes);
}
/* Applies it to an object that is near; `fetch` may be null. */
void gas_atomic_check_operands(enum gas_atomic_op op, const void *op1, const void *op2);
void gas_atomic_here(void *fetch, void *object, enum gas_atomic_type type, enum gas_atomic_op op, const void *op1,
                     const void *op2);
/* The same on n objects by one operand: object k is places[k] objects behind `at`. */
void gas_atomic_each(void *at, const uint32_t *places, size_t n, enum gas_atomic_type type, enum gas_atomic_op op,
                     const void *op1);
/* The same where object k is offsets[k] bytes behind `at`. */
void gas_atomic_at(char *at, const uint64_t *offsets, size_t n, enum gas_atomic_type type, enum gas_atomic_op op,
                   const void *op1);
/* The number of bytes of an object of this type. Asked before each atomic operation: so it is shifted out of a constant. */
static inline size_t gas_atomic_bytes(enum gas_atomic_type type) {
    enum { BITS = 4 };
#define BYTES(type, n) ((uint64_t)(n) << BITS * (type))
    const uint64_t of_all = BYTES(GAS_I32, 4) | BYTES(GAS_U32, 4) | BYTES(GAS_I64, 8) | BYTES(GAS_U64, 8) |
                            BYTES(GAS_F32, 4) | BYTES(GAS_F64, 8) | BYTES(GAS_PTS, sizeof(fathom_ptr)) |
                            BYTES(GAS_I8, 1) | BYTES(GAS_U8, 1) | BYTES(GAS_I16, 2) | BYTES(GAS_U16, 2);
#undef BYTES
    return of_all >> BITS * type & ((1u << BITS) - 1);
}
/* Bit 1 << op for each operation that the type has. */
unsigned gas_atomic_allowed(enum gas_atomic_type type);

#endif
