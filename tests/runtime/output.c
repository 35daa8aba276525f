/* Lines of very different lengths from all threads: output LINES [WAY]. A line is the thread's letter, repeated.
 *
 *     buffer      stdout has a buffer of the program's own
 *     reopened    each thread's stdout is a file, out.LETTER, by freopen, after a line "before"
 *     wide        wide characters
 */
#include <wchar.h>

#include "program.h"

static void print_wide(int lines) {
    for (int i = 0; i < lines; i++) {
        for (int n = 0; n < i * 100; n++) CHECK(putwchar(L'a' + fathom_mythread) != WEOF);
        CHECK(wprintf(L"\n") == 1);
    }
}

int main(int argc, char **argv) {
    int lines = argc > 1 ? atoi(argv[1]) : 50;
    static char text[300001], own[5000];
    const char *way = argc > 2 ? argv[2] : "";
    if (!strcmp(way, "buffer")) setvbuf(stdout, own, _IOFBF, sizeof own);
    if (!strcmp(way, "wide")) {
        print_wide(lines);
        return 0;
    }
    if (!strcmp(way, "reopened")) {
        const char name[] = {'o', 'u', 't', '.', (char)('a' + fathom_mythread), 0};
        printf("before\n");
        CHECK(freopen(name, "w", stdout) == stdout);
    }
    memset(text, 'a' + fathom_mythread, sizeof text - 1);
    for (int i = 0; i < lines; i++) {
        int n = i % 10 == 9 ? 300000 : i % 10 == 5 ? 9000 : 10 + i;
        if (i % 2) {
            printf("%.*s\n", n, text);
        } else { /* in pieces */
            for (int left = n, k; left; left -= k) {
                k = left > 777 ? 777 : left;
                fwrite(text, 1, (size_t)k, stdout);
            }
            putchar('\n');
        }
    }
    return 0;
}
