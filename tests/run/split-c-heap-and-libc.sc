/* docs/split-c.md, memory: memory of malloc goes into functions of libc that enlarge it, and copies of strings lead from
 * one processor to another. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include "check-split-c.h"

char *global words[PROCS]::;

splitc_main() {
    int right = (MYPROC + 1) % PROCS, i;
    size_t room = 2;
    volatile size_t most = (size_t)-1;
    char *line = malloc(room), *text, copy[4];
    int *numbers = malloc(2 * sizeof *numbers);
    FILE *file = tmpfile();
    CHECK(file != 0);
    fputs("a line that is longer than two\nsecond;third", file);
    rewind(file);
    CHECK_EQ(31, getline(&line, &room, file));
    CHECK(strcmp(line, "a line that is longer than two\n") == 0);
    CHECK_EQ(7, getdelim(&line, &room, ';', file));
    CHECK(strcmp(line, "second;") == 0);
    free(line);
    fclose(file);

    numbers[1] = 5;
    numbers = reallocarray(numbers, 1000, sizeof *numbers);
    CHECK_EQ(5, numbers[1]);
    CHECK_EQ(right, toproc(toglobal(right, numbers)));
    CHECK(reallocarray(numbers, most, 16) == 0);
    free(numbers);

    text = strndup(MYPROC % 2 ? "odd" : "even", 3);
    words[MYPROC] = (char *global)text;
    barrier();
    bulk_read(copy, words[right], 4);
    CHECK(strcmp(copy, right % 2 ? "odd" : "eve") == 0);
    for (i = 0; i < 3; i++) CHECK(words[right][i] == copy[i]);
    barrier();
    free(text);
    return 0;
}
