# A text set in lines of forty characters, justified.
function spread(line,    n, w, i, out, extra, gaps) {
    n = split(line, w, " "); if (n < 2) return line
    extra = width - length(line); gaps = n - 1
    for (i = 1; i < n; i++) out = out w[i] sprintf("%*s", 1 + int(extra / gaps) + (i <= extra % gaps), "")
    return out w[n]
}
BEGIN {
    width = 40; text = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch of belief"
    for (turn = 1; turn <= 8000; turn++) {
        n = split(text, word, " "); line = word[1]; lines = 0
        for (i = 2; i <= n; i++) if (length(line) + 1 + length(word[i]) <= width) line = line " " word[i]; else { sum += length(spread(line)); lines++; line = word[i] }
    }
    print lines, sum, spread(line)
}
