/* Shared memory cannot be taken away: the files that segments are mapped from have a length that nobody can change. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "conformance/suite.h"

/* Only root may open a mapping's file once its descriptor is closed; without that right there is nothing to be seen. */
CASE(files_of_segments_cannot_be_made_shorter_or_longer) {
    char path[64 + NAME_MAX], file[PATH_MAX];
    DIR *maps = opendir("/proc/self/map_files");
    for (struct dirent *e; maps && (e = readdir(maps));) {
        snprintf(path, sizeof path, "/proc/self/map_files/%s", e->d_name);
        ssize_t n = readlink(path, file, sizeof file - 1);
        file[n > 0 ? n : 0] = 0;
        if (!strstr(file, "memfd:fathom")) continue;
        int fd = open(path, O_RDWR | O_CLOEXEC);
        if (fd < 0) continue;
        off_t length = lseek(fd, 0, SEEK_END);
        ASSERT(length > 0, "the file is %ld bytes long", (long)length);
        /* By nothing at all: if there were no seal, the case would not harm the job. */
        EQUAL(-1, fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
        EQUAL(EPERM, errno);
        EQUAL(F_SEAL_SHRINK | F_SEAL_GROW, fcntl(fd, F_GET_SEALS) & (F_SEAL_SHRINK | F_SEAL_GROW));
        EQUAL(-1, ftruncate(fd, length + (1 << 21)));
        EQUAL(EPERM, errno);
        close(fd);
    }
    if (maps) closedir(maps);
    gas_barrier();
}
