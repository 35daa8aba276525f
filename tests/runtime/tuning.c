/* Says which tuning table is in use, and what it chooses: tuning DECISION ELEMENT STRIDE BYTES. One thread speaks. */
#include "program.h"

#include "gas_tuning.h"

int main(int argc, char **argv) {
    if (fathom_mythread != fathom_threads - 1) return 0;
    const char *file = strrchr(gas_tuning_file(), '/');
    const char *chosen =
        argc > 4 ? gas_tuned(argv[1], strtoul(argv[2], 0, 10), strtoul(argv[3], 0, 10), strtoul(argv[4], 0, 10)) : "";
    printf("%s: %s\n", file ? file + 1 : gas_tuning_file(), chosen);
    return 0;
}
