
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
/* Long blocks are cut into pieces; a pointer need not be aligned with the affinity, and a loop over one has a general body. */
enum { B = 8192 };
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,65536\na:\t.zero 65536\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,65536\nb:\t.zero 65536\n\t.popsection");
# 5 "<input>"

static const struct fathom_cut fathom_cut3 = {8192l, 0l, 3, {{fathom_at_a, 0l, 8ul}, {fathom_at_b, -1l, 8ul}, {fathom_at_b, 1l, 8ul}}};
# 6 "<input>"
void aligned(int n) { 
{ int i; i = 1; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n - 1); struct fathom_pieces fathom_pieces4; fathom_pieces4.begun = 0; for (long fathom_n6; fathom_is_piece(fathom_n6 = fathom_next_piece(&fathom_pieces4, fathom_lo1, fathom_hi2, &fathom_cut3)); ) { __attribute__((unused)) double *const fathom_view7 = fathom_pieces4.view[0]; __attribute__((unused)) double *const fathom_view8 = fathom_pieces4.view[1]; __attribute__((unused)) double *const fathom_view9 = fathom_pieces4.view[2]; __attribute__((unused)) const int fathom_from10 = (int)fathom_pieces4.from; 
#pragma omp simd
for (long fathom_k5 = 0; fathom_k5 < fathom_n6; fathom_k5++) { __attribute__((unused)) int i = (int)(fathom_from10 + fathom_k5); 
# 7 "<input>"
(fathom_view7[fathom_k5] = fathom_view8[fathom_k5] + fathom_view9[fathom_k5]);} } i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
} 
void perhaps(fathom_pptr p, int n) { 
{ int i; i = 1; const long fathom_lo12 = (long)i; const long fathom_hi13 = (long)(n - 1); const long fathom_lead15 = 0; struct fathom_ranges fathom_ranges14; static const struct fathom_blocking fathom_blocking21 = {8192l, 1l, 1l}; fathom_blocks_begin(&fathom_ranges14, fathom_lo12, fathom_hi13, 0l + fathom_lead15, &fathom_blocking21, 1 && 0 == fathom_lead15 && fathom_block_lead(p, 8192ul) == fathom_lead15); while (fathom_blocks_next(&fathom_ranges14)) { const int fathom_from19 = (int)fathom_ranges14.from, fathom_to18 = (int)fathom_ranges14.to; if (__builtin_expect(fathom_ranges14.fast, 1)) { __attribute__((unused)) double *const fathom_view16 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges14, fathom_lead15, 8ul); __attribute__((unused)) double *const fathom_view17 = fathom_block_view(fathom_block_origin(p, 8ul), &fathom_ranges14, fathom_lead15, 8ul); for (i = fathom_from19; i < fathom_to18; i++) (fathom_view16[i] = fathom_view17[i - 1] + fathom_view17[i + 1]); } else for (i = fathom_from19; i < fathom_to18; i++) ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 8192ul, 8ul))) = (*(double *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i - 1), 8192ul, 8ul)))) + (*(double *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i + 1), 8192ul, 8ul))))); }  i = (int)(fathom_hi13 > fathom_lo12 ? fathom_hi13 : fathom_lo12); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
