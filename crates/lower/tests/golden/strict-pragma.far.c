
typedef unsigned long size_t;
extern char fathom_at_x[] __asm__("x") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak x\n\t.type x,@object\n\t.size x,4\nx:\t.zero 4\n\t.popsection");
extern char fathom_at_y[] __asm__("y") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak y\n\t.type y,@object\n\t.size y,4\ny:\t.zero 4\n\t.popsection");
# 4 "<input>"


int all(void) { (__extension__ ({ int fathom_v1 = 1; const fathom_ptr fathom_at2 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_x))); if (fathom_is_near(fathom_at2)) { fathom_far_fence(); __atomic_store((int *)fathom_local(fathom_at2), &fathom_v1, 5); fathom_fence_after_atomic(); } else fathom_strict_put(fathom_at2, &fathom_v1, sizeof fathom_v1); fathom_v1; })); return __extension__ ({ const fathom_ptr fathom_at4 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_y))); int fathom_copy5; fathom_strict_begin(); int fathom_v6; __atomic_load((int *)fathom_open(fathom_is_near(fathom_at4), fathom_at4, &fathom_copy5, 0, sizeof fathom_copy5), &fathom_v6, 5); fathom_v6; }); } 

int some(void) { 
(__extension__ ({ int fathom_v7 = 2; const fathom_ptr fathom_at8 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_x))); if (fathom_is_near(fathom_at8)) *(int *)fathom_local(fathom_at8) = fathom_v7; else { int fathom_copy9 = fathom_v7; fathom_far_put(fathom_at8, &fathom_copy9, sizeof fathom_copy9); }; fathom_v7; })); 
{ 

(__extension__ ({ int fathom_v10 = 3; const fathom_ptr fathom_at11 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_x))); if (fathom_is_near(fathom_at11)) { fathom_far_fence(); __atomic_store((int *)fathom_local(fathom_at11), &fathom_v10, 5); fathom_fence_after_atomic(); } else fathom_strict_put(fathom_at11, &fathom_v10, sizeof fathom_v10); fathom_v10; })); 
(__extension__ ({ int fathom_v16 = __extension__ ({ const fathom_ptr fathom_at13 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_x))); int fathom_copy14; fathom_strict_begin(); int fathom_v15; __atomic_load((int *)fathom_open(fathom_is_near(fathom_at13), fathom_at13, &fathom_copy14, 0, sizeof fathom_copy14), &fathom_v15, 5); fathom_v15; }); const fathom_ptr fathom_at17 = (fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_y))); if (fathom_is_near(fathom_at17)) { fathom_far_fence(); __atomic_store((int *)fathom_local(fathom_at17), &fathom_v16, 5); fathom_fence_after_atomic(); } else fathom_strict_put(fathom_at17, &fathom_v16, sizeof fathom_v16); fathom_v16; }));
    } 
return __extension__ ({ int fathom_copy20; *(int *)fathom_read((fathom_ptr)&(*(int *)fathom_place(fathom_static(fathom_at_y))), &fathom_copy20, sizeof fathom_copy20); });
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
