# Systems of linear equations.
function abs(x) { return x < 0 ? -x : x }
function determinant(n,    i, j, k, p, f, d, t) {
    d = 1
    for (i = 1; i <= n; i++) {
        p = i
        for (k = i + 1; k <= n; k++) if (abs(a[k, i]) > abs(a[p, i])) p = k
        if (a[p, i] == 0) return 0
        if (p != i) { d = -d; for (j = 1; j <= n; j++) { t = a[i, j]; a[i, j] = a[p, j]; a[p, j] = t } }
        d *= a[i, i]
        for (k = i + 1; k <= n; k++) { f = a[k, i] / a[i, i]; for (j = i; j <= n; j++) a[k, j] -= f * a[i, j] }
    }
    return d
}
BEGIN {
    for (turn = 1; turn <= 1000; turn++) { for (i = 1; i <= 12; i++) for (j = 1; j <= 12; j++) a[i, j] = (i * j * j + i * i * 3 + j * turn) % 101 / 101; sum += determinant(12) }
    printf "%.6g\n", sum
}
