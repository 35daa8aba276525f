/* Small objects are stored once (gas.h): a transfer of 1, 2, 4, 8 or 16 bytes is one store, by every call and whatever the
 * tuning table says. With two stores of the same value, the second undoes what a consumer wrote between them.
 *
 * To see that between any two instructions, the transfer runs in a child process, one instruction at a time (ptrace). After
 * each instruction this process plays the consumer: it looks at the destination, which the two share, and if it has
 * changed, resets it. Exactly one change must come, and with it the whole object. Nothing here depends on time.
 */
#include "suite.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gas_tuning.h"

enum { WIDEST = 16, CANNOT_TRACE = 77 };
static char *source, *destination;
static fathom_ptr source_ptr, destination_ptr, counter_ptr; /* on this thread */
static int on_arrival;

static void arrival(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
}

/* The calls. The size is known at run time only. */
static void put(size_t n) { gas_put(destination_ptr, source, n); }
static void get(size_t n) { gas_get(destination, source_ptr, n); }
static void copy(size_t n) { gas_copy(destination_ptr, source_ptr, n); }
static void put_nb(size_t n) {
    gas_handle h = gas_put_nb(destination_ptr, source, n);
    gas_wait(&h);
}
static void put_nbi(size_t n) { gas_put_nbi(destination_ptr, source, n), gas_sync(); }
static void put_signal(size_t n) { gas_put_signal(destination_ptr, source, n, counter_ptr, 1); }
static void request_long(size_t n) { gas_request_long(me(), on_arrival, destination_ptr, source, n, NULL, 0); }

static const struct {
    const char *name;
    void (*make)(size_t n);
} calls[] = {{"gas_put", put},
             {"gas_get", get},
             {"gas_copy", copy},
             {"gas_put_nb", put_nb},
             {"gas_put_nbi", put_nbi},
             {"gas_put_signal", put_signal},
             {"gas_request_long", request_long}};

static const char *const tables[] = {"contiguous: in-place < 17, library", "contiguous: library", "contiguous: string",
                                     "contiguous: stream", "contiguous: in-place < 3, string"};

static bool is_reset(void) {
    for (int i = 0; i < WIDEST; i++)
        if (((volatile char *)destination)[i]) return false;
    return true;
}

enum { CALLS = sizeof calls / sizeof *calls, SIZES = 5 };

/* In the child: every call with every size, and a stop before each and at the end. */
static _Noreturn void make_all(void) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(CANNOT_TRACE);
    for (int c = 0; c < CALLS; c++)
        for (volatile size_t n = 1; n <= WIDEST; n *= 2) {
            raise(SIGUSR2);
            calls[c].make(n);
        }
    raise(SIGUSR2);
    _exit(0);
}

/* False: this system lets nobody trace. */
static bool every_call_stores_once(const char *table) {
    int stops = 0, changes = 0, status;
    pid_t child = fork();
    ASSERT(child >= 0, "fork: %s", strerror(errno));
    if (child == 0) make_all();
    for (;;) {
        while (waitpid(child, &status, 0) < 0) ASSERT(errno == EINTR, "waitpid: %s", strerror(errno));
        if (!WIFSTOPPED(status)) break;
        bool is_between = WSTOPSIG(status) == SIGUSR2;
        int call = stops ? stops - 1 : 0;
        const char *name = calls[call / SIZES % CALLS].name;
        size_t n = (size_t)1 << call % SIZES;
        if (stops && !is_reset()) {
            changes++;
            ASSERT(memcmp(destination, source, n) == 0, "%s of %zu bytes, %s: a part is seen", name, n, table);
            memset(destination, 0, WIDEST);
        }
        if (is_between) {
            ASSERT(!stops || changes == 1, "%s of %zu bytes, %s: stored %d times", name, n, table, changes);
            stops++, changes = 0;
        }
        /* Whoever stops and continues the job (SIGSTOP) stops this process, too: the child need not see it. */
        bool is_for_us = WSTOPSIG(status) == SIGTRAP || WSTOPSIG(status) == SIGSTOP || is_between;
        int signal = is_for_us ? 0 : WSTOPSIG(status);
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, (void *)(intptr_t)signal) != 0) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_TRACE) return false;
    ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: the child ended with wait status %#x", table, status);
    EQUAL(CALLS * SIZES + 1, stops);
    return true;
}

/* A segment that no other thread reaches may be memory of its process alone, of which a child has a copy. */
static bool is_shared_with_a_child(void) {
    pid_t child = fork();
    ASSERT(child >= 0, "fork: %s", strerror(errno));
    if (child == 0) {
        *(volatile char *)destination = 1;
        _exit(0);
    }
    while (waitpid(child, NULL, 0) < 0) ASSERT(errno == EINTR, "waitpid: %s", strerror(errno));
    bool seen = !is_reset();
    memset(destination, 0, WIDEST);
    return seen;
}

CASE(data_of_1_2_4_8_and_16_bytes_are_stored_once) {
    on_arrival = gas_register(arrival);
    fathom_ptr area = everywhere(512);
    source_ptr = on(me(), area), destination_ptr = source_ptr + 128, counter_ptr = source_ptr + 256;
    source = here(area), destination = source + 128;
    memset(source, 0x5a, 128);
    memset(destination, 0, 256);
    gas_barrier();
    bool can_see = me() == 0 && is_shared_with_a_child();
    for (size_t t = 0; can_see && t < sizeof tables / sizeof *tables; t++) {
        const char *wrong = gas_tune(tables[t]);
        ASSERT(!wrong, "%s: %s", tables[t], wrong ? wrong : "");
        if (!every_call_stores_once(tables[t])) {
            printf("# %s: nothing was tested: processes may not be traced here\n", __func__);
            break;
        }
    }
    gas_tune_reset();
    free_everywhere(area);
}
