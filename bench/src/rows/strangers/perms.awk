# The permutations of a word that do not begin or end with a vowel.
function permute(done, rest,    i, n) {
    n = length(rest)
    if (n == 0) { if (done !~ /^[aeiou]|[aeiou]$/) { count++; last = done } return }
    for (i = 1; i <= n; i++) permute(done substr(rest, i, 1), substr(rest, 1, i - 1) substr(rest, i + 1))
}
BEGIN { permute("", "relations"); print count, last }
