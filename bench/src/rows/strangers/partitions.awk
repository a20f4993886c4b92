# How many ways there are to write a number as a sum, with a memo table.
function ways(n, most,    k, sum) {
    if (n == 0) return 1
    if (n < 0 || most == 0) return 0
    if ((n, most) in memo) return memo[n, most]
    sum = ways(n - most, most) + ways(n, most - 1)
    return memo[n, most] = sum
}
BEGIN { for (i = 10; i <= 600; i += 50) printf "%d %.6e\n", i, ways(i, i) }
