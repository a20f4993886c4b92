# The longest chain of Collatz, with a memo table.
function chain(n) {
    if (n == 1) return 1
    if (n in memo) return memo[n]
    return memo[n] = 1 + (n % 2 ? chain(3 * n + 1) : chain(n / 2))
}
BEGIN { for (i = 1; i < 300000; i++) if ((c = chain(i)) > most) { most = c; best = i } print best, most }
