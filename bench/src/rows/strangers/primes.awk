# Primes by division, and the widest gap between them.
function is_prime(n,    i) {
    if (n % 2 == 0) return n == 2
    for (i = 3; i * i <= n; i += 2) if (n % i == 0) return 0
    return n > 1
}
BEGIN { for (n = 2; n < 400000; n++) if (is_prime(n)) { count++; if (n - last > gap) { gap = n - last; where = last } last = n } print count, gap, where }
