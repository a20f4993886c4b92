# Words that are spelled alike, by edit distance.
function min(a, b) { return a < b ? a : b }
function distance(s, t,    i, j, d, n, m, cost) {
    n = length(s); m = length(t)
    for (i = 0; i <= n; i++) d[i, 0] = i
    for (j = 0; j <= m; j++) d[0, j] = j
    for (i = 1; i <= n; i++) for (j = 1; j <= m; j++) {
        cost = substr(s, i, 1) != substr(t, j, 1)
        d[i, j] = min(min(d[i-1, j] + 1, d[i, j-1] + 1), d[i-1, j-1] + cost)
    }
    return d[n, m]
}
BEGIN {
    n = split("kitten sitting mitten smitten bitten written sitter fitter knitting kitchen chicken thicken", word)
    for (turn = 1; turn <= 60; turn++)
        for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) if (i != j && distance(word[i], word[j]) <= 2) near++
    print near
}
