# The towers of Hanoi, with the towers as texts.
function move(n, from, to, by) {
    if (n == 0) return
    move(n - 1, from, by, to)
    tower[to] = substr(tower[from], 1, 1) tower[to]; tower[from] = substr(tower[from], 2); moves++
    move(n - 1, by, to, from)
}
BEGIN { tower["a"] = "abcdefghijklmnopqr"; move(18, "a", "c", "b"); print moves, tower["c"] }
