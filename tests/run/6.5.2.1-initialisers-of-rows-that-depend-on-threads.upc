// threads: 1 2 3 4
/* 6.5.2.1 p4 leaves it to the implementation what an initialiser does where THREADS is a factor of a dimension. Fathom
 * does what C says, whichever dimension it is: what the initialiser leaves out is zero. */
#include "check.h"

shared [3] double last[5][8 * THREADS] = {{1, 2, 3, 4, 5}, [3] = {[1] = 7, 8}, [4][2] = 9, 10};
shared short middle[2][4 * THREADS][3] = {{{1, 2, 3}, {4}, [3] = {5, 6}}, {{[2] = 7}}};
shared [2] char words[3][6 * THREADS] = {"zero", "one", {'t', 'w', 'o'}};
shared int flat[3][4 * THREADS] = {1, 2, 3};
shared int nothing[4][THREADS] = {{0}, 0};
shared int *shared [2] pointers[2][2 * THREADS] = {{&flat[0][1]}, {0, &flat[0][2]}};

static double sum(void) {
    static shared double local[2][3 * THREADS] = {{1, 2}, {4, 8, 16}};
    return local[0][0] + local[0][1] + local[1][0] + local[1][1] + local[1][2];
}

static const char *word(int i) {
    static char text[100];
    for (int j = 0; j < 6; j++) text[j] = words[i][j];
    return text;
}

int main(void) {
    int n = 8 * THREADS;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < n; j++) {
            double expected = i == 0 && j < 5 ? j + 1 : i == 3 && (j == 1 || j == 2) ? j + 6 : i == 4 && (j == 2 || j == 3) ? j + 7 : 0;
            CHECK(last[i][j] == expected);
        }
    }
    int total = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4 * THREADS; j++)
            for (int k = 0; k < 3; k++) total += middle[i][j][k];
    CHECK_EQ(28, total);
    CHECK(middle[0][0][2] == 3 && middle[0][1][0] == 4 && middle[0][3][1] == 6 && middle[1][0][2] == 7);
    CHECK(!strcmp(word(0), "zero") && !strcmp(word(1), "one") && !strcmp(word(2), "two"));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4 * THREADS; j++) CHECK_EQ(i == 0 && j < 3 ? j + 1 : 0, flat[i][j]);
    for (int i = 0; i < 4; i++) CHECK_EQ(0, nothing[i][MYTHREAD]);
    CHECK(pointers[0][0] == &flat[0][1] && pointers[0][1] == NULL && pointers[1][1] == &flat[0][2]);
    CHECK(sum() == 31);
    return 0;
}
