# Keys taken apart, looked up and put together again.
BEGIN {
    for (i = 0; i < 300; i++) { seen[i % 17, i % 13, i]; pair[i % 17 "-" i % 13] = 0 }
    for (turn = 1; turn <= 800; turn++)
        for (k in seen) { split(k, p, SUBSEP); if ((p[1], p[2], p[3]) in seen && ((p[1] "-" p[2]) in pair || p[3] % 2)) hits++; pair[p[1] "-" p[2]] = p[3] }
    print hits, length(pair)
}
