
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

static const struct fathom_array fathom_array_b __attribute__((unused)) = {fathom_at_b, 8192ul, 8ul};
static const struct fathom_array fathom_array_a __attribute__((unused)) = {fathom_at_a, 8192ul, 8ul};
# 6 "<input>"
void aligned(int n) { 
{ int i; i = 1; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n - 1); const long fathom_lead12 = 0; struct fathom_ranges fathom_ranges11; static const struct fathom_blocking fathom_blocking18 = {8192l, 1l, 1l}; fathom_blocks_begin(&fathom_ranges11, fathom_lo1, fathom_hi2, 0l + fathom_lead12, &fathom_blocking18, 1 && 0 == fathom_lead12 && 0 == fathom_lead12); while (fathom_blocks_next(&fathom_ranges11)) { const int fathom_from16 = (int)fathom_ranges11.from, fathom_to15 = (int)fathom_ranges11.to; if (__builtin_expect(fathom_ranges11.fast, 1)) { __attribute__((unused)) double *const fathom_view13 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges11, fathom_lead12, 8ul); __attribute__((unused)) double *const fathom_view14 = fathom_block_view(fathom_static(fathom_at_b), &fathom_ranges11, fathom_lead12, 8ul); 
#pragma omp simd
for (i = fathom_from16; i < fathom_to15; i++) 
# 7 "<input>"
(fathom_view13[i] = fathom_view14[i - 1] + fathom_view14[i + 1]); } else for (i = fathom_from16; i < fathom_to15; i++) (__extension__ ({ double fathom_v9 = __extension__ ({ double fathom_copy4; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_array_elem(&fathom_array_b, (long)(i - 1))))), &fathom_copy4, sizeof fathom_copy4); }) + __extension__ ({ double fathom_copy7; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_array_elem(&fathom_array_b, (long)(i + 1))))), &fathom_copy7, sizeof fathom_copy7); }); const fathom_ptr fathom_at10 = fathom_place_word(&(*(double *)fathom_place(fathom_array_elem(&fathom_array_a, (long)(i))))); fathom_write(fathom_is_near(fathom_at10), fathom_at10, &fathom_v9, sizeof fathom_v9); fathom_v9; })); }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
} 
void perhaps(fathom_pptr p, int n) { 
{ int i; i = 1; const long fathom_lo19 = (long)i; const long fathom_hi20 = (long)(n - 1); const long fathom_lead30 = 0; struct fathom_ranges fathom_ranges29; static const struct fathom_blocking fathom_blocking36 = {8192l, 1l, 1l}; fathom_blocks_begin(&fathom_ranges29, fathom_lo19, fathom_hi20, 0l + fathom_lead30, &fathom_blocking36, 1 && 0 == fathom_lead30 && fathom_block_lead(p, 8192ul) == fathom_lead30); while (fathom_blocks_next(&fathom_ranges29)) { const int fathom_from34 = (int)fathom_ranges29.from, fathom_to33 = (int)fathom_ranges29.to; if (__builtin_expect(fathom_ranges29.fast, 1)) { __attribute__((unused)) double *const fathom_view31 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges29, fathom_lead30, 8ul); __attribute__((unused)) double *const fathom_view32 = fathom_block_view(fathom_block_origin(p, 8ul), &fathom_ranges29, fathom_lead30, 8ul); for (i = fathom_from34; i < fathom_to33; i++) (fathom_view31[i] = fathom_view32[i - 1] + fathom_view32[i + 1]); } else for (i = fathom_from34; i < fathom_to33; i++) (__extension__ ({ double fathom_v27 = __extension__ ({ double fathom_copy22; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i - 1), 8192ul, 8ul))))), &fathom_copy22, sizeof fathom_copy22); }) + __extension__ ({ double fathom_copy25; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_word_of(fathom_block_add(p, (long)(i + 1), 8192ul, 8ul))))), &fathom_copy25, sizeof fathom_copy25); }); const fathom_ptr fathom_at28 = fathom_place_word(&(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 8192ul, 8ul)))); fathom_write(fathom_is_near(fathom_at28), fathom_at28, &fathom_v27, sizeof fathom_v27); fathom_v27; })); }  i = (int)(fathom_hi20 > fathom_lo19 ? fathom_hi20 : fathom_lo19); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
