# Numbers as Roman numerals and back.
function roman(n,    i, s) {
    for (i = 1; i <= m; i++) while (n >= value[i]) { s = s sign[i]; n -= value[i] }
    return s
}
function arabic(s,    i, n, v, last) {
    for (i = length(s); i > 0; i--) { v = of[substr(s, i, 1)]; if (v < last) n -= v; else n += v; last = v }
    return n
}
BEGIN {
    m = split("1000 900 500 400 100 90 50 40 10 9 5 4 1", value)
    split("M CM D CD C XC L XL X IX V IV I", sign)
    for (i = 1; i <= m; i++) if (length(sign[i]) == 1) of[sign[i]] = value[i]
    for (turn = 1; turn <= 10; turn++) for (i = 1; i < 4000; i++) { r = roman(i); if (arabic(r) != i) print "wrong", i; if (length(r) > length(longest)) longest = r }
    print longest
}
