
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

int f(int n) {
    int i, j; 
{ for (i = 0; i < n; i++) (__extension__ ({ int fathom_v1 = 1; const fathom_ptr fathom_at2 = (fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); if (fathom_is_near(fathom_at2)) *(int *)fathom_local(fathom_at2) = fathom_v1; else { int fathom_copy3 = fathom_v1; fathom_far_put(fathom_at2, &fathom_copy3, sizeof fathom_copy3); }; fathom_v1; })); } 
{ for (i = 0; i < n; i++) (__extension__ ({ __auto_type fathom_r4 = +(2); const fathom_ptr fathom_at5 = (fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))); const int fathom_near9 = fathom_is_near(fathom_at5); int fathom_copy6; int *fathom_q7 = fathom_open(fathom_near9, fathom_at5, &fathom_copy6, 0, sizeof fathom_copy6); int fathom_v8 = ((*fathom_q7) += fathom_r4); fathom_close(fathom_near9, fathom_at5, fathom_q7, 0, sizeof fathom_copy6); fathom_v8; })); } 
{ i = 0; const long fathom_lo10 = (long)i; const long fathom_hi11 = (long)(n); if (__builtin_expect(fathom_forall_depth, 0)) for (; i < fathom_hi11; i++) { 
if (__extension__ ({ int fathom_copy13; *(int *)fathom_read((fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 4ul))), &fathom_copy13, sizeof fathom_copy13); }) < 0) continue; 
{ for (j = 0; j < 3; j++) (__extension__ ({ __auto_type fathom_r15 = +(i); const fathom_ptr fathom_at16 = (fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(j), 4ul))); const int fathom_near20 = fathom_is_near(fathom_at16); int fathom_copy17; int *fathom_q18 = fathom_open(fathom_near20, fathom_at16, &fathom_copy17, 0, sizeof fathom_copy17); int fathom_v19 = ((*fathom_q18) += fathom_r15); fathom_close(fathom_near20, fathom_at16, fathom_q18, 0, sizeof fathom_copy17); fathom_v19; })); } 
} else { const long fathom_first21 = fathom_cyclic_first(fathom_lo10, 0l); const long fathom_n23 = fathom_cyclic_count(fathom_first21, fathom_hi11); __attribute__((unused)) int *const fathom_view24 = fathom_local(fathom_cyclic_elem(fathom_static(fathom_at_a), fathom_first21 + 0l, 4ul)); for (long fathom_k22 = 0; fathom_k22 < fathom_n23; fathom_k22++) { __attribute__((unused)) int i = (int)(fathom_first21 + fathom_k22 * (long)fathom_threads); 
# 9 "<input>"
{ 
if (fathom_view24[fathom_k22] < 0) continue; 
{ for (j = 0; j < 3; j++) (__extension__ ({ __auto_type fathom_r25 = +(i); const fathom_ptr fathom_at26 = (fathom_ptr)&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(j), 4ul))); const int fathom_near30 = fathom_is_near(fathom_at26); int fathom_copy27; int *fathom_q28 = fathom_open(fathom_near30, fathom_at26, &fathom_copy27, 0, sizeof fathom_copy27); int fathom_v29 = ((*fathom_q28) += fathom_r25); fathom_close(fathom_near30, fathom_at26, fathom_q28, 0, sizeof fathom_copy27); fathom_v29; })); } 
}} }  i = (int)(fathom_hi11 > fathom_lo10 ? fathom_hi11 : fathom_lo10); } 
return i;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
