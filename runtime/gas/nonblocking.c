/* Contiguous transfers that do not block: with explicit handles, implicit ones, and access regions.
 *
 * A transfer with both sides near is done at once. Implicit transfers add up to one transfer for the puts and one for
 * the gets, which always exist; inside an access region, to one from the pool.
 */
#include "gas/lines.h"
#include "gas/transfer.h"

/* ---- explicit handles -------------------------------------------------------------------------------------------- */

gas_handle gas_put_nb(fathom_ptr dst, const void *src, size_t n) {
    if (fathom_is_near(dst)) {
        fathom_copy_near(fathom_local(dst), src, n);
        return GAS_DONE;
    }
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_put(t, dst, src, n);
    return gas_transfer_handle(t);
}

gas_handle gas_get_nb(void *dst, fathom_ptr src, size_t n) {
    if (fathom_is_near(src)) {
        fathom_copy_near(dst, fathom_local(src), n);
        return GAS_DONE;
    }
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_get(t, dst, src, n);
    return gas_transfer_handle(t);
}

gas_handle gas_copy_nb(fathom_ptr dst, fathom_ptr src, size_t n) {
    if (fathom_is_near(dst) && fathom_is_near(src)) {
        fathom_copy_near(fathom_local(dst), fathom_local(src), n);
        return GAS_DONE;
    }
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_copy(t, dst, src, n);
    return gas_transfer_handle(t);
}

gas_handle gas_fill_nb(fathom_ptr dst, int c, size_t n) {
    if (fathom_is_near(dst)) {
        memset(fathom_local(dst), c, n);
        return GAS_DONE;
    }
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_fill(t, dst, c, n);
    return gas_transfer_handle(t);
}

gas_handle gas_put_value_nb(fathom_ptr dst, uint64_t value, size_t n) {
    if (fathom_is_near(dst)) {
        gas_put_value(dst, value, n);
        return GAS_DONE;
    }
    struct gas_transfer *t = gas_transfer_new();
    gas_transfer_put_value(t, dst, value, n);
    return gas_transfer_handle(t);
}

/* ---- implicit handles -------------------------------------------------------------------------------------------- */

static struct gas_transfer all_puts, all_gets;
static struct gas_transfer *puts_here = &all_puts, *gets_here = &all_gets; /* or both the region's */
static bool in_region;

void gas_put_nbi(fathom_ptr dst, const void *src, size_t n) {
    if (fathom_is_near(dst))
        fathom_copy_near(fathom_local(dst), src, n);
    else
        gas_transfer_put(puts_here, dst, src, n);
}

void gas_get_nbi(void *dst, fathom_ptr src, size_t n) {
    if (fathom_is_near(src))
        fathom_copy_near(dst, fathom_local(src), n);
    else
        gas_transfer_get(gets_here, dst, src, n);
}

void gas_copy_nbi(fathom_ptr dst, fathom_ptr src, size_t n) {
    if (fathom_is_near(dst) && fathom_is_near(src))
        fathom_copy_near(fathom_local(dst), fathom_local(src), n);
    else
        gas_transfer_copy(puts_here, dst, src, n);
}

void gas_fill_nbi(fathom_ptr dst, int c, size_t n) {
    if (fathom_is_near(dst))
        memset(fathom_local(dst), c, n);
    else
        gas_transfer_fill(puts_here, dst, c, n);
}

void gas_put_value_nbi(fathom_ptr dst, uint64_t value, size_t n) {
    if (fathom_is_near(dst))
        gas_put_value(dst, value, n);
    else
        gas_transfer_put_value(puts_here, dst, value, n);
}

static bool is_idle(const struct gas_transfer *t) { return !t->answers && !t->parts && !t->has_notes; }

void gas_sync_puts(void) {
    gas_transfer_wait(&all_puts);
    gas_lines_forget(); /* what was fetched during the transfers may have bytes from before them */
}
void gas_sync_gets(void) {
    gas_transfer_wait(&all_gets);
    conduit_burst++;
}

void gas_sync(void) {
    if (!is_idle(&all_puts)) gas_sync_puts();
    if (!is_idle(&all_gets)) gas_sync_gets();
    conduit_burst++;
}

int gas_test_puts(void) {
    gas_lines_forget();
    if (gas_transfer_done(&all_puts)) return 1;
    core_poll();
    return gas_transfer_done(&all_puts);
}

int gas_test_gets(void) {
    if (gas_transfer_done(&all_gets)) return 1;
    core_poll();
    return gas_transfer_done(&all_gets);
}

int gas_test_implicit(void) {
    bool puts = gas_test_puts(); /* both pushed on */
    return gas_test_gets() && puts;
}

/* ---- access regions ---------------------------------------------------------------------------------------------- */

void gas_region_begin(void) {
    if (in_region) core_fatal("gas_region_begin: the access region begun before has not ended");
    in_region = true;
    puts_here = gets_here = gas_transfer_new();
}

gas_handle gas_region_end(void) {
    if (!in_region) core_fatal("gas_region_end: no access region has begun");
    in_region = false;
    struct gas_transfer *t = puts_here;
    puts_here = &all_puts;
    gets_here = &all_gets;
    return gas_transfer_handle(t);
}
