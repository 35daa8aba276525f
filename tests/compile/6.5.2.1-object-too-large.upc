// A shared object must fit in the threads' segments.
shared [] char a[1ul << 38]; // error: 6.5.2.1 p2
shared [] long b[1ul << 35]; // error: 6.5.2.1 p2
shared char c[THREADS * (1ul << 38)]; // error: 6.5.2.1 p2
shared struct { char c[1ul << 38]; } d; // error: 6.5.2.1 p2
shared [] int fine[1 << 20];
