/* Linked with --wrap=mmap into programs under ThreadSanitizer, which reserves the addresses of the segments and ends a program
 * that maps anything there. It needs neither: what it notes of an access to a segment goes where it has the notes of
 * addresses below 2^39, which a position-independent program does not use. So segments are mapped behind its back.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lang/prelude.h"

enum { MOST_THREADS = 4 }; /* of such a job */

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
    static int has_room;
    if (!has_room++) syscall(SYS_munmap, FATHOM_BASE, MOST_THREADS * FATHOM_STEP);
    return (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd, offset);
}
