
typedef unsigned long size_t;
extern char fathom_at_n__fathom0[] __asm__("n__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.local n__fathom0\n\t.type n__fathom0,@object\n\t.size n__fathom0,4\nn__fathom0:\t.zero 4\n\t.popsection");
extern char fathom_at_each__fathom0[] __asm__("each__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.local each__fathom0\n\t.type each__fathom0,@object\n\t.size each__fathom0,12\neach__fathom0:\t.zero 12\n\t.popsection");
# 3 "<input>"
int count(void) { 
; 
; 
for (int i = 0; i < 3; i++) ((*(int (*)[3])fathom_place(fathom_static(fathom_at_each__fathom0)))[i]++); 
return ((*(int *)fathom_place(fathom_static(fathom_at_n__fathom0)))++);
}
extern char fathom_at_n__fathom1[] __asm__("n__fathom1") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.local n__fathom1\n\t.type n__fathom1,@object\n\t.size n__fathom1,8\nn__fathom1:\t.zero 8\n\t.popsection");
# 9 "<input>"
int other(void) { ; return ((int)(((*(double *)fathom_place(fathom_static(fathom_at_n__fathom1))) += 1))); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
