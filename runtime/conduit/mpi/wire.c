/* The wire of conduit mpi: point-to-point messages of MPI. A message is sent from its buffer (MPI_Isend): the data, and the
 * mark as a trailer; the tag is MPI's. A thread has a row of receives posted, for messages from anybody, and looks at the
 * oldest: MPI matches in the order of posting, so messages of a pair are taken in the order of sending. conduit/cluster
 * bounds the number of sends under way, and of messages that MPI keeps.
 *
 * The latency of a short message depends on two things. (1) Its size: Open MPI sends up to 10 bytes in half a cache line;
 * 11 need a full line and cost 90 ns more per round trip, so the trailer is two bytes and the rest is in the tag.
 * (2) Receives are persistent requests, posted again only when there is nothing else to do.
 */
#include <stdlib.h>
#include <string.h>

#include "conduit/cluster/cluster.h"
#include "conduit/mpi/ranks.h"

enum { POSTED = 32, SPARE = 128 }; /* receives; more that are kept after a flood, of 33 KB each */

static MPI_Comm comm;
static struct wire_list sending, posted; /* oldest first */
static int posted_count;
static struct wire_buffer *spare; /* for receives */
static int spare_count;

/* A send under way; or a receive made for this buffer, posted or not. */
static MPI_Request *request_of(struct wire_buffer *b) { return (MPI_Request *)b->own; }
_Static_assert(sizeof(MPI_Request) <= sizeof((struct wire_buffer *)0)->own, "there is room");

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static bool is_sent(struct wire_buffer *b) {
    int done;
    MPI_Test(request_of(b), &done, MPI_STATUS_IGNORE);
    return done;
}

bool wire_send(struct wire_buffer *b) {
    memcpy(b->data + b->bytes, &b->mark, sizeof b->mark);
    MPI_Isend(b->data, b->bytes + (int)sizeof b->mark, MPI_BYTE, b->thread, b->tag, comm, request_of(b));
    if (is_sent(b)) return true;
    wire_append(&sending, b);
    return false;
}

struct wire_buffer *wire_sent(void) {
    return sending.first && is_sent(sending.first) ? wire_take_first(&sending) : NULL;
}

/* ---- receiving --------------------------------------------------------------------------------------------------- */

static void post_receives(void) {
    for (; posted_count < POSTED; posted_count++) {
        struct wire_buffer *b = spare;
        if (b) {
            spare = b->next;
            spare_count--;
        } else {
            b = wire_pop(&spare);
            MPI_Recv_init(b->data, sizeof b->data, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, request_of(b));
        }
        MPI_Start(request_of(b));
        wire_append(&posted, b);
    }
}

struct wire_buffer *wire_receive(void) {
    MPI_Status status;
    int arrived;
    MPI_Test(request_of(posted.first), &arrived, &status);
    if (!arrived) {
        post_receives();
        return NULL;
    }
    struct wire_buffer *b = wire_take_first(&posted);
    if (--posted_count < POSTED / 2) post_receives();
    b->thread = status.MPI_SOURCE;
    b->tag = (uint16_t)status.MPI_TAG;
    MPI_Get_count(&status, MPI_BYTE, &b->bytes);
    b->bytes -= (int)sizeof b->mark;
    memcpy(&b->mark, b->data + b->bytes, sizeof b->mark);
    return b;
}

void wire_return(struct wire_buffer *b) {
    if (spare_count < SPARE) {
        wire_push(&spare, b);
        spare_count++;
        return;
    }
    MPI_Request_free(request_of(b));
    free(b);
}

/* A process that has ended ends the job (end.c), so that a message to nobody needs no notice here. */
bool wire_is_gone(int thread) {
    (void)thread;
    return false;
}

const char *wire_obstacle(void) {
    int level;
    MPI_Query_thread(&level);
    if (level >= MPI_THREAD_SERIALIZED) return NULL;
    return "this MPI can be called by one POSIX thread of a process only (MPI_THREAD_SERIALIZED is not granted)";
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

void ranks_wire_start(void) {
    if (cluster.groups == 1) return;
    MPI_Comm_dup(ranks.all, &comm);
    post_receives();
}

void ranks_wire_stop(void) {
    if (cluster.groups == 1) return;
    for (struct wire_buffer *b; (b = wire_take_first(&posted));) {
        MPI_Cancel(request_of(b));
        MPI_Wait(request_of(b), MPI_STATUS_IGNORE);
        wire_push(&spare, b);
    }
    for (; spare; spare = spare->next) MPI_Request_free(request_of(spare));
    for (struct wire_buffer *b; (b = wire_take_first(&sending));) MPI_Wait(request_of(b), MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}
