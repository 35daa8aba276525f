/* The plain C that ours is held against, in the same two processes and on the same memory; plain.c is compiled by the
 * C compiler alone. */
#ifndef PLAIN_H
#define PLAIN_H

#include <stddef.h>
#include <stdint.h>

/* Before the first of the others: lines that both processes map, zeroed, and who this is. */
struct plain_lines {
    _Alignas(128) uint32_t line[6][32];
};
void plain_start(struct plain_lines *lines, int me);

/* 8 bytes at a time, walking through SIDE_WORDS words: by a call of memcpy with a size that is not known; by an
 * instruction. */
void plain_put8(char *dst, long n);
uint64_t plain_get8(const char *src, long n);
void plain_store8(char *dst, long n);
uint64_t plain_load8(const char *src, long n);

/* n round trips, by both processes: through one line, or through one for each direction. */
void plain_ping_one(long n);
void plain_ping_two(long n);
/* n barriers: each sets its flag and waits for the other's, each in a line of its own, or both in one. */
void plain_barrier(long n);
void plain_barrier_one(long n);
/* n additions to one word; its value before the last. */
uint64_t plain_add(uint64_t *word, long n);

/* `count` pieces of 8 or 64 bytes. */
void plain_strided8(void *dst, ptrdiff_t dst_stride, const void *src, ptrdiff_t src_stride, size_t count);
void plain_strided64(void *dst, ptrdiff_t dst_stride, const void *src, ptrdiff_t src_stride, size_t count);
void plain_indexed8(void *const *dst, const void *const *src, size_t count);
void plain_indexed64(void *const *dst, const void *const *src, size_t count);

#endif
