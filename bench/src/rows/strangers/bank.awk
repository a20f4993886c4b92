# Customers in the queue of a bank with three counters.
function random() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
BEGIN {
    seed = 99; first = 1
    for (minute = 1; minute <= 300000; minute++) {
        if (random() < 0.55) arrived[++last] = minute
        for (c = 1; c <= 3; c++) {
            if (busy[c] > 0) busy[c]--
            else if (first <= last) { waited += minute - arrived[first]; delete arrived[first++]; busy[c] = int(2 + 6 * random()); served[c]++ }
        }
        if (last - first + 1 > longest) longest = last - first + 1
    }
    printf "%d %d %d %.2f %d\n", served[1], served[2], served[3], waited / (first - 1), longest
}
