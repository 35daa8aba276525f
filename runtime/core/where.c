/* The position in the program's source where the runtime was called, or a signal came: for messages.
 *
 * The unwinder gives the frames; addr2line (of binutils, which every gcc brings; or LLVM's) gives their functions and
 * lines. It runs as a process of its own while the reporting thread waits for it; so this works in a signal handler
 * too, and nothing is prepared as long as no report is needed. Without debugging information there is the function's
 * name, without addr2line nothing.
 *
 * The result is the first frame of the program: not in the runtime's files, and not one of its functions by name.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include "core/core.h"

#define MOST 24
#define PATIENCE_MS 5000
#define CHILD_STACK (64 << 10)

extern char __executable_start[], etext[];

static unsigned long load_address;
static CONDUIT_LARGE char folder[1024]; /* the current one, at the start, with a slash */

static int find_load_address(struct dl_phdr_info *info, size_t size, void *to) {
    (void)size;
    *(unsigned long *)to = info->dlpi_addr;
    return 1; /* the first is the program */
}

void core_where_start(void) {
    dl_iterate_phdr(find_load_address, &load_address);
    if (getcwd(folder, sizeof folder - 1)) strcat(folder, "/");
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

struct frames {
    unsigned long pc[MOST];
    int count;
    unsigned long from; /* ignore frames until this one; 0: none */
};

static bool in_program(unsigned long pc) {
    return pc >= (unsigned long)__executable_start && pc < (unsigned long)etext;
}

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *to) {
    struct frames *f = to;
    int exact = 0;
    unsigned long pc = _Unwind_GetIPInfo(context, &exact);
    if (pc == f->from) f->from = 0;
    if (!exact) pc--; /* from the address of return into the call */
    if (!f->from && in_program(pc) && f->count < MOST) f->pc[f->count++] = pc;
    return f->count < MOST ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* ---- addr2line --------------------------------------------------------------------------------------------------- */

struct command {
    char **argv;
    int output;
};

static int run_tool(void *of) {
    static const char *const tools[] = {"addr2line", "llvm-addr2line", "llvm-addr2line-14", NULL};
    struct command *c = of;
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(c->output, 1);
    dup2(null, 2);
    for (int i = 0; tools[i]; i++) {
        c->argv[0] = (char *)(uintptr_t)tools[i];
        execvp(c->argv[0], c->argv);
    }
    _exit(127);
}

/* clone, not fork, which runs the program's handlers, and not vfork, which sanitizers cannot have here. The child has a
 * stack of its own: the stack of a Split-C program lies in shared memory, where parent and child would both write. */
static pid_t start_tool(struct command *c) {
    char *stack = mmap(NULL, CHILD_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return -1;
    pid_t child = clone(run_tool, stack + CHILD_STACK, SIGCHLD, c);
    munmap(stack, CHILD_STACK);
    return child;
}

/* Runs addr2line on the frames; its output, or an empty string, in `text`. */
static void resolve(const struct frames *f, char *text, size_t room) {
    char program[40], address[MOST][24];
    enum { FIRST = 7 };
    char *argv[MOST + FIRST] = {NULL, "-a", "-f", "-i", "-C", "-e", program};
    /* Opened here, because in qemu's user emulation another process finds the emulator there. */
    int exe = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    snprintf(program, sizeof program, "/proc/%ld/fd/%d", (long)getpid(), exe);
    for (int i = 0; i < f->count; i++) {
        snprintf(address[i], sizeof address[i], "0x%lx", f->pc[i] - load_address);
        argv[FIRST + i] = address[i];
    }
    argv[FIRST + (f->count < MOST ? f->count : MOST - 1)] = NULL;
    *text = 0;
    int ends[2];
    if (exe < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        if (exe >= 0) close(exe);
        return;
    }
    pid_t child = start_tool(&(struct command){argv, ends[1]});
    close(ends[1]);
    size_t got = 0;
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    while (child > 0 && got < room - 1 && poll(&ready, 1, PATIENCE_MS) > 0) {
        ssize_t n = read(ends[0], text + got, room - 1 - got);
        if (n <= 0) break;
        got += (size_t)n;
    }
    text[got] = 0;
    close(ends[0]);
    close(exe);
    if (child > 0) {
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
}

static char *take_line(char **text) {
    char *line = *text, *end = strchr(line, '\n');
    if (!*line) return NULL;
    if (end) *end++ = 0;
    *text = end ? end : line + strlen(line);
    return line;
}

/* Compilers divide a function and specialise it, and name the parts after it: main.cold, row.part.0, row.constprop.1. */
static void strip_compilers_suffix(char *name) {
    char *clone = strstr(name, " [clone"); /* of C++ */
    if (clone) *clone = 0;
    char *dot = strchr(name, '.');
    if (dot && dot != name) *dot = 0;
}

/* Is `file` one of the runtime's sources? This file's own name shows where they were compiled. */
static bool is_runtime_file(const char *file) {
    static const char here[] = __FILE__;
    static const char *const rooms[] = {"core/", "gas/", "lang/", "conduit/"};
    size_t root = sizeof here - sizeof "core/where.c";
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        char part[512];
        if (root + 16 > sizeof part) return false;
        snprintf(part, sizeof part, "%.*s%s", (int)root, here, rooms[i]);
        if (strstr(file, part)) return true;
    }
    return false;
}

/* Is it a header whose inline functions a program calls, wherever it is installed, or one of C++'s library? By name a function of theirs
 * is not always known: inlined in C++, those of C have the name of the one around them. */
static bool is_library_header(const char *file) {
    static const char *const headers[] = {"fathom.h",         "fathom.hpp",
                                          "fathom_atomics.h", "fathom_collectives.h",
                                          "fathom_former.h",  "fathom_messages.h",
                                          "fathom_queues.h",  "fathom_transfers.h",
                                          "fathom_waiting.h", "gas.h",
                                          "msg.hpp"};
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        size_t n = strlen(headers[i]);
        if (strncmp(name, headers[i], n) == 0 && name[n] == ':') return true; /* the line follows */
    }
    return strstr(file, "/include/c++/") != NULL;
}

static bool is_runtime_function(const char *name) {
    static const char *const prefixes[] = {"fathom_", "gas_",  "core_",  "conduit_",    "blocks_",
                                           "upc_",    "bupc_", "mutex_", "__wrap_main", "_start"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

const char *core_where(void *pc, bool walk) {
    static CONDUIT_LARGE char text[16384], answer[1024], by_name[300];
    struct frames f = {.from = (unsigned long)pc};
    if (walk) _Unwind_Backtrace(add_frame, &f);
    if (f.count == 0 && in_program((unsigned long)pc)) f.pc[f.count++] = (unsigned long)pc;
    answer[0] = by_name[0] = 0;
    if (f.count == 0) return answer;
    resolve(&f, text, sizeof text);
    bool want_name = true; /* the first name after the runtime's functions, for want of lines */
    char *rest = text;
    for (char *line; (line = take_line(&rest));) {
        if (strncmp(line, "0x", 2) == 0) continue;
        char *name = line, *place = take_line(&rest);
        if (!place) break;
        strip_compilers_suffix(name);
        char *note = strstr(place, " (discriminator");
        if (note) *note = 0;
        char *number = strrchr(place, ':');
        bool has_line = number && number[1] >= '1' && number[1] <= '9';
        bool ours = is_runtime_function(name) || (has_line && (is_runtime_file(place) || is_library_header(place)));
        if (ours && strcmp(name, "__wrap_main") != 0 && strcmp(name, "_start") != 0) want_name = true;
        if (ours || strcmp(name, "??") == 0) continue;
        if (!has_line) { /* a static function of the runtime, without debugging information, looks like this too */
            if (want_name) snprintf(by_name, sizeof by_name, " in %s", name);
            want_name = false;
            if (pc) break;
            continue;
        }
        size_t strip = strlen(folder);
        if (strip && strncmp(place, folder, strip) == 0) place += strip;
        while (strncmp(place, "./", 2) == 0) place += 2;
        snprintf(answer, sizeof answer, " in %s (%s)", name, place);
        return answer;
    }
    return by_name;
}
