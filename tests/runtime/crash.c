/* Faults that must end with a message: crash WAY; the last thread commits it, the others wait at a barrier. */
#include "program.h"

static __attribute__((noinline)) int deep(int n) {
    volatile char room[4096];
    room[n & 63] = 1;
    return n < 0 ? 0 : deep(n + 1) * 3 + room[n & 7];
}
static int zero;

/* As compilers name a part of a function. */
void divided(void) __asm__("divided.part.0.cold");
__attribute__((noinline)) void divided(void) { abort(); }

static __attribute__((noinline)) void commit(const char *way) {
    if (!strcmp(way, "null")) *(volatile int *)fathom_cast(0) = 1;
    if (!strcmp(way, "null-index")) *(volatile int *)fathom_cast(((fathom_ptr)1 << FATHOM_SEG_BITS) + 800000) = 1;
    if (!strcmp(way, "beyond")) *(volatile int *)fathom_local(fathom_make(fathom_mythread, FATHOM_STEP - 800)) = 1;
    if (!strcmp(way, "other-thread")) *(volatile long *)fathom_cast(board_place(0, 0)) = 1;
    if (!strcmp(way, "no-thread")) *(volatile int *)fathom_cast(fathom_make(9, 8)) = 1;
    if (!strcmp(way, "library")) memcpy(fathom_cast(fathom_make(9, 8)), way, 1000 + (size_t)zero);
    if (!strcmp(way, "wild")) *(volatile int *)(0x5a5a5a5a5a5a5a5al + zero) = 1;
    if (!strcmp(way, "symbol")) *(volatile int *)board = 1;
    if (!strcmp(way, "stack")) zero = deep(0);
    if (!strcmp(way, "divide")) zero = 3 / zero;
    if (!strcmp(way, "abort")) abort();
    if (!strcmp(way, "part")) divided();
    if (!strcmp(way, "call")) ((void (*)(void))(long)(zero + 16))();
    if (!strcmp(way, "free-wild")) upc_free(fathom_pptr_of(fathom_make(0, 1 << 20), 0));
    if (!strcmp(way, "free-static")) upc_free(fathom_pptr_of(fathom_static(board), 0));
    if (!strcmp(way, "free-inside")) upc_free(fathom_pptr_of(upc_alloc(1000).addr + 64, 0));
    if (!strcmp(way, "free-local")) upc_free(fathom_pptr_of((fathom_ptr)&zero, 0));
    if (!strcmp(way, "free-other-copy")) upc_free(fathom_pptr_of(upc_global_alloc(8, 8).addr + FATHOM_STEP, 0));
    if (!strcmp(way, "free-twice")) {
        fathom_pptr p = upc_alloc(100);
        upc_alloc(100);
        upc_free(p);
        upc_free(p);
    }
    if (!strcmp(way, "overrun")) {
        fathom_pptr p = upc_alloc(100), q = upc_alloc(100);
        memset(fathom_local(p.addr), 0, 300);
        upc_free(q);
        upc_free(p);
    }
    if (!strcmp(way, "lock-twice")) {
        fathom_ptr l = upc_global_lock_alloc();
        upc_lock(l);
        upc_lock(l);
    }
    if (!strcmp(way, "unlock-free")) upc_unlock(upc_global_lock_alloc());
    if (!strcmp(way, "lock-null")) upc_lock(0);
    if (!strcmp(way, "lock-freed")) {
        fathom_ptr l = upc_global_lock_alloc();
        upc_lock_free(l);
        upc_lock(l);
    }
    if (!strcmp(way, "flag")) gas_flag_wait(board_place(fathom_mythread, 0), 0);
    if (!strcmp(way, "counter")) gas_wait_counter(board_place(fathom_mythread, 0), 1);
    if (!strcmp(way, "wait")) fathom_wait(0, 0);
    if (!strcmp(way, "notify-twice")) {
        fathom_notify(0, 0);
        fathom_notify(0, 0);
    }
    if (!strcmp(way, "split-collective")) {
        fathom_notify(0, 0);
        upc_all_alloc(1, 1);
    }
    if (!strcmp(way, "other-collective")) upc_all_alloc(1, 1);
    if (!strcmp(way, "broadcast")) gas_broadcast(gas_world(), &zero, &zero, sizeof zero, 0, 0);
    if (!strcmp(way, "leave")) exit(0);
    if (!strcmp(way, "wait-value")) {
        fathom_notify(1, 5);
        fathom_wait(1, 6);
    }
    if (!strcmp(way, "value")) fathom_barrier(1, 7);
    if (!strcmp(way, "killed")) raise(SIGKILL);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    fathom_ptr held = upc_all_lock_alloc();
    if (fathom_mythread == fathom_threads - 1) {
        if (!strcmp(argv[1], "leave-locked")) {
            upc_lock(held);
            fathom_barrier(0, 0);
            return 0;
        }
        commit(argv[1]);
    }
    if (!strcmp(argv[1], "value") || !strcmp(argv[1], "wait-value")) fathom_barrier(1, 5);
    if (!strcmp(argv[1], "flag") || !strcmp(argv[1], "counter")) return 0;
    fathom_barrier(0, 0);
    if (!strcmp(argv[1], "leave-locked")) upc_lock(held);
    return 0;
}
