/* <split-c/control.h>: barriers, sync and on_one, which <split-c/split-c.h> declares. */
#include <split-c/split-c.h>
