# A line of CSV taken apart character by character.
function fields(line, out,    i, c, n, inside, s) {
    n = 1; s = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (inside) { if (c == "\"") { if (substr(line, i + 1, 1) == "\"") { s = s c; i++ } else inside = 0 } else s = s c }
        else if (c == "\"") inside = 1
        else if (c == ",") { out[n++] = s; s = "" }
        else s = s c
    }
    out[n] = s
    return n
}
BEGIN { for (t = 1; t <= 20000; t++) total += fields("17,\"Smith, John\",\"said \"\"no\"\" twice\",,3.50,\"a b c\"," t, f); print total, f[2], f[3], f[7] }
