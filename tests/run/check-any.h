/* What check.h and check-split-c.h share. They say which word a thread goes by (CHECK_WHO), its number (CHECK_ME), and how
 * the job ends (CHECK_END).
 */
#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
#define CHECK_EQ(expected, actual) \
    check_equal((long long)(expected), (long long)(actual), __FILE__, __LINE__, #expected " == " #actual)

static __attribute__((unused)) void check_failed(const char *file, int line, const char *expr) {
    fprintf(stderr, CHECK_WHO " %d: %s:%d: CHECK(%s) failed\n", CHECK_ME, file, line, expr);
    fflush(stderr);
    CHECK_END(1);
}

static __attribute__((unused)) void check_equal(long long expected, long long actual, const char *file, int line,
                                                const char *expr) {
    if (expected == actual) return;
    fprintf(stderr, CHECK_WHO " %d: %s:%d: CHECK(%s) failed: expected %lld, got %lld\n", CHECK_ME, file, line, expr, expected,
            actual);
    fflush(stderr);
    CHECK_END(1);
}
