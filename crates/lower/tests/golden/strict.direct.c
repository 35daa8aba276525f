
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

void send(int v) { ((*(int *)fathom_place(fathom_static(fathom_at_data))) = v); (__extension__ ({ int fathom_v1 = 1; const fathom_ptr fathom_at2 = fathom_word(&(*(int *)fathom_place(fathom_static(fathom_at_flag)))); fathom_strict_write(1, fathom_at2, &fathom_v1, sizeof fathom_v1); fathom_v1; })); } 
int receive(void) { while (!(__extension__ ({ const fathom_ptr fathom_at3 = fathom_word(&(*(int *)fathom_place(fathom_static(fathom_at_flag)))); int fathom_v5; fathom_strict_read(1, fathom_at3, &fathom_v5, sizeof fathom_v5); fathom_v5; }))) continue; return (*(int *)fathom_place(fathom_static(fathom_at_data))); } 
void update(int i) { (__extension__ ({ const fathom_ptr fathom_at6 = fathom_word(&(*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 8ul)))); const int fathom_near10 = 1; long fathom_copy7; long *fathom_q8 = fathom_strict_open(fathom_near10, fathom_at6, &fathom_copy7, 0, sizeof fathom_copy7); long fathom_v9 = (*fathom_q8)++; fathom_strict_close(fathom_near10, fathom_at6, fathom_q8, 0, sizeof fathom_copy7); fathom_v9; })); (__extension__ ({ __auto_type fathom_r14 = +(__extension__ ({ const fathom_ptr fathom_at11 = fathom_word(&(*(int *)fathom_place(fathom_static(fathom_at_flag)))); int fathom_v13; fathom_strict_read(1, fathom_at11, &fathom_v13, sizeof fathom_v13); fathom_v13; })); const fathom_ptr fathom_at15 = fathom_word(&(*(long *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 8ul)))); const int fathom_near19 = 1; long fathom_copy16; long *fathom_q17 = fathom_strict_open(fathom_near19, fathom_at15, &fathom_copy16, 0, sizeof fathom_copy16); long fathom_v18 = ((*fathom_q17) += fathom_r14); fathom_strict_close(fathom_near19, fathom_at15, fathom_q17, 0, sizeof fathom_copy16); fathom_v18; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
