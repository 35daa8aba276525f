/** @file fathom_former.h
 * @brief Names that calls of fathom.h have had, for programs that still use them. They will go with the next release.
 */
#ifndef FATHOM_H
#error "include fathom.h, of which this is a part"
#endif
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_FORMER(now) static inline __attribute__((deprecated("its name is " #now)))

FATHOM_FORMER(fathom_progress) void fathom_poll(void) { fathom_progress(); }
FATHOM_FORMER(fathom_thread_is_near) int fathom_can_reach(int thread) { return fathom_thread_is_near(thread); }
FATHOM_FORMER(fathom_quiet) void fathom_sync(void) { fathom_quiet(); }
FATHOM_FORMER(fathom_quiet_puts) void fathom_sync_puts(void) { fathom_quiet_puts(); }
FATHOM_FORMER(fathom_quiet_gets) void fathom_sync_gets(void) { fathom_quiet_gets(); }
FATHOM_FORMER(fathom_test_quiet) int fathom_test_sync(void) { return fathom_test_quiet(); }
FATHOM_FORMER(fathom_all_gather)
void fathom_gather_all(fathom_team team, void *dst, const void *src, size_t bytes) {
    fathom_all_gather(team, dst, src, bytes);
}
FATHOM_FORMER(fathom_all_gather_nb)
fathom_op fathom_gather_all_nb(fathom_team team, void *dst, const void *src, size_t bytes) {
    return fathom_all_gather_nb(team, dst, src, bytes);
}
FATHOM_FORMER(fathom_all_gather_pieces)
void fathom_gather_all_pieces(fathom_team team, void *dst, const size_t *at, const size_t *sizes, const void *src,
                              size_t bytes) {
    fathom_all_gather_pieces(team, dst, at, sizes, src, bytes);
}
FATHOM_FORMER(fathom_all_gather_pieces_nb)
fathom_op fathom_gather_all_pieces_nb(fathom_team team, void *dst, const size_t *at, const size_t *sizes,
                                      const void *src, size_t bytes) {
    return fathom_all_gather_pieces_nb(team, dst, at, sizes, src, bytes);
}
FATHOM_FORMER(fathom_all_to_all)
void fathom_exchange(fathom_team team, void *dst, const void *src, size_t bytes) {
    fathom_all_to_all(team, dst, src, bytes);
}
FATHOM_FORMER(fathom_all_to_all_nb)
fathom_op fathom_exchange_nb(fathom_team team, void *dst, const void *src, size_t bytes) {
    return fathom_all_to_all_nb(team, dst, src, bytes);
}
FATHOM_FORMER(fathom_all_to_all_pieces)
void fathom_exchange_pieces(fathom_team team, void *dst, const size_t *dst_at, const size_t *dst_bytes, const void *src,
                            const size_t *src_at, const size_t *src_bytes) {
    fathom_all_to_all_pieces(team, dst, dst_at, dst_bytes, src, src_at, src_bytes);
}
FATHOM_FORMER(fathom_all_to_all_pieces_nb)
fathom_op fathom_exchange_pieces_nb(fathom_team team, void *dst, const size_t *dst_at, const size_t *dst_bytes,
                                    const void *src, const size_t *src_at, const size_t *src_bytes) {
    return fathom_all_to_all_pieces_nb(team, dst, dst_at, dst_bytes, src, src_at, src_bytes);
}

#undef FATHOM_FORMER

#ifdef __cplusplus
}
#endif
