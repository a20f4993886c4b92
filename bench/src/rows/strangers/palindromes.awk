# Numbers that are palindromes in two bases.
function reverse(s,    i, r) { for (i = length(s); i > 0; i--) r = r substr(s, i, 1); return r }
function binary(n,    s) { do { s = n % 2 s; n = int(n / 2) } while (n > 0); return s }
BEGIN { for (i = 1; i < 300000; i++) if (i == reverse(i)) { b = binary(i); if (b == reverse(b)) { sum += i; list = list " " i } } print sum list }
