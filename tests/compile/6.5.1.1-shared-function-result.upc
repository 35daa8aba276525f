// A shared-qualified result has no effect, since values have no place: a warning. Results may point to shared.
shared int a(void); // warning: 6.5.1.1 p5
typedef shared int S;
S b(void); // warning: 6.5.1.1 p5
shared int *fine(void);
shared int *(*also_fine(void))(shared int *);
