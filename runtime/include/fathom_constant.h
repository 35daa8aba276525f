/* UPC source: the end of what `#pragma fathom constant(…)` has promised up to here (docs/decisions/0017). */
#ifndef FATHOM_CONSTANT_H
#define FATHOM_CONSTANT_H

/* What this thread's loops found out about constants is forgotten: they may have changed. */
void fathom_constant_changed(void);

#endif
