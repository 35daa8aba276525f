/* Non-blocking transfers: upc_nb.h (UPC 1.3, 7.9) and the bupc_ names that came before it.
 *
 * gas moves data before it returns, which 7.9.2 allows: every initiation answers UPC_COMPLETE_HANDLE, and no transfer is
 * ever pending. Synchronising therefore only checks that the handle is that one.
 */
#include "upc_nb.h"

#include "bupc_extensions.h"
#include "gas.h"

upc_handle_t upc_memcpy_nb(fathom_pptr dst, fathom_pptr src, size_t n) {
    gas_copy(dst.addr, src.addr, n);
    return UPC_COMPLETE_HANDLE;
}

upc_handle_t upc_memget_nb(void *dst, fathom_pptr src, size_t n) {
    gas_get(dst, src.addr, n);
    return UPC_COMPLETE_HANDLE;
}

upc_handle_t upc_memput_nb(fathom_pptr dst, const void *src, size_t n) {
    gas_put(dst.addr, src, n);
    return UPC_COMPLETE_HANDLE;
}

upc_handle_t upc_memset_nb(fathom_pptr dst, int c, size_t n) {
    gas_fill(dst.addr, c, n);
    return UPC_COMPLETE_HANDLE;
}

void upc_memcpy_nbi(fathom_pptr dst, fathom_pptr src, size_t n) { gas_copy(dst.addr, src.addr, n); }
void upc_memget_nbi(void *dst, fathom_pptr src, size_t n) { gas_get(dst, src.addr, n); }
void upc_memput_nbi(fathom_pptr dst, const void *src, size_t n) { gas_put(dst.addr, src, n); }
void upc_memset_nbi(fathom_pptr dst, int c, size_t n) { gas_fill(dst.addr, c, n); }

static void check_handle(const char *function, upc_handle_t handle) {
    if (handle != UPC_COMPLETE_HANDLE)
        gas_fatal("%s: %p is not the handle of a transfer that this thread began (UPC 1.3, 7.9.3 p3)", function,
                  (void *)handle);
}

int upc_sync_attempt(upc_handle_t handle) {
    check_handle("upc_sync_attempt", handle);
    gas_poll();
    return 1;
}

void upc_sync(upc_handle_t handle) { check_handle("upc_sync", handle); }

int upc_synci_attempt(void) {
    gas_poll();
    return 1;
}

void upc_synci(void) {}

/* ---- the bupc_ names ------------------------------------------------------------------------------------------- */

bupc_handle_t bupc_memcpy_async(fathom_pptr dst, fathom_pptr src, size_t n) { return upc_memcpy_nb(dst, src, n); }
bupc_handle_t bupc_memget_async(void *dst, fathom_pptr src, size_t n) { return upc_memget_nb(dst, src, n); }
bupc_handle_t bupc_memput_async(fathom_pptr dst, const void *src, size_t n) { return upc_memput_nb(dst, src, n); }
bupc_handle_t bupc_memset_async(fathom_pptr dst, int c, size_t n) { return upc_memset_nb(dst, c, n); }
void bupc_memcpy_asynci(fathom_pptr dst, fathom_pptr src, size_t n) { upc_memcpy_nbi(dst, src, n); }
void bupc_memget_asynci(void *dst, fathom_pptr src, size_t n) { upc_memget_nbi(dst, src, n); }
void bupc_memput_asynci(fathom_pptr dst, const void *src, size_t n) { upc_memput_nbi(dst, src, n); }
void bupc_memset_asynci(fathom_pptr dst, int c, size_t n) { upc_memset_nbi(dst, c, n); }

void bupc_waitsync(bupc_handle_t h) { check_handle("bupc_waitsync", h); }

int bupc_trysync(bupc_handle_t h) {
    check_handle("bupc_trysync", h);
    gas_poll();
    return 1;
}

static void check_handles(const char *function, const bupc_handle_t *ph, size_t n) {
    if (!ph && n) gas_fatal("%s: a null array of %zu handles", function, n);
    for (size_t i = 0; i < n; i++) check_handle(function, ph[i]);
}

void bupc_waitsync_all(bupc_handle_t *ph, size_t n) { check_handles("bupc_waitsync_all", ph, n); }
void bupc_waitsync_some(bupc_handle_t *ph, size_t n) { check_handles("bupc_waitsync_some", ph, n); }

int bupc_trysync_all(bupc_handle_t *ph, size_t n) {
    check_handles("bupc_trysync_all", ph, n);
    gas_poll();
    return 1;
}

int bupc_trysync_some(bupc_handle_t *ph, size_t n) {
    check_handles("bupc_trysync_some", ph, n);
    gas_poll();
    return 1;
}

void bupc_waitsynci(void) {}
int bupc_trysynci(void) { return upc_synci_attempt(); }

static int in_accessregion;

void bupc_begin_accessregion(void) {
    if (in_accessregion) gas_fatal("bupc_begin_accessregion: the one begun before has not ended");
    in_accessregion = 1;
}

bupc_handle_t bupc_end_accessregion(void) {
    if (!in_accessregion) gas_fatal("bupc_end_accessregion: none has begun");
    in_accessregion = 0;
    return BUPC_COMPLETE_HANDLE;
}
