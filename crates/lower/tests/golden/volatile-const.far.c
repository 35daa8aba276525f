
typedef unsigned long size_t;
extern char fathom_at_limit[] __asm__("limit") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.globl limit\n\t.type limit,@object\n\t.size limit,4\nlimit:\t.zero 4\n\t.popsection");
# 3 "<input>"

extern char fathom_at_tick[] __asm__("tick") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak tick\n\t.type tick,@object\n\t.size tick,4\ntick:\t.zero 4\n\t.popsection");
# 4 "<input>"

fathom_ptr p ; 
int f(fathom_ptr q) { (__extension__ ({ const fathom_ptr fathom_at2 = fathom_place_word(&(*(volatile int *)fathom_place(fathom_static(fathom_at_tick)))); const int fathom_near6 = fathom_is_near(fathom_at2); int fathom_copy3; int *fathom_q4 = fathom_volatile_open(fathom_near6, fathom_at2, &fathom_copy3, 0, sizeof fathom_copy3); int fathom_v5 = (*fathom_q4)++; fathom_close(fathom_near6, fathom_at2, fathom_q4, 0, sizeof fathom_copy3); __asm__ volatile ("" ::: "memory"); fathom_v5; })); return __extension__ ({ int fathom_copy8; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(fathom_static(fathom_at_limit)))), &fathom_copy8, sizeof fathom_copy8); }) + __extension__ ({ int fathom_copy11; *(int *)fathom_read(fathom_place_word(&(*(int *)fathom_place(p))), &fathom_copy11, sizeof fathom_copy11); }) + __extension__ ({ int fathom_copy14; *(volatile int *)fathom_volatile_read(fathom_place_word(&(*(volatile int *)fathom_place(q))), &fathom_copy14, sizeof fathom_copy14); }); } 
static void fathom_unit_init(void) {
if (fathom_mythread == 0) { int fathom_init1 = 
# 3 "<input>"
3; fathom_memput(fathom_static(fathom_at_limit), &fathom_init1, sizeof fathom_init1); } 
}
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", fathom_unit_init, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
