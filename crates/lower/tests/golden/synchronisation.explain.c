
typedef unsigned long size_t;
static struct fathom_site fathom_site_0 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=4\011column=5\011function=meet\011construct=upc_barrier\011strict=false\011text=upc_barrier;\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_0_at __attribute__((section("fathom_sites"), used)) = &fathom_site_0;
static struct fathom_site fathom_site_1 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=5\011column=5\011function=meet\011construct=upc_barrier\011strict=false\011text=upc_barrier 3;\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_1_at __attribute__((section("fathom_sites"), used)) = &fathom_site_1;
static struct fathom_site fathom_site_2 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=6\011column=5\011function=meet\011construct=upc_notify\011strict=false\011text=upc_notify v + 1;\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_2_at __attribute__((section("fathom_sites"), used)) = &fathom_site_2;
static struct fathom_site fathom_site_3 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=7\011column=5\011function=meet\011construct=upc_wait\011strict=false\011text=upc_wait v + 1;\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_3_at __attribute__((section("fathom_sites"), used)) = &fathom_site_3;
static struct fathom_site fathom_site_4 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=8\011column=5\011function=meet\011construct=upc_notify\011strict=false\011text=upc_notify;\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_4_at __attribute__((section("fathom_sites"), used)) = &fathom_site_4;
static struct fathom_site fathom_site_5 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=9\011column=5\011function=meet\011construct=upc_wait\011strict=false\011text=upc_wait;\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_5_at __attribute__((section("fathom_sites"), used)) = &fathom_site_5;
static struct fathom_site fathom_site_6 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=10\011column=5\011function=meet\011construct=upc_fence\011strict=false\011text=upc_fence;\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_6_at __attribute__((section("fathom_sites"), used)) = &fathom_site_6;
static struct fathom_site fathom_site_7 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=11\011column=12\011function=meet\011construct=upc_barrier\011strict=false\011text=upc_barrier v;\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_7_at __attribute__((section("fathom_sites"), used)) = &fathom_site_7;
static struct fathom_site fathom_site_8 = {fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, 0u, "file=<input>\011line=11\011column=32\011function=meet\011construct=upc_fence\011strict=false\011text=upc_fence;\011object=\011elem_bytes=0\011row=0\011form=call\011reason=none\011affinity=\011loop_line=0", 0};
static struct fathom_site *const fathom_site_8_at __attribute__((section("fathom_sites"), used)) = &fathom_site_8;
# 3 "<input>"
void meet(int v) { 
fathom_explain_barrier(&fathom_site_0, 0, 0); 
fathom_explain_barrier(&fathom_site_1, 1, (int)(3)); 
fathom_explain_notify(&fathom_site_2, 1, (int)(v + 1)); 
fathom_explain_wait(&fathom_site_3, 1, (int)(v + 1)); 
fathom_explain_notify(&fathom_site_4, 0, 0); 
fathom_explain_wait(&fathom_site_5, 0, 0); 
fathom_explain_fence(&fathom_site_6); 
if (v) fathom_explain_barrier(&fathom_site_7, 1, (int)(v)); else fathom_explain_fence(&fathom_site_8); 
} 
static const struct fathom_unit fathom_unit_record = {fathom_abi, 0, "", 0, 0};
static const struct fathom_unit *const fathom_unit_here __attribute__((section("fathom_units"), used)) = &fathom_unit_record;
