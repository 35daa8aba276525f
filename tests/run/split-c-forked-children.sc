/* A child that the program forks gets libc's memory: the segment, and what its allocator knows, are its parent's. A thread
 * forks, for its stack is not in the segment, so that the child has a copy. */
// conduits: smp
#include "check-split-c.h"
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *mine;

static long apart(char *p) { return labs(p - mine); }

static void *fork_a_child(void *nothing) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        char *own = malloc(1000);
        int good = apart(own) > 1L << 30;
        own = realloc(own, 5000);
        good = good && apart(own) > 1L << 30;
        free(own);
        own = strdup("the child's");
        _exit(good && apart(own) > 1L << 30 ? 7 : 1);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    return nothing;
}

int splitc_main(void) {
    pthread_t thread;
    mine = malloc(100);
    strcpy(mine, "the parent's");
    CHECK(pthread_create(&thread, NULL, fork_a_child, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    char *other = malloc(100);
    CHECK(other != mine && apart(other) < 1L << 30 && strcmp(mine, "the parent's") == 0);
    free(other);
    free(mine);
    barrier();
    return 0;
}
