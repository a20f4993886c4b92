# A sudoku, by trying.
function fits(c, v,    i, r, k, b) {
    r = int(c / 9); k = c % 9; b = int(r / 3) * 27 + int(k / 3) * 3
    for (i = 0; i < 9; i++) if (g[r * 9 + i] == v || g[i * 9 + k] == v || g[b + int(i / 3) * 9 + i % 3] == v) return 0
    return 1
}
function solve(c,    v) {
    while (c < 81 && g[c] != 0) c++
    if (c == 81) return 1
    tries++
    for (v = 1; v <= 9; v++) if (fits(c, v)) { g[c] = v; if (solve(c + 1)) return 1; g[c] = 0 }
    return 0
}
BEGIN {
    s = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    for (turn = 1; turn <= 8; turn++) {
        for (i = 0; i < 81; i++) g[i] = substr(s, i + 1, 1) + 0
        solved += solve(0)
    }
    if (solved == 8) { for (i = 0; i < 81; i++) printf "%d", g[i]; print " " tries }
}
