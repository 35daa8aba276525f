/* A job on several computers: which threads each has (hosts.c), how the others are started and their output comes back
 * (agents.c), the connections between their supervisors (link.c), and what those tell each other (computers.c). */
#ifndef CONDUIT_LIBFABRIC_HOSTS_H
#define CONDUIT_LIBFABRIC_HOSTS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- hosts.c: FATHOM_HOSTS --------------------------------------------------------------------------------------- */

struct host {
    char *name;
    int first, threads;
};
struct hosts {
    int count, mine; /* computers; which of them this one is, 0: the one where the program was started */
    struct host *of;
};
extern struct hosts hosts;

/* Deals out the threads, `wanted` of them if that is not 0. Returns the number of threads of the job. */
int hosts_deal(int wanted, int mine);
/* Complains where the first computer is not this one. */
void hosts_check_first(void);

/* ---- link.c: connections between the first supervisor and the others --------------------------------------------- */

enum {
    LINK_SECRET = 16,
    LINK_JOIN_MS = 120000 /* what computers have to start the program and to connect */
};

/* What they tell each other. */
enum link_kind {
    LINK_LEAST = 1, /* before the threads are forked: a number, and then the least of all */
    LINK_FAILS,     /* likewise: a message; the start fails */
    LINK_ROWS,      /* of boot.c: those of a computer's threads, and then those of all */
    LINK_END,       /* the job ends with status a; by signal b, if it is not 0 */
    LINK_LOST,      /* thread a has ended without a word */
    LINK_DONE,      /* threads that have terminated: their numbers */
    LINK_CLAIM,     /* may a thread say why the job ends? And then: a */
    LINK_SIGNAL,    /* a, for all threads */
    LINK_GONE       /* all threads of the computer have ended normally, with status a */
};
struct link_frame {
    uint32_t kind, bytes;
    int64_t a, b;
    char payload[];
};
enum link_state { LINK_OPEN, LINK_CLOSED, LINK_CUT };
struct link {
    int fd; /* -1: none */
    enum link_state state;
    bool is_mute; /* part of a frame could not be sent */
    char *in;     /* what has come */
    size_t taken, have, room;
};

/* On the first computer: a socket that listens, and where; then lets in who knows the secret, and gives its number, or 0
 * if nobody has come within `ms` milliseconds. */
void link_listen(void);
int link_port(void);
/* Addresses of this computer, at most `most`, as text; the first one is that by which packets to `host` leave. */
int link_addresses(char (*text)[INET6_ADDRSTRLEN], int most, const char *host);
int link_accept(struct link *of, const unsigned char secret[LINK_SECRET], int ms);
void link_stop_listening(void);
/* On the others: connects to the first one. False: no address answers. */
bool link_join(struct link *l, const unsigned char secret[LINK_SECRET], int mine, char *const *addresses, int port);
/* By which address of this computer the others are reached; "" before. */
extern char link_own_address[INET6_ADDRSTRLEN];

/* Sends all of it, in bounded time; else the state says so. */
void link_send(struct link *l, enum link_kind kind, int64_t a, int64_t b, const void *payload, size_t bytes);
/* The next frame that has come, which is valid until the next call; or null, and the state may have changed. */
const struct link_frame *link_next(struct link *l);
/* Before this process ends: waits, in bounded time, until the other side's kernel has what was sent. */
void link_finish(struct link *l);
void link_close(struct link *l);

/* ---- agents.c ---------------------------------------------------------------------------------------------------- */

/* Starts the program on the other computers, each by a command. */
void agents_start(const unsigned char secret[LINK_SECRET], int threads);
/* If the command of a computer has ended: true, with its status as waitpid gives it. */
bool agents_has_ended(int computer, int *wait_status);
/* Is it stopped because it asks at the terminal, for a password perhaps? It is not in the foreground there. */
bool agents_is_asking(int computer);
/* A child of this process has ended, which others have reaped. */
void agents_reaped(pid_t pid, int wait_status);
const char *agents_command(void);
/* Reads what they print, and keeps it: before there is somebody to print it, nobody shall have to wait for that. */
void agents_listen(void);
/* A process that prints what the others print, by whole lines. */
void agents_print(void);
/* In a thread: closes what it has of this. */
void agents_forked(void);
/* Waits until the commands have ended, `ms` milliseconds, then ends them; those of computers that are lost, at once. Then
 * everything is printed. */
void agents_end(int ms, bool (*is_lost)(int computer));
enum { AGENT_HAS_SAID = 125 }; /* a status: there has been a message */

/* ---- computers.c ------------------------------------------------------------------------------------------------- */

/* Starts the other computers, or joins the first one. Returns the number of threads of the job. */
int computers_start(int wanted);
/* Of all computers. */
size_t computers_least(size_t mine);
/* The threads are about to be forked. */
void computers_spawn(void);

#endif
