/* The yardstick of bulk data: the sender copies from memory of its own into memory that both share, and raises a flag. There
 * is room for four messages, so that one side reads while the other copies.
 */
#include "contender.h"

enum { ROOM = 4 };
struct way {
    _Alignas(128) uint64_t sent;
    _Alignas(128) uint64_t taken;
    _Alignas(4096) char data[ROOM][MOST];
};
static struct way *way, *to, *from;
static uint64_t sent, taken;
static char *mine;

static void create(int participants) { (void)participants, way = shared(2 * sizeof *way); }
static void open_(int me, int participants) {
    (void)participants;
    from = &way[me], to = &way[1 - me];
    mine = aligned_alloc(4096, MOST);
    if (!mine) die("memory");
    memset(mine, 0, MOST);
}

static inline void put(const void *data, size_t bytes) {
    while (sent - __atomic_load_n(&to->taken, __ATOMIC_ACQUIRE) == ROOM) {}
    memcpy(to->data[sent % ROOM], data, bytes);
    __atomic_store_n(&to->sent, ++sent, __ATOMIC_RELEASE);
}
static inline void *place(size_t bytes) { return (void)bytes, mine; }
static inline void commit(size_t bytes) { put(mine, bytes); }
static inline const void *take(size_t bytes) {
    (void)bytes;
    while (__atomic_load_n(&from->sent, __ATOMIC_ACQUIRE) == taken) {}
    return from->data[taken % ROOM];
}
static inline void done(void) { __atomic_store_n(&from->taken, ++taken, __ATOMIC_RELEASE); }

#define HAS_BULK
#include "loops.h"

const struct contender CONTENDER = {
    .name = "memcpy", .rows = ROUND_TRIPS | BULK, .least = 64, .create = create, .open = open_, LOOPS};
