/* Message passing with strict flags: messages go around a ring of threads, each through a mailbox of SLOTS messages.
 *
 * A mailbox belongs to the thread that reads it; only its left neighbour writes to it. The message itself is written
 * and read by relaxed accesses, which the compiler and the machine may reorder as they like. The counters are strict:
 * nothing moves across an access to them. So whoever sees `sent` grow sees the whole message, and whoever sees
 * `taken` grow knows that the slot may be overwritten. No lock is needed.
 */
#include <stdio.h>
#include <upc_relaxed.h>

#define SLOTS 4
#define LENGTH 16
#define MESSAGES 2000

struct message {
    long number;
    long body[LENGTH];
};
shared [SLOTS] struct message box[SLOTS * THREADS];
strict shared long sent[THREADS];  /* messages put into the mailbox of each thread */
strict shared long taken[THREADS]; /* and taken out of it */

static void send(int to, const struct message *m) {
    long n = sent[to];
    while (n - taken[to] == SLOTS) upc_poll(); /* full */
    upc_memput(&box[to * SLOTS + n % SLOTS], m, sizeof *m);
    sent[to] = n + 1;
}

static void receive(struct message *m) {
    long n = taken[MYTHREAD];
    while (sent[MYTHREAD] == n) upc_poll(); /* empty */
    upc_memget(m, &box[MYTHREAD * SLOTS + n % SLOTS], sizeof *m);
    taken[MYTHREAD] = n + 1;
}

int main(void) {
    int right = (MYTHREAD + 1) % THREADS;
    struct message m;

    /* Thread 0 starts each message; every other thread adds its number to the body and passes it on. */
    for (long k = 0; k < MESSAGES; k++) {
        if (MYTHREAD == 0) {
            m.number = k;
            for (int j = 0; j < LENGTH; j++) m.body[j] = k * j;
            send(right, &m);
        }
        receive(&m);
        if (m.number != k) upc_global_exit(1); /* in order, none lost */
        if (MYTHREAD != 0) {
            for (int j = 0; j < LENGTH; j++) m.body[j] += MYTHREAD;
            send(right, &m);
        } else
            for (int j = 0; j < LENGTH; j++)
                if (m.body[j] != k * j + THREADS * (THREADS - 1) / 2) upc_global_exit(2);
    }
    upc_barrier;
    if (MYTHREAD == 0) printf("%d messages went around %d threads\n", MESSAGES, THREADS);
    return 0;
}
