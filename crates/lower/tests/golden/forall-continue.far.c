
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

int f(int n) {
    int i, j; 
{ for (i = 0; i < n; i++) (__extension__ ({ int fathom_v1 = 1; const fathom_ptr fathom_at2 = fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))); fathom_write(fathom_is_near(fathom_at2), fathom_at2, &fathom_v1, sizeof fathom_v1); fathom_v1; })); } 
{ for (i = 0; i < n; i++) (__extension__ ({ __auto_type fathom_r3 = +(2); const fathom_ptr fathom_at4 = fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))); const int fathom_near8 = fathom_is_near(fathom_at4); int fathom_copy5; int *fathom_q6 = fathom_open(fathom_near8, fathom_at4, &fathom_copy5, 0, sizeof fathom_copy5); int fathom_v7 = ((*fathom_q6) += fathom_r3); fathom_close(fathom_near8, fathom_at4, fathom_q6, 0, sizeof fathom_copy5); fathom_v7; })); } 
{ i = 0; const long fathom_lo9 = (long)i; const long fathom_hi10 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi10; i++) { { 
if (__extension__ ({ int fathom_copy12; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul)))), &fathom_copy12, sizeof fathom_copy12); }) < 0) continue; 
{ for (j = 0; j < 3; j++) (__extension__ ({ __auto_type fathom_r14 = +(i); const fathom_ptr fathom_at15 = fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(j), 4ul)))); const int fathom_near19 = fathom_is_near(fathom_at15); int fathom_copy16; int *fathom_q17 = fathom_open(fathom_near19, fathom_at15, &fathom_copy16, 0, sizeof fathom_copy16); int fathom_v18 = ((*fathom_q17) += fathom_r14); fathom_close(fathom_near19, fathom_at15, fathom_q17, 0, sizeof fathom_copy16); fathom_v18; })); } 
} } else { const long fathom_first20 = fathom_cyclic_first(fathom_lo9, 0l); const long fathom_n22 = fathom_cyclic_count(fathom_first20, fathom_hi10); __attribute__((unused)) int *const fathom_view23 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first20 + 0l, 4ul)); for (long fathom_k21 = 0; fathom_k21 < fathom_n22; fathom_k21++) { __attribute__((unused)) int i = (int)(fathom_first20 + fathom_k21 * (long)fathom_threads); 
# 9 "<input>"
{ 
if (fathom_view23[fathom_k21] < 0) continue; 
{ for (j = 0; j < 3; j++) (__extension__ ({ __auto_type fathom_r24 = +(i); const fathom_ptr fathom_at25 = fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(j), 4ul)))); const int fathom_near29 = fathom_is_near(fathom_at25); int fathom_copy26; int *fathom_q27 = fathom_open(fathom_near29, fathom_at25, &fathom_copy26, 0, sizeof fathom_copy26); int fathom_v28 = ((*fathom_q27) += fathom_r24); fathom_close(fathom_near29, fathom_at25, fathom_q27, 0, sizeof fathom_copy26); fathom_v28; })); } 
}} }  i = (int)(fathom_hi10 > fathom_lo9 ? fathom_hi10 : fathom_lo9); } 
return i;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
