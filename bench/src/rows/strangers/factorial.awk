# Factorials with all their digits.
BEGIN {
    digit[1] = 1; n = 1
    for (i = 2; i <= 1200; i++) {
        carry = 0
        for (j = 1; j <= n; j++) { carry += digit[j] * i; digit[j] = carry % 10; carry = int(carry / 10) }
        while (carry > 0) { digit[++n] = carry % 10; carry = int(carry / 10) }
    }
    for (j = n; j > n - 20; j--) s = s digit[j]
    print n, s
}
