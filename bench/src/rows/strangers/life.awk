# Conway's game of life on a torus.
function alive(x, y) { return cell[(x + w) % w, (y + h) % h] }
BEGIN {
    w = 32; h = 24; seed = 42
    for (y = 0; y < h; y++) for (x = 0; x < w; x++) {
        seed = (seed * 16807) % 2147483647
        cell[x, y] = seed % 3 == 0
    }
    for (turn = 1; turn <= 150; turn++) {
        for (y = 0; y < h; y++) for (x = 0; x < w; x++) {
            n = alive(x-1, y-1) + alive(x, y-1) + alive(x+1, y-1) + alive(x-1, y) + alive(x+1, y) + alive(x-1, y+1) + alive(x, y+1) + alive(x+1, y+1)
            new[x, y] = n == 3 || n == 2 && cell[x, y]
        }
        total = 0
        for (k in new) { cell[k] = new[k]; total += new[k] }
    }
    print total
}
