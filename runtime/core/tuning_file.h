/* Between the tuning table and its file. */
#ifndef CORE_TUNING_FILE_H
#define CORE_TUNING_FILE_H

#include <stdbool.h>

/* Applies the lines of the file for this conduit, if there is one. */
void core_tuning_read(void);
/* Applies a line; null, or what is wrong with it. *unknown: it is about a decision that there is not here. */
const char *core_tuning_apply(const char *line, bool *unknown);

#endif
