
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
/* Between long blocks the runtime is called; a pointer need not be aligned with the affinity, and stays inlined. */
enum { B = 8192 };
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,65536\na:\t.zero 65536\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,65536\nb:\t.zero 65536\n\t.popsection");
# 5 "<input>"

static const struct fathom_array fathom_array_b __attribute__((unused)) = {fathom_at_b, 8192ul, 8ul};
static const struct fathom_array fathom_array_a __attribute__((unused)) = {fathom_at_a, 8192ul, 8ul};
# 6 "<input>"
void aligned(int n) { 
{ int i; i = 1; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n - 1); const long fathom_lead4 = 0; struct fathom_ranges fathom_ranges3; static const struct fathom_blocking fathom_blocking10 = {8192l, 1l, 1l}; fathom_blocks_begin(&fathom_ranges3, fathom_lo1, fathom_hi2, 0l + fathom_lead4, &fathom_blocking10, 1 && 0 == fathom_lead4 && 0 == fathom_lead4); while (fathom_blocks_next(&fathom_ranges3)) { const int fathom_from8 = (int)fathom_ranges3.from, fathom_to7 = (int)fathom_ranges3.to; if (__builtin_expect(fathom_ranges3.fast, 1)) { __attribute__((unused)) double *const fathom_view5 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges3, fathom_lead4, 8ul); __attribute__((unused)) double *const fathom_view6 = fathom_block_view(fathom_static(fathom_at_b), &fathom_ranges3, fathom_lead4, 8ul); 
#pragma omp simd
for (i = fathom_from8; i < fathom_to7; i++) 
# 7 "<input>"
(fathom_view5[i] = fathom_view6[i - 1] + fathom_view6[i + 1]); } else for (i = fathom_from8; i < fathom_to7; i++) ((*(double *)fathom_place(fathom_array_elem(&fathom_array_a, (long)(i)))) = (*(double *)fathom_place(fathom_array_elem(&fathom_array_b, (long)(i - 1)))) + (*(double *)fathom_place(fathom_array_elem(&fathom_array_b, (long)(i + 1))))); }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
} 
void perhaps(fathom_pptr p, int n) { 
{ int i; i = 1; const long fathom_lo11 = (long)i; const long fathom_hi12 = (long)(n - 1); const long fathom_lead14 = 0; struct fathom_ranges fathom_ranges13; static const struct fathom_blocking fathom_blocking20 = {8192l, 1l, 1l}; fathom_blocks_begin(&fathom_ranges13, fathom_lo11, fathom_hi12, 0l + fathom_lead14, &fathom_blocking20, 1 && 0 == fathom_lead14 && fathom_block_lead(p, 8192ul) == fathom_lead14); while (fathom_blocks_next(&fathom_ranges13)) { const int fathom_from18 = (int)fathom_ranges13.from, fathom_to17 = (int)fathom_ranges13.to; if (__builtin_expect(fathom_ranges13.fast, 1)) { __attribute__((unused)) double *const fathom_view15 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges13, fathom_lead14, 8ul); __attribute__((unused)) double *const fathom_view16 = fathom_block_view(fathom_block_origin(p, 8ul), &fathom_ranges13, fathom_lead14, 8ul); for (i = fathom_from18; i < fathom_to17; i++) (fathom_view15[i] = fathom_view16[i - 1] + fathom_view16[i + 1]); } else for (i = fathom_from18; i < fathom_to17; i++) ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 8192ul, 8ul))) = (*(double *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i - 1), 8192ul, 8ul)))) + (*(double *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i + 1), 8192ul, 8ul))))); }  i = (int)(fathom_hi12 > fathom_lo11 ? fathom_hi12 : fathom_lo11); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
