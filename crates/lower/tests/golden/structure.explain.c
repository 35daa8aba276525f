
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
/* Members, nested ones, copies of the whole. */
struct inner { int a[3]; double d; };
struct outer { char c; struct inner i; struct inner *local; };
extern char fathom_at_s[] __asm__("s") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 8\n\t.weak s\n\t.type s,@object\n\t.size s,40\ns:\t.zero 40\n\t.popsection");
# 6 "<input>"

static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "<input>\0117\01131\011member\011read\0110\011s[t].i.d\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 4u, "<input>\0117\01142\011member\011read\0110\011s[t].i.a[1]\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 1u, "<input>\0117\01156\011member\011read\0110\011s[t].c\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 7 "<input>"
double member(int t) { return (*__extension__ ({ __auto_type fathom_p1 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(t), 40ul))).i .d; const fathom_ptr fathom_word2 = fathom_word(& *fathom_p1); fathom_explain_touch(&fathom_site_0, fathom_word2); fathom_p1; })) + (*__extension__ ({ __auto_type fathom_p3 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(t), 40ul))).i .a[1]; const fathom_ptr fathom_word4 = fathom_word(& *fathom_p3); fathom_explain_touch(&fathom_site_1, fathom_word4); fathom_p3; })) + (*__extension__ ({ __auto_type fathom_p5 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(t), 40ul))).c; const fathom_ptr fathom_word6 = fathom_word(& *fathom_p5); fathom_explain_touch(&fathom_site_2, fathom_word6); fathom_p5; })); }
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 40u, "<input>\0118\01134\011copy\011read\0110\011s[u]\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 40u, "<input>\0118\01127\011copy\011write\0110\011s[t]\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 24u, "<input>\0118\01149\011copy\011read\0110\011s[u].i\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 24u, "<input>\0118\01140\011copy\011write\0110\011s[t].i\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
# 8 "<input>"
void copy(int t, int u) { ((*__extension__ ({ __auto_type fathom_p9 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(t), 40ul))); const fathom_ptr fathom_word10 = fathom_word(& *fathom_p9); fathom_explain_touch(&fathom_site_4, fathom_word10); fathom_p9; })) = (*__extension__ ({ __auto_type fathom_p7 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(u), 40ul))); const fathom_ptr fathom_word8 = fathom_word(& *fathom_p7); fathom_explain_touch(&fathom_site_3, fathom_word8); fathom_p7; }))); ((*__extension__ ({ __auto_type fathom_p13 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(t), 40ul))).i; const fathom_ptr fathom_word14 = fathom_word(& *fathom_p13); fathom_explain_touch(&fathom_site_6, fathom_word14); fathom_p13; })) = (*__extension__ ({ __auto_type fathom_p11 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(u), 40ul))).i; const fathom_ptr fathom_word12 = fathom_word(& *fathom_p11); fathom_explain_touch(&fathom_site_5, fathom_word12); fathom_p11; }))); }
static struct fathom_site fathom_site_7 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 40u, "<input>\0119\01136\011whole\011read\0110\011s[t]\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_7_at __attribute__((section("fathom_sites"), used)) = &fathom_site_7;
# 9 "<input>"
struct outer whole(int t) { return (*__extension__ ({ __auto_type fathom_p15 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(t), 40ul))); const fathom_ptr fathom_word16 = fathom_word(& *fathom_p15); fathom_explain_touch(&fathom_site_7, fathom_word16); fathom_p15; })); }
static struct fathom_site fathom_site_8 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 40u, "<input>\01110\01136\011set\011write\0110\011s[t]\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_8_at __attribute__((section("fathom_sites"), used)) = &fathom_site_8;
static struct fathom_site fathom_site_9 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 40u, "<input>\01110\01152\011set\011read\0110\011s[t]\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_9_at __attribute__((section("fathom_sites"), used)) = &fathom_site_9;
static struct fathom_site fathom_site_10 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "<input>\01110\01158\011set\011write\0110\011s[t].local\011s\0111\01140\0111*T\0111\011address, load/store\011not in a loop\011\011\0110", fathom_at_s};
static struct fathom_site *const fathom_site_10_at __attribute__((section("fathom_sites"), used)) = &fathom_site_10;
# 10 "<input>"
void set(int t, struct outer *o) { ((*__extension__ ({ __auto_type fathom_p17 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(t), 40ul))); const fathom_ptr fathom_word18 = fathom_word(& *fathom_p17); fathom_explain_touch(&fathom_site_8, fathom_word18); fathom_p17; })) = *o); *o = (*__extension__ ({ __auto_type fathom_p19 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(t), 40ul))); const fathom_ptr fathom_word20 = fathom_word(& *fathom_p19); fathom_explain_touch(&fathom_site_9, fathom_word20); fathom_p19; })); ((*__extension__ ({ __auto_type fathom_p21 = &(*(struct outer *)fathom_place(fathom_cyclic_elem(fathom_static(fathom_at_s), (long)(t), 40ul))).local; const fathom_ptr fathom_word22 = fathom_word(& *fathom_p21); fathom_explain_touch(&fathom_site_10, fathom_word22); fathom_p21; })) = &o->i); } 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
