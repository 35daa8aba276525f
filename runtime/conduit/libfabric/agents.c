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

enum { WORDS = 64, ADDRESSES = 16, PIECE = 64 << 10, STEP_MS = 5, PRINT_MS = BOUNDED_MS, KILL_MS = 500 };

static struct agent {
    pid_t pid; /* 0: has ended */
    int wait_status;
    int out[2]; /* where its stdout and its stderr can be read */
} * agents;     /* by computer; the first one has none */
static char *words[WORDS + 3];
static int word_count;

/* ---- what the shell there is to do ------------------------------------------------------------------------------- */

static void quote(FILE *f, const char *text) {
    fputc('\'', f);
    for (; *text; text++) *text == '\'' ? fputs("'\\''", f) : fputc(*text, f);
    fputc('\'', f);
}

/* Variables that say something of this computer or of the user's session on it, or that are set below. */
static bool stays_here(const char *variable, size_t n) {
    static const char *const names[] = {
        "PWD",  "OLDPWD",    "HOME",        "USER",           "LOGNAME",         "SHELL",       "SHLVL", "_",
        "HOST", "HOSTNAME",  "DISPLAY",     "XAUTHORITY",     "WAYLAND_DISPLAY", "TMUX",        "STY",   "WINDOWID",
        "MAIL", "LS_COLORS", "FATHOM_JOIN", "FATHOM_THREADS", "FATHOM_HOSTS",    "FATHOM_AGENT"};
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
    fprintf(f, "export FATHOM_THREADS=%d FATHOM_HOSTS='", threads);
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
    fputs("exec ", f);
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
    fputs(" 2>/dev/null || { echo ", f);
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
    for (int c = 0; c < hosts.count; c++) agents[c].out[0] = agents[c].out[1] = -1;
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
        agents[c].out[0] = out[0];
        agents[c].out[1] = err[0];
        if (pid < 0) cluster_refuse("cannot start '%s': fork: %s\n", words[0], strerror(errno));
        agents[c].pid = pid;
    }
}

void agents_reaped(pid_t pid, int wait_status) {
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

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static pid_t printer; /* 0: this process prints at the end */
static int printer_stop = -1;

struct stream {
    int fd; /* -1: has ended */
    int to;
    char *text;
    size_t have, room;
};

static bool print(int fd, const char *text, size_t bytes) {
    if (conduit_hooks.print) return conduit_hooks.print(fd, text, bytes);
    return bounded_write_until(fd, text, bytes, now_ms() + BOUNDED_MS);
}

/* Where nobody reads our output any more, nobody reads theirs. */
static void end_stream(struct stream *s) {
    close(s->fd);
    s->fd = -1;
    s->have = 0;
}

/* Reads what has come, and prints whole lines of it; at its end, the rest. */
static void pass_on(struct stream *s) {
    if (s->room - s->have < PIECE) {
        char *more = realloc(s->text, s->room + 2 * PIECE);
        if (!more) {
            end_stream(s);
            return;
        }
        s->text = more;
        s->room += 2 * PIECE;
    }
    ssize_t n = read(s->fd, s->text + s->have, PIECE);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) {
        if (s->have) print(s->to, s->text, s->have);
        end_stream(s);
        return;
    }
    char *newline = memrchr(s->text + s->have, '\n', (size_t)n);
    s->have += (size_t)n;
    if (!newline) return;
    size_t whole = (size_t)(newline + 1 - s->text);
    if (!print(s->to, s->text, whole)) {
        end_stream(s);
        return;
    }
    memmove(s->text, s->text + whole, s->have - whole);
    s->have -= whole;
}

/* Until all streams have ended; or, once `stop` can be read (or until `end`), until nothing comes any more. */
static void print_all(struct stream *s, int count, int stop, long long end) {
    struct pollfd *fds = calloc((size_t)count + 1, sizeof *fds);
    if (!fds) return;
    for (bool stopping = false;;) {
        int open = 0;
        for (int i = 0; i < count; i++) {
            fds[i] = (struct pollfd){.fd = s[i].fd, .events = POLLIN};
            open += s[i].fd >= 0;
        }
        fds[count] = (struct pollfd){.fd = stopping ? -1 : stop, .events = POLLIN};
        if (!open) break;
        long long left = end ? end - now_ms() : 0;
        int n = poll(fds, (nfds_t)count + 1, stopping ? 0 : !end ? -1 : left > 0 ? (int)left : 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        for (int i = 0; i < count; i++)
            if (fds[i].revents) pass_on(&s[i]);
        stopping = stopping || fds[count].revents;
    }
    for (int i = 0; i < count; i++)
        if (s[i].fd >= 0 && s[i].have) print(s[i].to, s[i].text, s[i].have);
    free(fds);
}

static struct stream *streams(void) {
    struct stream *s = calloc((size_t)hosts.count * 2, sizeof *s);
    for (int i = 0; s && i < hosts.count * 2; i++)
        s[i] = (struct stream){.fd = agents[i / 2].out[i % 2], .to = 1 + i % 2};
    return s;
}

static void close_outputs(void) {
    for (int c = 1; c < hosts.count; c++)
        for (int i = 0; i < 2; i++) {
            if (agents[c].out[i] >= 0) close(agents[c].out[i]);
            agents[c].out[i] = -1;
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
        struct stream *s = streams();
        if (s) print_all(s, hosts.count * 2, stop[0], 0);
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
        struct stream *s = streams();
        if (s) print_all(s, hosts.count * 2, -1, now_ms() + KILL_MS);
        close_outputs();
        return;
    }
    close(printer_stop);
    long long end = now_ms() + PRINT_MS;
    while (waitpid(printer, NULL, WNOHANG) == 0 && now_ms() < end) poll(NULL, 0, STEP_MS);
    kill(printer, SIGKILL);
    waitpid(printer, NULL, 0);
}
