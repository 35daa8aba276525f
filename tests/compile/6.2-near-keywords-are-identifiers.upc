// Case matters, and longer names that contain a keyword are ordinary identifiers.
int Shared, SHARED, sharedx, strict_, Relaxed, upc_barrierx, upc_forall1, threads, mythread, Threads;
struct upc { int upc_notified; };
static int upc(struct upc *u) { return u->upc_notified + Shared + threads; }
int use(void) {
    struct upc u = {1};
upc_fences:
    if (upc(&u)) return SHARED;
    goto upc_fences;
}
