
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_symbol_large[] __asm__("large") __attribute__((visibility("hidden")));
__asm__(".pushsection .data.rel.ro.local,\"aw\",@progbits\n\t.balign 8\n\t.weak fathom_address_large\n\t.hidden fathom_address_large\nfathom_address_large:\t.quad large\n\t.popsection");
extern char *const fathom_at_large __asm__("fathom_address_large") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.zero 1\n\t.popsection\n\t.pushsection fathom_shared_large,\"aw\",@nobits\n\t.balign 4096\n\t.weak large\n\t.type large,@object\n\t.size large,16777216\nlarge:\t.zero 16777216\n\t.popsection");
# 2 "<input>"

// Objects of 16 MiB a thread and more, and those of which only another unit knows the length, are addressed through a
// constant; the others by their symbols.
#include <upc.h>

extern char fathom_at_small[] __asm__("small") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak small\n\t.type small,@object\n\t.size small,16777208\nsmall:\t.zero 16777208\n\t.popsection");
# 7 "<input>"

extern char fathom_symbol_elsewhere[] __asm__("elsewhere") __attribute__((visibility("hidden")));
__asm__(".pushsection .data.rel.ro.local,\"aw\",@progbits\n\t.balign 8\n\t.weak fathom_address_elsewhere\n\t.hidden fathom_address_elsewhere\nfathom_address_elsewhere:\t.quad elsewhere\n\t.popsection");
extern char *const fathom_at_elsewhere __asm__("fathom_address_elsewhere") __attribute__((visibility("hidden")));
# 8 "<input>"

extern char fathom_symbol_local__fathom0[] __asm__("local__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection .data.rel.ro.local,\"aw\",@progbits\n\t.balign 8\n\t.local fathom_address_local__fathom0\nfathom_address_local__fathom0:\t.quad local__fathom0\n\t.popsection");
extern char *const fathom_at_local__fathom0 __asm__("fathom_address_local__fathom0") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.zero 1\n\t.popsection\n\t.pushsection fathom_shared_large,\"aw\",@nobits\n\t.balign 4096\n\t.local local__fathom0\n\t.type local__fathom0,@object\n\t.size local__fathom0,16777216\nlocal__fathom0:\t.zero 16777216\n\t.popsection");
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=11\011column=17\011function=f\011construct=read\011strict=false\011text=large[i]\011object=large\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=2097152\011count=2097152\011count_per_thread=true", fathom_symbol_large};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=11\011column=33\011function=f\011construct=read\011strict=false\011text=small[i]\011object=small\011elem_bytes=8\011row=1\011form=address\011reason=no-loop\011affinity=\011loop_line=0\011block=2097151\011count=2097151\011count_per_thread=true", fathom_at_small};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "file=<input>\011line=11\011column=44\011function=f\011construct=read\011strict=false\011text=elsewhere[i]\011object=elsewhere\011elem_bytes=4\011row=0\011form=subscript\011reason=one-thread\011affinity=\011loop_line=0\011block=0", fathom_symbol_elsewhere};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "file=<input>\011line=11\011column=59\011function=f\011construct=read\011strict=false\011text=local[i]\011object=local\011elem_bytes=1\011row=1\011form=subscript\011reason=one-thread\011affinity=\011loop_line=0\011block=0\011count=16777216\011count_per_thread=false", fathom_symbol_local__fathom0};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
# 9 "<input>"
int f(unsigned long i) { 
; 
return ((int)(*__extension__ ({ __auto_type fathom_p1 = &(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_large), (long)(i), 2097152ul, 8ul))); const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; }))) + ((int)(*__extension__ ({ __auto_type fathom_p3 = &(*(double *)fathom_place(fathom_block_elem(fathom_static(fathom_at_small), (long)(i), 2097151ul, 8ul))); const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; }))) + (*__extension__ ({ __auto_type fathom_p5 = &(*(int (*)[])fathom_place(fathom_static(fathom_at_elsewhere)))[i]; const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })) + (*__extension__ ({ __auto_type fathom_p7 = &(*(char (*)[16777216])fathom_place(fathom_static(fathom_at_local__fathom0)))[i]; const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; }));
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
