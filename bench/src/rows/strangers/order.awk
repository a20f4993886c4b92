# Tasks in an order that respects what each needs.
BEGIN {
    n = 400
    for (turn = 1; turn <= 500; turn++) {
        split("", needs); split("", waits); done = ""; count = 0
        for (i = 1; i <= n; i++) for (k = 2; k <= 4; k++) if (i % k == turn % k && i > k) { before[i] = before[i] " " int(i / k); waits[i]++; needs[int(i / k)] = needs[int(i / k)] " " i }
        split("", queue); head = 1; tail = 0
        for (i = 1; i <= n; i++) if (!waits[i]) queue[++tail] = i
        while (head <= tail) {
            at = queue[head++]; count++; check = (check * 7 + at) % 10007
            m = split(needs[at], next_ones, " ")
            for (k = 1; k <= m; k++) if (--waits[next_ones[k]] == 0) queue[++tail] = next_ones[k]
        }
    }
    print count, check
}
