/* A server with 16 clients, each a process: requests and replies by message queues.
 *
 *     cc -O2 examples/queues/server.c $(pkg-config --cflags --libs fathom-msg) -o server && ./server
 *
 * All clients send to one queue of the server. The source of a request is the row of the server's table that leads back to
 * its client, so the server answers without knowing its clients; nobody can send under another's name, and no client
 * reaches another one. The server sleeps while there is nothing to do.
 */
#include <msg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLIENTS = 16, REQUESTS = 1000, PATIENCE_MS = 30000 };
enum tag { PRIME, NOT_PRIME, END };

struct client {
    msg_endpoint *endpoint;
    msg_queue *replies;
    msg_transmit *requests;
};

static void *must(void *made) {
    if (!made) {
        fprintf(stderr, "server: %s\n", msg_error());
        exit(1);
    }
    return made;
}
static void connect_or_end(msg_transmit *from, unsigned row, msg_queue *to, unsigned source) {
    if (msg_connect(from, row, to, source) != MSG_OK) must(NULL);
}

static int is_prime(uint64_t n) {
    for (uint64_t d = 2; d * d <= n; d++)
        if (n % d == 0) return 0;
    return n > 1;
}

/* Asks for numbers of its own and counts the primes; its status says whether every reply was about what it asked. */
static int ask(const struct client *me, unsigned number) {
    msg_set set;
    msg_message reply;
    msg_set_init(&set, me->endpoint);
    msg_set_add(&set, me->replies);
    for (uint64_t i = 0; i < REQUESTS; i++) {
        uint64_t asked = i * CLIENTS + number;
        if (msg_express(me->requests, 0, PRIME, asked) != MSG_OK) return 1;
        if (!msg_wait(&set, &reply, PATIENCE_MS) || reply.word != asked) return 1;
        if ((reply.tag == PRIME) != is_prime(asked)) return 1;
    }
    return msg_express(me->requests, 0, END, 0) != MSG_OK;
}

int main(void) {
    msg_endpoint *server = must(msg_endpoint_create());
    msg_queue *inbox = must(msg_queue_create(server, 0, 0, 0));
    msg_transmit *replies = must(msg_transmit_create(server, 0, CLIENTS, 0));

    /* Before the fork the rows are made; afterwards each process uses its own endpoint. */
    static struct client client[CLIENTS];
    for (unsigned c = 0; c < CLIENTS; c++) {
        client[c].endpoint = must(msg_endpoint_create());
        client[c].replies = must(msg_queue_create(client[c].endpoint, 0, 0, 0));
        client[c].requests = must(msg_transmit_create(client[c].endpoint, 0, 1, 0));
        connect_or_end(client[c].requests, 0, inbox, c);
        connect_or_end(replies, c, client[c].replies, 0);
    }
    for (unsigned c = 0; c < CLIENTS; c++)
        if (fork() == 0) _exit(ask(&client[c], c));

    msg_set set;
    msg_message request;
    long served = 0, primes = 0;
    msg_set_init(&set, server);
    msg_set_add(&set, inbox);
    for (int clients = CLIENTS; clients > 0;) {
        if (!msg_wait(&set, &request, PATIENCE_MS)) {
            fprintf(stderr, "server: no request in %d ms\n", PATIENCE_MS);
            return 1;
        }
        if (request.tag == END) {
            clients--;
            continue;
        }
        int found = is_prime(request.word);
        while (msg_express(replies, request.source, found ? PRIME : NOT_PRIME, request.word) == MSG_FULL)
            msg_wait_for_room(replies, request.source, -1);
        served++;
        primes += found;
    }
    int status, bad = 0;
    while (wait(&status) > 0) bad |= status;
    printf("%ld requests of %d clients served, %ld primes\n", served, CLIENTS, primes);
    msg_endpoint_close(server);
    return bad != 0;
}
