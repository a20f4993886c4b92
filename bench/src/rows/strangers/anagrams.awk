# Words that are made of the same letters.
function sorted(s,    n, c, i, j, t) {
    n = split(s, c, "")
    for (i = 2; i <= n; i++) { t = c[i]; for (j = i - 1; j > 0 && c[j] > t; j--) c[j + 1] = c[j]; c[j + 1] = t }
    s = ""; for (i = 1; i <= n; i++) s = s c[i]
    return s
}
BEGIN {
    n = split("listen silent enlist inlets tinsel google banana stale steal least tales slate teals evil vile live veil night thing dusty study below elbow", word)
    for (turn = 1; turn <= 2500; turn++) { split("", group); for (i = 1; i <= n; i++) { k = sorted(word[i]); group[k] = group[k] " " word[i] } }
    for (k in group) if (length(group[k]) > length(most)) most = group[k]
    print most
}
