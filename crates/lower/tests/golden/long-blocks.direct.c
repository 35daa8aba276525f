
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

static const struct fathom_cut fathom_cut3 = {8192l, 0l, 1l, 1l, 3, {{fathom_at_a, 0l, 8ul}, {fathom_at_b, -1l, 8ul}, {fathom_at_b, 1l, 8ul}}};
# 6 "<input>"
void aligned(int n) { 
{ int i; i = 1; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n - 1); struct fathom_pieces fathom_pieces4; fathom_pieces4.begun = 0; for (long fathom_n5; fathom_is_piece(fathom_n5 = fathom_next_piece(&fathom_pieces4, fathom_lo1, fathom_hi2, &fathom_cut3)); ) { __attribute__((unused)) const int fathom_from6 = (int)fathom_pieces4.from, fathom_to7 = (int)(fathom_pieces4.from + fathom_n5); __attribute__((unused)) double *const fathom_view9 = fathom_pieces4.view[0]; __attribute__((unused)) double *const fathom_view10 = fathom_pieces4.view[1]; __attribute__((unused)) double *const fathom_view11 = fathom_pieces4.view[2]; 
#pragma omp simd
for (long fathom_k8 = 0; fathom_k8 < fathom_n5; fathom_k8++) { __attribute__((unused)) int i = (int)(fathom_from6 + fathom_k8); 
# 7 "<input>"
(fathom_view9[fathom_k8] = fathom_view10[fathom_k8] + fathom_view11[fathom_k8]);} } i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
} 
void perhaps(fathom_pptr p, int n) { 
{ int i; i = 1; const long fathom_lo13 = (long)i; const long fathom_hi14 = (long)(n - 1); const long fathom_lead16 = 0; struct fathom_ranges fathom_ranges15; static const struct fathom_blocking fathom_blocking22 = {8192l, 1l, 1l}; fathom_blocks_begin(&fathom_ranges15, fathom_lo13, fathom_hi14, 0l + fathom_lead16, &fathom_blocking22, 1 && 0 == fathom_lead16 && fathom_block_lead(p, 8192ul) == fathom_lead16); while (fathom_blocks_next(&fathom_ranges15)) { const int fathom_from20 = (int)fathom_ranges15.from, fathom_to19 = (int)fathom_ranges15.to; if (__builtin_expect(fathom_ranges15.fast, 1)) { __attribute__((unused)) double *const fathom_view17 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges15, fathom_lead16, 8ul); __attribute__((unused)) double *const fathom_view18 = fathom_block_view(fathom_block_origin(p, 8ul), &fathom_ranges15, fathom_lead16, 8ul); for (i = fathom_from20; i < fathom_to19; i++) (fathom_view17[i] = fathom_view18[i - 1] + fathom_view18[i + 1]); } else for (i = fathom_from20; i < fathom_to19; i++) ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 8192ul, 8ul))) = (*(double *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i - 1), 8192ul, 8ul)))) + (*(double *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i + 1), 8192ul, 8ul))))); }  i = (int)(fathom_hi14 > fathom_lo13 ? fathom_hi14 : fathom_lo13); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
