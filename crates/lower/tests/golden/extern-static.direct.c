
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
# 3 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.local b\n\t.type b,@object\n\t.size b,4\nb:\t.zero 4\n\t.popsection");
# 4 "<input>"

extern fathom_ptr c ; 
extern char fathom_at_late[] __asm__("late") __attribute__((visibility("hidden")));
# 6 "<input>"
int f(void) { ; return (*(int *)fathom_place(fathom_threads_on(fathom_static(fathom_at_a), (long)(0)))) + (*(int *)fathom_place(fathom_threads_on(fathom_static(fathom_at_b), (long)(1)))) + ((int)((double *)fathom_place(c))[2]) + (*(int *)fathom_place(fathom_static(fathom_at_late))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
