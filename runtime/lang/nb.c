/* Non-blocking transfers: upc_nb.h (UPC 1.3, 7.9) and the bupc_ names that came before it.
 *
 * A handle of either kind is one of gas; what gas completes at once, as it does near data, has UPC_COMPLETE_HANDLE.
 * Handles are passed by value, so that here a mistake can be named before gas meets it.
 */
#include "upc_nb.h"

#include "bupc_extensions.h"
#include "gas.h"

upc_handle_t upc_memcpy_nb(fathom_pptr dst, fathom_pptr src, size_t n) { return gas_copy_nb(dst.addr, src.addr, n); }
upc_handle_t upc_memget_nb(void *dst, fathom_pptr src, size_t n) { return gas_get_nb(dst, src.addr, n); }
upc_handle_t upc_memput_nb(fathom_pptr dst, const void *src, size_t n) { return gas_put_nb(dst.addr, src, n); }
upc_handle_t upc_memset_nb(fathom_pptr dst, int c, size_t n) { return gas_fill_nb(dst.addr, c, n); }

void upc_memcpy_nbi(fathom_pptr dst, fathom_pptr src, size_t n) { gas_copy_nbi(dst.addr, src.addr, n); }
void upc_memget_nbi(void *dst, fathom_pptr src, size_t n) { gas_get_nbi(dst, src.addr, n); }
void upc_memput_nbi(fathom_pptr dst, const void *src, size_t n) { gas_put_nbi(dst.addr, src, n); }
void upc_memset_nbi(fathom_pptr dst, int c, size_t n) { gas_fill_nbi(dst.addr, c, n); }

static void check_handle(const char *function, upc_handle_t handle) {
    if (!gas_is_handle(handle))
        gas_fatal("%s: %p is not the handle of a transfer that this thread began (UPC 1.3, 7.9.3 p3) and has not "
                  "synchronised yet (p5)",
                  function, (void *)handle);
}

int upc_sync_attempt(upc_handle_t handle) {
    check_handle("upc_sync_attempt", handle);
    return gas_test(&handle);
}

void upc_sync(upc_handle_t handle) {
    check_handle("upc_sync", handle);
    gas_wait(&handle);
}

int upc_synci_attempt(void) { return gas_test_implicit(); }
void upc_synci(void) { gas_sync(); }

/* ---- the bupc_ names --------------------------------------------------------------------------------------------- */

bupc_handle_t bupc_memcpy_async(fathom_pptr dst, fathom_pptr src, size_t n) { return upc_memcpy_nb(dst, src, n); }
bupc_handle_t bupc_memget_async(void *dst, fathom_pptr src, size_t n) { return upc_memget_nb(dst, src, n); }
bupc_handle_t bupc_memput_async(fathom_pptr dst, const void *src, size_t n) { return upc_memput_nb(dst, src, n); }
bupc_handle_t bupc_memset_async(fathom_pptr dst, int c, size_t n) { return upc_memset_nb(dst, c, n); }
void bupc_memcpy_asynci(fathom_pptr dst, fathom_pptr src, size_t n) { upc_memcpy_nbi(dst, src, n); }
void bupc_memget_asynci(void *dst, fathom_pptr src, size_t n) { upc_memget_nbi(dst, src, n); }
void bupc_memput_asynci(fathom_pptr dst, const void *src, size_t n) { upc_memput_nbi(dst, src, n); }
void bupc_memset_asynci(fathom_pptr dst, int c, size_t n) { upc_memset_nbi(dst, c, n); }

void bupc_waitsync(bupc_handle_t h) {
    check_handle("bupc_waitsync", h);
    gas_wait(&h);
}

int bupc_trysync(bupc_handle_t h) {
    check_handle("bupc_trysync", h);
    return gas_test(&h);
}

static void check_handles(const char *function, const bupc_handle_t *ph, size_t n) {
    if (!ph && n) gas_fatal("%s: a null array of %zu handles", function, n);
    for (size_t i = 0; i < n; i++) check_handle(function, ph[i]);
}

void bupc_waitsync_all(bupc_handle_t *ph, size_t n) {
    check_handles("bupc_waitsync_all", ph, n);
    gas_wait_all(ph, n);
}

void bupc_waitsync_some(bupc_handle_t *ph, size_t n) {
    check_handles("bupc_waitsync_some", ph, n);
    gas_wait_some(ph, n);
}

int bupc_trysync_all(bupc_handle_t *ph, size_t n) {
    check_handles("bupc_trysync_all", ph, n);
    return gas_test_all(ph, n);
}

/* 1 too if all were complete before. */
int bupc_trysync_some(bupc_handle_t *ph, size_t n) {
    check_handles("bupc_trysync_some", ph, n);
    if (gas_test_some(ph, n)) return 1;
    for (size_t i = 0; i < n; i++)
        if (ph[i] != BUPC_COMPLETE_HANDLE) return 0;
    return 1;
}

void bupc_waitsynci(void) { gas_sync(); }
int bupc_trysynci(void) { return gas_test_implicit(); }

void bupc_begin_accessregion(void) { gas_region_begin(); }
bupc_handle_t bupc_end_accessregion(void) { return gas_region_end(); }
