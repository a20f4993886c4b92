//! Arithmetic, functions and arrays without input.

use super::Row;

const MANDELBROT: &str = "BEGIN {
    for (y = -12; y <= 12; y++) {
        line = \"\"
        for (x = -39; x <= 39; x++) {
            cx = x / 26; cy = y / 10; zx = 0; zy = 0
            for (n = 0; n < @n:10000@ && zx * zx + zy * zy < 4; n++) {
                t = zx * zx - zy * zy + cx; zy = 2 * zx * zy + cy; zx = t
            }
            line = line (n == @n:10000@ ? \"#\" : n > 4 ? \"+\" : \".\")
        }
        print line
    }
}";

const QUICKSORT: &str = "function sort(a, low, high,    i, j, pivot, t) {
    if (low >= high) return
    pivot = a[int((low + high) / 2)]; i = low; j = high
    while (i <= j) {
        while (a[i] < pivot) i++
        while (a[j] > pivot) j--
        if (i <= j) { t = a[i]; a[i] = a[j]; a[j] = t; i++; j-- }
    }
    sort(a, low, j); sort(a, i, high)
}
BEGIN {
    n = @n:100000@; x = 42
    for (i = 1; i <= n; i++) { x = (x * 16807) % 2147483647; a[i] = x }
    sort(a, 1, n)
    for (i = 1; i < n; i++) if (a[i] > a[i + 1]) print \"unsorted\"
    print a[1], a[n]
}";

pub fn rows() -> Vec<Row> {
    vec![
        Row::computes("loop", "a hundred million additions", "BEGIN { for (i = 0; i < @n:100000000@; i++) s += i; printf \"%.0f\\n\", s }")
            .perl(&["-e"], "my $s = 0; for (my $i = 0; $i < @n:100000000@; $i++) { $s += $i } print \"$s\\n\"")
            .python("s = 0\ni = 0\nwhile i < @n:100000000@:\n    s += i\n    i += 1\nprint(s)")
            .ruby(&[], "s = 0; i = 0\nwhile i < @n:100000000@ do s += i; i += 1 end\nputs s")
            .lua("local s, i = 0, 0\nwhile i < @n:100000000@ do s = s + i; i = i + 1 end\nprint(string.format('%d', s))"),
        Row::computes("arithmetic", "sums, products, remainders, powers", "BEGIN { for (i = 1; i <= @n:2000000@; i++) s += (i * 3 % 7) / 2 + i ^ 2 % 5 - int(i / 3); printf \"%.1f\\n\", s }"),
        Row::computes("math", "sin, cos, sqrt, exp, log", "BEGIN { for (i = 1; i <= @n:1000000@; i++) s += sin(i) * cos(i) + sqrt(i) + log(i) + exp(-i / 1000000); printf \"%.6f\\n\", s }"),
        Row::computes("fib", "fib(33), recursive", "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } BEGIN { print fib(33) }")
            .perl(&["-e"], "sub fib { my $n = shift; $n < 2 ? $n : fib($n - 1) + fib($n - 2) } print fib(33), \"\\n\"")
            .python("def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nprint(fib(33))")
            .ruby(&[], "def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)\nputs fib(33)")
            .lua("local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end\nprint(fib(33))"),
        Row::computes("calls", "three million calls of a small function", "function add(a, b) { return a + b } BEGIN { for (i = 0; i < @n:3000000@; i++) s = add(s, i); printf \"%.0f\\n\", s }"),
        Row::computes("mandelbrot", "the set, 79 by 25, 10,000 steps", MANDELBROT)
            .lua("for y = -12, 12 do\n  local line = {}\n  for x = -39, 39 do\n    local cx, cy, zx, zy, n = x / 26, y / 10, 0, 0, 0\n    while n < @n:10000@ and zx * zx + zy * zy < 4 do\n      zx, zy = zx * zx - zy * zy + cx, 2 * zx * zy + cy\n      n = n + 1\n    end\n    line[#line + 1] = n == @n:10000@ and '#' or n > 4 and '+' or '.'\n  end\n  print(table.concat(line))\nend"),
        Row::computes("sieve", "primes below three million", "BEGIN { n = @n:3000000@; for (i = 2; i <= n; i++) if (!(i in c)) { p++; for (j = i * i; j <= n; j += i) c[j] = 1 } print p }")
            .perl(&["-e"], "my $n = @n:3000000@; my @c; for my $i (2 .. $n) { next if $c[$i]; $p++; for (my $j = $i * $i; $j <= $n; $j += $i) { $c[$j] = 1 } } print \"$p\\n\"")
            .python("n = @n:3000000@\nc = [False] * (n + 1)\np = 0\nfor i in range(2, n + 1):\n    if not c[i]:\n        p += 1\n        for j in range(i * i, n + 1, i): c[j] = True\nprint(p)")
            .lua("local n, c, p = @n:3000000@, {}, 0\nfor i = 2, n do\n  if not c[i] then\n    p = p + 1\n    for j = i * i, n, i do c[j] = true end\n  end\nend\nprint(p)"),
        Row::computes("integer-keys", "an array of three million integers", "BEGIN { n = @n:3000000@; for (i = 1; i <= n; i++) a[i] = i * 2; for (i = 1; i <= n; i++) s += a[i]; printf \"%.0f\\n\", s }")
            .perl(&["-e"], "my ($n, $s, @a) = (@n:3000000@, 0); for my $i (1 .. $n) { $a[$i] = $i * 2 } for my $i (1 .. $n) { $s += $a[$i] } print \"$s\\n\"")
            .python("n = @n:3000000@\na = {}\nfor i in range(1, n + 1): a[i] = i * 2\ns = 0\nfor i in range(1, n + 1): s += a[i]\nprint(s)")
            .lua("local n, s, a = @n:3000000@, 0, {}\nfor i = 1, n do a[i] = i * 2 end\nfor i = 1, n do s = s + a[i] end\nprint(string.format('%d', s))"),
        Row::computes("sparse-keys", "integers far apart as subscripts", "BEGIN { for (i = 1; i <= @n:500000@; i++) a[i * 7919 % 1000003]++; for (k in a) n += a[k]; print n }"),
        Row::computes("string-keys", "strings built as subscripts", "BEGIN { for (i = 1; i <= @n:500000@; i++) a[\"key\" i] = i; for (i = 1; i <= @n:500000@; i++) s += a[\"key\" i]; printf \"%.0f\\n\", s }")
            .perl(&["-e"], "for my $i (1 .. @n:500000@) { $a{\"key$i\"} = $i } for my $i (1 .. @n:500000@) { $s += $a{\"key$i\"} } print \"$s\\n\""),
        Row::computes("delete", "elements added and deleted", "BEGIN { for (i = 1; i <= @n:500000@; i++) { a[i] = i; if (i > 100) delete a[i - 100] } for (k in a) n++; print n }"),
        Row::computes("matrix", "two 100 by 100 matrices multiplied", "BEGIN { n = 100; for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) { a[i, j] = i + j; b[i, j] = i - j } for (i = 1; i <= n; i++) for (j = 1; j <= n; j++) { s = 0; for (k = 1; k <= n; k++) s += a[i, k] * b[k, j]; t += s } print t }"),
        Row::computes("collatz", "the longest chain below a bound", "BEGIN { for (i = 1; i < @n:300000@; i++) { n = i; c = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; c++ } if (c > max) { max = c; best = i } } print best, max }")
            .lua("local max, best = 0, 0\nfor i = 1, @n:300000@ - 1 do\n  local n, c = i, 0\n  while n ~= 1 do\n    if n % 2 == 1 then n = 3 * n + 1 else n = n / 2 end\n    c = c + 1\n  end\n  if c > max then max, best = c, i end\nend\nprint(best .. ' ' .. max)"),
        Row::computes("quicksort", "100,000 numbers sorted by a recursive function", QUICKSORT),
    ]
}
