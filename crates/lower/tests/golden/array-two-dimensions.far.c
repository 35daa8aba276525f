
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak a\n\t.type a,@object\n\t.size a,32\na:\t.zero 32\n\t.popsection");
# 4 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak b\n\t.type b,@object\n\t.size b,32\nb:\t.zero 32\n\t.popsection");
# 5 "<input>"

extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak c\n\t.type c,@object\n\t.size c,32\nc:\t.zero 32\n\t.popsection");
# 6 "<input>"

int get(int i, int j) { return __extension__ ({ int fathom_copy2; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i) * (8l) + (long)(j), 4ul)))), &fathom_copy2, sizeof fathom_copy2); }) + __extension__ ({ int fathom_copy5; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_b), (long)(i) * (8l) + (long)(j), 8ul, 4ul)))), &fathom_copy5, sizeof fathom_copy5); }); } 
double row(int i) { double s = 0; for (int j = 0; j < THREADS; j++) s += __extension__ ({ double fathom_copy8; *(double *)fathom_read(fathom_place_word(&(*(double *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_c), (long)(i) * (1l * (long)fathom_threads) + (long)(j), 8ul)))), &fathom_copy8, sizeof fathom_copy8); }); return s; } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
