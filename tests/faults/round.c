/* A job is started, its processes are found and signalled, its end is awaited, and what is left of it is looked for.
 *
 * The processes are the descendants of this one, to which the kernel gives the orphans among them
 * (PR_SET_CHILD_SUBREAPER): when there is no child any more, nothing is left, whatever group or session it was in. Time
 * is measured only to recognise a hang, and to choose moments.
 */
#define _GNU_SOURCE
#include "round.h"

#include <dirent.h>
#include <stdarg.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 256, HANG_MS = 180000, LEFT_MS = 20000 };

struct process {
    pid_t pid, parent;
    char state;
    bool is_ours, is_program; /* a descendant; runs the program */
};

static struct process list[MOST];
static int listed;

static long long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

static void add(char *text, const char *format, ...) {
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, MOST_TEXT - used, format, args);
    va_end(args);
}

/* ---- processes ------------------------------------------------------------------------------------------------- */

static struct process *process(pid_t pid) {
    for (int i = 0; i < listed; i++)
        if (list[i].pid == pid) return &list[i];
    return NULL;
}

/* All descendants that are alive, parents before children. */
static void look(const char *program) {
    static struct process all[65536];
    int n = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *e; proc && (e = readdir(proc)) && n < 65536;) {
        char path[300], text[512];
        if (atoi(e->d_name) <= 0) continue;
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) continue;
        ssize_t bytes = read(fd, text, sizeof text - 1);
        close(fd);
        text[bytes > 0 ? bytes : 0] = 0;
        const char *rest = strrchr(text, ')');
        struct process p = {.pid = atoi(e->d_name)};
        if (rest && sscanf(rest + 1, " %c %d", &p.state, &p.parent) == 2 && p.state != 'Z') all[n++] = p;
    }
    if (proc) closedir(proc);
    listed = 0;
    for (int before = -1; before != listed;) {
        before = listed;
        for (int i = 0; i < n && listed < MOST; i++) {
            if (all[i].is_ours || (all[i].parent != getpid() && !process(all[i].parent))) continue;
            all[i].is_ours = true;
            char path[64], exe[4096];
            snprintf(path, sizeof path, "/proc/%d/exe", (int)all[i].pid);
            ssize_t bytes = readlink(path, exe, sizeof exe - 1);
            exe[bytes > 0 ? bytes : 0] = 0;
            all[i].is_program = !strcmp(exe, program);
            list[listed++] = all[i];
        }
    }
}

/* A thread is a process of the program whose parent is none, but, where the program is its own supervisor, that one. */
static bool is_thread(const struct place *place, const struct process *p, pid_t top) {
    if (!p->is_program || p->pid == top || p->parent == getpid()) return false;
    const struct process *parent = process(p->parent);
    return place->is_mpi ? parent && !parent->is_program : p->parent == top;
}

/* Which process the step means; 0 if it is not there. */
static pid_t chosen(const struct place *place, enum who who, int index, pid_t top, pid_t last) {
    pid_t threads[MOST];
    int n = 0;
    if (who == TOP) return top;
    look(place->program);
    for (int i = 0; i < listed; i++) {
        bool between = place->is_mpi && list[i].pid != top && !list[i].is_program && list[i].parent == top;
        if (who == BETWEEN && between) return list[i].pid;
        if (is_thread(place, &list[i], top) && !(who == OTHER && list[i].pid == last)) threads[n++] = list[i].pid;
    }
    return n ? threads[index % n] : 0;
}

static bool send(const struct place *place, const struct plan *plan, const struct step *step, pid_t top, pid_t *last) {
    if (step->who == EACH) {
        int n = 0;
        look(place->program);
        for (int i = 0; i < listed; i++)
            if (is_thread(place, &list[i], top)) n += kill(list[i].pid, step->signal) == 0;
        return n > 0;
    }
    pid_t pid = chosen(place, step->who, plan->index, top, *last);
    if (pid <= 0 || kill(pid, step->signal) != 0) return false;
    *last = pid;
    return true;
}

static void describe(struct outcome *o, const char *program) {
    look(program);
    for (int i = 0; i < listed; i++) {
        char path[64], line[200] = "", wait[64] = "";
        snprintf(path, sizeof path, "/proc/%d/cmdline", (int)list[i].pid);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t n = fd < 0 ? 0 : read(fd, line, sizeof line - 1);
        if (fd >= 0) close(fd);
        for (ssize_t k = 0; k + 1 < n; k++) line[k] = line[k] ? line[k] : ' ';
        snprintf(path, sizeof path, "/proc/%d/wchan", (int)list[i].pid);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && read(fd, wait, sizeof wait - 1) < 0) wait[0] = 0;
        if (fd >= 0) close(fd);
        o->programs += list[i].is_program;
        add(o->left, "process %d of %d, %c in %s: %s\n", (int)list[i].pid, (int)list[i].parent, list[i].state, wait,
            line);
    }
}

static void kill_all(const char *program) {
    for (int i = 0; i < 500; i++) {
        look(program);
        for (int k = 0; k < listed; k++) kill(list[k].pid, SIGKILL);
        while (waitpid(-1, NULL, WNOHANG) > 0) {}
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD) return;
        poll(NULL, 0, 10);
    }
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

/* Reports what is in a folder of our own, and removes it. What MPI's libraries leave when they are killed (`any` false)
 * is not ours to judge. */
static void sweep(struct outcome *o, const char *folder, bool any) {
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
        if (any || strstr(e->d_name, "fathom")) {
            add(o->left, "file %s/%s\n", folder, e->d_name);
            o->files++;
        }
        char path[5000];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (remove(path) != 0) {
            char command[6000];
            snprintf(command, sizeof command, "rm -rf '%s'", path);
            if (system(command) != 0) add(o->left, "cannot remove %s\n", path);
        }
    }
    if (d) closedir(d);
}

/* ---- a round --------------------------------------------------------------------------------------------------- */

struct ends {
    int out[2], err[2]; /* pipes: to read, to write; -1: none */
};

static void fill(int fd) {
    static char line[4096];
    memset(line, '.', sizeof line);
    line[sizeof line - 1] = '\n';
    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (write(fd, line, sizeof line) > 0) {}
    fcntl(fd, F_SETFL, 0);
}

static struct ends open_ends(const struct plan *plan) {
    struct ends e;
    if (pipe2(e.out, O_CLOEXEC) != 0 || pipe2(e.err, O_CLOEXEC) != 0) perror("pipe"), exit(2);
    fcntl(e.err[0], F_SETFL, O_NONBLOCK);
    fcntl(e.out[0], F_SETFL, O_NONBLOCK);
    if (plan->out == OUT_FULL) fcntl(e.out[1], F_SETPIPE_SZ, 4096);
    if (plan->out == OUT_CLOSED) close(e.out[0]), e.out[0] = -1;
    if (plan->is_err_full) fill(e.err[1]);
    return e;
}

static _Noreturn void become_job(const struct place *place, const struct plan *plan, const struct ends *e) {
    char text[64], path[4200], *words[64];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    int in = open("/dev/null", O_RDONLY), out = e->out[1];
    snprintf(path, sizeof path, "%s/out", place->work);
    if (plan->out == OUT_NO_DISK) out = open("/dev/full", O_WRONLY);
    if (plan->out == OUT_FILE) out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(in, 0), dup2(out, 1), dup2(e->err[1], 2);
    for (int fd = 3; fd < 64; fd++) close(fd);
    snprintf(path, sizeof path, "%s/tmp", place->work);
    setenv("TMPDIR", path, 1);
    snprintf(path, sizeof path, "%s/ready", place->work);
    setenv("FAULTS_READY", path, 1);
    if (chdir(place->work) != 0) _exit(126);
    int n = 0;
    for (; n < place->words && n < 56; n++) words[n] = place->command[n];
    snprintf(text, sizeof text, "%d", plan->threads);
    if (place->threads_at < 0)
        setenv("FATHOM_THREADS", text, 1);
    else
        words[place->threads_at] = strdup(text);
    words[n++] = (char *)plan->mode;
    snprintf(text, sizeof text, "%d", plan->turns);
    words[n++] = strdup(text);
    if (plan->storm) words[n++] = "storm";
    words[n] = NULL;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (plan->resource >= 0) setrlimit(plan->resource, &(struct rlimit){plan->limit, plan->limit});
    execvp(words[0], words);
    _exit(127);
}

/* What has been printed: the end of stdout, and stderr whole. */
static void read_ends(const struct plan *plan, struct ends *e, struct outcome *o, bool is_last) {
    static char tail[2 * 4096 + 1];
    static size_t have;
    char piece[4096];
    if (!o) {
        have = 0;
        return;
    }
    bool out = plan->out == OUT_READ || (plan->out == OUT_SLOW) || is_last;
    for (ssize_t n; out && e->out[0] >= 0 && (n = read(e->out[0], piece, sizeof piece)) > 0;) {
        if (have + (size_t)n > sizeof tail - 1) {
            memmove(tail, tail + have - 64, 64);
            have = 64;
        }
        memcpy(tail + have, piece, (size_t)n);
        have += (size_t)n;
        tail[have] = 0;
        if (strstr(tail, "good\n")) o->is_good = true;
        if (plan->out == OUT_SLOW && !is_last) break;
    }
    for (ssize_t n; (!plan->is_err_full || is_last) && (n = read(e->err[0], piece, sizeof piece - 1)) > 0;) {
        piece[n] = 0;
        add(o->err, "%s", piece);
    }
}

void round_play(const struct place *place, const struct plan *plan, struct outcome *o) {
    char ready[4200], path[4200];
    memset(o, 0, sizeof *o);
    read_ends(plan, NULL, NULL, false);
    snprintf(ready, sizeof ready, "%s/ready", place->work);
    unlink(ready);
    struct ends e = open_ends(plan);
    pid_t top = fork(), last = 0;
    if (top == 0) become_job(place, plan, &e);
    close(e.out[1]), close(e.err[1]);
    long long start = now_ms(), next = plan->from_ready ? -1 : start + plan->step[0].ms;
    bool has_ended = false, is_empty = false;
    int step = 0;
    for (long long since = start;;) {
        int status;
        for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) != 0;) {
            if (pid < 0 && errno == ECHILD) is_empty = true;
            if (pid < 0) break;
            if (pid != top) continue;
            o->status = status;
            has_ended = true;
            since = now_ms();
        }
        read_ends(plan, &e, o, is_empty);
        if (is_empty) break;
        if (now_ms() - since > (has_ended ? LEFT_MS : HANG_MS)) {
            o->hung = !has_ended;
            describe(o, place->program);
            kill_all(place->program);
            read_ends(plan, &e, o, true);
            break;
        }
        if (!has_ended && next < 0 && access(ready, F_OK) == 0) next = now_ms() + plan->step[0].ms;
        if (!has_ended && step < plan->steps && next >= 0 && now_ms() >= next) {
            bool sent = send(place, plan, &plan->step[step], top, &last);
            o->sent += sent;
            if (sent || step > 0) { /* the first one waits for its process */
                step++;
                next = step < plan->steps ? now_ms() + plan->step[step].ms : next;
                since = now_ms();
            }
        }
        poll(NULL, 0, plan->out == OUT_SLOW ? 10 : 2);
    }
    if (e.out[0] >= 0) close(e.out[0]);
    close(e.err[0]);
    unlink(ready);
    snprintf(path, sizeof path, "%s/out", place->work);
    unlink(path);
    snprintf(path, sizeof path, "%s/tmp", place->work);
    sweep(o, path, !place->is_mpi);
    if (place->is_private) sweep(o, "/dev/shm", !place->is_mpi);
}
