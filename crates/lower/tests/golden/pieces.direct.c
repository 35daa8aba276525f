
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
/* Loops over blocks that are cut into pieces: over elements, over rows, with another use of the variable, with a call. Not
 * cut: an array that is written and has two offsets, and short blocks. */
enum { B = 1024, SHORT = 64 };
struct pair { int first, second; };
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,8192\na:\t.zero 8192\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,8192\nb:\t.zero 8192\n\t.popsection");
# 7 "<input>"

extern char fathom_at_pairs[] __asm__("pairs") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak pairs\n\t.type pairs,@object\n\t.size pairs,8192\npairs:\t.zero 8192\n\t.popsection");
# 8 "<input>"

extern char fathom_at_rows[] __asm__("rows") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak rows\n\t.type rows,@object\n\t.size rows,16384\nrows:\t.zero 16384\n\t.popsection");
extern char fathom_at_sums[] __asm__("sums") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak sums\n\t.type sums,@object\n\t.size sums,16384\nsums:\t.zero 16384\n\t.popsection");
# 9 "<input>"

extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak c\n\t.type c,@object\n\t.size c,8192\nc:\t.zero 8192\n\t.popsection");
# 10 "<input>"

double f(double);
static const struct fathom_cut fathom_cut3 = {1024l, 1l, 3, {{fathom_at_a, 1l, 8ul}, {fathom_at_b, 3l, 8ul}, {fathom_at_pairs, 0l, 8ul}}};
# 12 "<input>"
void elements(int n) { 
{ int i; i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n - 3); struct fathom_pieces fathom_pieces4; fathom_pieces4.begun = 0; for (long fathom_n6; fathom_is_piece(fathom_n6 = fathom_next_piece(&fathom_pieces4, fathom_lo1, fathom_hi2, &fathom_cut3)); ) { __attribute__((unused)) double *const fathom_view7 = fathom_pieces4.view[0]; __attribute__((unused)) double *const fathom_view8 = fathom_pieces4.view[1]; __attribute__((unused)) struct pair *const fathom_view9 = fathom_pieces4.view[2]; __attribute__((unused)) const int fathom_from10 = (int)fathom_pieces4.from; for (long fathom_k5 = 0; fathom_k5 < fathom_n6; fathom_k5++) { __attribute__((unused)) int i = (int)(fathom_from10 + fathom_k5); (fathom_view7[fathom_k5] = fathom_view8[fathom_k5] + fathom_view9[fathom_k5].second);} } i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
}
static const struct fathom_cut fathom_cut14 = {1024l, 0l, 2, {{fathom_at_sums, 0l, 16ul}, {fathom_at_rows, -1l, 16ul}}};
# 15 "<input>"
void along_rows(long n) {
    long i; 
{ i = 1; const long fathom_lo12 = (long)i; const long fathom_hi13 = (long)(n); struct fathom_pieces fathom_pieces15; fathom_pieces15.begun = 0; for (long fathom_n17; fathom_is_piece(fathom_n17 = fathom_next_piece(&fathom_pieces15, fathom_lo12, fathom_hi13, &fathom_cut14)); ) { __attribute__((unused)) float (*const fathom_view18)[4] = fathom_pieces15.view[0]; __attribute__((unused)) float (*const fathom_view19)[4] = fathom_pieces15.view[1]; __attribute__((unused)) const long fathom_from20 = (long)fathom_pieces15.from; for (long fathom_k16 = 0; fathom_k16 < (long)fathom_n17; fathom_k16++) { __attribute__((unused)) long i = (long)(fathom_from20 + fathom_k16); 
{ __attribute__((unused)) float *const fathom_row21 = fathom_view18[fathom_k16]; __attribute__((unused)) float *const fathom_row22 = fathom_view19[fathom_k16]; 
#pragma omp simd
# 18 "<input>"
for (int j = 0; j < 4; j++) (fathom_row21[j] += fathom_row22[j]); }} } i = (long)(fathom_hi13 > fathom_lo12 ? fathom_hi13 : fathom_lo12); } 
}
static const struct fathom_cut fathom_cut26 = {1024l, 0l, 2, {{fathom_at_a, 0l, 8ul}, {fathom_at_b, 0l, 8ul}}};
# 20 "<input>"
void variable(unsigned n, const int *of) { 
{ unsigned int i; i = 0; const long fathom_lo24 = (long)i; const long fathom_hi25 = (long)(n); struct fathom_pieces fathom_pieces27; fathom_pieces27.begun = 0; for (long fathom_n29; fathom_is_piece(fathom_n29 = fathom_next_piece(&fathom_pieces27, fathom_lo24, fathom_hi25, &fathom_cut26)); ) { __attribute__((unused)) double *const fathom_view30 = fathom_pieces27.view[0]; __attribute__((unused)) double *const fathom_view31 = fathom_pieces27.view[1]; __attribute__((unused)) const unsigned int fathom_from32 = (unsigned int)fathom_pieces27.from; for (unsigned int fathom_k28 = 0; fathom_k28 < (unsigned int)fathom_n29; fathom_k28++) { __attribute__((unused)) unsigned int i = (unsigned int)(fathom_from32 + fathom_k28); (fathom_view30[fathom_k28] = of[i] * fathom_view31[fathom_k28]);} } i = (unsigned int)(fathom_hi25 > fathom_lo24 ? fathom_hi25 : fathom_lo24); } 
} 
void calls(int n) { 
{ int i; i = 0; const long fathom_lo34 = (long)i; const long fathom_hi35 = (long)(n); struct fathom_pieces fathom_pieces36; fathom_pieces36.begun = 0; const int fathom_nested42 = fathom_forall_depth; for (long fathom_n38; fathom_is_piece(fathom_n38 = fathom_next_piece(&fathom_pieces36, fathom_lo34, fathom_hi35, &fathom_cut26)); ) { fathom_forall_depth = 1; __attribute__((unused)) double *const fathom_view39 = fathom_pieces36.view[0]; __attribute__((unused)) double *const fathom_view40 = fathom_pieces36.view[1]; __attribute__((unused)) const int fathom_from41 = (int)fathom_pieces36.from; for (long fathom_k37 = 0; fathom_k37 < fathom_n38; fathom_k37++) { __attribute__((unused)) int i = (int)(fathom_from41 + fathom_k37); (fathom_view39[fathom_k37] = f(fathom_view40[fathom_k37]));} } fathom_forall_depth = fathom_nested42; i = (int)(fathom_hi35 > fathom_lo34 ? fathom_hi35 : fathom_lo34); } 
} 
void in_place(int n) { 
{ int i; i = 1; const long fathom_lo43 = (long)i; const long fathom_hi44 = (long)(n); const long fathom_lead46 = 0; struct fathom_ranges fathom_ranges45; fathom_ranges_init(&fathom_ranges45, fathom_lo43, fathom_hi44, 0l + fathom_lead46, 1024l, 1l, 0l, 1 && 0 == fathom_lead46); while (fathom_ranges_next(&fathom_ranges45)) { const int fathom_from49 = (int)fathom_ranges45.from, fathom_to48 = (int)fathom_ranges45.to; if (__builtin_expect(fathom_ranges45.fast, 1)) { __attribute__((unused)) double *const fathom_view47 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges45, fathom_lead46, 8ul); for (i = fathom_from49; i < fathom_to48; i++) (fathom_view47[i] += fathom_view47[i - 1]); } else for (i = fathom_from49; i < fathom_to48; i++) ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 1024ul, 8ul))) += (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i - 1), 1024ul, 8ul)))); }  i = (int)(fathom_hi44 > fathom_lo43 ? fathom_hi44 : fathom_lo43); } 
} 
void short_blocks(int n) { 
{ int i; i = 0; const long fathom_lo51 = (long)i; const long fathom_hi52 = (long)(n); const long fathom_lead54 = 0; struct fathom_ranges fathom_ranges53; fathom_ranges_init(&fathom_ranges53, fathom_lo51, fathom_hi52, 0l + fathom_lead54, 64l, 0l, 0l, 1 && 0 == fathom_lead54); while (fathom_ranges_next(&fathom_ranges53)) { const int fathom_from57 = (int)fathom_ranges53.from, fathom_to56 = (int)fathom_ranges53.to; if (__builtin_expect(fathom_ranges53.fast, 1)) { __attribute__((unused)) double *const fathom_view55 = fathom_block_view(fathom_static(fathom_at_c), &fathom_ranges53, fathom_lead54, 8ul); 
#pragma omp simd
for (i = fathom_from57; i < fathom_to56; i++) 
# 30 "<input>"
(fathom_view55[i] = 1); } else for (i = fathom_from57; i < fathom_to56; i++) ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 64ul, 8ul))) = 1); }  i = (int)(fathom_hi52 > fathom_lo51 ? fathom_hi52 : fathom_lo51); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
