// The address of a shared structure's member is a pointer with indefinite block size.
struct s { int x; double d[4]; struct { char c; } in; union { int u; float v; }; };
shared struct s one;
shared [4] struct s many[4 * THREADS];
shared struct s *p;
shared [] int *ok_x = 0;
shared int *cyclic;
shared [4] int *four;
void f(int i) {
    ok_x = &one.x, ok_x = &many[i].x, ok_x = &p->x, ok_x = &one.u;
    shared [] double *ok_d = one.d;
    shared [] double (*ok_array)[4] = &p->d;
    shared [] char *ok_c = &many[1].in.c;
    shared [] double *ok_element = &p->d[2];
    shared void *ok_generic = &p->x;
    cyclic = &one.x; // error: 6.5.1.1 p13
    cyclic = &p->x; // error: 6.5.1.1 p13
    four = &many[i].x; // error: 6.5.1.1 p13
    shared double *wrong = one.d; // error: 6.5.1.1 p13
    (void)ok_d, (void)ok_array, (void)ok_c, (void)ok_element, (void)ok_generic, (void)wrong;
}
