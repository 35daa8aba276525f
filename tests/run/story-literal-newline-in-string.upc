// threads: 1
/* A newline inside a string literal, as traditional compilers take it (with a warning): the string contains it. */
#include "check.h"

shared int x;
static const char *text = "one
two upc_barrier shared \"three\"
  four";

int main(void) {
    x = 3;
    CHECK(strcmp(text, "one\ntwo upc_barrier shared \"three\"\n  four") == 0);
    CHECK_EQ(13, __LINE__); /* lines are counted on */
    return 0;
}
