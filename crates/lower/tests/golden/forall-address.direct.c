
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,400\nb:\t.zero 400\n\t.popsection");
# 4 "<input>"

extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak c\n\t.type c,@object\n\t.size c,640\nc:\t.zero 640\n\t.popsection");
# 5 "<input>"

void f(int n) {
    int i; 
{ i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) { ((*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) = (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_b), (long)(i), 4ul))) + 1); } else { const long fathom_first3 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n5 = fathom_cyclic_count(fathom_first3, fathom_hi2); __attribute__((unused)) int *const fathom_view6 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first3 + 0l, 4ul)); __attribute__((unused)) int *const fathom_view7 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_b), fathom_first3 + 0l, 4ul)); 
#pragma omp simd
for (long fathom_k4 = 0; fathom_k4 < fathom_n5; fathom_k4++) { __attribute__((unused)) int i = (int)(fathom_first3 + fathom_k4 * (long)fathom_threads); 
# 8 "<input>"
(fathom_view6[fathom_k4] = fathom_view7[fathom_k4] + 1);} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
{ i = 1; const long fathom_lo8 = (long)i; const long fathom_hi9 = (long)(n - 1); const long fathom_lead11 = 0; struct fathom_ranges fathom_ranges10; fathom_ranges_init(&fathom_ranges10, fathom_lo8, fathom_hi9, 0l + fathom_lead11, 8l, 1l, 0l, 1 && 0 == fathom_lead11); while (fathom_ranges_next(&fathom_ranges10)) { const int fathom_from14 = (int)fathom_ranges10.from, fathom_to13 = (int)fathom_ranges10.to; if (__builtin_expect(fathom_ranges10.fast, 1)) { __attribute__((unused)) double *const fathom_view12 = fathom_block_view(fathom_static(fathom_at_c), &fathom_ranges10, fathom_lead11, 8ul); for (i = fathom_from14; i < fathom_to13; i++) (fathom_view12[i] = fathom_view12[i] * 2 + fathom_view12[i - 1]); } else for (i = fathom_from14; i < fathom_to13; i++) ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 8ul, 8ul))) = (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 8ul, 8ul))) * 2 + (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i - 1), 8ul, 8ul)))); }  i = (int)(fathom_hi9 > fathom_lo8 ? fathom_hi9 : fathom_lo8); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
