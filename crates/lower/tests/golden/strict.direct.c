
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

void send(int v) { ((*(int *)fathom_place(fathom_static(fathom_at_data))) = v); (__extension__ ({ int fathom_v1 = 1; int *fathom_at2 = (int *)&(*(int *)fathom_place(fathom_static(fathom_at_flag))); __atomic_store(fathom_at2, &fathom_v1, 5); fathom_fence_after_atomic(); fathom_v1; })); } 
int receive(void) { while (!(__extension__ ({ int *fathom_at4 = &(*(int *)fathom_place(fathom_static(fathom_at_flag))); fathom_strict_begin(); int fathom_v3; __atomic_load(fathom_at4, &fathom_v3, 5); fathom_v3; }))) continue; return (*(int *)fathom_place(fathom_static(fathom_at_data))); } 
void update(int i) { (__extension__ ({ fathom_strict_begin(); long fathom_v5 = (*(long *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 8ul)))++; fathom_fence(); fathom_v5; })); (__extension__ ({ fathom_strict_begin(); long fathom_v8 = ((*(long *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_a), (long)(i), 8ul))) += __extension__ ({ int *fathom_at7 = &(*(int *)fathom_place(fathom_static(fathom_at_flag))); fathom_strict_begin(); int fathom_v6; __atomic_load(fathom_at7, &fathom_v6, 5); fathom_v6; })); fathom_fence(); fathom_v8; })); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
