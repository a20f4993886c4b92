# A priority queue as a heap.
function push(x,    i, p) {
    heap[i = ++n] = x
    while (i > 1 && heap[p = int(i / 2)] > heap[i]) { x = heap[p]; heap[p] = heap[i]; heap[i] = x; i = p }
}
function pop(    top, i, c, x) {
    top = heap[1]; heap[1] = heap[n]; delete heap[n--]
    for (i = 1; (c = 2 * i) <= n; i = c) {
        if (c < n && heap[c + 1] < heap[c]) c++
        if (heap[i] <= heap[c]) break
        x = heap[i]; heap[i] = heap[c]; heap[c] = x
    }
    return top
}
BEGIN {
    seed = 3
    for (k = 1; k <= 100000; k++) { seed = seed * 16807 % 2147483647; push(seed % 100000) }
    while (n > 0) { x = pop(); if (x < last) print "wrong"; last = x; sum = (sum * 31 + x) % 1000003 }
    print sum
}
