/* Included right after the declarator of a function. */
(shared long *where, int n)
{
    *where += n;
}
