
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_table[] __asm__("table") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak table\n\t.type table,@object\n\t.size table,8000\ntable:\t.zero 8000\n\t.popsection");
# 4 "<input>"

extern char fathom_at_index[] __asm__("index") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak index\n\t.type index,@object\n\t.size index,40\nindex:\t.zero 40\n\t.popsection");
# 5 "<input>"

void add(const int *where, int n) { for (int i = 0; i < n; i++) (__extension__ ({ __auto_type fathom_r1 = +(1); const fathom_ptr fathom_at2 = fathom_place_word(&(*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_table), (long)(where[i]), 8ul)))); const int fathom_near6 = fathom_is_near(fathom_at2); long fathom_copy3; long *fathom_q4 = fathom_open(fathom_near6, fathom_at2, &fathom_copy3, 0, sizeof fathom_copy3); long fathom_v5 = ((*fathom_q4) += fathom_r1); fathom_close(fathom_near6, fathom_at2, fathom_q4, 0, sizeof fathom_copy3); fathom_v5; })); } 
long gather(int n) { long s = 0; for (int i = 0; i < n; ) { unsigned long fathom_n7 = (unsigned long)(n) - (unsigned long)i - 1; const fathom_pptr fathom_view10_at = fathom_block_at(fathom_static(fathom_at_index), (long)i + 0l, 10ul, 4ul); fathom_n7 = fathom_in_block(fathom_n7, fathom_view10_at, 10ul); fathom_n7++; const fathom_ptr fathom_view10_word = fathom_view10_at.addr; __attribute__((unused)) const int fathom_view10_near = fathom_is_near(fathom_view10_word); __attribute__((unused)) int *const fathom_view10 = fathom_place_if(fathom_view10_near, fathom_view10_word); if (__builtin_expect(fathom_view10_near, 1)) { unsigned long fathom_k8 = 0; for (; fathom_k8 < fathom_n7; fathom_k8++, i++) { s += __extension__ ({ long fathom_copy12; *(long *)fathom_read(fathom_place_word(&(*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_table), (long)(fathom_view10[fathom_k8]), 8ul)))), &fathom_copy12, sizeof fathom_copy12); }); } if (fathom_k8 < fathom_n7) break;  } else { unsigned long fathom_k8 = 0; for (; fathom_k8 < fathom_n7; fathom_k8++, i++) { s += __extension__ ({ long fathom_copy18; *(long *)fathom_read(fathom_place_word(&(*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_table), (long)(__extension__ ({ int fathom_copy15; *(int *)fathom_open(fathom_view10_near, fathom_word_if(fathom_view10_near, &fathom_view10[fathom_k8]), &fathom_copy15, 0, sizeof fathom_copy15); })), 8ul)))), &fathom_copy18, sizeof fathom_copy18); }); } if (fathom_k8 < fathom_n7) break;  } } return s; } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
