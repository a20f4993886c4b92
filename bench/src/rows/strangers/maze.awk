# The shortest way through a maze, by a queue.
BEGIN {
    size = 350; seed = 7
    for (y = 1; y <= size; y++)
        for (x = 1; x <= size; x++) {
            seed = (seed * 1103515245 + 12345) % 2147483648
            wall[x, y] = seed / 2147483648 < 0.25
        }
    wall[1, 1] = wall[size, size] = 0
    split("1 0 -1 0", dx); split("0 1 0 -1", dy)
    queue[tail++] = "1,1"; distance["1,1"] = 0
    while (head < tail) {
        at = queue[head++]; split(at, part, ",")
        for (d = 1; d <= 4; d++) {
            x = part[1] + dx[d]; y = part[2] + dy[d]
            if (x < 1 || y < 1 || x > size || y > size || wall[x, y]) continue
            there = x "," y
            if (!(there in distance)) { distance[there] = distance[at] + 1; queue[tail++] = there }
        }
    }
    print tail, (size "," size) in distance ? distance[size "," size] : "no way"
}
