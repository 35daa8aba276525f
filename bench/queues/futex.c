/* The yardstick of sleeping: a word and the futex behind it, and nothing else. */
#include "contender.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static uint32_t *word, seen;

static void create(int participants) { (void)participants, word = shared(128); }
static void wake_in(void) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == seen) syscall(SYS_futex, word, FUTEX_WAIT, seen, NULL, NULL, 0);
    seen++;
}
static void wake_out(void) {
    __atomic_store_n(word, ++seen, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

const struct contender CONTENDER = {.name = "futex", .create = create, .wake_in = wake_in, .wake_out = wake_out};
