/* Elements at places of their own, one after the other. */
#ifndef GAS_GATHER_H
#define GAS_GATHER_H

#include "gas/handle.h"
#include "lang/strip.h"

/* Fetches n elements of `size` bytes to `to`. Inside the gate. */
void gas_gather_get(char *to, const fathom_ptr *places, size_t size, size_t n);

extern unsigned long gas_gather_requests;
/* A loop that gathers is opened: are its elements worth the copies, or were they all near, time after time? */
bool gas_gather_pays(const void *loop);
/* The loop that was opened last has fetched something far, or may have. */
void gas_gather_paid(void);

/* Places that follow each other in memory. */
struct gas_run {
    fathom_ptr from;
    size_t count; /* elements */
};
/* The runs of n places, none of which may be null, if they are few and long; 0 otherwise. They stay until the next question. */
size_t gas_gather_runs(const fathom_ptr *places, size_t size, size_t n, const struct gas_run **runs);

/* May this loop fetch ahead (sites.c)? It is known by the place where it is opened. */
bool gas_site_is_admitted(const void *loop);
void gas_sites_start(long limit); /* negative: none */
/* Lists of loops that gather (kept.c): as many bytes may be kept, or 0: the usual; and is every table to be fetched as a whole? */
void gas_kept_start(size_t bytes, bool is_forced);

/* Private memory that a loop reads (lang/fetch.h): is it surely not among that of the gathers? */
bool gas_strip_loads(const struct fathom_strip *s, const volatile char *from, long bytes);

/* A table whose element 0 is the one that a loop's index 0 reads (strip.c). */
struct fathom_slot gas_strip_table(fathom_ptr start, unsigned long phase, unsigned long block, unsigned long size);
/* Elements first to first + n - 1 of it, one after the other; they stay until another loop begins. Inside the gate. */
const void *gas_strip_whole(const struct fathom_slot *table, long first, long n);
fathom_ptr gas_strip_place(const struct fathom_slot *table, long element);
/* The number of the element at a place of the table. */
long gas_strip_element(const struct fathom_slot *table, fathom_ptr place);

#endif
