// All required and optional headers can be included together, twice, before and after the C library's.
#include <stdio.h>
#include <upc.h>
#include <upc_strict.h>
#include <upc_relaxed.h>
#include <upc_types.h>
#include <upc_collective.h>
#include <upc_tick.h>
#include <upc_nb.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_io.h>
#include <bupc_extensions.h>
#include <string.h>
#include <upc_io.h>
#include <upc_collective.h>
shared int x;
int main(void) { return x; }
