/* Lines of very different lengths from all threads: output LINES [BUFFER]. A line is the thread's letter, repeated. */
#include "program.h"

int main(int argc, char **argv) {
    int lines = argc > 1 ? atoi(argv[1]) : 50;
    static char text[300001], own[5000];
    if (argc > 2) setvbuf(stdout, own, _IOFBF, sizeof own);
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
