// upc_barrier and its like are statements: no parentheses with nothing in them.
int main(void) {
    upc_barrier(); // error: 6.6.1 p1
    upc_notify(); // error: 6.6.1 p1
    upc_wait(); // error: 6.6.1 p1
    upc_fence(); // error: 6.6.1 p1
    upc_barrier(1);
    upc_barrier (1) + 2;
    upc_notify;
    upc_wait;
    upc_fence;
    return 0;
}
