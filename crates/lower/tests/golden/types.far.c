
typedef unsigned long size_t;
/* Conversions of values on the way: small integers, floating point, _Bool, enumerations, complex. */
enum colour { RED, BLUE };
extern char fathom_at_c[] __asm__("c") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 1\n\t.weak c\n\t.type c,@object\n\t.size c,1\nc:\t.zero 1\n\t.popsection");
# 5 "<input>"

extern char fathom_at_h[] __asm__("h") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 2\n\t.weak h\n\t.type h,@object\n\t.size h,2\nh:\t.zero 2\n\t.popsection");
# 5 "<input>"

extern char fathom_at_b[] __asm__("b") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 1\n\t.weak b\n\t.type b,@object\n\t.size b,1\nb:\t.zero 1\n\t.popsection");
# 5 "<input>"

extern char fathom_at_e[] __asm__("e") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak e\n\t.type e,@object\n\t.size e,4\ne:\t.zero 4\n\t.popsection");
# 5 "<input>"

extern char fathom_at_f[] __asm__("f") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 4\n\t.weak f\n\t.type f,@object\n\t.size f,4\nf:\t.zero 4\n\t.popsection");
# 5 "<input>"

extern char fathom_at_z[] __asm__("z") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak z\n\t.type z,@object\n\t.size z,16\nz:\t.zero 16\n\t.popsection");
# 6 "<input>"

extern char fathom_at_w[] __asm__("w") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 16\n\t.weak w\n\t.type w,@object\n\t.size w,16\nw:\t.zero 16\n\t.popsection");
# 6 "<input>"

int ints(int i) { (__extension__ ({ char fathom_v1 = i; const fathom_ptr fathom_at2 = (fathom_ptr)&(*(char *)fathom_place(fathom_static(fathom_at_c))); if (fathom_is_near(fathom_at2)) *(char *)fathom_local(fathom_at2) = fathom_v1; else { char fathom_copy3 = fathom_v1; fathom_far_put(fathom_at2, &fathom_copy3, sizeof fathom_copy3); }; fathom_v1; })); (__extension__ ({ unsigned short fathom_v7 = __extension__ ({ char fathom_copy5; *(char *)fathom_read((fathom_ptr)&(*(char *)fathom_place(fathom_static(fathom_at_c))), &fathom_copy5, sizeof fathom_copy5); }); const fathom_ptr fathom_at8 = (fathom_ptr)&(*(unsigned short *)fathom_place(fathom_static(fathom_at_h))); if (fathom_is_near(fathom_at8)) *(unsigned short *)fathom_local(fathom_at8) = fathom_v7; else { unsigned short fathom_copy9 = fathom_v7; fathom_far_put(fathom_at8, &fathom_copy9, sizeof fathom_copy9); }; fathom_v7; })); (__extension__ ({ _Bool fathom_v13 = __extension__ ({ unsigned short fathom_copy11; *(unsigned short *)fathom_read((fathom_ptr)&(*(unsigned short *)fathom_place(fathom_static(fathom_at_h))), &fathom_copy11, sizeof fathom_copy11); }); const fathom_ptr fathom_at14 = (fathom_ptr)&(*(_Bool *)fathom_place(fathom_static(fathom_at_b))); if (fathom_is_near(fathom_at14)) *(_Bool *)fathom_local(fathom_at14) = fathom_v13; else { _Bool fathom_copy15 = fathom_v13; fathom_far_put(fathom_at14, &fathom_copy15, sizeof fathom_copy15); }; fathom_v13; })); (__extension__ ({ enum colour fathom_v19 = __extension__ ({ _Bool fathom_copy17; *(_Bool *)fathom_read((fathom_ptr)&(*(_Bool *)fathom_place(fathom_static(fathom_at_b))), &fathom_copy17, sizeof fathom_copy17); }) ? BLUE : RED; const fathom_ptr fathom_at20 = (fathom_ptr)&(*(enum colour *)fathom_place(fathom_static(fathom_at_e))); if (fathom_is_near(fathom_at20)) *(enum colour *)fathom_local(fathom_at20) = fathom_v19; else { enum colour fathom_copy21 = fathom_v19; fathom_far_put(fathom_at20, &fathom_copy21, sizeof fathom_copy21); }; fathom_v19; })); return __extension__ ({ char fathom_copy23; *(char *)fathom_read((fathom_ptr)&(*(char *)fathom_place(fathom_static(fathom_at_c))), &fathom_copy23, sizeof fathom_copy23); }) + __extension__ ({ unsigned short fathom_copy26; *(unsigned short *)fathom_read((fathom_ptr)&(*(unsigned short *)fathom_place(fathom_static(fathom_at_h))), &fathom_copy26, sizeof fathom_copy26); }) + __extension__ ({ _Bool fathom_copy29; *(_Bool *)fathom_read((fathom_ptr)&(*(_Bool *)fathom_place(fathom_static(fathom_at_b))), &fathom_copy29, sizeof fathom_copy29); }) + __extension__ ({ enum colour fathom_copy32; *(enum colour *)fathom_read((fathom_ptr)&(*(enum colour *)fathom_place(fathom_static(fathom_at_e))), &fathom_copy32, sizeof fathom_copy32); }); } 
double reals(double d) { (__extension__ ({ float fathom_v34 = d; const fathom_ptr fathom_at35 = (fathom_ptr)&(*(float *)fathom_place(fathom_static(fathom_at_f))); if (fathom_is_near(fathom_at35)) *(float *)fathom_local(fathom_at35) = fathom_v34; else { float fathom_copy36 = fathom_v34; fathom_far_put(fathom_at35, &fathom_copy36, sizeof fathom_copy36); }; fathom_v34; })); (__extension__ ({ _Complex double fathom_v40 = __extension__ ({ float fathom_copy38; *(float *)fathom_read((fathom_ptr)&(*(float *)fathom_place(fathom_static(fathom_at_f))), &fathom_copy38, sizeof fathom_copy38); }); const fathom_ptr fathom_at41 = (fathom_ptr)&(*(_Complex double *)fathom_place(fathom_static(fathom_at_z))); if (fathom_is_near(fathom_at41)) *(_Complex double *)fathom_local(fathom_at41) = fathom_v40; else { _Complex double fathom_copy42 = fathom_v40; fathom_far_put(fathom_at41, &fathom_copy42, sizeof fathom_copy42); }; fathom_v40; })); (__extension__ ({ long double fathom_v43 = d; const fathom_ptr fathom_at44 = (fathom_ptr)&(*(long double *)fathom_place(fathom_static(fathom_at_w))); if (fathom_is_near(fathom_at44)) *(long double *)fathom_local(fathom_at44) = fathom_v43; else { long double fathom_copy45 = fathom_v43; fathom_far_put(fathom_at44, &fathom_copy45, sizeof fathom_copy45); }; fathom_v43; })); (__extension__ ({ __auto_type fathom_r49 = +(__extension__ ({ float fathom_copy47; *(float *)fathom_read((fathom_ptr)&(*(float *)fathom_place(fathom_static(fathom_at_f))), &fathom_copy47, sizeof fathom_copy47); })); const fathom_ptr fathom_at50 = (fathom_ptr)&(*(char *)fathom_place(fathom_static(fathom_at_c))); const int fathom_near54 = fathom_is_near(fathom_at50); char fathom_copy51; char *fathom_q52 = fathom_open(fathom_near54, fathom_at50, &fathom_copy51, 0, sizeof fathom_copy51); char fathom_v53 = ((*fathom_q52) += fathom_r49); fathom_close(fathom_near54, fathom_at50, fathom_q52, 0, sizeof fathom_copy51); fathom_v53; })); return __extension__ ({ float fathom_copy56; *(float *)fathom_read((fathom_ptr)&(*(float *)fathom_place(fathom_static(fathom_at_f))), &fathom_copy56, sizeof fathom_copy56); }) + __extension__ ({ long double fathom_copy59; *(long double *)fathom_read((fathom_ptr)&(*(long double *)fathom_place(fathom_static(fathom_at_w))), &fathom_copy59, sizeof fathom_copy59); }); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
