void meet(int v) {
    upc_barrier;
    upc_barrier 3;
    upc_notify v + 1;
    upc_wait v + 1;
    upc_notify;
    upc_wait;
    upc_fence;
    if (v) upc_barrier v; else upc_fence;
}
