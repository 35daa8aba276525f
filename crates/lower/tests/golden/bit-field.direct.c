
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
struct flags { unsigned a : 3, b : 7; int : 0; signed c : 5; };
extern char fathom_at_f[] __asm__("f") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak f\n\t.type f,@object\n\t.size f,8\nf:\t.zero 8\n\t.popsection");
# 4 "<input>"

int get(int t) { return (*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))).a + (*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))).c; } 
int set(int t, int v) { ((*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))).b = v); ((*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))).c += 2); return ((*(struct flags *)fathom_place(fathom_threads_on(fathom_static(fathom_at_f), (long)(t)))).a++); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
