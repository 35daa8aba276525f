
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,2048\na:\t.zero 2048\n\t.popsection");
extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,2048\nb:\t.zero 2048\n\t.popsection");
# 3 "<input>"

void f(int n) {
    int i, j; 
{ i = 0; const long fathom_lo1 = (long)i; const long fathom_hi2 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi2; i++) { 
{ const fathom_ptr fathom_row3_word = fathom_block_elem(fathom_static(fathom_at_a), (long)(i) * (16l), 16ul, 8ul); __attribute__((unused)) const int fathom_row3_near = fathom_is_near(fathom_row3_word); __attribute__((unused)) double *const fathom_row3 = fathom_place_if(fathom_row3_near, fathom_row3_word); const fathom_ptr fathom_row4_word = fathom_block_elem(fathom_static(fathom_at_b), (long)(i) * (16l), 16ul, 8ul); __attribute__((unused)) const int fathom_row4_near = fathom_is_near(fathom_row4_word); __attribute__((unused)) double *const fathom_row4 = fathom_place_if(fathom_row4_near, fathom_row4_word); if (__builtin_expect(fathom_row3_near & fathom_row4_near, 1)) { 
#pragma omp simd
# 7 "<input>"
for (j = 0; j < 16; j++) (fathom_row3[j] = 2 * fathom_row4[j]); } else { for (j = 0; j < 16; j++) (__extension__ ({ double fathom_v8 = 2 * __extension__ ({ double fathom_copy6; *(double *)fathom_open(fathom_row4_near, fathom_word_if(fathom_row4_near, &fathom_row4[j]), &fathom_copy6, 0, sizeof fathom_copy6); }); const fathom_ptr fathom_at9 = fathom_word_if(fathom_row3_near, &fathom_row3[j]); fathom_write(fathom_row3_near, fathom_at9, &fathom_v8, sizeof fathom_v8); fathom_v8; })); } } } else { const long fathom_first10 = fathom_cyclic_first(fathom_lo1, 0l); const long fathom_n12 = fathom_cyclic_count(fathom_first10, fathom_hi2); for (long fathom_k11 = 0; fathom_k11 < fathom_n12; fathom_k11++) { __attribute__((unused)) int i = (int)(fathom_first10 + fathom_k11 * (long)fathom_threads); { const fathom_ptr fathom_row13_word = fathom_block_elem(fathom_static(fathom_at_a), (long)(i) * (16l), 16ul, 8ul); __attribute__((unused)) const int fathom_row13_near = fathom_is_near(fathom_row13_word); __attribute__((unused)) double *const fathom_row13 = fathom_place_if(fathom_row13_near, fathom_row13_word); const fathom_ptr fathom_row14_word = fathom_block_elem(fathom_static(fathom_at_b), (long)(i) * (16l), 16ul, 8ul); __attribute__((unused)) const int fathom_row14_near = fathom_is_near(fathom_row14_word); __attribute__((unused)) double *const fathom_row14 = fathom_place_if(fathom_row14_near, fathom_row14_word); if (__builtin_expect(fathom_row13_near & fathom_row14_near, 1)) { 
#pragma omp simd
# 7 "<input>"
for (j = 0; j < 16; j++) (fathom_row13[j] = 2 * fathom_row14[j]); } else { for (j = 0; j < 16; j++) (__extension__ ({ double fathom_v18 = 2 * __extension__ ({ double fathom_copy16; *(double *)fathom_open(fathom_row14_near, fathom_word_if(fathom_row14_near, &fathom_row14[j]), &fathom_copy16, 0, sizeof fathom_copy16); }); const fathom_ptr fathom_at19 = fathom_word_if(fathom_row13_near, &fathom_row13[j]); fathom_write(fathom_row13_near, fathom_at19, &fathom_v18, sizeof fathom_v18); fathom_v18; })); } }} }  i = (int)(fathom_hi2 > fathom_lo1 ? fathom_hi2 : fathom_lo1); } 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
