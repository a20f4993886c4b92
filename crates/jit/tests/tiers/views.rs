//! Unmaterialised texts: pieces, joined and changed texts, keys, in every use.

use crate::run::{compare, compare_counting};
use riverhawk_text::Unit;

/// Statements for each text `s`, each number `m` and `n`.
const LOOKS: &[&str] = &[
    "if (substr(s, m, 1) == \"a\") c[1]++; if (substr(s, m, 1) != \"é\") c[2]++; if (\"\" == substr(s, m, 1)) c[3]++",
    "if (substr(s, m, n) == \"ab\") c[1]++; if (substr(s, m, n) == \"abc\") c[2]++; if (substr(s, m) == \"defgh\") c[3]++; if (substr(s, m, n) == \"abcdefgh\") c[4]++",
    "if (substr(s, m, n) == substr(t, n, m)) c[1]++; if (substr(s, m, 1) == substr(t, n, 1)) c[2]++; if (substr(s, m) == s) c[3]++",
    "if (substr(s, m, 1) == m) c[1]++; if (substr(s, m, 2) == 10) c[2]++; if (substr(s, m, n) == u) c[3]++; if (substr(s, m, 1) == $1) c[4]++",
    "x += length(substr(s, m, n)); x += length(substr(s, m)); y += length(s); y += length(substr(s, m, 1))",
    "x += index(substr(s, m, n), \"b\"); x += index(substr(s, m), t); y = y index(substr(s, m, 1), \"\")",
    "x += substr(s, m, n); x -= substr(s, m) + 1; y = y substr(s, m, n) * 2; z = -substr(s, m, 1)",
    "d[substr(s, m, n)]++; d[substr(s, m, 1)] += m; if (substr(s, n, 1) in d) c[1]++; x = d[substr(s, m)]; d[substr(s, m, 2)] = s; y = y d[substr(s, n, 1)]",
    "if (toupper(s) == \"ABCDEFGH\") c[1]++; if (tolower(s) != s) c[2]++; if (toupper(substr(s, m, 1)) == \"A\") c[3]++; x += length(toupper(s)); d[tolower(s)]++",
    "if ((s \"\") == t) c[1]++; if ((m \"\") == n) c[2]++; if (s t == t s) c[3]++; if (s m t == \"a1b\") c[4]++; x += length(s t); x += length(s m t)",
    "d[s t]++; d[s \",\" m] = n; if ((s t) in d) c[1]++; d[m, n]++; if ((m, n) in d) c[2]++; x += d[m, n]; y = y d[s, t]; e[m, n] = m * n",
    "x = substr(s, m, 1); y = y x; z = substr(x, 1, 1) substr(s, n, 1); s2 = s2 substr(s, m, 1); if (x == z) c[1]++",
    "x = s; x = substr(x, m, 1); x = length(substr(x, 1, 1)); m2 = m + 1; m2 = substr(s, m2, 1) == \"b\"; z = z m2",
    "f = m / 4; x = x (f \"\") == s; d[f \"\"]++; d[f, f]++; if (f \"\" == \"0.25\") c[1]++; CONVFMT = m % 2 ? \"%.3f\" : \"%.6g\"",
    "x = length(substr(s, m, n)) + length(substr(t, n, m)) * length(s); y = y (substr(s, m, 1) == \"c\") (substr(s, m, 1) != \"c\")",
    "if (substr(s, m, n) == \"a\") { x = x \"1\"; continue } else if (substr(s, m, n) == \"\") { y++; if (y > 40) break }",
];

/// Short, long, ASCII, not ASCII, invalid, numeric, like a number, empty.
const TEXTS: &str = "\
    texts[1] = \"abcdefgh\"; texts[2] = \"a long text that is ASCII, every byte of it: abcdefgh\"; texts[3] = \"éàb\"; \
    texts[4] = \"a longer text with é and 鷹 and 🦅 in it\"; texts[5] = \"a\\377b\\303\"; texts[6] = \"\"; texts[7] = 1010.5; \
    texts[8] = 10; texts[9]; texts[10] = \"1e2x\"; texts[11] = \"a\\r\\nb\\r\\n\"; texts[12] = \"e\\314\\201a\\r\\nb, and again e\\314\\201a\\r\\nb\"; \
    numbers[1] = 1; numbers[2] = 0; numbers[3] = 2.5; numbers[4] = -1; numbers[5] = 1e300; numbers[6] = log(-1); numbers[7] = 3; \
    numbers[8] = 50; numbers[9] = 2; numbers[10] = 4503599627370496; numbers[11] = 8";

fn program(look: &str, before: &str) -> String {
    format!(
        "BEGIN {{ {before}; {TEXTS}; $0 = \"b 10\"; \
           for (i = 1; i <= 12; i++) for (j = 1; j <= 11; j++) for (k = 1; k <= 3; k++) \
             {{ s = texts[i]; t = texts[i % 12 + 1]; m = numbers[j]; n = numbers[(j + k) % 11 + 1]; {look} }} \
           for (i in c) print i, c[i]; for (i in d) print i, d[i]; for (i in e) print i, e[i]; print x, y, z, s2 }}"
    )
}

#[test]
fn texts_that_are_not_made_are_what_they_would_have_been() {
    for look in LOOKS {
        compare(&program(look, ""), "");
    }
}

#[test]
fn case_does_not_count_when_it_should_not() {
    for look in LOOKS {
        compare(&program(look, "IGNORECASE = 1"), "");
    }
    compare(
        "BEGIN { s = \"aAbB\"; while (++i < 40) { IGNORECASE = i % 3 == 0; if (substr(s, i % 4 + 1, 1) == \"a\") n++; if (substr(s, 1, 1) == substr(s, 2, 1)) m++ } print n, m }",
        "",
    );
}

#[test]
fn characters_are_bytes_or_graphemes_where_they_are_to_be() {
    for look in LOOKS {
        compare_counting(&program(look, ""), Unit::Byte);
        compare_counting(&program(look, ""), Unit::Grapheme);
    }
}

#[test]
fn what_is_left_in_the_middle_is_made_by_the_interpreter() {
    // An array used as a scalar or the reverse: the interpreter reports it.
    let left = [
        "s = \"abc\"; a[\"c\"][1] = 2; while (++i < 6) { x = a[substr(s, i, 1)]; a[substr(s, i, 1)] = i }",
        "s = \"abc\"; a[\"c\"][1] = 2; while (++i < 6) { m = i + 0; a[substr(s, m + 0, 1)]++ }",
        "a[\"1k\"][1]; while (++i < 6) a[(i - 2) \"k\"] += i",
        "a[2, 3][1]; while (++i < 6) a[i, i + 1] = i",
        "a[1] = 5; a[2] = \"t\"; a[3] = 1; while (++i < 9) n += a[substr(\"1231\", i % 4 + 1, 1)] > 1; print n",
        "while (++i < 9) { n += substr(\"0123\", i % 4 + 1, 1) in a; a[i % 3] = i } print n, length(a)",
    ];
    for statements in left {
        compare(&format!("BEGIN {{ {statements} }}"), "");
        compare(
            &format!("function f(i, a, s, x, m, n) {{ {statements} }} BEGIN {{ f(); f() }}"),
            "",
        );
    }
}

/// What becomes of the arrays `n`, `m` and `l` for fields by their numbers.
const FIELDS: &[&str] = &[
    "for (i = 1; i <= NF; i++) n[$i]++",
    "for (i = 0; i <= NF + 2; i++) { n[$i]++; m[$i] = m[$i] i; l[$i] += i; l[$i]--; x = x ($i in l) n[$i] }",
    "for (i = NF; i > 0; i--) { n[$1]++; m[$2] = i; l[$i]++; l[$(i)] -= n[$1] }",
    "for (i = 1; i <= NF; i++) { n[$i]++; if (i == 2) NF = 2; m[NF] = NF }",
    "for (i = 1; i <= NF && i < 9; i++) { n[$i]++; if (i == 3) $(NF + 1) = i / 4; m[$NF]++ }",
    "for (i = 1; i <= NF; i++) { $i = i + 0.1 + 0.2; n[$i]++; m[$(NF - i + 1)]++ }",
    "for (i = 1; i <= NF; i++) { n[$i]++; if ($i == \"b\") $0 = \"p q r 7\" } m[NF]++",
    "for (i = 1; i <= 4; i += 0.5) n[$i]++",
    "for (i = 1; i <= NF; i++) { f($i); n[$i]++ } m[NF]++",
    "i = NF; while (i) { n[$i]++; m[$i] = NF; sub(/b/, \"\"); i = i > NF ? NF : i - 1 }",
    "for (i = 1; i <= NF; i++) if ($i != \"\") { w = $i; if (w == \"b\") n[w]++; if (w != \"10\" && 10 != w) m[w]++; x = x (w == \"a longer field\") (\"1e1\" == w) }",
];

#[test]
fn a_field_is_a_key_where_it_is() {
    let input = "a b b 10 1e1 010 10\n\nb\n  10 1.0 +1 -0 0x10 é\na_field_of_more_than_fourteen_bytes b 999999999999999999 1\n";
    for look in FIELDS {
        for before in
            ["", "CONVFMT = \"%.1f\"", "FS = \"b\"", "IGNORECASE = 1", "n[7][1]; n[\"q\"][1]"]
        {
            let program = format!(
                "function f(x) {{ if (x == \"10\") $3 = \"changed\" }} BEGIN {{ {before} }} {{ {look} }} \
                 END {{ for (i in n) if (!isarray(n[i])) print i, n[i]; for (i in m) print i, m[i]; for (i in l) print i, l[i]; print x }}"
            );
            compare(&program, &input.repeat(3));
        }
    }
}

#[test]
fn a_number_of_no_field_is_an_error_as_a_key_too() {
    for number in ["-1", "1e18", "log(-1)", "3 - i"] {
        compare(
            &format!(
                "{{ for (i = 1; i < 9; i++) {{ k = {number}; n[i > 5 ? $k : $i]++; n[$k]++ }} }}"
            ),
            "a b\n",
        );
        compare(
            &format!("{{ for (i = 1; i < 9; i++) {{ k = i < 5 ? i : {number}; n[$k]++ }} }}"),
            "a b\n",
        );
    }
}

/// For texts `s` and `t` that stay unchanged while `m` counts.
const UNCHANGED: &[&str] = &[
    "if (substr(s, m, 1) == \"a\") x++; if (substr(s, m, 1) != \"é\") y++; if (substr(s, m, 1) == \"ab\") z++; n += substr(s, m, 1) == \"b\"",
    "if (substr(s, m, 2) == \"bc\") x++; if (substr(s, m) == \"gh\") y++; if (substr(s, m, n) == \"\") z++; n += m % 3",
    "if (substr(s, m, 1) < \"d\") x++; if (substr(t, m, 1) == substr(s, m, 1)) y++; z += length(substr(s, m, 3))",
    "if (m > length(s)) break; x += length(t); y += index(s, \"b\"); z += index(s, t); d[substr(s, m, 1)]++",
    "w = substr(s, m, 1); x = x w; z += substr(t, m, 1) == w; y = w y; d[w] = length(s)",
    "if (m % 4 == 0 && s == t) x++; y += s; if (s < t) z++; if (s) n++; while (substr(s, n % 9, 1) == \"b\" && n < 90) n += 2",
    "for (n = 1; n <= length(s) && n < 20; n++) if (substr(s, n, 1) == substr(t, m, 1)) { x++; if (substr(t, n, 1) == \"e\") y++ }",
    "if (substr(s, m, 1) == \"c\") print m, x; printf \"%s\", substr(s, m, 1) == \"d\"; if (s ~ /b.d/) z++",
    "x = x substr(s, m, 1); if (m == 5) s = t; y += length(s) (substr(s, m, 1) == \"e\")",
    "if (m == 4) s = s \"xyz\"; if (m == 6) t = 12; x = x substr(s, m, 1); y += substr(t, m - 5, 1) == \"2\"",
    "if (m == 3) IGNORECASE = !IGNORECASE; if (substr(s, m, 1) == \"B\") x++; if (substr(s, m, 1) == \"b\") y++; z += index(s, \"C\")",
    "n += g(m); x += substr(s, m, 1) == \"e\"; y = y (length(s) > m)",
];

#[test]
fn what_a_loop_does_not_change_is_found_before_it() {
    for look in UNCHANGED {
        for (step, before) in [
            ("m++", ""),
            ("m += 0.5", ""),
            ("m += 9007199254740990", ""),
            ("m++", "IGNORECASE = 1"),
        ] {
            let body =
                format!("for (m = -2; m < 1e17 && ++turns < 5000 && m != 14; {step}) {{ {look} }}");
            let program = format!(
                "function g(i) {{ if (i == 7) s = \"bcdefgh\"; return i % 2 }}
                 BEGIN {{ {before}; {TEXTS}; for (i = 1; i <= 12; i++) for (j = 1; j <= 12; j++) \
                   {{ s = texts[i]; t = texts[j]; n = j; turns = 0; {body} }} \
                   for (i in d) print i, d[i]; print x, y, z, n }}"
            );
            compare(&program, "");
        }
    }
    let look = UNCHANGED[0];
    let program = format!(
        "function f(s, t,   m, n) {{ for (m = 1; m <= length(s); m++) {{ {look} }} return n }}
         BEGIN {{ {TEXTS}; for (i = 1; i <= 12; i++) for (k = 1; k < 40; k++) u += f(texts[i], k); print u, x, y, z }}"
    );
    compare(&program, "");
    compare_counting(&program, Unit::Byte);
    compare_counting(&program, Unit::Grapheme);
}

#[test]
fn limits_of_integers_need_not_be_whole() {
    let limits = [
        "2.5",
        "-0.0",
        "3",
        "-1e300",
        "1e300",
        "log(-1)",
        "-log(0)",
        "log(0)",
        "9007199254740993",
        "-0.5",
    ];
    for limit in limits {
        for condition in
            ["i < l", "i <= l", "l > i", "l >= i", "!(l < i)", "!(i > l)", "!(l <= i)", "i != l"]
        {
            let up = format!("for (i = -3; {condition} && ++n % 20; i++) x += i");
            let down = format!("for (i = 9; {condition} && ++n % 20; i--) x += i");
            compare(
                &format!(
                    "BEGIN {{ l = {limit}; while (++k < 20) {{ {up}; y = y i; {down}; y = y i }} print x, y, n }}"
                ),
                "",
            );
        }
    }
}

#[test]
fn pieces_of_the_record_are_seen_where_they_lie() {
    compare(
        "{ for (i = 1; i <= length($0); i++) { if (substr($0, i, 1) == \"é\") n++; c[substr($0, i, 1)]++; x += substr($2, i, 1) } }
         END { print n, x; for (k in c) print k, c[k] }",
        "ab 12\né\u{e9} 7é\n\nlong fields that are longer than fourteen bytes 42\n",
    );
}

/// Statements of a record loop whose variables `v` and `w` may be views.
const CUTS: &[&str] = &[
    "v = substr($0, m, n); w = substr(v, n); x += length(v) + length(w); d[v]++",
    "v = substr($0, m, n); if (v == 10) c[1]++; if (v == n) c[2]++; if (v < 2) c[3]++; if ($0 == m) c[4]++; if ($0 == \"+1\") c[5]++; w = $0; if (w == 1) c[6]++; x += v",
    "v = substr($0, m); w = substr(v, 2, 3); if (w == \"abc\") c[1]++; if (substr(w, 2, 1) == \"b\") c[2]++; d[w] = v",
    "v = $1; w = substr(v, m, 1); x += index(v, \"b\"); y += length($0); d[w]++; d[$2] += length(w)",
    "v = substr($0, m, n); x += sub(/^[a-c]+/, \"\", v); x += sub(/b$/, \"\", v); d[v]++; print v",
    "v = substr($0, m, n); w = v; $2 = \"new\"; d[v] = w; v = substr($0, n, m); print v, w, $0",
    "x += sub(/c$/, \"\"); v = substr($0, m, n); x += sub(/^a/, \"\"); d[v]++; w = substr($0, n); print w",
    "$0 = m; v = substr($0, n); w = substr($0, 1, 2); x += length($0) + length(v); d[w]++",
    "v = substr($0, 2); for (i = 1; i <= length(v); i++) if (substr(v, i, 1) == \"b\") c[1]++; else d[substr(v, i, 2)]++",
    "v = substr($0, m, n); if (v == \"\") c[1]++; if (v == \"a\") c[2]++; if (v == \"abc\") c[3]++; if (\"ab\" != v) c[4]++; if (v == \"bc\") c[5]++",
    "v = substr($0, m, n); IGNORECASE = NR % 3 == 0; if (v == \"ABC\") c[1]++; if (v == \"\") c[2]++",
    "v = $2; w = v; for (i = 1; i <= length(w); i++) { x += substr(w, i, 1); $3 = i; y = y substr(v, i) }",
    "v = substr($0, 2); for (i = 1; i <= length(v); i++) { if (i == 2) getline z; if (substr(v, i, 1) == \"b\") c[1]++; d[z]++ }",
    "v = substr($0, m, n); NF = 2; w = substr($0, m, n); d[v]++; d[w]--; x += length(w)",
];

#[test]
fn parts_of_the_record_are_what_texts_of_their_own_would_be() {
    let ascii = "abc:d ef\na longer record of ASCII: abcdefgh abc\n\n010 10 abc\na\r\n0x10 1e3\n2.50\n+1\nabc\n";
    let other = "abc é\néàb abc\na\u{ff}b\r\n";
    for cut in CUTS {
        for records in [ascii, other] {
            compare(
                &format!(
                    "BEGIN {{ split(\"1 2 0 -1 2.5 1e300 3 8 4503599627370496\", numbers); numbers[10] = log(-1) }} \
                     {{ m = numbers[NR % 10 + 1]; n = numbers[NR % 9 + 1]; {cut} }} \
                     END {{ for (i in c) print i, c[i]; for (i in d) print i, d[i]; print x, y }}"
                ),
                &records.repeat(11),
            );
        }
    }
}

/// Statements that take bytes away at an edge, or look for one.
const EDGES: &[&str] = &[
    r#"x += sub(/\r$/, ""); v = substr($0, m); w = substr(v, 2); d[v] = w"#,
    r#"x += sub(/^[ \t]+/, ""); v = substr($0, m, n); w = substr($0, 1); d[v]++; d[w]++; x += NF"#,
    r#"v = substr($0, m); x += sub(/^[ \t]+/, "", v); d[v]++; x += sub(/[ \t\r]+$/, "", v); w = substr(v, 1); d[w]++"#,
    r#"v = substr($0, m, n); x += gsub(/^ /, "", v); x += gsub(/[0-9]$/, "", v); w = substr(v, 1, 9); d[w]++"#,
    r#"v = substr($0, m); w = substr($0, m); v = sub(/^ +/, "", v); w = sub(/^x+/, "", w); d[v]++; d[w]++"#,
    r#"v = substr($0, m); IGNORECASE = NR % 2; x += sub(/^[0-9 ]+/, "", v); x += index(v, "A"); w = substr(v, 1); d[w]++"#,
    r#"v = substr($0, m); w = v $0; x += sub(/^ +/, "", w); x += sub(/ *$/, "", v); d[w]++; v = substr(w, 1); d[v]++"#,
    r#"v = $0; x += sub(/^ +/, "", v); if (v == 12) c[1]++; if ($0 == 12) c[2]++; w = substr(v, 1); v = substr(w, 2); d[v]++"#,
    r#"$2 = $2; x += sub(/^ +/, ""); v = substr($0, m); w = substr($0, n); d[v]++; d[w]++; $0 = "  " $0; x += sub(/^ +/, ""); d[$0]++"#,
    r#"v = substr($0, m); x += sub(/^ +/, "-", v); x += sub(/^[ é]+/, "", v); w = substr(v, 1); d[w]++"#,
    r#"v = substr($0, m, n); w = substr($0, n); x += index(v, ":"); y += index($0, ":"); z += index(w, "é"); x += index(w, "")"#,
    r#"for (i = 0; i < 3; i++) { v = substr($0, m + i); w = trim(v); d[w]++; d[v]++; x += cut(v, w) }"#,
    r#"d[$1] += i = index($0, ":"); v = substr($0, i + 1); w = substr($0, i + 0.75, i - 0.25); d[m] = (i = index($0, "b")) + d[m]; x = x substr($0, i, i - 3) substr($0, i + 1.75); d[w]++; y += i"#,
    r#"i = index($0, ":"); v = substr($0, 1, i - 1); w = substr($0, i + 1); x += sub(/^[ \t]+/, "", w); d[v]++; d[w]++; y += length(w)"#,
];

#[test]
fn edges_are_taken_away_as_from_texts_of_their_own() {
    let places = (0..22).map(|at| format!("{}:b\r\n", "a".repeat(at))).collect::<String>();
    let runs = [0, 1, 2, 63, 64, 65, 200];
    let runs = runs.map(|size| format!("{0}a: 1{0}\n{0}\n", " ".repeat(size))).concat();
    let few = " 12\n\tb:  c\r\n\n\r\n1: 2 3\n:\n  x y\r\r\n 12 \n";
    let other = "é: é \n \u{ff}:\r\n   é";
    for statements in EDGES {
        for records in [&places, &runs, few, other] {
            compare(
                &format!(
                    "function trim(s) {{ sub(/^[ \\t]+/, \"\", s); return s }}
                     function cut(s, t) {{ return sub(/[ \\r]+$/, \"\", s) + sub(/^ /, \"\", t) + length(s) + length(t) }}
                     BEGIN {{ split(\"1 2 0 -1 1 3 8\", numbers) }}
                     {{ m = numbers[NR % 7 + 1]; n = numbers[NR % 5 + 3]; {statements} }}
                     END {{ for (i in d) print i, d[i]; print x, y, z, c[1], c[2] }}"
                ),
                &records.repeat(3),
            );
        }
    }
}

#[test]
fn edges_in_functions_put_in_place_are_those_of_their_own_frame() {
    let counts = compare(
        r#"function trim(s) { sub(/^[ \t]+/, "", s); return s }
           { x += index($0, "b"); x += length(trim(y)); y = "  a longer text " $1 }
           END { print x }"#,
        &"   a\n\t b c\n\nd\n".repeat(20),
    );
    assert!(counts.entries > 0);
}
