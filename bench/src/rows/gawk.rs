//! Features of gawk that few other awks have: the bar is half of the fastest right time.

use super::Row;
use crate::data::CSV;

const NESTED: &str = "BEGIN {
    for (i = 0; i < @n:1000@; i++) for (j = 0; j < 300; j++) a[i][j] = i * j
    for (i in a) for (j in a[i]) s += a[i][j]
    print s
}";

const BY_FUNCTION: &str = "function by_value(i, v, j, w) { return v - w }
BEGIN {
    for (i = 0; i < @n:100000@; i++) a[i] = (i * 7919) % 100003
    n = asort(a, b, \"by_value\")
    print n, b[1], b[n]
}";

pub fn rows() -> Vec<Row> {
    let half = |row: Row| row.of_fastest_awk(0.5);
    vec![
        half(Row::reads(
            "fpat",
            "fields by what they look like",
            &[CSV],
            "BEGIN { FPAT = \"[^,]+\" } { n += length($3) } END { print n }",
        )),
        half(Row::reads(
            "fieldwidths",
            "fields by their widths",
            &[CSV],
            "BEGIN { FIELDWIDTHS = \"4 2:3 5 *\" } { n += length($3) } END { print n }",
        )),
        half(Row::reads(
            "gensub",
            "two groups change places in every record",
            &[CSV],
            "{ n += length(gensub(/([0-9]+),([a-z]+)/, \"\\\\2-\\\\1\", \"g\")) } END { print n }",
        )),
        half(Row::reads(
            "patsplit",
            "the numbers of every record",
            &[CSV],
            "{ n += patsplit($0, a, /[0-9]+/) } END { print n }",
        )),
        half(Row::computes(
            "asort-numbers",
            "half a million numbers in order",
            "BEGIN { n = @n:500000@; for (i = 0; i < n; i++) a[i] = (i * 7919) % 1000003; n = asort(a); print n, a[1], a[n] }",
        )),
        half(Row::computes(
            "asort-texts",
            "as many texts",
            "BEGIN { n = @n:500000@; for (i = 0; i < n; i++) a[i] = \"k\" (i * 7919) % 1000003; n = asort(a); print n, a[1], a[n] }",
        )),
        half(Row::computes(
            "asort-function",
            "the order of a function of the program",
            BY_FUNCTION,
        )),
        half(Row::computes(
            "sorted-in-keys",
            "a loop in the order of the keys",
            "BEGIN { n = @n:300000@; for (i = 0; i < n; i++) a[\"k\" (i * 7919) % 1000003] = i; PROCINFO[\"sorted_in\"] = \"@ind_str_asc\"; for (k in a) s += a[k] % ++m; print s }",
        )),
        half(Row::computes(
            "sorted-in-values",
            "a loop in the order of the values",
            "BEGIN { n = @n:300000@; for (i = 0; i < n; i++) a[\"k\" i] = (i * 7919) % 1000003; PROCINFO[\"sorted_in\"] = \"@val_num_desc\"; for (k in a) s += a[k] % ++m; print s }",
        )),
        half(Row::computes("nested-arrays", "an array of a thousand arrays", NESTED)),
        half(Row::computes(
            "strftime",
            "half a million times as text",
            "BEGIN { for (i = 0; i < @n:500000@; i++) n += length(strftime(\"%Y-%m-%d %H:%M:%S\", 1e9 + i * 60)); print n }",
        )),
        half(Row::computes(
            "mktime",
            "half a million dates as numbers",
            "BEGIN { for (i = 0; i < @n:500000@; i++) n += mktime(\"2026 11 22 10 00 \" i % 60); print n }",
        )),
        half(Row::computes(
            "match-groups",
            "the groups of a match",
            "BEGIN { for (i = 0; i < @n:300000@; i++) { match(\"foo123bar\", /([a-z]+)([0-9]+)/, m); n += length(m[2]) } print n }",
        )),
        half(Row::computes(
            "bits",
            "three million hashes of three bit operations",
            "BEGIN { for (i = 0; i < @n:3000000@; i++) { h = and(h * 31 + i, 4294967295); x = xor(x, rshift(h, 7)) } print h, x }",
        )),
        half(Row::computes(
            "switch",
            "three cases and a default",
            "BEGIN { for (i = 0; i < @n:3000000@; i++) switch (i % 4) { case 0: a++; break; case 1: b++; break; case 2: c++; break; default: d++ } print a, b, c, d }",
        )),
    ]
}
