int i, *pi = &i, k, *pk = &k;
