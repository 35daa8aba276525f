// threads: 1
/* #line, __LINE__ and __FILE__ inside and after UPC constructs, backslash-newline in the middle of keywords and of shared accesses, trigraph-free
 * digraphs, comments between any two tokens. */
#include "check.h"

sha\
red [/* block */ 2 /* size */] int /* element */ a/**/[4 * THREADS];
shared int b<:THREADS:>;

static int line_of(int l) { return l; }

int main(void) <%
    upc_for\
all (int i = 0; i < 4 * THREADS; i++; &a /* affinity */ [
        i // to the end
    ]) a[i]
        = i
        ;
    upc_barrier /* no value */ ;
    CHECK_EQ(20, __LINE__);
    b[MYTHREAD] = line_of(__LINE__) - line_of(
                                          __LINE__);
    CHECK(b[MYTHREAD] <= 0 && b[MYTHREAD] >= -1);
    for (int i = 0; i < 4 * THREADS; i++) CHECK_EQ(i, a[i]);
    upc_barrier;
#line 500 "renamed.upc"
    CHECK_EQ(500, __LINE__);
    a[0] = 501; CHECK_EQ(a[0], __LINE__);
    CHECK(strcmp(__FILE__, "renamed.upc") == 0);
# 900 "again.upc"
    upc_forall (int i = 0; i < 1; i++; &a[i])
        CHECK_EQ(901, __LINE__);
    upc_notify
        3;
    CHECK_EQ(904, __LINE__); upc_wait 3; CHECK_EQ(904, __LINE__);
    return 0;
%>
