
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

void send(int v) { (__extension__ ({ int fathom_v1 = v; const fathom_ptr fathom_at2 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_data)))); fathom_write(fathom_is_near(fathom_at2), fathom_at2, &fathom_v1, sizeof fathom_v1); fathom_v1; })); (__extension__ ({ int fathom_v3 = 1; const fathom_ptr fathom_at4 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_flag)))); fathom_strict_write(fathom_is_near(fathom_at4), fathom_at4, &fathom_v3, sizeof fathom_v3); fathom_v3; })); } 
int receive(void) { while (!(__extension__ ({ const fathom_ptr fathom_at5 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_flag)))); int fathom_v7; fathom_strict_read(fathom_is_near(fathom_at5), fathom_at5, &fathom_v7, sizeof fathom_v7); fathom_v7; }))) continue; return __extension__ ({ int fathom_copy9; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_data)))), &fathom_copy9, sizeof fathom_copy9); }); } 
void update(int i) { (__extension__ ({ const fathom_ptr fathom_at11 = fathom_place_word(&(*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 8ul)))); const int fathom_near15 = fathom_is_near(fathom_at11); long fathom_copy12; long *fathom_q13 = fathom_strict_open(fathom_near15, fathom_at11, &fathom_copy12, 0, sizeof fathom_copy12); long fathom_v14 = (*fathom_q13)++; fathom_strict_close(fathom_near15, fathom_at11, fathom_q13, 0, sizeof fathom_copy12); fathom_v14; })); (__extension__ ({ __auto_type fathom_r19 = +(__extension__ ({ const fathom_ptr fathom_at16 = fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_flag)))); int fathom_v18; fathom_strict_read(fathom_is_near(fathom_at16), fathom_at16, &fathom_v18, sizeof fathom_v18); fathom_v18; })); const fathom_ptr fathom_at20 = fathom_place_word(&(*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 8ul)))); const int fathom_near24 = fathom_is_near(fathom_at20); long fathom_copy21; long *fathom_q22 = fathom_strict_open(fathom_near24, fathom_at20, &fathom_copy21, 0, sizeof fathom_copy21); long fathom_v23 = ((*fathom_q22) += fathom_r19); fathom_strict_close(fathom_near24, fathom_at20, fathom_q22, 0, sizeof fathom_copy21); fathom_v23; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
