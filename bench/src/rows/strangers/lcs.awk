# The longest common subsequence of two texts.
function max(a, b) { return a > b ? a : b }
BEGIN {
    for (i = 1; i <= 400; i++) { a = a substr("acgt", i * i % 4 + 1, 1) substr("gatc", i * 7 % 3 + 1, 1); b = b substr("tgca", i * i * i % 4 + 1, 1) "a" }
    for (i = 1; i <= length(a); i++)
        for (j = 1; j <= length(b); j++)
            t[i, j] = substr(a, i, 1) == substr(b, j, 1) ? t[i-1, j-1] + 1 : max(t[i-1, j], t[i, j-1])
    print t[length(a), length(b)]
}
