// A upc pragma says strict or relaxed and nothing else.
#pragma upc strict
#pragma upc stricter // error: 6.7.1 p1
#pragma upc // error: 6.7.1 p1
#pragma upc relaxed relaxed // error: 6.7.1 p1
#pragma upc strict; // error: 6.7.1 p1
#pragma upc shared // error: 6.7.1 p1
#pragma upc relaxed
#pragma other strict
shared int x;
