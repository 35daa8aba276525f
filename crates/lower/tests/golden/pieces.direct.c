
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
static const struct fathom_cut fathom_cut3 = {1024l, 1l, 1l, 2l, 3, {{fathom_at_a, 1l, 8ul}, {fathom_at_b, 3l, 8ul}, {fathom_at_pairs, 0l, 8ul}}};
# 12 "<input>"
void elements(int n) { 
{ int i; i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n - 3); struct fathom_pieces fathom_pieces4; fathom_pieces4.begun = 0; for (long fathom_n5; fathom_is_piece(fathom_n5 = fathom_next_piece(&fathom_pieces4, fathom_lo1, fathom_hi2, &fathom_cut3)); ) { __attribute__((unused)) const int fathom_from6 = (int)fathom_pieces4.from, fathom_to7 = (int)(fathom_pieces4.from + fathom_n5); __attribute__((unused)) double *const fathom_view9 = fathom_pieces4.view[0]; __attribute__((unused)) double *const fathom_view10 = fathom_pieces4.view[1]; __attribute__((unused)) struct pair *const fathom_view11 = fathom_pieces4.view[2]; for (long fathom_k8 = 0; fathom_k8 < fathom_n5; fathom_k8++) { __attribute__((unused)) int i = (int)(fathom_from6 + fathom_k8); (fathom_view9[fathom_k8] = fathom_view10[fathom_k8] + fathom_view11[fathom_k8].second);} } i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
}
static const struct fathom_cut fathom_cut15 = {1024l, 0l, 1l, 0l, 2, {{fathom_at_sums, 0l, 16ul}, {fathom_at_rows, -1l, 16ul}}};
# 15 "<input>"
void along_rows(long n) {
    long i; 
{ i = 1; const long fathom_lo13 = (long)i; const long fathom_hi14 = (long)(n); struct fathom_pieces fathom_pieces16; fathom_pieces16.begun = 0; for (long fathom_n17; fathom_is_piece(fathom_n17 = fathom_next_piece(&fathom_pieces16, fathom_lo13, fathom_hi14, &fathom_cut15)); ) { __attribute__((unused)) const long fathom_from18 = (long)fathom_pieces16.from, fathom_to19 = (long)(fathom_pieces16.from + fathom_n17); __attribute__((unused)) float (*const fathom_view20)[4] = (float (*)[4])fathom_pieces16.view[0] - ((long)fathom_from18 + 0l); __attribute__((unused)) float (*const fathom_view21)[4] = (float (*)[4])fathom_pieces16.view[1] - ((long)fathom_from18 + -1l); for (i = fathom_from18; i < fathom_to19; i++) { 
{ __attribute__((unused)) float *const fathom_row22 = fathom_view20[i]; __attribute__((unused)) float *const fathom_row23 = fathom_view21[i - 1]; 
#pragma omp simd
# 18 "<input>"
for (int j = 0; j < 4; j++) (fathom_row22[j] += fathom_row23[j]); }} } i = (long)(fathom_hi14 > fathom_lo13 ? fathom_hi14 : fathom_lo13); } 
}
static const struct fathom_cut fathom_cut27 = {1024l, 0l, 0l, 0l, 2, {{fathom_at_a, 0l, 8ul}, {fathom_at_b, 0l, 8ul}}};
# 20 "<input>"
void variable(unsigned n, const int *of) { 
{ unsigned int i; i = 0; const long fathom_lo25 = (long)i; const long fathom_hi26 = (long)(unsigned int)(n); struct fathom_pieces fathom_pieces28; fathom_pieces28.begun = 0; for (long fathom_n29; fathom_is_piece(fathom_n29 = fathom_next_piece(&fathom_pieces28, fathom_lo25, fathom_hi26, &fathom_cut27)); ) { __attribute__((unused)) const unsigned int fathom_from30 = (unsigned int)fathom_pieces28.from, fathom_to31 = (unsigned int)(fathom_pieces28.from + fathom_n29); __attribute__((unused)) double *const fathom_view32 = (double *)fathom_pieces28.view[0] - ((long)fathom_from30 + 0l); __attribute__((unused)) double *const fathom_view33 = (double *)fathom_pieces28.view[1] - ((long)fathom_from30 + 0l); for (i = fathom_from30; i < fathom_to31; i++) { (fathom_view32[i] = of[i] * fathom_view33[i]);} } i = (unsigned int)(fathom_hi26 > fathom_lo25 ? fathom_hi26 : fathom_lo25); } 
} 
void calls(int n) { 
{ int i; i = 0; const long fathom_lo35 = (long)i; const long fathom_hi36 = (long)(n); struct fathom_pieces fathom_pieces37; fathom_pieces37.begun = 0; const int fathom_nested44 = fathom_forall_depth; for (long fathom_n38; fathom_is_piece(fathom_n38 = fathom_next_piece(&fathom_pieces37, fathom_lo35, fathom_hi36, &fathom_cut27)); ) { fathom_forall_depth = 1; __attribute__((unused)) const int fathom_from39 = (int)fathom_pieces37.from, fathom_to40 = (int)(fathom_pieces37.from + fathom_n38); __attribute__((unused)) double *const fathom_view42 = fathom_pieces37.view[0]; __attribute__((unused)) double *const fathom_view43 = fathom_pieces37.view[1]; for (long fathom_k41 = 0; fathom_k41 < fathom_n38; fathom_k41++) { __attribute__((unused)) int i = (int)(fathom_from39 + fathom_k41); (fathom_view42[fathom_k41] = f(fathom_view43[fathom_k41]));} } fathom_forall_depth = fathom_nested44; i = (int)(fathom_hi36 > fathom_lo35 ? fathom_hi36 : fathom_lo35); } 
} 
void in_place(int n) { 
{ int i; i = 1; const long fathom_lo45 = (long)i; const long fathom_hi46 = (long)(n); const long fathom_lead48 = 0; struct fathom_ranges fathom_ranges47; fathom_ranges_init(&fathom_ranges47, fathom_lo45, fathom_hi46, 0l + fathom_lead48, 1024l, 1l, 0l, 1 && 0 == fathom_lead48); while (fathom_ranges_next(&fathom_ranges47)) { const int fathom_from51 = (int)fathom_ranges47.from, fathom_to50 = (int)fathom_ranges47.to; if (__builtin_expect(fathom_ranges47.fast, 1)) { __attribute__((unused)) double *const fathom_view49 = fathom_block_view(fathom_static(fathom_at_a), &fathom_ranges47, fathom_lead48, 8ul); for (i = fathom_from51; i < fathom_to50; i++) (fathom_view49[i] += fathom_view49[i - 1]); } else for (i = fathom_from51; i < fathom_to50; i++) ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i), 1024ul, 8ul))) += (*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_a), (long)(i - 1), 1024ul, 8ul)))); }  i = (int)(fathom_hi46 > fathom_lo45 ? fathom_hi46 : fathom_lo45); } 
} 
void short_blocks(int n) { 
{ int i; i = 0; const long fathom_lo53 = (long)i; const long fathom_hi54 = (long)(n); const long fathom_lead56 = 0; struct fathom_ranges fathom_ranges55; fathom_ranges_init(&fathom_ranges55, fathom_lo53, fathom_hi54, 0l + fathom_lead56, 64l, 0l, 0l, 1 && 0 == fathom_lead56); while (fathom_ranges_next(&fathom_ranges55)) { const int fathom_from59 = (int)fathom_ranges55.from, fathom_to58 = (int)fathom_ranges55.to; if (__builtin_expect(fathom_ranges55.fast, 1)) { __attribute__((unused)) double *const fathom_view57 = fathom_block_view(fathom_static(fathom_at_c), &fathom_ranges55, fathom_lead56, 8ul); 
#pragma omp simd
for (i = fathom_from59; i < fathom_to58; i++) 
# 30 "<input>"
(fathom_view57[i] = 1); } else for (i = fathom_from59; i < fathom_to58; i++) ((*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 64ul, 8ul))) = 1); }  i = (int)(fathom_hi54 > fathom_lo53 ? fathom_hi54 : fathom_lo53); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
