# Ants that turn at each square that they have painted.
BEGIN {
    split("0 1 0 -1", dx); split("1 0 -1 0", dy)
    for (ant = 1; ant <= 3; ant++) { x[ant] = ant * 7; y[ant] = ant * 3; way[ant] = ant }
    for (step = 1; step <= 150000; step++)
        for (ant = 1; ant <= 3; ant++) {
            key = x[ant] ":" y[ant]
            if (key in black) { delete black[key]; way[ant] = way[ant] % 4 + 1 } else { black[key]; way[ant] = (way[ant] + 2) % 4 + 1 }
            x[ant] += dx[way[ant]]; y[ant] += dy[way[ant]]
        }
    for (key in black) n++
    print n, x[1], y[1]
}
