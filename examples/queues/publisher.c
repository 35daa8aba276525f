/* A publisher with 100 subscribers, each a process: one copy of the data, a header for each subscriber.
 *
 *     cc -O2 examples/queues/publisher.c $(pkg-config --cflags --libs fathom-msg) -o publisher && ./publisher
 *
 * An update is written once, into the publisher's region; Tag-On sends each subscriber a header that refers to it, so
 * another subscriber costs one atomic operation and no copy. All subscribers read the same memory, and cannot write it. A place in
 * the region is used again when all have released what lay there.
 */
#include <msg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SUBSCRIBERS = 100, UPDATES = 100, VALUES = 64, PLACES = 8, PATIENCE_MS = 30000 };

struct update {
    uint64_t number, value[VALUES];
    char fill[64 - sizeof(uint64_t)]; /* whole lines */
};
_Static_assert(sizeof(struct update) % 64 == 0, "data begin at a multiple of 64");

static void *must(void *made) {
    if (!made) {
        fprintf(stderr, "publisher: %s\n", msg_error());
        exit(1);
    }
    return made;
}

static uint64_t value_of(uint64_t update, uint64_t i) { return update * update + i; }

/* Takes all updates; the status says whether each was whole and in its turn. */
static int subscribe(msg_endpoint *endpoint, msg_queue *inbox) {
    msg_set set;
    msg_message m;
    msg_set_init(&set, endpoint);
    msg_set_add(&set, inbox);
    for (uint64_t k = 0; k < UPDATES; k++) {
        if (!msg_wait(&set, &m, PATIENCE_MS) || m.kind != MSG_DATA || m.bytes != sizeof(struct update)) return 1;
        const struct update *u = m.data;
        int wrong = u->number != k || m.word != k;
        for (uint64_t i = 0; i < VALUES; i++) wrong |= u->value[i] != value_of(k, i);
        msg_release(inbox, &m);
        if (wrong) return 1;
    }
    return 0;
}

int main(void) {
    msg_endpoint *publisher = must(msg_endpoint_create());
    msg_transmit *out = must(msg_transmit_create(publisher, 0, SUBSCRIBERS, 0));
    msg_region *region = must(msg_region_create(out, PLACES * sizeof(struct update)));
    struct update *place = msg_region_memory(region);
    for (unsigned s = 0; s < SUBSCRIBERS; s++) {
        msg_endpoint *endpoint = must(msg_endpoint_create());
        msg_queue *inbox = must(msg_queue_create(endpoint, 0, 0, 0));
        if (msg_connect(out, s, inbox, 1) != MSG_OK) must(NULL);
        if (fork() == 0) _exit(subscribe(endpoint, inbox));
        msg_endpoint_close(endpoint); /* it is the child's */
    }
    static uint64_t ticket[PLACES][SUBSCRIBERS];
    long written = 0, sent = 0;
    for (uint64_t k = 0; k < UPDATES; k++) {
        struct update *u = &place[k % PLACES];
        for (unsigned s = 0; k >= PLACES && s < SUBSCRIBERS; s++)
            while (!msg_is_released(out, s, ticket[k % PLACES][s])) usleep(50);
        u->number = k;
        for (uint64_t i = 0; i < VALUES; i++) u->value[i] = value_of(k, i);
        written++;
        for (unsigned s = 0; s < SUBSCRIBERS; s++) {
            int status;
            while ((status = msg_tag_on(out, s, 0, (uint32_t)k, u, sizeof *u, &ticket[k % PLACES][s])) == MSG_FULL)
                msg_wait_for_room(out, s, -1);
            if (status != MSG_OK) {
                fprintf(stderr, "publisher: subscriber %u: status %d\n", s, status);
                return 1;
            }
            sent++;
        }
    }
    int status, bad = 0;
    while (wait(&status) > 0) bad |= status;
    printf("%ld updates of %zu bytes written, %ld taken by %d subscribers\n", written, sizeof(struct update), sent,
           SUBSCRIBERS);
    msg_endpoint_close(publisher);
    return bad != 0;
}
