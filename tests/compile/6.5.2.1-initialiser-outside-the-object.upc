// An initialiser has no more values than the object has places, and designates places inside it.
shared [] int a[2] = {1, 2, 3}; // error: 6.5.2.1 p4
shared [] int b[2] = {[2] = 1}; // error: 6.5.2.1 p4
shared struct { int x, y; } c = {1, 2, 3}; // error: 6.5.2.1 p4
shared int d = {1, 2}; // error: 6.5.2.1 p4
shared [] char e[3] = "four"; // error: 6.5.2.1 p4
shared [] char f[3] = "abc";
shared [] int g[2][2] = {{1, 2}, {3}};
shared int h = {1};
