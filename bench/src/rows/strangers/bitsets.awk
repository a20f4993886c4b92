# Colourings of a map, with sets of bits.
function colour(v,    c, free, n) {
    if (v > size) return 1
    free = 15
    for (c = 1; c < v; c++) if (and(next_to[v], lshift(1, c))) free = and(free, complement(lshift(1, chosen[c]), 15))
    for (c = 0; c < 4; c++) if (and(free, lshift(1, c))) { chosen[v] = c; n += colour(v + 1) }
    return n
}
function complement(x, mask) { return xor(and(x, mask), mask) }
BEGIN {
    size = 11
    for (i = 1; i <= size; i++) for (j = 1; j <= size; j++) if (i != j && (i * j) % 3 == 1) next_to[i] = or(next_to[i], lshift(1, j))
    print colour(1)
}
