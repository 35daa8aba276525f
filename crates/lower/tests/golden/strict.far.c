
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_flag[] __asm__("flag") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak flag\n\t.type flag,@object\n\t.size flag,4\nflag:\t.zero 4\n\t.popsection");
# 4 "<input>"

extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak a\n\t.type a,@object\n\t.size a,16\na:\t.zero 16\n\t.popsection");
# 5 "<input>"

extern char fathom_at_data[] __asm__("data") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak data\n\t.type data,@object\n\t.size data,4\ndata:\t.zero 4\n\t.popsection");
# 6 "<input>"

void send(int v) { (__extension__ ({ int fathom_v1 = v; const fathom_ptr fathom_at2 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_data))); if (fathom_is_near(fathom_at2)) *(int *)fathom_local(fathom_at2) = fathom_v1; else { int fathom_copy3 = fathom_v1; fathom_far_put(fathom_at2, &fathom_copy3, sizeof fathom_copy3); }; fathom_v1; })); (__extension__ ({ int fathom_v4 = 1; const fathom_ptr fathom_at5 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_flag))); if (fathom_is_near(fathom_at5)) { fathom_far_fence(); __atomic_store((int *)fathom_local(fathom_at5), &fathom_v4, 5); fathom_fence_after_atomic(); } else fathom_strict_put(fathom_at5, &fathom_v4, sizeof fathom_v4); fathom_v4; })); } 
int receive(void) { while (!(__extension__ ({ const fathom_ptr fathom_at7 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_flag))); int fathom_copy8; fathom_strict_begin(); int fathom_v9; __atomic_load((int *)fathom_open(fathom_is_near(fathom_at7), fathom_at7, &fathom_copy8, 0, sizeof fathom_copy8), &fathom_v9, 5); fathom_v9; }))) continue; return __extension__ ({ int fathom_copy11; *(int *)fathom_read((fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_data))), &fathom_copy11, sizeof fathom_copy11); }); } 
void update(int i) { (__extension__ ({ const fathom_ptr fathom_at13 = (fathom_ptr)&(*(long *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 8ul))); const int fathom_near17 = fathom_is_near(fathom_at13); long fathom_copy14; fathom_strict_begin(); long *fathom_q15 = fathom_open(fathom_near17, fathom_at13, &fathom_copy14, 0, sizeof fathom_copy14); long fathom_v16 = (*fathom_q15)++; fathom_close(fathom_near17, fathom_at13, fathom_q15, 0, sizeof fathom_copy14); fathom_fence(); fathom_v16; })); (__extension__ ({ __auto_type fathom_r21 = +(__extension__ ({ const fathom_ptr fathom_at18 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_flag))); int fathom_copy19; fathom_strict_begin(); int fathom_v20; __atomic_load((int *)fathom_open(fathom_is_near(fathom_at18), fathom_at18, &fathom_copy19, 0, sizeof fathom_copy19), &fathom_v20, 5); fathom_v20; })); const fathom_ptr fathom_at22 = (fathom_ptr)&(*(long *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 8ul))); const int fathom_near26 = fathom_is_near(fathom_at22); long fathom_copy23; fathom_strict_begin(); long *fathom_q24 = fathom_open(fathom_near26, fathom_at22, &fathom_copy23, 0, sizeof fathom_copy23); long fathom_v25 = ((*fathom_q24) += fathom_r21); fathom_close(fathom_near26, fathom_at22, fathom_q24, 0, sizeof fathom_copy23); fathom_fence(); fathom_v25; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
