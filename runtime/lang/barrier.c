/* upc_notify, upc_wait, upc_barrier for generated code (calls.h), and the legacy upc_poll. */
#include "gas/gas_internal.h"
#include "lang/library.h"

void fathom_notify(int has_value, int value) { gas_program_notify(has_value, value); }
void fathom_wait(int has_value, int value) { gas_program_wait(has_value, value); }
void fathom_barrier(int has_value, int value) { gas_program_barrier(has_value, value); }

void fathom_turn(void) { gas_poll(); }
void upc_poll(void) { gas_poll(); }
