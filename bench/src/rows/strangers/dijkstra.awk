# The shortest ways in a road map.
BEGIN {
    n = 120; seed = 5
    for (i = 1; i <= n; i++) for (k = 1; k <= 4; k++) { seed = seed * 16807 % 2147483647; j = seed % n + 1; road[i] = road[i] " " j; long[i, j] = seed % 97 + 1 }
    for (start = 1; start <= 200; start++) {
        split("", d); split("", done); d[start] = 0
        for (;;) {
            best = ""
            for (v in d) if (!(v in done) && (best == "" || d[v] < d[best])) best = v
            if (best == "") break
            done[best]; m = split(road[best], to)
            for (k = 1; k <= m; k++) { new = d[best] + long[best, to[k]]; if (!(to[k] in d) || new < d[to[k]]) d[to[k]] = new }
        }
        for (v in d) if (d[v] > far) far = d[v]
    }
    print far
}
