/* Where a program starts: `main` of the program is linked as __real_main (ld's --wrap), and this file's __wrap_main
 * in its place. It looks at the record that every translation unit has left (unit.h), settles the number of threads,
 * starts them, initialises shared data in each, and calls the program.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gas/gas_internal.h"
#include "gas/transfer.h"
#include "lang/explain_trace.h"
#include "lang/split_c_start.h"
#include "queues/queues.h"

/* The sections' ends, as ld provides them; a program without a UPC unit has no fathom_units. */
extern const struct fathom_unit *const __start_fathom_units[] __attribute__((weak));
extern const struct fathom_unit *const __stop_fathom_units[] __attribute__((weak));
extern char __start_fathom_shared[], __stop_fathom_shared[];
/* Objects of 16 MiB a thread and more (crates/lower/src/object.rs), if there are any. */
extern char __start_fathom_shared_large[] __attribute__((weak)), __stop_fathom_shared_large[] __attribute__((weak));
/* The ends may be farther away than the 32 bits that code addresses with, so the compiler must not know these values. */
static char *const volatile small_start = __start_fathom_shared, *const volatile small_stop = __stop_fathom_shared;
static char *const volatile large_start = __start_fathom_shared_large;
static char *const volatile large_stop = __stop_fathom_shared_large;
/* Of programs that are to be explained (explain.h). */
extern struct fathom_site *const __start_fathom_sites[] __attribute__((weak));
extern struct fathom_site *const __stop_fathom_sites[] __attribute__((weak));

/* The runtime's own share in the section of static shared objects: there is always one, and it starts on a page. */
#ifdef __aarch64__
#define LARGEST_PAGE "65536"
#else
#define LARGEST_PAGE "4096"
#endif
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n"
        ".balign " LARGEST_PAGE "\n"
        ".globl fathom_shared_anchor\n"
        ".hidden fathom_shared_anchor\n"
        "fathom_shared_anchor:\n"
        ".zero 64\n"
        ".popsection\n");

int __real_main(int argc, char **argv, char **envp) __attribute__((weak)); /* absent where nothing is wrapped */
int __wrap_main(int argc, char **argv, char **envp);
extern char fathom_void_main __attribute__((weak, visibility("hidden"))); /* where main has no status (C11 5.1.2.2.3) */

static const struct fathom_unit *unit(long i) { return __start_fathom_units[i]; }
static long units(void) { return __stop_fathom_units - __start_fathom_units; }

static void check_abi(const struct fathom_unit *u) {
    if (u->abi >> 1 != fathom_abi_version) {
        fprintf(stderr,
                "fathom: %s was compiled by a version of Fathom that does not match this runtime (%u, not %d); "
                "compile it again\n",
                u->file, u->abi >> 1, (int)fathom_abi_version);
        exit(1);
    }
    if (u->abi != fathom_abi) {
        fprintf(stderr,
                "fathom: %s was compiled for a conduit %s, but linked with the conduit %s; compile it again with the "
                "--conduit that you link with\n",
                u->file, u->abi & 1 ? "that spans computers" : "on one computer (smp)", gas_conduit());
        exit(1);
    }
}

/* THREADS: of the units' static environment, of FATHOM_THREADS, or 1. */
static int settle_threads(void) {
    int wanted = core_threads_wanted(), fixed = 0;
    const char *fixed_by = "";
    for (long i = 0; i < units(); i++) {
        check_abi(unit(i));
        int here = unit(i)->static_threads;
        if (here && fixed && here != fixed) {
            fprintf(stderr, "fathom: %s was compiled for %d threads and %s for %d; compile both with the same -T\n",
                    fixed_by, fixed, unit(i)->file, here);
            exit(1);
        }
        if (here) {
            fixed = here;
            fixed_by = unit(i)->file;
        }
    }
    if (fixed && wanted && wanted != fixed) {
        fprintf(stderr,
                "fathom: %s was compiled for %d threads (-T %d), but the job was started with %d (-n or "
                "FATHOM_THREADS); "
                "run it with %d, or compile it without -T\n",
                fixed_by, fixed, fixed, wanted, fixed);
        exit(1);
    }
    if (fixed > conduit_max_threads()) {
        fprintf(
            stderr,
            "fathom: %s was compiled for %d threads (-T %d), but a job on conduit %s has at most %d; compile it for "
            "fewer, or for another conduit\n",
            fixed_by, fixed, fixed, conduit_name(), conduit_max_threads());
        exit(1);
    }
    return fixed ? fixed : wanted;
}

static bool has_split_c(void) {
    for (long i = 0; i < units(); i++)
        if (unit(i)->is_split_c) return true;
    return false;
}

static void initialise_units(void) {
    for (long i = 0; i < units(); i++)
        if (unit(i)->init) unit(i)->init();
}

/* If 0, 1 or 2 is closed, the runtime's own sockets must not get that number: what the program prints would go there. The
 * files that do get it refuse what a closed one refuses. */
static void occupy_standard_files(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) return;
}

static void start(int *argc, char ***argv) {
    static bool started;
    if (started) return;
    started = true;
    occupy_standard_files();
    core_progress_wanted(); /* nonsense is found before anything is started */
    core_comm_wanted();
    core_memory_start(core_start(settle_threads(), argc, argv), (struct core_range){small_start, small_stop},
                      (struct core_range){large_start, large_stop});
    gas_sync_prepare();
    core_tuning_start();
    core_spawn();
    if (fathom_mythread == 0) core_tuning_report();
    gas_sync_start();
    gas_data_start();
    fathom_queues_start();
    if (__start_fathom_sites) fathom_explain_start(__start_fathom_sites, __stop_fathom_sites - __start_fathom_sites);
    if (has_split_c()) {
        fathom_split_prepare();
        fathom_split_start((struct core_range){small_start, small_stop});
    }
    initialise_units();
    core_progress_start();
    gas_first_barrier();
}

/* A program that calls this may have been linked as UPC programs are: then it has been started already. */
void gas_start(int *argc, char ***argv) {
    start(argc, argv);
    if (core_overrides.started_in_c) core_overrides.started_in_c();
}

enum gas_thread_level gas_start_threads(int *argc, char ***argv, enum gas_thread_level required) {
    gas_start(argc, argv);
    enum gas_thread_level has = core_gate_raise(required);
    if (has == GAS_THREAD_MULTIPLE) gas_far_shared();
    return has;
}

enum gas_thread_level gas_thread_level(void) { return core_gate_level(); }

/* The arguments where the program's own objects are, and not behind its environment. */
static char **copied(int argc, char **argv) {
    char **copy = calloc((size_t)argc + 1, sizeof *copy);
    for (int i = 0; copy && i < argc; i++)
        if (!(copy[i] = strdup(argv[i]))) return argv;
    return copy ? copy : argv;
}

/* A function of its own, so that what lies between the stack's unit and the frame of main is the same in every run. */
static __attribute__((noinline)) int call_main(int argc, char **argv, char **envp) {
    if (core_overrides.stack_unit) {
        argv = copied(argc, argv);
        unsigned long above = (unsigned long)__builtin_frame_address(0) % core_overrides.stack_unit;
        char *room = __builtin_alloca(above);
        __asm__ volatile("" : : "r"(room) : "memory");
    }
    return __real_main(argc, argv, envp);
}

int __wrap_main(int argc, char **argv, char **envp) {
    if (!__real_main) {
        fprintf(stderr, "fathom: this program has no main\n"); /* linkers other than GNU ld do not complain */
        exit(1);
    }
    start(&argc, &argv);
    int status = call_main(argc, argv, envp);
    core_main_returned();
    return &fathom_void_main ? 0 : status;
}
