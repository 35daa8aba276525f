/* The number of processors that the job can use on this computer: those that the threads may run on, but no more than
 * their control group's share of time is worth. A container that may use 200 ms of every 100 ms has two processors,
 * however many the computer has: if its threads spin on more, all of them are stopped for the rest of the period.
 */
#include <stdio.h>
#include <string.h>

#include "core/core.h"

/* In processors, rounded up; 0: no limit. cgroup v2 has both numbers in one file, v1 in two. */
static int quota_in(const char *folder, bool is_v2) {
    char path[2300];
    long long quota = -1, period = 0;
    snprintf(path, sizeof path, "%s/%s", folder, is_v2 ? "cpu.max" : "cpu.cfs_quota_us");
    FILE *f = fopen(path, "re");
    if (!f) return 0;
    int n = fscanf(f, is_v2 ? "%lld %lld" : "%lld", &quota, &period); /* "max" is not a number */
    fclose(f);
    if (n < 1 || quota <= 0) return 0;
    if (!is_v2) {
        snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
        if (!(f = fopen(path, "re"))) return 0;
        if (fscanf(f, "%lld", &period) != 1) period = 0;
        fclose(f);
    }
    return period > 0 ? (int)((quota + period - 1) / period) : 0;
}

/* The tightest limit of a group and those above it. Inside a container the path may not exist; the limit is then at the
 * root of the mount. */
static int quota_above(const char *mount, char *path, bool is_v2) {
    int least = 0;
    for (;;) {
        char folder[2200];
        snprintf(folder, sizeof folder, "%s%s", mount, strcmp(path, "/") == 0 ? "" : path);
        int here = quota_in(folder, is_v2);
        if (here && (!least || here < least)) least = here;
        char *up = strrchr(path, '/');
        if (!up) return least;
        *up = 0;
    }
}

/* Does a line of /proc/self/cgroup (number:controllers:path) name the controller of v1? */
static bool has_cpu(char *line) {
    char *names = strchr(line, ':'), *end = names ? strchr(names + 1, ':') : NULL;
    if (!end) return false;
    for (char *at = names + 1; at < end;) {
        size_t n = strcspn(at, ",:");
        if (n == 3 && memcmp(at, "cpu", 3) == 0) return true;
        at += n + 1;
    }
    return false;
}

static int quota(void) {
    int least = 0;
    char line[2048];
    FILE *f = fopen("/proc/self/cgroup", "re");
    if (!f) return 0;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        bool is_v2 = strncmp(line, "0::", 3) == 0;
        if (!is_v2 && !has_cpu(line)) continue;
        const char *mounts[] = {is_v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu",
                                is_v2 ? "/sys/fs/cgroup/unified" : "/sys/fs/cgroup/cpu,cpuacct"};
        for (int m = 0; m < 2; m++) {
            char path[2048];
            strcpy(path, is_v2 ? line + 3 : strchr(strchr(line, ':') + 1, ':') + 1);
            int here = quota_above(mounts[m], path, is_v2);
            if (here && (!least || here < least)) least = here;
        }
    }
    fclose(f);
    return least;
}

int core_processors(void) {
    static int processors; /* asked once, before threads are forked */
    if (!processors) {
        int most = quota(), cores = conduit_cores();
        processors = most && most < cores ? most : cores;
    }
    return processors;
}
