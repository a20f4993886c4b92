# The most valuable load of a knapsack.
BEGIN {
    seed = 11; room = 20000
    for (i = 1; i <= 60; i++) { seed = seed * 16807 % 2147483647; weight[i] = seed % 50 + 1; seed = seed * 16807 % 2147483647; value[i] = seed % 100 }
    for (i = 1; i <= 60; i++)
        for (w = room; w >= weight[i]; w--) {
            other = best[w - weight[i]] + value[i]
            if (other > best[w]) best[w] = other
        }
    print best[room]
}
