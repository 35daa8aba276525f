
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,8192\na:\t.zero 8192\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,8192\nb:\t.zero 8192\n\t.popsection");
extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak c\n\t.type c,@object\n\t.size c,8192\nc:\t.zero 8192\n\t.popsection");
# 3 "<input>"

double s, k; 
void f(int n) {
    int i; 
{ i = 1; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n - 1); const long fathom_lead4 = 0; struct fathom_ranges fathom_ranges3; fathom_ranges_init(&fathom_ranges3, fathom_lo1, fathom_hi2, 0l + fathom_lead4, 1024l, 1l, 1l, 1 && 0 == fathom_lead4 && 0 == fathom_lead4 && 0 == fathom_lead4); while (fathom_ranges_next(&fathom_ranges3)) { const int fathom_from9 = (int)fathom_ranges3.from, fathom_to8 = (int)fathom_ranges3.to; if (__builtin_expect(fathom_ranges3.fast, 1)) { __attribute__((unused)) double *const fathom_view5 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges3, fathom_lead4, 8ul); __attribute__((unused)) double *const fathom_view6 = fathom_block_view(fathom_static(fathom_at_b), &fathom_ranges3, fathom_lead4, 8ul); __attribute__((unused)) double *const fathom_view7 = fathom_block_view(fathom_static(fathom_at_c), &fathom_ranges3, fathom_lead4, 8ul); 
#pragma omp simd
for (i = fathom_from9; i < fathom_to8; i++) 
# 7 "<input>"
(fathom_view5[i] = fathom_view6[i] * k + s * fathom_view7[i] + fathom_view6[i - 1] + fathom_view6[i + 1]); } else for (i = fathom_from9; i < fathom_to8; i++) ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 1024ul, 8ul))) = (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i), 1024ul, 8ul))) * k + s * (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 1024ul, 8ul))) + (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i - 1), 1024ul, 8ul))) + (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i + 1), 1024ul, 8ul)))); }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
