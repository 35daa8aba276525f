
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
static const struct fathom_cut fathom_cut3 = {1024l, 0l, 1l, 1l, 5, {{fathom_at_a, 0l, 8ul}, {fathom_at_b, 0l, 8ul}, {fathom_at_c, 0l, 8ul}, {fathom_at_b, -1l, 8ul}, {fathom_at_b, 1l, 8ul}}};
# 5 "<input>"
void f(int n) {
    int i; 
{ i = 1; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n - 1); struct fathom_pieces fathom_pieces4; fathom_pieces4.begun = 0; for (long fathom_n5; fathom_is_piece(fathom_n5 = fathom_next_piece(&fathom_pieces4, fathom_lo1, fathom_hi2, &fathom_cut3)); ) { __attribute__((unused)) const int fathom_from6 = (int)fathom_pieces4.from, fathom_to7 = (int)(fathom_pieces4.from + fathom_n5); __attribute__((unused)) double *const fathom_view9 = fathom_pieces4.view[0]; __attribute__((unused)) double *const fathom_view10 = fathom_pieces4.view[1]; __attribute__((unused)) double *const fathom_view11 = fathom_pieces4.view[2]; __attribute__((unused)) double *const fathom_view12 = fathom_pieces4.view[3]; __attribute__((unused)) double *const fathom_view13 = fathom_pieces4.view[4]; 
#pragma omp simd
for (long fathom_k8 = 0; fathom_k8 < fathom_n5; fathom_k8++) { __attribute__((unused)) int i = (int)(fathom_from6 + fathom_k8); 
# 7 "<input>"
(fathom_view9[fathom_k8] = fathom_view10[fathom_k8] * k + s * fathom_view11[fathom_k8] + fathom_view12[fathom_k8] + fathom_view13[fathom_k8]);} } i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
