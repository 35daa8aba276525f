
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak a\n\t.type a,@object\n\t.size a,40\na:\t.zero 40\n\t.popsection");
# 4 "<input>"

extern char fathom_at_d[] __asm__("d") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak d\n\t.type d,@object\n\t.size d,80\nd:\t.zero 80\n\t.popsection");
# 5 "<input>"

extern char fathom_at_f[] __asm__("f") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak f\n\t.type f,@object\n\t.size f,40\nf:\t.zero 40\n\t.popsection");
# 6 "<input>"

fathom_ptr p ; 
struct node { long n; int bits : 3; double x[4]; };
extern char fathom_at_nodes[] __asm__("nodes") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak nodes\n\t.type nodes,@object\n\t.size nodes,48\nnodes:\t.zero 48\n\t.popsection");
# 9 "<input>"

int used(int i) { return ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))++); } 
void count(int i, long by) { ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) += by); ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))--); ((void)((((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) ^= 1)))), (((unsigned char *)fathom_place(p))[i] >>= by); } 
void add(int i, double x, float y) { ((*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_d), (long)(i), 8ul))) += x); ((*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_d), (long)(i), 8ul))) *= y); ((*(float *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_f), (long)(i), 4ul))) -= x); ((*(float *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_f), (long)(i), 4ul))) += y); (++(*(float *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_f), (long)(i), 4ul)))); } 
void members(int i) { ((*(struct node *)fathom_place(fathom_threads_on(fathom_static(fathom_at_nodes), (long)(i)))).n |= 4); ((*(struct node *)fathom_place(fathom_threads_on(fathom_static(fathom_at_nodes), (long)(i)))).x[1] -= i); ((*(struct node *)fathom_place(fathom_threads_on(fathom_static(fathom_at_nodes), (long)(i)))).bits++); ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) /= 2); } 
void own(int i) { { i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(10 * THREADS); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) { ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) += 2); } else { const long fathom_first3 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n5 = fathom_cyclic_count(fathom_first3, fathom_hi2); __attribute__((unused)) int *const fathom_view6 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first3 + 0l, 4ul)); 
#pragma omp simd
for (long fathom_k4 = 0; fathom_k4 < fathom_n5; fathom_k4++) { __attribute__((unused)) int i = (int)(fathom_first3 + fathom_k4 * (long)fathom_threads); 
# 14 "<input>"
(fathom_view6[fathom_k4] += 2);} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } } 
void all(int n, const int *by) { for (int i = 0; i < n; i++) ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(by[i]), 4ul))) += 1); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
