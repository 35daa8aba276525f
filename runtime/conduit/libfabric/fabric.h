/* What the files of conduit libfabric share. Threads are forked (conduit/launch), on one computer or on several (hosts.h);
 * conduit/cluster makes messages of the wire, which is an endpoint of libfabric (FI_EP_RDM) in each process. */
#ifndef CONDUIT_LIBFABRIC_FABRIC_H
#define CONDUIT_LIBFABRIC_FABRIC_H

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include "conduit/cluster/cluster.h"

struct fabric {
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    struct fid_ep *ep;
    struct fid_mr *segment;   /* null: no operations on memory, which messages replace */
    fi_addr_t *address;       /* by thread, of those that are far */
    bool is_in_software;      /* the provider has no hardware that reaches memory */
    bool is_local_registered; /* the provider demands it of local memory (FI_MR_LOCAL) */
};
extern struct fabric fabric;
extern size_t fabric_segment_bytes;

/* ---- boot.c: what processes tell each other before and after there are messages ---------------------------------- */

enum { BOOT_MOST = 320 };       /* bytes */
void boot_prepare(int threads); /* before the fork */
/* The `bytes` bytes of each thread, in the order of their numbers. Collective. Calls `idle` while it waits. False: a thread
 * has ended without a word, and does not take part any more. */
bool boot_gather(const void *mine, size_t bytes, void *all, int (*idle)(bool replies_only));
bool boot_agree(bool mine); /* do all say so? */
/* For the supervisor of one of several computers. Once all threads here have arrived in a round: the bytes of a row, and
 * their rows (of malloc); else 0. Then the rows of all threads end the round. */
size_t boot_take(char **rows);
void boot_give(const char *all, size_t bytes);

/* ---- wire.c ------------------------------------------------------------------------------------------------------ */

/* Opens an endpoint and learns those of the others. Collective, as all that follows. */
void fabric_open(void);
void fabric_close(void);
/* Takes what has completed. */
void fabric_progress(void);
/* A completion of an operation on memory, for fabric_completed. */
void fabric_completed(void *context);
/* Something of libfabric failed: says so and ends the job. */
_Noreturn void fabric_failed(const char *what, int error);

/* The descriptor of local memory for an operation; *made is a registration that ends with it, or null. */
void *fabric_local(const void *at, size_t bytes, struct fid_mr **made);

/* ---- start.c ----------------------------------------------------------------------------------------------------- */

bool fabric_is_here(int thread);

/* ---- neighbours.c: the other threads of this computer that are not near -------------------------------------------- */

/* Before the fork: memory for the messages between the sets of this computer. False: there is none. */
bool neighbours_prepare(int sets, bool wanted);
bool neighbours_have_queues(void);
void neighbours_map(int fd, bool huge); /* the file of this computer's segments */
void neighbours_start(bool wanted);     /* collective */
bool neighbours_are_in_use(void);
bool neighbours_reach(int thread);
/* To or from memory of such a thread: complete when it returns. A word of 2 to 16 bytes is moved whole. */
void neighbours_copy(bool is_put, uint64_t at, void *mine, size_t bytes);

/* ---- rma.c ------------------------------------------------------------------------------------------------------- */

extern struct conduit_overrides fabric_overrides; /* more once there are operations on memory */
bool fabric_read_wish(void); /* of FATHOM_LIBFABRIC_RMA; false: everything between sets shall go through libfabric */
void fabric_memory_start(void);
void fabric_memory_stop(void);

#endif
