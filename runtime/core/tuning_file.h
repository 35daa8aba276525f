/* Between the tuning table and its file. */
#ifndef CORE_TUNING_FILE_H
#define CORE_TUNING_FILE_H

#include <stdbool.h>

/* Applies the lines of the file for this conduit, if there is one. */
void core_tuning_read(void);
/* Applies a line; returns null, or the error in it. *unknown: the line is about a decision that does not exist here. */
const char *core_tuning_apply(const char *line, bool *unknown);

#endif
