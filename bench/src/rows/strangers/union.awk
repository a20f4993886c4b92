# Connected parts of a random graph, by union and find.
function find(x) {
    while (parent[x] != x) { parent[x] = parent[parent[x]]; x = parent[x] }
    return x
}
function join(a, b) {
    a = find(a); b = find(b)
    if (a == b) return 0
    if (rank[a] < rank[b]) { parent[a] = b } else { parent[b] = a; if (rank[a] == rank[b]) rank[a]++ }
    return 1
}
BEGIN {
    n = 400000; parts = n; seed = 1
    for (i = 0; i < n; i++) parent[i] = i
    for (i = 0; i < n; i++) {
        seed = (seed * 16807) % 2147483647; a = seed % n
        seed = (seed * 16807) % 2147483647; b = seed % n
        parts -= join(a, b)
    }
    print parts
}
