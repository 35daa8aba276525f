
typedef unsigned long size_t;
extern char fathom_at_n__fathom0[] __asm__("n__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.local n__fathom0\n\t.type n__fathom0,@object\n\t.size n__fathom0,4\nn__fathom0:\t.zero 4\n\t.popsection");
extern char fathom_at_each__fathom0[] __asm__("each__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.local each__fathom0\n\t.type each__fathom0,@object\n\t.size each__fathom0,12\neach__fathom0:\t.zero 12\n\t.popsection");
# 3 "<input>"
int count(void) { 
; 
; 
{ const fathom_ptr fathom_row1_word = fathom_static(fathom_at_each__fathom0); __attribute__((unused)) const int fathom_row1_near = fathom_is_near(fathom_row1_word); __attribute__((unused)) int *const fathom_row1 = fathom_place_if(fathom_row1_near, fathom_row1_word); if (__builtin_expect(fathom_row1_near, 1)) { 
#pragma omp simd
# 6 "<input>"
for (int i = 0; i < 3; i++) (fathom_row1[i]++); } else { for (int i = 0; i < 3; i++) (__extension__ ({ const fathom_ptr fathom_at2 = fathom_word_if(fathom_row1_near, &fathom_row1[i]); const int fathom_near6 = fathom_row1_near; int fathom_copy3; int *fathom_q4 = fathom_open(fathom_near6, fathom_at2, &fathom_copy3, 0, sizeof fathom_copy3); int fathom_v5 = (*fathom_q4)++; fathom_close(fathom_near6, fathom_at2, fathom_q4, 0, sizeof fathom_copy3); fathom_v5; })); } } 
return (__extension__ ({ const fathom_ptr fathom_at7 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_n__fathom0)))); const int fathom_near11 = fathom_is_near(fathom_at7); int fathom_copy8; int *fathom_q9 = fathom_open(fathom_near11, fathom_at7, &fathom_copy8, 0, sizeof fathom_copy8); int fathom_v10 = (*fathom_q9)++; fathom_close(fathom_near11, fathom_at7, fathom_q9, 0, sizeof fathom_copy8); fathom_v10; }));
}
extern char fathom_at_n__fathom1[] __asm__("n__fathom1") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.local n__fathom1\n\t.type n__fathom1,@object\n\t.size n__fathom1,8\nn__fathom1:\t.zero 8\n\t.popsection");
# 9 "<input>"
int other(void) { ; return ((int)((__extension__ ({ __auto_type fathom_r12 = +(1); const fathom_ptr fathom_at13 = fathom_place_word(&(*(double *)fathom_place(fathom_static(fathom_at_n__fathom1)))); const int fathom_near17 = fathom_is_near(fathom_at13); double fathom_copy14; double *fathom_q15 = fathom_open(fathom_near17, fathom_at13, &fathom_copy14, 0, sizeof fathom_copy14); double fathom_v16 = ((*fathom_q15) += fathom_r12); fathom_close(fathom_near17, fathom_at13, fathom_q15, 0, sizeof fathom_copy14); fathom_v16; })))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
