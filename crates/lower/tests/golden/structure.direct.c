
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
/* Members, nested ones, copies of the whole. */
struct inner { int a[3]; double d; };
struct outer { char c; struct inner i; struct inner *local; };
extern char fathom_at_s[] __asm__("s") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak s\n\t.type s,@object\n\t.size s,40\ns:\t.zero 40\n\t.popsection");
# 6 "<input>"

double member(int t) { return (*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))).i .d + (*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))).i .a[1] + (*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))).c; } 
void copy(int t, int u) { ((*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))) = (*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(u))))); ((*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))).i = (*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(u)))).i); } 
struct outer whole(int t) { return (*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))); } 
void set(int t, struct outer *o) { ((*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))) = *o); *o = (*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))); ((*(struct outer *)fathom_place(fathom_threads_on(fathom_static(fathom_at_s), (long)(t)))).local = &o->i); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
