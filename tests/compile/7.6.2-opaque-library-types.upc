// The domain and file types of the optional libraries are incomplete: there are pointers to them, but no objects.
#include <upc.h>
#include <upc_atomic.h>
#include <upc_io.h>
upc_atomicdomain_t d; // error: 6.5.2.1 p2
upc_file_t f; // error: 6.5.2.1 p2
upc_atomicdomain_t *pd;
upc_file_t *pf;
upc_lock_t *pl;
void g(void) {
    pd = (upc_atomicdomain_t *)pf;
    pd = pf; // error: 6.5.1.1 p13
    pl = pd; // error: 6.5.1.1 p13
    upc_all_fclose(pl); // error: 6.5.1.1 p13
}
