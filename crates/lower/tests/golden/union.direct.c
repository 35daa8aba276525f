
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
union value { int i; float f; char c[8]; };
extern char fathom_at_v[] __asm__("v") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak v\n\t.type v,@object\n\t.size v,8\nv:\t.zero 8\n\t.popsection");
# 4 "<input>"

float get(int t) { ((*(union value *)fathom_place(fathom_threads_on(fathom_static(fathom_at_v), (long)(t)))).i = 1); return (*(union value *)fathom_place(fathom_threads_on(fathom_static(fathom_at_v), (long)(t)))).f + (*(union value *)fathom_place(fathom_threads_on(fathom_static(fathom_at_v), (long)(t)))).c[3]; } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
