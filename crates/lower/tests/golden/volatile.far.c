
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak x\n\t.type x,@object\n\t.size x,8\nx:\t.zero 8\n\t.popsection");
# 3 "<input>"

extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,80\na:\t.zero 80\n\t.popsection");
# 4 "<input>"

struct s { volatile int v; int w : 3; };
extern char fathom_at_q[] __asm__("q") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak q\n\t.type q,@object\n\t.size q,8\nq:\t.zero 8\n\t.popsection");
# 6 "<input>"

int f(fathom_ptr p, int i) { 
(__extension__ ({ const fathom_ptr fathom_at1 = fathom_place_word(&(*(volatile long *)fathom_place(fathom_static(fathom_at_x)))); const int fathom_near5 = fathom_is_near(fathom_at1); long fathom_copy2; long *fathom_q3 = fathom_volatile_open(fathom_near5, fathom_at1, &fathom_copy2, 0, sizeof fathom_copy2); long fathom_v4 = ++(*fathom_q3); fathom_close(fathom_near5, fathom_at1, fathom_q3, 0, sizeof fathom_copy2); __asm__ volatile ("" ::: "memory"); fathom_v4; })); 
(__extension__ ({ double fathom_v6 = 1; const fathom_ptr fathom_at7 = fathom_place_word(&(*(volatile double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 8ul)))); fathom_write(fathom_is_near(fathom_at7), fathom_at7, &fathom_v6, sizeof fathom_v6); __asm__ volatile ("" ::: "memory"); fathom_v6; })); 
(__extension__ ({ int fathom_v8 = 1; const fathom_ptr fathom_at9 = fathom_place_word(&(*(struct s *)fathom_place(fathom_static(fathom_at_q))).v); fathom_write(fathom_is_near(fathom_at9), fathom_at9, &fathom_v8, sizeof fathom_v8); __asm__ volatile ("" ::: "memory"); fathom_v8; })); 
while (!(__extension__ ({ int fathom_copy11; *(volatile int *)fathom_volatile_read(fathom_place_word(&(*(volatile int *)fathom_place(p))), &fathom_copy11, sizeof fathom_copy11); }))) { fathom_turn(); {} } 
return __extension__ ({ int fathom_copy14; *(volatile int *)fathom_volatile_read(fathom_place_word(&(*(struct s *)fathom_place(fathom_static(fathom_at_q))).v), &fathom_copy14, sizeof fathom_copy14); }) + __extension__ ({ const fathom_ptr fathom_at16 = fathom_place_word(&(*(struct s *)fathom_place(fathom_static(fathom_at_q)))); struct s fathom_copy17; int fathom_v18 = ((struct s *)fathom_open(fathom_is_near(fathom_at16), fathom_at16, &fathom_copy17, 4, 1))->w; fathom_v18; });
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
