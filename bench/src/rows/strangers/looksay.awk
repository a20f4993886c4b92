# The sequence that reads itself aloud.
function say(s,    i, j, c, out) {
    for (i = 1; i <= length(s); i = j) { c = substr(s, i, 1); for (j = i + 1; substr(s, j, 1) == c; j++); out = out (j - i) c }
    return out
}
BEGIN { s = 1; for (n = 1; n <= 46; n++) s = say(s); print length(s), substr(s, 1, 20) }
