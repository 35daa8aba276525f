/* The wire of conduit libfabric: a reliable endpoint in each process (FI_EP_RDM), with one queue for all completions.
 *
 * A message is one send of a head and the data. Providers deliver messages of a pair in order, but may complete large ones
 * later than small ones behind them (comp_order of ofi_rxm is FI_ORDER_NONE); so a head has a number, and what comes too
 * early waits. Sends for which the provider has no room (-FI_EAGAIN) wait here in their order.
 * conduit/cluster bounds their number, and that of messages which have come and are not delivered yet.
 *
 * Providers that do their work inside calls (FI_PROGRESS_MANUAL) get on whenever this process looks for completions: in
 * each poll, and in the progress thread's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/launch/launch.h"
#include "conduit/libfabric/fabric.h"
#include "conduit/libfabric/hosts.h"
#include "conduit/segments.h"

enum {
    RECEIVES = 32,      /* posted */
    SPARE = 128,        /* buffers that are kept after a flood, of 33 KB each */
    COMPLETIONS = 4096, /* room for */
    AT_ONCE = 16,       /* completions that one look takes */
    ADDRESS = 256,      /* bytes of the longest address of an endpoint */
    GRACE_MS = 1500     /* an error may be the first sign of a job that ends */
};

struct fabric fabric;

static struct wire_list waiting, arrived, sent;
static int posted;                /* receives */
static struct wire_buffer *spare; /* for more */
static int spare_count;
static bool is_closing;

/* By thread: numbers of messages, and what came too early. */
static struct peer {
    uint16_t next_out, next_in;
    struct wire_list early;
} * peers;

/* ---- heads ------------------------------------------------------------------------------------------------------- */

enum { THREAD_BITS = 20, TAG_BITS = 15, MARK_BITS = 13 };
_Static_assert(CONDUIT_MAX_FAR <= 1 << THREAD_BITS && THREAD_BITS + TAG_BITS + MARK_BITS + 16 == 64, "a head suffices");

static uint64_t head_of(const struct wire_buffer *b, uint16_t number) {
    uint64_t head = number;
    head = head << MARK_BITS | b->mark;
    head = head << TAG_BITS | b->tag;
    return head << THREAD_BITS | (unsigned)cluster.me;
}

static uint16_t number_in(const struct wire_buffer *b) { return (uint16_t)(b->head >> (64 - 16)); }

static void read_head(struct wire_buffer *b) {
    b->thread = (int)(b->head & ((1u << THREAD_BITS) - 1));
    b->tag = (uint16_t)(b->head >> THREAD_BITS & ((1u << TAG_BITS) - 1));
    b->mark = (uint16_t)(b->head >> (THREAD_BITS + TAG_BITS) & ((1u << MARK_BITS) - 1));
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static _Noreturn void die(const char *what, const char *why, int error) {
    for (int i = 0; i < GRACE_MS && !launch_is_ending(); i++) poll(NULL, 0, 1);
    if (!launch_is_ending() && bounded_may_say(launch_claim_report, launch_is_ending)) {
        char text[512];
        int n = snprintf(text, sizeof text, "fathom: thread %d: ", cluster.me);
        n += snprintf(text + n, sizeof text - (size_t)n, "libfabric reports of %s: %s%s\n", what, why,
                      error == EMFILE ? " (raise ulimit -n)" : "");
        bounded_say(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    }
    launch_end(1);
    if (conduit_hooks.ending) conduit_hooks.ending();
    _exit(1);
}

_Noreturn void fabric_failed(const char *what, int error) {
    if (error < 0) error = -error;
    die(what, fi_strerror(error), error);
}

/* ---- sending and receiving --------------------------------------------------------------------------------------- */

void *fabric_local(const void *at, size_t bytes, struct fid_mr **made) {
    static uint64_t key = 1; /* where the provider does not choose them; the segment has 0 */
    *made = NULL;
    if (!fabric.is_local_registered) return NULL;
    uintptr_t offset = (uintptr_t)at - (uintptr_t)segments_at(cluster.me - cluster.first);
    if (fabric.segment && offset < fabric_segment_bytes && bytes <= fabric_segment_bytes - offset)
        return fi_mr_desc(fabric.segment);
    int r = fi_mr_reg(fabric.domain, at, bytes, FI_SEND | FI_RECV | FI_READ | FI_WRITE, 0, key++, 0, made, NULL);
    if (r == 0 && fabric.info->domain_attr->mr_mode & FI_MR_ENDPOINT) {
        r = fi_mr_bind(*made, &fabric.ep->fid, 0);
        if (r == 0) r = fi_mr_enable(*made);
    }
    if (r) fabric_failed("memory that it is to access", r);
    return fi_mr_desc(*made);
}

/* Of a buffer for messages: registered once. */
static void *local_buffer(struct wire_buffer *b) {
    if (!fabric.is_local_registered) return NULL;
    struct fid_mr *made = b->kept;
    if (!made) fabric_local(&b->head, sizeof b->head + sizeof b->data, &made);
    b->kept = made;
    return fi_mr_desc(made);
}

/* 1: it is on its way; 2: it has been copied; 0: there is no room. */
static int try_send(struct wire_buffer *b) {
    size_t bytes = sizeof b->head + (size_t)b->bytes;
    fi_addr_t to = fabric.address[b->thread];
    bool short_one = bytes <= fabric.info->tx_attr->inject_size;
    ssize_t r = short_one ? fi_inject(fabric.ep, &b->head, bytes, to)
                          : fi_send(fabric.ep, &b->head, bytes, local_buffer(b), to, b->own);
    if (r == 0) return 1 + short_one;
    if (r != -FI_EAGAIN) {
        if (is_closing || launch_is_gone(b->thread)) return 2; /* nobody receives it */
        fabric_failed("a message", (int)r);
    }
    return 0;
}

bool wire_send(struct wire_buffer *b) {
    int before = errno;
    b->head = head_of(b, peers[b->thread].next_out++);
    int how = waiting.first ? 0 : try_send(b);
    if (how == 0) wire_append(&waiting, b);
    errno = before;
    return how == 2;
}

static void send_waiting(void) {
    for (int how; waiting.first && (how = try_send(waiting.first));) {
        struct wire_buffer *b = wire_take_first(&waiting);
        if (how == 2) wire_append(&sent, b);
    }
}

/* As many receives as ever are posted, whatever has been put aside: else large messages, which leave their sender only when
 * they are received, could wait for each other. */
static void post_receives(void) {
    while (posted < RECEIVES) {
        if (spare_count) spare_count--;
        struct wire_buffer *b = wire_pop(&spare);
        ssize_t r =
            fi_recv(fabric.ep, &b->head, sizeof b->head + sizeof b->data, local_buffer(b), FI_ADDR_UNSPEC, b->own);
        if (r == 0) {
            posted++;
            continue;
        }
        wire_return(b);
        if (r == -FI_EAGAIN || is_closing) return;
        fabric_failed("a receive", (int)r);
    }
}

/* Those of a sender in their order. */
static void put_in_order(struct wire_buffer *b) {
    read_head(b);
    struct peer *p = &peers[b->thread];
    if (number_in(b) != p->next_in) {
        wire_append(&p->early, b);
        return;
    }
    p->next_in++;
    wire_append(&arrived, b);
    for (bool found = p->early.first; found;) {
        struct wire_list rest = p->early;
        p->early.first = NULL;
        found = false;
        for (struct wire_buffer *e; (e = wire_take_first(&rest));) {
            if (number_in(e) == p->next_in) {
                p->next_in++;
                wire_append(&arrived, e);
                found = true;
            } else {
                wire_append(&p->early, e);
            }
        }
    }
}

static void on_error(void) {
    struct fi_cq_err_entry e = {0};
    if (fi_cq_readerr(fabric.cq, &e, 0) != 1) return;
    struct wire_buffer *b = e.op_context;
    if (e.flags & FI_SEND && b && (is_closing || launch_is_gone(b->thread))) {
        wire_append(&sent, b);
        return;
    }
    if (is_closing || e.err == FI_ECANCELED) return;
    char more[128] = "";
    const char *why = fi_cq_strerror(fabric.cq, e.prov_errno, e.err_data, more, sizeof more);
    char text[256];
    snprintf(text, sizeof text, "%s%s%s", fi_strerror(e.err), why && *why ? ", " : "", why ? why : "");
    die(e.flags & (FI_SEND | FI_RECV) ? "a message" : "an access to another thread's memory", text, e.err);
}

void fabric_progress(void) {
    struct fi_cq_msg_entry done[AT_ONCE];
    int before = errno;
    ssize_t n = fi_cq_read(fabric.cq, done, AT_ONCE);
    for (ssize_t i = 0; i < n; i++) {
        struct wire_buffer *b = done[i].op_context;
        if (done[i].flags & FI_RECV) {
            posted--;
            b->bytes = (int)(done[i].len - sizeof b->head);
            put_in_order(b);
        } else if (done[i].flags & FI_SEND) {
            wire_append(&sent, b);
        } else {
            fabric_completed(b);
        }
    }
    if (n == -FI_EAVAIL)
        on_error();
    else if (n < 0 && n != -FI_EAGAIN && n != -FI_EINTR && !is_closing)
        fabric_failed("completions", (int)n);
    if (waiting.first) send_waiting();
    if (posted < RECEIVES && !is_closing) post_receives();
    errno = before;
}

struct wire_buffer *wire_sent(void) {
    if (!sent.first) fabric_progress();
    return wire_take_first(&sent);
}

struct wire_buffer *wire_receive(void) {
    if (!arrived.first) fabric_progress();
    return wire_take_first(&arrived);
}

void wire_return(struct wire_buffer *b) {
    if (spare_count < SPARE) {
        wire_push(&spare, b);
        spare_count++;
        return;
    }
    struct fid_mr *registered = b->kept;
    if (registered) fi_close(&registered->fid);
    free(b);
}

bool wire_is_gone(int thread) { return launch_is_gone(thread); }
const char *wire_obstacle(void) { return NULL; }

/* ---- start and end ----------------------------------------------------------------------------------------------- */

/* Providers without hardware of their own. */
static bool is_in_software(const char *provider) {
    static const char *const names[] = {"tcp", "net", "udp", "sockets", "shm", "sm2"};
    size_t length = strcspn(provider, ";");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(provider, names[i], length) == 0) return true;
    return false;
}

static bool has_provider(const struct fi_info *info, const char *name) {
    return strcmp(info->fabric_attr->prov_name, name) == 0;
}

/* `from`: an address of this computer, or null. With `is_software` the provider works inside calls only: some say otherwise,
 * and have threads of their own for it, or have none and wait for such a call all the same (tcp of libfabric 2). */
static struct fi_info *ask(uint64_t caps, int mr_mode, const char *from, bool is_software) {
    struct fi_info *hints = fi_allocinfo(), *found = NULL;
    if (!hints) return NULL;
    hints->caps = caps;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
    /* A write is complete when its data are in the target's memory. */
    if (caps & FI_RMA) hints->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
    hints->domain_attr->threading = FI_THREAD_DOMAIN; /* the progress thread and the thread itself take turns */
    hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
    if (is_software) hints->domain_attr->data_progress = hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
    hints->domain_attr->mr_mode = mr_mode;
    if (fi_getinfo(FI_VERSION(1, 11), from, NULL, from ? FI_SOURCE | FI_NUMERICHOST : 0, hints, &found) != 0)
        found = NULL;
    fi_freeinfo(hints);
    return found;
}

static const int modes = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;

/* What of `first`'s provider has most of what is useful. */
static struct fi_info *best_of(const struct fi_info *first, const char *from) {
    struct fi_info *best = NULL;
    static const uint64_t caps[] = {FI_MSG | FI_RMA | FI_ATOMIC, FI_MSG | FI_RMA, FI_MSG};
    for (size_t i = 0; i < sizeof caps / sizeof *caps && !best; i++)
        for (int local = 0; local < 2 && !best; local++) {
            struct fi_info *list =
                ask(caps[i], modes | (local ? FI_MR_LOCAL : 0), from, is_in_software(first->fabric_attr->prov_name));
            for (struct fi_info *p = list; p && !best; p = p->next)
                if (has_provider(p, first->fabric_attr->prov_name)) best = fi_dupinfo(p);
            if (list) fi_freeinfo(list);
        }
    return best;
}

/* Is there a variable of the environment that begins so? */
static bool is_configured(const char *start) {
    for (char **v = environ; *v; v++)
        if (strncmp(*v, start, strlen(start)) == 0) return true;
    return false;
}

/* The provider that libfabric names first; between computers, the first that can reach another one. There, a provider for
 * IP takes the address by which the computers are connected already: the first address of a computer may lead elsewhere.
 * libfabric 1.16 and 1.17 name tcp with ofi_rxm before their new one, net, which became tcp in 1.18. It takes a sixth off the
 * round trip, as it has no layer between. Who has set something of tcp's, or asked for it, gets tcp. */
static struct fi_info *choose(bool is_for_tcp) {
    struct fi_info *list = ask(FI_MSG, modes | FI_MR_LOCAL, NULL, false), *first = list, *best = NULL;
    const char *interface = "FI_TCP_IFACE";
    bool has_others = hosts.count > 1;
    while (first && has_others && has_provider(first, "shm")) first = first->next;
    if (first && has_provider(first, "tcp;ofi_rxm") && !is_for_tcp) {
        struct fi_info *newer = list;
        while (newer && !has_provider(newer, "net")) newer = newer->next;
        if (newer) first = newer;
    }
    if (first && has_provider(first, "net")) interface = "FI_NET_IFACE";
    bool is_said = getenv(interface) && *getenv(interface);
    if (first && has_others && *link_own_address && !is_said) best = best_of(first, link_own_address);
    if (first && !best) best = best_of(first, NULL);
    if (list) fi_freeinfo(list);
    return best;
}

#define MUST(call, what)                                                                                               \
    do {                                                                                                               \
        int failed_ = (int)(call);                                                                                     \
        if (failed_ < 0) cluster_refuse("libfabric: %s: %s\n", what, fi_strerror(-failed_));                           \
    } while (0)

/* The provider ofi_rxm, which is between tcp and us in libfabric 1, moves a message of up to this size in one piece, a larger one
 * by a request, a read and an answer; by default up to 16 KiB. It has that many buffers for each connection. */
static void prepare_libfabric(void) {
    const char *filter = getenv("FI_PROVIDER");
    if (filter && !*filter) unsetenv("FI_PROVIDER"), filter = NULL; /* libfabric would take it for no provider at all */
    bool has_hardware = access("/sys/class/infiniband", F_OK) == 0;
    if (filter ? !strstr(filter, "tcp") : has_hardware) return;
    setenv("FI_OFI_RXM_BUFFER_SIZE", "49152", 0);
    setenv("FI_OFI_RXM_MSG_RX_SIZE", "32", 0);
}
_Static_assert(sizeof(uint64_t) + sizeof((struct wire_buffer *)0)->data < 49152, "a message is one piece");

/* Providers have files for each connection, at most two (tcp over ofi_rxm, while both sides connect), and the program has its own. */
static void make_room_for_files(void) {
    struct rlimit files;
    rlim_t need = 3 * (rlim_t)cluster.threads + 256;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= need) return;
    files.rlim_cur = files.rlim_max < need ? files.rlim_max : need;
    setrlimit(RLIMIT_NOFILE, &files);
}

static void open_endpoint(void) {
    /* Does the environment say something of libfabric's tcp, or of the layer that it has? */
    bool is_for_tcp = is_configured("FI_TCP_") || is_configured("FI_OFI_RXM_");
    prepare_libfabric();
    make_room_for_files();
    fabric.info = choose(is_for_tcp);
    if (!fabric.info) {
        const char *filter = getenv("FI_PROVIDER");
        if (filter && hosts.count > 1 && strcmp(filter, "shm") == 0)
            cluster_refuse("libfabric's provider shm reaches threads of one computer only; choose another one with "
                           "FI_PROVIDER, such as tcp\n");
        cluster_refuse(
            "libfabric has no provider of reliable messages here%s%s; fi_info -t FI_EP_RDM lists those it has\n",
            filter ? " with FI_PROVIDER=" : "", filter ? filter : "");
    }
    struct fi_info *info = fabric.info;
    fabric.is_in_software = is_in_software(info->fabric_attr->prov_name);
    if (info->ep_attr->max_msg_size < sizeof(uint64_t) + sizeof((struct wire_buffer *)0)->data)
        cluster_refuse("libfabric's provider %s carries messages of %zu bytes only; choose another with FI_PROVIDER\n",
                       info->fabric_attr->prov_name, info->ep_attr->max_msg_size);
    info->tx_attr->op_flags = 0; /* delivery is asked for where it matters */
    fabric.is_local_registered = info->domain_attr->mr_mode & FI_MR_LOCAL;
    MUST(fi_fabric(info->fabric_attr, &fabric.fabric, NULL), "fi_fabric");
    MUST(fi_domain(fabric.fabric, info, &fabric.domain, NULL), "fi_domain");
    struct fi_av_attr av = {.type = info->domain_attr->av_type, .count = (size_t)cluster.threads};
    struct fi_cq_attr cq = {.size = COMPLETIONS, .format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_NONE};
    if (av.type == FI_AV_UNSPEC) av.type = FI_AV_TABLE;
    MUST(fi_av_open(fabric.domain, &av, &fabric.av, NULL), "fi_av_open");
    MUST(fi_cq_open(fabric.domain, &cq, &fabric.cq, NULL), "fi_cq_open");
    MUST(fi_endpoint(fabric.domain, info, &fabric.ep, NULL), "fi_endpoint");
    MUST(fi_ep_bind(fabric.ep, &fabric.av->fid, 0), "fi_ep_bind");
    MUST(fi_ep_bind(fabric.ep, &fabric.cq->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
    MUST(fi_enable(fabric.ep), "fi_enable");
}

struct card {
    char provider[32];
    size_t bytes;
    char address[ADDRESS];
};
_Static_assert(sizeof(struct card) <= BOOT_MOST, "there is room");

/* The provider shm maps another's endpoint at the first message to it: here, before there are others. */
static void greet_all(void) {
    int to = 0, left = 0;
    for (int t = 0; t < cluster.threads; t++) left += !cluster_is_near(t);
    for (uint64_t greeting = 0; (to < cluster.threads || left) && launch_lost() < 0;) {
        if (to < cluster.threads &&
            (cluster_is_near(to) || fi_inject(fabric.ep, &greeting, sizeof greeting, fabric.address[to]) == 0)) {
            to++;
            continue;
        }
        struct fi_cq_msg_entry done[AT_ONCE];
        ssize_t n = fi_cq_read(fabric.cq, done, AT_ONCE);
        for (ssize_t i = 0; i < n; i++)
            if (done[i].flags & FI_RECV) {
                posted--, left--;
                wire_return(done[i].op_context);
            }
        post_receives();
        if (n == -FI_EAVAIL) on_error();
        if (n <= 0) sched_yield();
    }
    boot_agree(true);
}

static void meet_others(void) {
    struct card mine = {.bytes = ADDRESS}, *all = malloc((size_t)cluster.threads * sizeof *all);
    fabric.address = malloc((size_t)cluster.threads * sizeof *fabric.address);
    if (!all || !fabric.address) cluster_refuse("no memory for addresses\n");
    snprintf(mine.provider, sizeof mine.provider, "%s", fabric.info->fabric_attr->prov_name);
    MUST(fi_getname(&fabric.ep->fid, mine.address, &mine.bytes), "fi_getname");
    boot_gather(&mine, sizeof mine, all, NULL);
    for (int t = 0; t < cluster.threads; t++) {
        if (strcmp(all[t].provider, mine.provider) != 0)
            cluster_refuse("libfabric chose the provider %s for thread %d and %s for thread %d; choose one with "
                           "FI_PROVIDER\n",
                           mine.provider, cluster.me, all[t].provider, t);
        if (cluster_is_near(t) && t != cluster.me) continue; /* atomics reach the own memory, too */
        int n = fi_av_insert(fabric.av, all[t].address, 1, &fabric.address[t], 0, NULL);
        if (n != 1)
            cluster_refuse("libfabric's provider %s does not take the address of thread %d: %s\n", mine.provider, t,
                           n < 0 ? fi_strerror(-n) : "too many");
    }
    free(all);
    boot_agree(true);
    if (strcmp(mine.provider, "shm") == 0) {
        greet_all();
        /* It has a file for each endpoint, which shall not stay behind if the job is killed. */
        const char *name = strstr(mine.address, "://");
        shm_unlink(name ? name + 3 : mine.address);
    }
}

/* Threads of the provider's own take none of the program's signals, and its handlers take the place of none: shm has some
 * that remove its files. */
void fabric_open(void) {
    static const int taken[] = {SIGSEGV, SIGBUS, SIGTERM, SIGINT, SIGHUP, SIGABRT, SIGFPE, SIGILL, SIGPIPE};
    enum { TAKEN = sizeof taken / sizeof *taken };
    struct sigaction before[TAKEN];
    sigset_t all, mask;
    for (int i = 0; i < TAKEN; i++) sigaction(taken[i], NULL, &before[i]);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    peers = calloc((size_t)cluster.threads, sizeof *peers);
    if (!peers) cluster_refuse("no memory for messages\n");
    open_endpoint();
    for (int i = 0; i < TAKEN; i++) sigaction(taken[i], &before[i], NULL);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    post_receives();
    meet_others();
}

void fabric_close(void) {
    is_closing = true;
    fi_close(&fabric.ep->fid);
    fi_close(&fabric.cq->fid);
    fi_close(&fabric.av->fid);
    fi_close(&fabric.domain->fid);
    fi_close(&fabric.fabric->fid);
}
