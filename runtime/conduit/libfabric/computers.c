/* What the supervisors of a job's computers tell each other. The one of the first computer, where the program was started,
 * is connected to each of the others; they are not connected among themselves, and it passes on what concerns them.
 *
 * While the job starts, before the threads are forked, they agree on sizes (computers_least). If the start fails
 * elsewhere, the first computer prints why: what the others print until then goes to a file without a name, so that the
 * same complaint is not made by each.
 *
 * While it runs they carry boot.c's rows, signals, and the end: a computer that ends the job tells the first one, which
 * tells the others, and each ends its own threads. The first one knows which thread may say why. A computer is lost if its
 * connection ends without a word. Should the first one be lost, the others end without a message: nobody would read it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/cluster/cluster.h"
#include "conduit/clock.h"
#include "conduit/launch/launch.h"
#include "conduit/libfabric/fabric.h"
#include "conduit/libfabric/hosts.h"

enum {
    AGENT_MS = 1500,  /* after its command has ended, a computer may still say something */
    LEAVE_MS = 15000, /* what the others have to end */
    ANSWER_MS = 5000,
    STEP_MS = 100
};

static struct computer {
    struct link link; /* of the first computer: to this one */
    bool has_gone;    /* all its threads have ended normally */
    int status;
    long long agent_ended; /* when; 0: it has not */
} * computers;
static struct link to_first = {.fd = -1};
static pid_t starter; /* the process before the fork: supervisor from then on */
static bool is_spawned, is_leaving;
static int captured = -1, own_stderr = -1;

static bool is_first(void) { return hosts.mine == 0; }

/* ---- the start fails --------------------------------------------------------------------------------------------- */

static bool nobody(int computer) { return computer < 0; }

static void tell_why(void) {
    char text[4096];
    ssize_t n = captured >= 0 ? pread(captured, text, sizeof text, 0) : 0;
    link_send(&to_first, LINK_FAILS, 0, 0, text, n > 0 ? (size_t)n : 0);
    link_finish(&to_first);
}

static void at_exit(void) {
    if (getpid() != starter || is_spawned) return;
    if (!is_first()) {
        tell_why();
        return;
    }
    for (int c = 1; computers && c < hosts.count; c++) link_close(&computers[c].link);
    link_stop_listening();
    agents_end(AGENT_MS, nobody);
}

/* Of the first computer; another one's message comes as it is. */
static _Noreturn void fail(const char *text, size_t bytes) {
    if (bytes) bounded_say(text, bytes);
    exit(1);
}

/* ---- before the fork --------------------------------------------------------------------------------------------- */

static const struct link_frame *wait_for(struct link *l, enum link_kind kind, int ms) {
    for (long long end = now_ms() + ms; l->state == LINK_OPEN;) {
        const struct link_frame *f = link_next(l);
        if (f && (f->kind == kind || f->kind == LINK_FAILS || f->kind == LINK_END)) return f;
        if (f) continue;
        long long left = ms ? end - now_ms() : STEP_MS;
        if (left <= 0) break;
        poll(&(struct pollfd){.fd = l->fd, .events = POLLIN}, 1, left < STEP_MS ? (int)left : STEP_MS);
        if (is_first() && !is_spawned) agents_listen();
    }
    return NULL;
}

static uint64_t least_from(int computer) {
    const struct link_frame *f = wait_for(&computers[computer].link, LINK_LEAST, 0);
    if (f && f->kind == LINK_LEAST) return (uint64_t)f->a;
    if (f && f->bytes) fail(f->payload, f->bytes);
    cluster_refuse("the program on %s has ended while the job was starting\n", hosts.of[computer].name);
}

size_t computers_least(size_t mine) {
    if (hosts.count < 2 || is_spawned) return mine;
    if (is_first()) {
        for (int c = 1; c < hosts.count; c++) {
            uint64_t other = least_from(c);
            if (other < mine) mine = other;
        }
        for (int c = 1; c < hosts.count; c++) link_send(&computers[c].link, LINK_LEAST, (int64_t)mine, 0, NULL, 0);
        return mine;
    }
    link_send(&to_first, LINK_LEAST, (int64_t)mine, 0, NULL, 0);
    const struct link_frame *f = wait_for(&to_first, LINK_LEAST, 0);
    if (!f || f->kind != LINK_LEAST) _exit(1); /* the first one has said why */
    return (size_t)f->a;
}

/* FATHOM_JOIN: the number of this computer, the secret, a port, and addresses. */
static _Noreturn void bad_join(void) { cluster_refuse("FATHOM_JOIN is for Fathom's own use; unset it\n"); }

static int read_join(char *text, unsigned char secret[LINK_SECRET], int *port, char **addresses, int most) {
    char *word = strtok(text, " "), *hex = strtok(NULL, " "), *at = strtok(NULL, " ");
    int n = 0;
    if (!word || !hex || !at || strlen(hex) != 2 * LINK_SECRET) bad_join();
    for (int i = 0; i < LINK_SECRET; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1) bad_join();
        secret[i] = (unsigned char)byte;
    }
    *port = atoi(at);
    while (n < most && (addresses[n] = strtok(NULL, " "))) n++;
    addresses[n] = NULL;
    return atoi(word);
}

static int join(char *text, int wanted) {
    enum { MOST = 32 };
    unsigned char secret[LINK_SECRET];
    char *addresses[MOST + 1];
    int port, mine = read_join(text, secret, &port, addresses, MOST), threads = hosts_deal(wanted, mine);
    if (mine < 1 || mine >= hosts.count) bad_join();
    if (!link_join(&to_first, secret, mine, addresses, port)) {
        char text_of[256] = "";
        for (char **a = addresses; *a; a++)
            snprintf(text_of + strlen(text_of), sizeof text_of - strlen(text_of), " %s", *a);
        fprintf(stderr,
                "fathom: %s cannot connect to the first computer of the job at port %d of%s; is there a firewall "
                "between them?\n",
                hosts.of[mine].name, port, text_of);
        exit(AGENT_HAS_SAID);
    }
    explicit_bzero(secret, sizeof secret);
    starter = getpid();
    atexit(at_exit);
    fflush(stderr);
    own_stderr = fcntl(2, F_DUPFD_CLOEXEC, 3);
    captured = memfd_create("fathom-errors", MFD_CLOEXEC);
    if (own_stderr >= 0 && captured >= 0) dup2(captured, 2);
    return threads;
}

static void check_agents(const struct computer *all) {
    for (int c = 1; c < hosts.count; c++) {
        int status;
        if (all[c].link.fd >= 0) continue;
        if (agents_is_asking(c))
            cluster_refuse("'%s %s' asks for something at the terminal; it must reach that computer without, such as "
                           "ssh with a key that needs no password\n",
                           agents_command(), hosts.of[c].name);
        if (!agents_has_ended(c, &status)) continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == AGENT_HAS_SAID) exit(1);
        if (WIFSIGNALED(status))
            cluster_refuse("'%s %s' was ended by signal %d before the program had joined the job from there\n",
                           agents_command(), hosts.of[c].name, WTERMSIG(status));
        cluster_refuse("'%s %s' ended with status %d before the program had joined the job from there\n",
                       agents_command(), hosts.of[c].name, WEXITSTATUS(status));
    }
}

static void lead(int threads) {
    unsigned char secret[LINK_SECRET];
    hosts_check_first();
    computers = calloc((size_t)hosts.count, sizeof *computers);
    if (!computers) cluster_refuse("no memory for a table of computers\n");
    for (int c = 0; c < hosts.count; c++) computers[c].link.fd = -1;
    if (getrandom(secret, sizeof secret, 0) != sizeof secret)
        cluster_refuse("no random numbers: %s\n", strerror(errno));
    link_listen();
    starter = getpid();
    atexit(at_exit);
    agents_start(secret, threads);
    struct link *links = calloc((size_t)hosts.count, sizeof *links);
    if (!links) cluster_refuse("no memory for a table of computers\n");
    for (int c = 0; c < hosts.count; c++) links[c].fd = -1;
    long long end = now_ms() + LINK_JOIN_MS;
    for (int left = hosts.count - 1; left;) {
        int c = link_accept(links, secret, STEP_MS);
        if (c) {
            computers[c].link = links[c];
            left--;
            continue;
        }
        agents_listen();
        check_agents(computers);
        if (now_ms() < end) continue;
        for (c = 1; links[c].fd >= 0;) c++;
        cluster_refuse("the program on %s has not joined the job within %d s\n", hosts.of[c].name, LINK_JOIN_MS / 1000);
    }
    free(links);
    explicit_bzero(secret, sizeof secret);
    link_stop_listening();
}

int computers_start(int wanted) {
    char *text = getenv("FATHOM_JOIN"), *copy = text ? strdup(text) : NULL;
    if (copy) {
        memset(text, 'x', strlen(text)); /* not for whom the program starts */
        unsetenv("FATHOM_JOIN");
        int threads = join(copy, wanted);
        explicit_bzero(copy, strlen(copy));
        free(copy);
        return threads;
    }
    int threads = hosts_deal(wanted, 0);
    if (hosts.count > 1)
        lead(threads);
    else
        hosts_check_first();
    return threads;
}

/* ---- news of this computer --------------------------------------------------------------------------------------- */

static void send_to_others(int but, enum link_kind kind, int64_t a, int64_t b, const void *payload, size_t bytes) {
    if (!is_first()) {
        if (but != 0) link_send(&to_first, kind, a, b, payload, bytes);
        return;
    }
    for (int c = 1; c < hosts.count; c++)
        if (c != but && !computers[c].has_gone) link_send(&computers[c].link, kind, a, b, payload, bytes);
}

enum { NO_COMPUTER = -1 };
static int end_from = NO_COMPUTER; /* who has told of the end */

static void tell_end(int status, int signal) { send_to_others(end_from, LINK_END, status, signal, NULL, 0); }
static void tell_lost(int thread) { send_to_others(NO_COMPUTER, LINK_LOST, thread, 0, NULL, 0); }
static void tell_signal(int signal) {
    if (is_first()) send_to_others(NO_COMPUTER, LINK_SIGNAL, signal, 0, NULL, 0);
}

/* Which threads have terminated, the others hear from them by messages; but if one of the job has ended without, they
 * count by the supervisors. */
static void tell_done(void) {
    static bool *told;
    const struct host *h = &hosts.of[hosts.mine];
    if (launch_lost() < 0) return;
    if (!told) told = calloc((size_t)h->threads, sizeof *told);
    int32_t *news = malloc((size_t)h->threads * sizeof *news);
    int n = 0;
    for (int i = 0; told && news && i < h->threads; i++) {
        if (told[i] || !launch_is_done(h->first + i)) continue;
        told[i] = true;
        news[n++] = h->first + i;
    }
    if (n) send_to_others(NO_COMPUTER, LINK_DONE, 0, 0, news, (size_t)n * sizeof *news);
    free(news);
}

/* ---- boot.c's rows ----------------------------------------------------------------------------------------------- */

static struct {
    char *all;
    size_t bytes; /* of a row */
    int have;     /* computers */
} gathered;

static void gather(int computer, const char *rows, size_t bytes) {
    const struct host *h = &hosts.of[computer];
    if (!gathered.have) {
        gathered.bytes = bytes;
        gathered.all = malloc(bytes * (size_t)cluster.threads);
        if (!gathered.all) cluster_refuse("no memory for the start of %d threads\n", cluster.threads);
    }
    memcpy(gathered.all + (size_t)h->first * bytes, rows, (size_t)h->threads * bytes);
    if (++gathered.have < hosts.count) return;
    size_t all = bytes * (size_t)cluster.threads;
    send_to_others(NO_COMPUTER, LINK_ROWS, 0, 0, gathered.all, all);
    boot_give(gathered.all, bytes);
    free(gathered.all);
    gathered.have = 0;
}

static void take_own_rows(void) {
    char *rows = NULL;
    size_t bytes = boot_take(&rows);
    if (!bytes) return;
    if (is_first())
        gather(0, rows, bytes);
    else
        link_send(&to_first, LINK_ROWS, 0, 0, rows, bytes * (size_t)hosts.of[hosts.mine].threads);
    free(rows);
}

/* ---- news of others ---------------------------------------------------------------------------------------------- */

static void mark_done(const struct link_frame *f) {
    int32_t thread;
    for (size_t at = 0; at + sizeof thread <= f->bytes; at += sizeof thread) {
        memcpy(&thread, f->payload + at, sizeof thread);
        if (thread >= 0 && thread < cluster.threads) launch_heard_done(thread);
    }
}

static void pass_on(int from, const struct link_frame *f) {
    if (is_first()) send_to_others(from, (enum link_kind)f->kind, f->a, f->b, f->payload, f->bytes);
}

static void hear(int from, const struct link_frame *f) {
    switch (f->kind) {
    case LINK_ROWS:
        if (!is_first())
            boot_give(f->payload, f->bytes / (size_t)cluster.threads);
        else if (f->bytes % (size_t)hosts.of[from].threads == 0)
            gather(from, f->payload, f->bytes / (size_t)hosts.of[from].threads);
        break;
    case LINK_END:
        end_from = from;
        launch_heard_end((int)f->a, (int)f->b);
        break;
    case LINK_LOST:
        if (f->a >= 0 && f->a < cluster.threads) launch_heard_lost((int)f->a);
        pass_on(from, f);
        break;
    case LINK_DONE:
        mark_done(f);
        pass_on(from, f);
        break;
    case LINK_CLAIM:
        if (is_first())
            link_send(&computers[from].link, LINK_CLAIM, launch_claim_report(), 0, NULL, 0);
        else
            launch_answer(f->a);
        break;
    case LINK_SIGNAL: launch_heard_signal((int)f->a); break;
    case LINK_GONE:
        computers[from].has_gone = true;
        computers[from].status = (int)f->a;
        break;
    }
}

/* False while another one, which has to be served meanwhile, says why the job ends: to end it now would end that one. */
static bool say_lost(const char *format, const char *name) {
    static long long said_by;
    if (launch_is_ending()) return true;
    if (said_by) return now_ms() >= said_by;
    if (!launch_claim_report()) {
        said_by = now_ms() + BOUNDED_SAID_MS;
        return false;
    }
    char text[512];
    int n = snprintf(text, sizeof text, format, name);
    bounded_say(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    return true;
}

static void listen_to(int c) {
    struct computer *o = &computers[c];
    for (const struct link_frame *f; (f = link_next(&o->link));) hear(c, f);
    if (o->has_gone) return;
    const char *why = "fathom: the job's processes on %s have ended without a word; the job ends\n";
    if (o->link.state == LINK_OPEN) {
        int status;
        if (!o->agent_ended && agents_has_ended(c, &status)) o->agent_ended = now_ms();
        if (!o->agent_ended || now_ms() - o->agent_ended < AGENT_MS) return;
        agents_has_ended(c, &status);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) launch_heard_end(128 + SIGPIPE, SIGPIPE);
        why = "fathom: the command that has started the program on %s has ended; the job ends\n";
    } else if (o->link.state == LINK_CUT) {
        why = "fathom: the computer %s is out of reach; the job ends\n";
    }
    if (say_lost(why, hosts.of[c].name)) launch_heard_end(1, 0);
}

static void look(void) {
    if (is_leaving) return;
    if (is_first()) {
        for (int c = 1; c < hosts.count; c++) listen_to(c);
    } else {
        for (const struct link_frame *f; (f = link_next(&to_first));) hear(0, f);
        if (to_first.state != LINK_OPEN) launch_heard_end(1, 0);
        if (launch_has_question()) link_send(&to_first, LINK_CLAIM, 0, 0, NULL, 0);
    }
    take_own_rows();
    tell_done();
}

/* What else comes meanwhile is of no use any more: the job ends, here or there. */
static bool ask(void) {
    if (to_first.state != LINK_OPEN) return false;
    link_send(&to_first, LINK_CLAIM, 0, 0, NULL, 0);
    const struct link_frame *f = wait_for(&to_first, LINK_CLAIM, ANSWER_MS);
    return f && f->kind == LINK_CLAIM && f->a;
}

/* ---- for the supervisor ------------------------------------------------------------------------------------------ */

static int poll_links(struct pollfd *fds) {
    if (!is_first()) {
        fds[0] = (struct pollfd){.fd = to_first.fd, .events = POLLIN};
        return 1;
    }
    for (int c = 1; c < hosts.count; c++) {
        const struct computer *o = &computers[c];
        fds[c - 1] = (struct pollfd){.fd = o->link.state == LINK_OPEN ? o->link.fd : -1, .events = POLLIN};
    }
    return hosts.count - 1;
}

static bool all_ended(void) {
    for (int c = 1; is_first() && c < hosts.count; c++)
        if (!computers[c].has_gone) return false;
    return true;
}

/* Nothing is to be waited for there. */
static bool is_lost(int c) { return computers[c].link.state == LINK_CUT; }

static int leave(int status, bool is_failing) {
    is_leaving = true;
    if (!is_first()) {
        if (!is_failing) link_send(&to_first, LINK_GONE, status, 0, NULL, 0);
        link_finish(&to_first);
        return status;
    }
    for (int c = 1; !is_failing && !status && c < hosts.count; c++) status = computers[c].status;
    agents_end(LEAVE_MS, is_lost);
    return status;
}

static void forked(void) {
    for (int c = 1; is_first() && c < hosts.count; c++) link_close(&computers[c].link);
    link_close(&to_first);
    agents_forked();
}

static struct launch_elsewhere here = {
    .poll = poll_links,
    .look = look,
    .ask = ask,
    .all_ended = all_ended,
    .lost = tell_lost,
    .signal = tell_signal,
    .ends = tell_end,
    .leave = leave,
    .forked = forked,
    .reaped = agents_reaped,
};

void computers_spawn(void) {
    if (hosts.count < 2) return;
    if (is_first()) agents_print();
    if (own_stderr >= 0 && captured >= 0) {
        fflush(stderr);
        dup2(own_stderr, 2);
        close(own_stderr);
        close(captured);
    }
    is_spawned = true;
    here.first = hosts.of[hosts.mine].first;
    here.threads = cluster.threads;
    here.decides = is_first();
    here.most_fds = hosts.count;
    launch_elsewhere = &here;
}
