/* Library functions that are inlined. */
void upc_memcpy(shared void *restrict dst, shared const void *restrict src, size_t n);
void upc_memget(void *restrict dst, shared const void *restrict src, size_t n);
void upc_memput(shared void *restrict dst, const void *restrict src, size_t n);
size_t upc_threadof(shared void *ptr);
size_t upc_phaseof(shared void *ptr);
size_t upc_addrfield(shared void *ptr);
shared [4] int a[16 * THREADS];
void f(int *l) {
    upc_memget(l, &a[4], 4 * sizeof *l);
    upc_memput(&a[0], l, 16);
    upc_memcpy(a, &a[8], sizeof(int));
}
size_t g(shared [4] int *p) { return upc_threadof(p) + upc_phaseof(p) + upc_addrfield(p); }
