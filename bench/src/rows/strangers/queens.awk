# All ways to put eleven queens on a board.
function place(row,    col) {
    if (row > n) { solutions++; return }
    for (col = 1; col <= n; col++) {
        if (!(col in used) && !((row + col) in up) && !((row - col) in down)) {
            used[col]; up[row + col]; down[row - col]
            place(row + 1)
            delete used[col]; delete up[row + col]; delete down[row - col]
        }
    }
}
BEGIN { n = 11; place(1); print solutions }
