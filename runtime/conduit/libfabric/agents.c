/* How the program is started on the other computers of a job: by a command for each, ssh or the one that FATHOM_AGENT names,
 * which is given the name of the computer and a line for a shell there. The line is `exec /bin/sh`; what that shell is to
 * do it reads from its standard input, because everybody can read a command's arguments, and there is a secret in it: to
 * go to the working directory, to set the variables of the environment, and to become the program.
 *
 * What the others print comes back through the commands, in pieces. A process of its own prints it, by whole lines, so
 * that the supervisor never waits for whoever reads the job's output.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/cluster/cluster.h"
#include "conduit/clock.h"
#include "conduit/libfabric/hosts.h"
#include "conduit/segments.h"

enum {
    WORDS = 64,
    ADDRESSES = 16,
    PIECE = 64 << 10,
    LONGEST = 1 << 20, /* line that is kept until its end */
    STEP_MS = 5,
    PRINT_MS = BOUNDED_MS,
    KILL_MS = 500
};

static struct agent {
    pid_t pid; /* 0: has ended */
    int wait_status;
    struct stream {
        int fd; /* -1: none, or it has ended */
        int to;
        bool has_begun; /* what comes is the program's */
        char *text;
        size_t have, room;
    } out[2]; /* its stdout and its stderr */
} * agents;   /* by computer; the first one has none */
static char *words[WORDS + 3];
static int word_count;

/* The line by which the shell says that the program begins: what a shell prints before, on its start, is none of the job's
 * output. */
#define BEGINS "\001fathom-begins"

/* ---- what the shell there is to do ------------------------------------------------------------------------------- */

static void quote(FILE *f, const char *text) {
    fputc('\'', f);
    for (; *text; text++) *text == '\'' ? fputs("'\\''", f) : fputc(*text, f);
    fputc('\'', f);
}

/* Variables that say something of this computer or of the user's session on it, that are set below, or that some shells
 * refuse to set. */
static bool stays_here(const char *variable, size_t n) {
    static const char *const names[] = {
        "PWD",  "OLDPWD",    "HOME",        "USER",           "LOGNAME",         "SHELL",        "SHLVL", "_",
        "HOST", "HOSTNAME",  "DISPLAY",     "XAUTHORITY",     "WAYLAND_DISPLAY", "TMUX",         "STY",   "WINDOWID",
        "MAIL", "LS_COLORS", "FATHOM_JOIN", "FATHOM_THREADS", "FATHOM_HOSTS",    "FATHOM_AGENT", "UID",   "EUID",
        "PPID", "SHELLOPTS", "BASHOPTS",    "BASH_VERSINFO"};
    static const char *const begins[] = {"SSH_", "XDG_", "DBUS_", "SLURM_", "OMPI_", "PMI"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && memcmp(variable, names[i], n) == 0) return true;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(variable, begins[i], strlen(begins[i])) == 0) return true;
    for (size_t i = 0; i < n; i++) /* a shell's functions have names that a shell does not take */
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", variable[i])) return true;
    return n == 0 || (*variable >= '0' && *variable <= '9');
}

static void write_environment(FILE *f) {
    for (char **v = environ; *v; v++) {
        const char *value = strchr(*v, '=');
        if (!value || stays_here(*v, (size_t)(value - *v))) continue;
        fprintf(f, "export %.*s", (int)(value + 1 - *v), *v);
        quote(f, value + 1);
        fputc('\n', f);
    }
}

/* FATHOM_HOSTS with a number for each, so that the others need not share out. */
static void write_hosts(FILE *f, int threads) {
    fprintf(f, "export FATHOM_THREADS=%d FATHOM_HOSTS='", threads); /* names have no quotes */
    for (int i = 0; i < hosts.count; i++) {
        bool six = strchr(hosts.of[i].name, ':');
        fprintf(f, "%s%s%s%s:%d", i ? "," : "", six ? "[" : "", hosts.of[i].name, six ? "]" : "", hosts.of[i].threads);
    }
    fprintf(f, "'\n");
}

static void write_join(FILE *f, int computer, const unsigned char secret[LINK_SECRET]) {
    char address[ADDRESSES][INET6_ADDRSTRLEN];
    int n = link_addresses(address, ADDRESSES, hosts.of[computer].name);
    fprintf(f, "export FATHOM_JOIN='%d ", computer);
    for (int i = 0; i < LINK_SECRET; i++) fprintf(f, "%02x", secret[i]);
    fprintf(f, " %d", link_port());
    for (int i = 0; i < n; i++) fprintf(f, " %s", address[i]);
    fprintf(f, "'\n");
}

/* The program's arguments as the kernel has them: a program may call fathom_init without. */
static bool write_arguments(FILE *f, const char *program) {
    FILE *line = fopen("/proc/self/cmdline", "re");
    char *word = NULL;
    size_t room = 0;
    if (!line) return false;
    fprintf(f, "printf '%s\\n'\nexec ", BEGINS);
    quote(f, program);
    for (bool first = true; getdelim(&word, &room, 0, line) > 0; first = false) {
        if (first) continue;
        fputc(' ', f);
        quote(f, word);
    }
    fputc('\n', f);
    free(word);
    fclose(line);
    return true;
}

static void write_or_say(FILE *f, const char *test, const char *path, const char *host, const char *lacks) {
    fputs(test, f);
    quote(f, path);
    fputs(" 2>/dev/null || { printf '%s\\n' ", f);
    char text[2 * PATH_MAX];
    snprintf(text, sizeof text, lacks, host, path);
    quote(f, text);
    fprintf(f, " >&2; exit %d; }\n", AGENT_HAS_SAID);
}

/* A file without a name that holds it; there is no end of it to wait for, and nobody has to write while another reads. */
static int script_for(int computer, const unsigned char secret[LINK_SECRET], int threads) {
    static char program[PATH_MAX], folder[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0 || !getcwd(folder, sizeof folder))
        cluster_refuse("the program's path or its working directory cannot be found: %s\n", strerror(errno));
    program[n] = 0;
    int fd = memfd_create("fathom-start", MFD_CLOEXEC), copy = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
    FILE *f = copy >= 0 ? fdopen(copy, "we") : NULL;
    if (!f) cluster_refuse("no memory for the start of %s: %s\n", hosts.of[computer].name, strerror(errno));
    const char *host = hosts.of[computer].name;
    write_or_say(f, "cd ", folder, host, "fathom: %s does not have the working directory of the job, %s");
    write_or_say(f, "test -x ", program, host,
                 "fathom: %s does not have the program %s; install it there at the same path");
    write_environment(f);
    write_hosts(f, threads);
    write_join(f, computer, secret);
    bool good = write_arguments(f, program);
    if (fclose(f) != 0 || !good || lseek(fd, 0, SEEK_SET) != 0)
        cluster_refuse("no memory for the start of %s: %s\n", host, strerror(errno));
    return fd;
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

const char *agents_command(void) {
    const char *text = getenv("FATHOM_AGENT");
    return text && *text ? text : "ssh -x -o BatchMode=yes";
}

static void read_command(void) {
    char *text = strdup(agents_command());
    if (!text) cluster_refuse("no memory\n");
    for (char *word = strtok(text, " \t"); word; word = strtok(NULL, " \t")) {
        if (word_count == WORDS) cluster_refuse("FATHOM_AGENT has more than %d words\n", WORDS);
        words[word_count++] = word;
    }
    if (!word_count)
        cluster_refuse("FATHOM_AGENT is empty; expected a command that runs another one on a computer, such as ssh\n");
}

/* In the child. Not in the terminal's foreground: what is typed there is for the job's threads. */
static _Noreturn void become_agent(int computer, int script, int out, int err, pid_t parent) {
    static char line[] = "exec /bin/sh";
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    sigset_t none;
    sigemptyset(&none);
    for (int s = 1; s < NSIG; s++)
        if (s != SIGKILL && s != SIGSTOP) signal(s, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(script, 0);
    dup2(out, 1);
    dup2(err, 2);
    words[word_count] = hosts.of[computer].name;
    words[word_count + 1] = line;
    execvp(words[0], words);
    char text[512];
    int n = snprintf(text, sizeof text,
                     "fathom: cannot run '%s', which is to start the program on %s: %s; name another command in "
                     "FATHOM_AGENT\n",
                     words[0], hosts.of[computer].name, strerror(errno));
    ssize_t ignored = write(2, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    (void)ignored;
    _exit(AGENT_HAS_SAID);
}

void agents_start(const unsigned char secret[LINK_SECRET], int threads) {
    read_command();
    agents = calloc((size_t)hosts.count, sizeof *agents);
    if (!agents) cluster_refuse("no memory for a table of computers\n");
    for (int c = 0; c < hosts.count; c++)
        for (int i = 0; i < 2; i++) agents[c].out[i] = (struct stream){.fd = -1, .to = 1 + i, .has_begun = i == 1};
    signal(SIGCHLD, SIG_DFL); /* inherited as ignored, it would hide how they end */
    for (int c = 1; c < hosts.count; c++) {
        int script = script_for(c, secret, threads), out[2], err[2];
        if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
            cluster_refuse("no pipe for the output of %s: %s%s\n", hosts.of[c].name, strerror(errno),
                           errno == EMFILE ? " (the limit on open files, ulimit -n)" : "");
        pid_t parent = getpid(), pid = fork();
        if (pid == 0) become_agent(c, script, out[1], err[1], parent);
        close(script);
        close(out[1]);
        close(err[1]);
        agents[c].out[0].fd = out[0];
        agents[c].out[1].fd = err[0];
        if (pid < 0) cluster_refuse("cannot start '%s': fork: %s\n", words[0], strerror(errno));
        agents[c].pid = pid;
    }
}

static pid_t printer; /* 0: this process prints at the end */
static bool printer_has_ended;
static int printer_stop = -1;

void agents_reaped(pid_t pid, int wait_status) {
    if (pid == printer) printer_has_ended = true;
    for (int c = 1; agents && c < hosts.count; c++)
        if (agents[c].pid == pid) {
            agents[c].pid = 0;
            agents[c].wait_status = wait_status;
        }
}

bool agents_has_ended(int computer, int *wait_status) {
    struct agent *a = &agents[computer];
    if (a->pid && waitpid(a->pid, &a->wait_status, WNOHANG) == a->pid) a->pid = 0;
    *wait_status = a->wait_status;
    return !a->pid;
}

bool agents_is_asking(int computer) {
    siginfo_t info = {0};
    pid_t pid = agents[computer].pid;
    if (!pid || waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG | WNOWAIT) != 0 || !info.si_pid) return false;
    return info.si_status == SIGTTIN || info.si_status == SIGTTOU;
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static bool print(int fd, const char *text, size_t bytes) {
    if (conduit_hooks.print) return conduit_hooks.print(fd, text, bytes);
    return bounded_write_until(fd, text, bytes, now_ms() + BOUNDED_MS);
}

/* Where nobody reads our output any more, nobody reads theirs. */
static void end_stream(struct stream *s) {
    if (s->fd >= 0) close(s->fd);
    s->fd = -1;
    s->have = 0;
}

static void print_first(struct stream *s, int to, size_t bytes) {
    if (bytes && !print(to, s->text, bytes)) {
        end_stream(s);
        return;
    }
    memmove(s->text, s->text + bytes, s->have - bytes);
    s->have -= bytes;
}

/* Prints what is whole, or at the end everything. */
static void print_whole(struct stream *s, bool everything) {
    if (!s->has_begun) {
        char *mark = s->have ? memmem(s->text, s->have, BEGINS "\n", sizeof BEGINS) : NULL;
        size_t before = mark ? (size_t)(mark - s->text) : s->have;
        if (!mark && !everything && s->have < LONGEST) return;
        print_first(s, 2, before);
        if (!mark || !s->have) return;
        s->have -= sizeof BEGINS;
        memmove(s->text, s->text + sizeof BEGINS, s->have);
        s->has_begun = true;
    }
    char *newline = s->have ? memrchr(s->text, '\n', s->have) : NULL;
    size_t whole = newline ? (size_t)(newline + 1 - s->text) : 0;
    if (everything || (!newline && s->have >= LONGEST)) whole = s->have;
    if (whole) print_first(s, s->to, whole);
}

/* Takes what has come. False: it has ended. */
static bool take(struct stream *s) {
    if (s->room - s->have < PIECE) {
        char *more = realloc(s->text, s->room + 2 * PIECE);
        if (!more) return false;
        s->text = more;
        s->room += 2 * PIECE;
    }
    ssize_t n = read(s->fd, s->text + s->have, PIECE);
    if (n > 0) s->have += (size_t)n;
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Those streams that have something to read, within `ms` (-1: for ever); the last one is `stop`. The number of all that are
 * open; -1 if nothing has come. */
static int look(struct pollfd *fds, int stop, int ms) {
    int open = 0, n;
    for (int i = 0; i < 2 * hosts.count; i++) {
        fds[i] = (struct pollfd){.fd = agents[i / 2].out[i % 2].fd, .events = POLLIN};
        open += fds[i].fd >= 0;
    }
    fds[2 * hosts.count] = (struct pollfd){.fd = stop, .events = POLLIN};
    if (!open) return 0;
    do n = poll(fds, 2 * (nfds_t)hosts.count + 1, ms);
    while (n < 0 && errno == EINTR && ms < 0);
    return n > 0 ? open : -1;
}

static struct pollfd *table_for_look(void) { return calloc(2 * (size_t)hosts.count + 1, sizeof(struct pollfd)); }

void agents_listen(void) {
    static struct pollfd *fds;
    if (!fds) fds = table_for_look();
    for (int turn = 0; fds && turn < 16 && look(fds, -1, 0) > 0; turn++)
        for (int i = 0; i < 2 * hosts.count; i++) {
            struct stream *s = &agents[i / 2].out[i % 2];
            if (!fds[i].revents || take(s)) continue;
            close(s->fd); /* what it has said is printed later */
            s->fd = -1;
        }
}

/* Until all streams have ended; or, once `stop` can be read (or until `end`), until nothing comes any more. */
static void print_all(int stop, long long end) {
    struct pollfd *fds = table_for_look();
    if (!fds) return;
    for (int i = 0; i < 2 * hosts.count; i++) print_whole(&agents[i / 2].out[i % 2], false);
    for (bool stopping = false;;) {
        long long left = end ? end - now_ms() : 0;
        int n = look(fds, stopping ? -1 : stop, stopping ? 0 : !end ? -1 : left > 0 ? (int)left : 0);
        if (n <= 0) break;
        for (int i = 0; i < 2 * hosts.count; i++) {
            struct stream *s = &agents[i / 2].out[i % 2];
            if (!fds[i].revents) continue;
            bool has_ended = !take(s);
            print_whole(s, has_ended);
            if (has_ended) end_stream(s);
        }
        stopping = stopping || fds[2 * hosts.count].revents;
    }
    for (int i = 0; i < 2 * hosts.count; i++) print_whole(&agents[i / 2].out[i % 2], true);
    free(fds);
}

static void close_outputs(void) {
    for (int c = 1; c < hosts.count; c++)
        for (int i = 0; i < 2; i++) {
            end_stream(&agents[c].out[i]);
            free(agents[c].out[i].text);
            agents[c].out[i] = (struct stream){.fd = -1};
        }
}

void agents_print(void) {
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGPIPE, SIGTSTP, SIGXCPU};
    int stop[2];
    fflush(NULL);
    if (pipe2(stop, O_CLOEXEC) != 0) cluster_refuse("no pipe: %s\n", strerror(errno));
    pid_t parent = getpid(), pid = fork();
    if (pid < 0) cluster_refuse("no process for the other computers' output: fork: %s\n", strerror(errno));
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
        close(stop[1]);
        print_all(stop[0], 0);
        _exit(0);
    }
    close(stop[0]);
    printer = pid;
    printer_stop = stop[1];
    close_outputs();
}

void agents_forked(void) {
    if (printer_stop >= 0) close(printer_stop);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static bool is_one_left(void) {
    int ignored;
    for (int c = 1; c < hosts.count; c++)
        if (!agents_has_ended(c, &ignored)) return true;
    return false;
}

static void signal_agents(int signal, bool (*is_so)(int computer)) {
    int ignored;
    for (int c = 1; c < hosts.count; c++)
        if ((!is_so || is_so(c)) && !agents_has_ended(c, &ignored)) kill(agents[c].pid, signal);
}

void agents_end(int ms, bool (*is_lost)(int computer)) {
    if (!agents) return;
    signal_agents(SIGTERM, is_lost);
    for (long long end = now_ms() + ms; is_one_left() && now_ms() < end;) poll(NULL, 0, STEP_MS);
    signal_agents(SIGTERM, NULL);
    for (long long end = now_ms() + KILL_MS; is_one_left() && now_ms() < end;) poll(NULL, 0, STEP_MS);
    signal_agents(SIGKILL, NULL);
    if (!printer) {
        print_all(-1, now_ms() + KILL_MS);
        close_outputs();
        return;
    }
    close(printer_stop);
    long long end = now_ms() + PRINT_MS;
    while (!printer_has_ended && waitpid(printer, NULL, WNOHANG) == 0 && now_ms() < end) poll(NULL, 0, STEP_MS);
    if (printer_has_ended || waitpid(printer, NULL, WNOHANG) != 0) return;
    kill(printer, SIGKILL);
    waitpid(printer, NULL, 0);
}
