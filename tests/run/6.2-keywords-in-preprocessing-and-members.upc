/* 6.2p3: the keywords are reserved in translation phases 7 and 8 only and are case sensitive: the preprocessor may
 * see them, and other spellings are ordinary identifiers. */
#include "check.h"

#define STRING2(x) #x
#define STRING(x) STRING2(x)

struct Shared {
    int Strict, RELAXED, Upc_Barrier;
};

static int threads = 1, mythread = 2, upc_forAll = 3, upc_barriers = 4, Shared = 5;

int main(void) {
    struct Shared s = {6, 7, 8};
    CHECK(strcmp(STRING(shared), "shared") == 0);
    CHECK(strcmp(STRING(strict relaxed), "strict relaxed") == 0);
    CHECK(strcmp(STRING(upc_forall(;;;)), "upc_forall(;;;)") == 0);
    CHECK(strcmp(STRING2(MYTHREAD), "MYTHREAD") == 0);
    CHECK(strcmp("shared [3] int THREADS", "shared" " [3] int " "THREADS") == 0);
    CHECK_EQ(15, threads + mythread + upc_forAll + upc_barriers + Shared);
    CHECK_EQ(21, s.Strict + s.RELAXED + s.Upc_Barrier);
    return 0;
}
