int count(void) {
    static shared int n;
    static shared [] int each[3];
    for (int i = 0; i < 3; i++) each[i]++;
    return n++;
}
int other(void) { static shared double n; return (int)(n += 1); }
