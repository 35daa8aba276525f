
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_a[] __asm__("a") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak a\n\t.type a,@object\n\t.size a,400\na:\t.zero 400\n\t.popsection");
# 4 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak b\n\t.type b,@object\n\t.size b,400\nb:\t.zero 400\n\t.popsection");
# 5 "<input>"

extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak c\n\t.type c,@object\n\t.size c,2800\nc:\t.zero 2800\n\t.popsection");
# 6 "<input>"

long sum(int n) {
    long s = 0; 
for (int i = 0; i < n; i++) s += (*(int *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_a), (long)(i), 4ul))) + (*(int (*)[100])fathom_place(fathom_static(fathom_at_b)))[i]; 
for (int i = n - 1; i >= 0; i--) s -= (*(int *)fathom_place(fathom_block_elem(fathom_static(fathom_at_c), (long)(i), 7ul, 4ul)));
    return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
