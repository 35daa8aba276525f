
extern const int THREADS __asm__("fathom_threads"), MYTHREAD __asm__("fathom_mythread");
# 2 "<input>"
typedef unsigned long size_t;
extern char fathom_at_v[] __asm__("v") __attribute__((visibility("hidden")));
__asm__(".pushsection fathom_shared,\"aw\",@nobits\n\t.balign 64\n\t.weak v\n\t.type v,@object\n\t.size v,80\nv:\t.zero 80\n\t.popsection");
# 4 "<input>"

long weight(long i);
static long more(long i) { return weight(i) + 1; }
long twice(long i) { return 2 * i; }
long once(long i) { return twice(more(i)) / 2; }
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=11\011column=38\011function=sum\011construct=read\011strict=false\011text=v[i]\011object=v\011elem_bytes=8\011row=1\011form=tested\011reason=no-forall\011affinity=\011loop_line=11\011missed=the loop ran as it is written: FATHOM_COMM has no strips, or the loop was short, or may write what it reads, or a function of another file may do more than compute\011block=1\011count=10\011count_per_thread=true", fathom_at_v};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
extern const struct fathom_computes fathom_computes_weight __attribute__((weak));
static void fathom_named_weight(void) __attribute__((weakref("weight")));
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=11\011column=5\011function=sum\011construct=strip\011strict=false\011text=for (int i = 0; i < n; i++) s += v[i] * more(i);\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=11", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 8u, "file=<input>\011line=11\011column=38\011function=sum\011construct=read\011strict=false\011text=v[i]\011object=v\011elem_bytes=8\011row=1\011form=landed\011reason=none\011affinity=\011loop_line=11\011block=1\011count=10\011count_per_thread=true", fathom_at_v};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
# 9 "<input>"
double sum(int n) {
    double s = 0; 
{ const long fathom_lo8 = (long)(int)(0), fathom_trips9 = (long)(n) - fathom_lo8; struct fathom_strip fathom_strip7; if (fathom_trips9 >= fathom_strips_from && (fathom_only_computes(&fathom_computes_weight, fathom_named_weight, 1) && (fathom_strip_begin(&fathom_strip7, fathom_trips9), fathom_strip_range(&fathom_strip7, fathom_static(fathom_at_v), 0ul, fathom_lo8 + 0l, 1ul, 8ul, 0l), fathom_strip_open(&fathom_strip7)))) { for (int i = 0; i < n; ) { unsigned long fathom_n10 = (unsigned long)(n) - (unsigned long)i - 1; fathom_n10 = fathom_explain_strip_next(&fathom_site_1, &fathom_strip7, fathom_n10 + 1); __attribute__((unused)) const double *const fathom_landed12 = fathom_strip7.slot[0].at; unsigned long fathom_k11 = 0; for (; fathom_k11 < fathom_n10; fathom_k11++, i++) { s += (*__extension__ ({ const fathom_ptr fathom_word14 = fathom_cyclic_elem_narrow(fathom_static(fathom_at_v), (long)(i), 8ul); fathom_explain_touch(&fathom_site_2, fathom_word14); __auto_type fathom_p13 = &fathom_landed12[fathom_k11]; fathom_p13; })) * more(i); } if (fathom_k11 < fathom_n10) break;  } } else { for (int i = 0; i < n; i++) s += __extension__ ({ double fathom_copy5; *(double *)fathom_read(fathom_place_word(&(*__extension__ ({ __auto_type fathom_p2 = &(*(double *)fathom_place(fathom_cyclic_elem_narrow(fathom_static(fathom_at_v), (long)(i), 8ul))); const fathom_ptr fathom_word3 = fathom_place_word(& *fathom_p2); fathom_explain_touch(&fathom_site_0, fathom_word3); fathom_p2; }))), &fathom_copy5, sizeof fathom_copy5); }) * more(i); } } 
return s;
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;

# 1 "<fathom>" 3
extern const struct fathom_computes fathom_computes_twice;
extern const struct fathom_computes fathom_computes_once;
extern __typeof__(twice) fathom_this_twice __attribute__((alias("twice"), weak, visibility("hidden")));
const struct fathom_computes fathom_computes_twice = {(void (*)(void))fathom_this_twice, 0, 0, 0};
extern __typeof__(once) fathom_this_once __attribute__((alias("once"), weak, visibility("hidden")));
static const struct fathom_called fathom_called_once[] = {{&fathom_computes_weight, fathom_named_weight}, {&fathom_computes_twice, (void (*)(void))twice}};
const struct fathom_computes fathom_computes_once = {(void (*)(void))fathom_this_once, fathom_called_once, 2, 0};
