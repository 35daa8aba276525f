/* Writes an archive of OTF2 through the OTF2 library (https://www.vi-hps.org/projects/score-p): a program of its own, which
 * the user's C compiler makes, so that Fathom's binary does not depend on that library and its headers are the installed
 * version's.
 *
 *     writer DIR < commands
 *
 * The commands are those of crates/fathom/src/replay/otf2.rs: a byte for the kind, and whole numbers, seven bits a byte,
 * the lowest first; a text is its length and its bytes. First the definitions, then the events of one thread after the
 * other, each with the time since the last one, in picoseconds. docs/simulating.md says what becomes what.
 *
 * One location is written at a time, so that any number of them needs few open files and little memory.
 */
#include <otf2/otf2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Ticks of the archive's clock in a second. */
#define RESOLUTION 1000000000000u

enum { THREADS_GROUP, ALL_GROUP };

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static OTF2_ErrorCode failed(void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                             const char *format, va_list args) {
    (void)data, (void)file, (void)line, (void)function;
    fprintf(stderr, "%s: ", OTF2_Error_GetDescription(code));
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    return code;
}

static void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS) exit(1); /* it has been reported */
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static int byte(void) {
    int c = getchar_unlocked();
    if (c == EOF) fail("the commands end too early");
    return c;
}

static uint64_t number(void) {
    uint64_t n = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        int c = byte();
        n |= (uint64_t)(c & 0x7f) << shift;
        if (!(c & 0x80)) return n;
    }
    fail("a number is too long");
}

static char *text(void) {
    size_t length = number();
    char *s = malloc(length + 1);
    if (!s || fread(s, 1, length, stdin) != length) fail("the commands end too early");
    s[length] = 0;
    return s;
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static OTF2_Archive *archive;
static OTF2_GlobalDefWriter *definitions;
static uint32_t strings;

static uint32_t define(const char *s) {
    check(OTF2_GlobalDefWriter_WriteString(definitions, strings, s));
    return strings++;
}

static void region(uint32_t self) {
    char *name = text(), *canonical = text();
    uint32_t role = (uint32_t)number();
    char *file = text();
    uint32_t line = (uint32_t)number(), name_string = define(name), canonical_string = define(canonical);
    check(OTF2_GlobalDefWriter_WriteRegion(definitions, self, name_string, canonical_string, OTF2_UNDEFINED_STRING,
                                           (OTF2_RegionRole)role, OTF2_PARADIGM_UPC, OTF2_REGION_FLAG_NONE,
                                           *file ? define(file) : OTF2_UNDEFINED_STRING, line, line));
    free(name), free(canonical), free(file);
}

static void locations(uint64_t threads, const uint64_t *events, const char *machine) {
    uint32_t root = define(machine), class = define("machine"), kind = define("UPC");
    check(OTF2_GlobalDefWriter_WriteParadigm(definitions, OTF2_PARADIGM_UPC, kind, OTF2_PARADIGM_CLASS_PROCESS));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, root, class, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    uint64_t *members = malloc(threads * sizeof *members);
    if (!members) fail("no memory");
    for (uint64_t t = 0; t < threads; t++) {
        char name[40];
        snprintf(name, sizeof name, "thread %llu", (unsigned long long)t);
        uint32_t string = define(name);
        check(OTF2_GlobalDefWriter_WriteLocationGroup(
            definitions, (uint32_t)t, string, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
        check(OTF2_GlobalDefWriter_WriteLocation(definitions, t, string, OTF2_LOCATION_TYPE_CPU_THREAD, events[t],
                                                 (uint32_t)t));
        members[t] = t;
    }
    /* Members of the first group are locations, of the second one their places in the first. */
    uint32_t all = define("all threads"), window = define("shared memory");
    check(OTF2_GlobalDefWriter_WriteGroup(definitions, THREADS_GROUP, all, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                          OTF2_PARADIGM_UPC, OTF2_GROUP_FLAG_NONE, (uint32_t)threads, members));
    check(OTF2_GlobalDefWriter_WriteGroup(definitions, ALL_GROUP, all, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_UPC,
                                          OTF2_GROUP_FLAG_NONE, (uint32_t)threads, members));
    check(OTF2_GlobalDefWriter_WriteComm(definitions, 0, all, ALL_GROUP, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    check(OTF2_GlobalDefWriter_WriteRmaWin(definitions, 0, window, 0, OTF2_RMA_WIN_FLAG_NONE));
    free(members);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Of one thread; how many there are. */
static uint64_t events(uint64_t thread) {
    OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(archive, thread);
    if (!w) exit(1);
    uint64_t now = 0, count;
    for (;;) {
        int kind = byte();
        if (kind == 'E') break;
        now += number();
        switch (kind) {
        case '(': check(OTF2_EvtWriter_Enter(w, NULL, now, (uint32_t)number())); break;
        case ')': check(OTF2_EvtWriter_Leave(w, NULL, now, (uint32_t)number())); break;
        case 'W': check(OTF2_EvtWriter_RmaWinCreate(w, NULL, now, 0)); break;
        case 'w': check(OTF2_EvtWriter_RmaWinDestroy(w, NULL, now, 0)); break;
        case 'p':
        case 'g': {
            uint32_t with = (uint32_t)number();
            uint64_t bytes = number(), id = number();
            check(kind == 'p' ? OTF2_EvtWriter_RmaPut(w, NULL, now, 0, with, bytes, id)
                              : OTF2_EvtWriter_RmaGet(w, NULL, now, 0, with, bytes, id));
            break;
        }
        case 'b': check(OTF2_EvtWriter_RmaOpCompleteBlocking(w, NULL, now, 0, number())); break;
        case 'n': check(OTF2_EvtWriter_RmaOpCompleteNonBlocking(w, NULL, now, 0, number())); break;
        case 'r': check(OTF2_EvtWriter_RmaOpCompleteRemote(w, NULL, now, 0, number())); break;
        case 't': check(OTF2_EvtWriter_RmaOpTest(w, NULL, now, 0, number())); break;
        case 's':
        case 'v': {
            uint32_t with = (uint32_t)number(), tag = (uint32_t)number();
            uint64_t bytes = number();
            check(kind == 's' ? OTF2_EvtWriter_MpiSend(w, NULL, now, with, 0, tag, bytes)
                              : OTF2_EvtWriter_MpiRecv(w, NULL, now, with, 0, tag, bytes));
            break;
        }
        case '?':
        case '!': {
            uint32_t with = (uint32_t)number();
            uint64_t lock = number();
            check(kind == '?' ? OTF2_EvtWriter_RmaRequestLock(w, NULL, now, 0, with, lock, OTF2_LOCK_EXCLUSIVE)
                              : OTF2_EvtWriter_RmaAcquireLock(w, NULL, now, 0, with, lock, OTF2_LOCK_EXCLUSIVE));
            break;
        }
        case '/': {
            uint32_t with = (uint32_t)number();
            check(OTF2_EvtWriter_RmaReleaseLock(w, NULL, now, 0, with, number()));
            break;
        }
        case 'a': {
            uint32_t with = (uint32_t)number();
            OTF2_RmaAtomicType type = (OTF2_RmaAtomicType)number();
            uint64_t there = number(), back = number(), id = number();
            check(OTF2_EvtWriter_RmaAtomic(w, NULL, now, 0, with, type, there, back, id));
            break;
        }
        case '[': check(OTF2_EvtWriter_RmaCollectiveBegin(w, NULL, now)); break;
        case ']':
            check(OTF2_EvtWriter_RmaCollectiveEnd(w, NULL, now, OTF2_COLLECTIVE_OP_BARRIER, OTF2_RMA_SYNC_LEVEL_PROCESS,
                                                  0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
            break;
        default: fail("an event of no known kind");
        }
    }
    check(OTF2_EvtWriter_GetNumberOfEvents(w, &count));
    check(OTF2_Archive_CloseEvtWriter(archive, w));
    OTF2_DefWriter *own = OTF2_Archive_GetDefWriter(archive, thread);
    if (!own) exit(1);
    check(OTF2_Archive_CloseDefWriter(archive, own));
    return count;
}

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final) {
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

int main(int argc, char **argv) {
    if (argc != 2) fail("the folder of the archive is missing");
    OTF2_Error_RegisterCallback(failed, NULL);
    archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                                OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive) return 1;
    /* Without the second function no flush becomes an event. */
    static const OTF2_FlushCallbacks flushes = {.otf2_pre_flush = flush};
    check(OTF2_Archive_SetFlushCallbacks(archive, &flushes, NULL));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    if (!definitions) return 1;

    uint64_t threads = number(), length = number();
    uint32_t regions = 0;
    char *creator = text(), *description = text(), *machine = text();
    check(OTF2_Archive_SetCreator(archive, creator));
    check(OTF2_Archive_SetDescription(archive, description));
    check(OTF2_Archive_SetMachineName(archive, machine));
    check(OTF2_GlobalDefWriter_WriteClockProperties(definitions, RESOLUTION, 0, length, OTF2_UNDEFINED_TIMESTAMP));
    uint64_t *counts = calloc(threads, sizeof *counts);
    if (!counts) fail("no memory");
    check(OTF2_Archive_OpenEvtFiles(archive));
    check(OTF2_Archive_OpenDefFiles(archive));
    for (int kind; (kind = byte()) != 'Z';) {
        if (kind == 'R') {
            region(regions++);
        } else if (kind == 'L') {
            uint64_t thread = number();
            if (thread >= threads) fail("a thread of no known number");
            counts[thread] = events(thread);
        } else
            fail("a command of no known kind");
    }
    check(OTF2_Archive_CloseEvtFiles(archive));
    check(OTF2_Archive_CloseDefFiles(archive));
    locations(threads, counts, machine);
    check(OTF2_Archive_CloseGlobalDefWriter(archive, definitions));
    check(OTF2_Archive_Close(archive));
    free(creator), free(description), free(machine), free(counts);
    return 0;
}
