//! Every operation of the bytecode in a loop, in a function, and in the record loop.

use crate::run::{compare, unit};
use std::collections::BTreeSet;

/// Statements that use every operation; the programs around them print the effects.
const STATEMENTS: &[&str] = &[
    "x = i; y = x; z = y \"\"; print x, y, z",
    "x = i + 2; x = x - 7; x = x * 1.5; x = x / 4; x = x % 3; x = x ^ 2; print x, -x, +x, !x",
    "x = \"3x\" + 1; y = \"abc\" * 2; z = u + 1; print x, y, z, 7 % -3, -7 % 3, 2 ^ -1, 2 ^ 0.5",
    "x += i; x -= 2; x *= 3; x /= 2; x %= 7; x ^= 2; print x",
    "v++; ++v; v--; --v; print v++, ++v, v--, --v, w++, w--",
    "print !u, !\"\", !\"a\", !0, !i, !!i",
    "print \"a\" i u 3.14159265 $1; CONVFMT = \"%.2g\"; OFMT = \"%.9g\"; OFS = \"-\"; print i / 7 \"|\" $2, 1; print (i / 7) \"x\"; print i++ i i++ > \"/dev/stdout\"; i -= 2; CONVFMT = OFMT = \"%.6g\"; OFS = \" \"",
    "s = s i; t = t \"-\" i \"+\" s; print s, t, length(t)",
    "s = s s; print s; s = \"x\"",
    "j = split(\"|a|abcdef|abcdef\\0|abcdefg|ABCDEFG|abcdefgh|abcd\\303\\251|abcdefgzzzzzzzzz\", q, \"|\"); q[++j] = 5; q[++j] = \"5\"; q[++j]; $0 = \"abcdef abcdefg a 5 ABCDEFG\"; for (k = 1; k <= j + 6; k++) { x = k > j ? $(k - j) : q[k]; y = y (x == \"\") (\"abcdef\" == x) (x == \"abcdef\\0\") (x != \"abcdefg\") (x == \"a\") (x == \"5\") (x == \"abcd\\303\\251\") (x == \"abcdefgzzzzzzzzz\") ($2 == \"abcdefg\") (\"a\" != $3) ($9 == \"\"); IGNORECASE = i == 3 } IGNORECASE = 0; print y; y = \"\"; $0 = \"r 1 2\"",
    "q[\"n\"]++; q[\"t\"] += 2; q[\"n\"] += q[\"t\"]; x = q[\"n\"]; q[\"n\"] = \"x\" x; q[\"n\"]++; y = q[\"n\"]; q[\"t\"] = i == 2 ? \"12\" : \"a long text in here\" i; z = q[\"t\"]; q[\"t\"] += 0.5; q[7] = \"s\" i; x = x q[7]; q[7] = i; q[7]++; print x, y, z, q[\"n\"], q[\"t\"], q[7]",
    "print (i < 2), (i <= 2), (i == 2), (i != 2), (i > 2), (i >= 2), (\"10\" < \"9\"), (10 < 9), (\"a\" < 1), (u == 0), (u == \"\")",
    "if (i < 2) a1++; else a2++; if (i <= 1) a3++; if (i == 2) a4++; if (i != 2) a5++; print a1, a2, a3, a4, a5",
    "if (\"a\" i < \"a2\") print \"less\"; if (\"a\" i == \"a1\") print \"equal\"; while (k < 3) k++; print k",
    "nan = log(-1); if (nan < 1) print \"a\"; if (!(nan < 1)) print \"b\"; if (nan == nan) print \"c\"; if (nan != nan) print \"d\"; if (nan) print \"e\"",
    "print (i \"\" ~ /1/), (i ~ \"2\"), (i !~ /3/); if (\"foo\" i ~ /o2/) print \"yes\"; if (!(\"foo\" ~ /o$/)) print \"no\"; if (\"x\" !~ \"y\") print 1",
    "if (/b/) print \"record\"; if (!/zz/) print \"no zz\"; print (/a/), $0 ~ /b./",
    "$0 = \"a b c \" i; print $1, $4, $i, $NF, NF; x = $2; n = 3; y = $n; print x, y, $4 + 1, $n + 1, -$4, int($4)",
    "$3 = i; $(i + 4) = \"q\"; $2 += 5; $2++; ++$(1 + 1); $1 = $1 \"k\"; print; print NF",
    "$0 = \"p q r \" i; x = OFS SUBSEP FILENAME; y = x == OFS ? ORS : FS; OFS = i; z = OFS; OFS = \" \"; print x y z, OFS, RS; n = \"2x\"; w = $n; v = $(i % 4 + 1); $n = \"new\" i; print w, $n, v, $\"x\", $u, $3; if ($i) t = t $i; if (!$(i + 6)) t = t \"!\"; print t",
    "a[i] = \"e\" i; a[\"k\"] = $i; for (k in a) n += length(a[k]); print n, length(a[\"none\"]), length(a); w = $i; $0 = \"other\"; print w, $1; $(i + 1) = w; print; n = 0; delete a",
    "$0 = i \" \" i * 2; s = s + $1; s2 += $2; p += $1 * $2; if ($1 < $2) print \"lt\"; if ($2 > 2) print \"gt\"; print s, s2, p",
    "sub(/[0-9]/, \"<&>\", $5); gsub(/b/, \"B\"); print; NF = 2; print; print NF",
    "print NR, NF, FNR, RSTART, RLENGTH; NR = NR + 10; OFS = \"-\"; print NR, 1; OFS = \" \"; CONVFMT = \"%.2g\"; x = 3.14159 \"\"; CONVFMT = \"%.6g\"; print x",
    "a[i] = i * 2; a[\"k\" i] = \"v\" i; a[i, 1] = u; print a[i], a[\"k\" i], a[i, 1], a[i - 1], length(a)",
    "c[i % 2]++; ++c[\"x\"]; c[\"x\"]--; --c[i]; print c[0], c[1], c[\"x\"], c[i], c[i]++, ++c[i]",
    "d[i] += i; d[1] *= 2; d[1] -= 1; d[2] /= 2; d[3] %= 2; d[i] ^= 2; d[\"s\"] = d[\"s\"] i; print d[1], d[2], d[3], d[\"s\"]",
    "e[i] = \"long text of more than fourteen bytes \" i; e[i] += 1; print e[i]; e[i] = \"short\"; e[i] = 5; print e[i]; e[0.1] = 1; print (0.1 in e)",
    "if (i in a) print \"in\"; if (!((i, 9) in a)) print \"not in\"; delete a[i - 1]; print (i - 1 in a), length(a); if (i == 3) delete a",
    "for (j = 0; j < 90; j += i + !i) { c[j] = j; c[j * 2 - 1]++; c[-j] += j; c[j / 4] = i } for (j = 90; j >= -2; j -= 7) delete c[j]; print length(c), (3 in c), (7 in c), (-1 in c), (0.25 in c), c[89]; for (j in c) m2 += j * c[j]; print m2",
    "for (j = 0; j < 300; j++) { q2[j] = j; if (j > 9) delete q2[j - 10] } print length(q2); q2[\"x\"] = \"long text of more than fourteen bytes\"; for (j = 290; j < 300; j++) { w2 = q2[j] q2[j + 1]; q2[j] = w2; q2[j] = j } delete q2; q2[0] = i; q2[1]++; q2[-0] -= 2; q2[1e300] = 1; q2[2 ^ 52]++; q2[2 ^ 53] = 2; q2[log(-1)]++; print q2[0], q2[1], length(q2), w2; delete q2",
    "b[1] = 1; b[\"x\"] = 2; b[i] = 3; for (k in b) n += b[k]; print n; for (k in b) for (l in b) if (k == l) m++; print m; for (k in b) delete b[k]; print length(b)",
    "g[1][2] = i; g[1][3] += 2; for (k in g) for (l in g[k]) print k, l, g[k][l]; print isarray(g[1])",
    "print length(), length(\"abc\" i), length(i), length(a); r += length(); r += length($2); print r, length($1)",
    "print substr(\"hello\", 2), substr(\"hello\", i, 2), index(\"hello\", \"l\"), tolower(\"ABC\" i), toupper(\"abc\" i)",
    "n = split(\"a:b:c\" i, parts, \":\"); print n, parts[1], parts[n]; print split(\"x1y2z\", q, /[0-9]/, seps), seps[1]; print split($0, ff1), ff1[1]",
    "t = \"hello world\"; print sub(/o/, \"0\", t), t, gsub(/o/, \"0\", t), t, gsub(/q/, \"\", t); gsub(/[a-z]/, \"[&]\", a[i]); print a[i]",
    "print match(\"foobar\", /o+/), RSTART, RLENGTH, match(\"foobar\", /(o)(b)/, m1), m1[1] m1[2]",
    "print and(i, 3), or(i, 8), xor(i, \"5x\"), lshift(i, 3), rshift(i * 9, 1), and(i / 2, 1), and(u, 1), or(2 ^ 53, i), and(2 ^ 60, 2 ^ 60 + i * 1024), lshift(2 ^ 50 + i, 13), rshift(2 ^ 62, 60), lshift(1, 63), lshift(1, 64 + i), xor(i, 1, 4)",
    "print int(i / 2), int(-3.7), int(\"4x\"), sqrt(i), sin(i), cos(i), exp(i), log(i), atan2(i, 2)",
    "srand(i); x = rand(); srand(i); print x == rand(), srand(1) ; y = rand(); print (y >= 0 && y < 1)",
    "printf \"%d %s %5.2f|%c\\n\", i, \"x\" i, i / 3, 65 + i; x = sprintf(\"%03d\", i); print x; f2 = \"%s-%s\\n\"; printf f2, i, x; printf(\"%s\\n\", sprintf(f2, 1, 2))",
    "print i > \"/dev/stderr\"; print \"x\" i | \"cat\"; close(\"cat\"); printf \"%d\\n\", i > \"/dev/stderr\"; fflush(); fflush(\"\"); print close(\"nothing\")",
    "print system(\"exit \" i); while ((\"echo a; echo \" i | getline line) > 0) print line; close(\"echo a; echo \" i); print (getline other < \"/no/such/file\"), other",
    "if ((getline) > 0) print \"read\", $0; if ((getline line) > 0) print \"line\", line; print NR",
    "switch (i) { case 1: print \"one\"; break; case /2/: print \"two\"; default: print \"other\" }",
    "print strtonum(\"0x1\" i), substr(\"añb\", 2, 1), length(\"añb\"), gensub(/a/, \"b\" i, \"g\", \"banana\"), typeof(i), typeof(u), typeof(a), typeof($1), typeof(@/x/)",
    "arr[i] = 4 - i; n = asort(arr, sorted); print sorted[1], n; n = asorti(arr, sorted); print sorted[1], n",
    "fn = \"id\"; print @fn(i), id(i), id(\"s\" i), id(u), pair(i), pair(i, i * 2), pair(\"x\", i), none(), put(h, i), h[i], h[0], noted",
    "put(unknown, i); print unknown[i]; x = id(id(i) + id(i)); print x, sums(i), sums(i), fact(i), even(i), glob(i), glob(\"q\")",
    "$0 = i \" 2x y\"; q1[1] = \"5z\"; print twice($1), twice($2), twice($3), twice(q1[1]), mixed($1, $2), mixed($2, $1), twice($9), steps($2), typed($1)",
    "z = typeof(u) typeof(b1); if (i == 2) x = u; if (i == 3) x = length(b1); typed(b2); both(b3, 0); print z, typeof(u), typeof(b1), typeof(b2), typeof(b3), typeof(a[i]), typed(a[i + 1]), typeof(a[i + 1])",
    "x = mkbool(i); y = x; if (y) print typeof(y), y + 1, y \"\"; z = @/ab+/; w = z; print typeof(w), (\"abb\" ~ w)",
    "x = (i && j1); y = (u || i); if (i && u == 0) x++; print x, y; put(nested[i], 3); print nested[i][3]; id(nested2[i]); \"echo q\" i | getline; close(\"echo q\" i); print $0; srand(7); srand(); print (srand(8) > 7), close(\"nothing\", \"to\")",
    "print both(i, 0), both(both1, i); do { j++; if (j % 2) continue; if (j > 6) break } while (j < 10); print j; for (;;) { if (++jj > 3) break }; print jj; j = 0; jj = 0",
];

const FUNCTIONS: &str = "
function id(x) { return x }
function pair(x, y) { if (y) return x + y; return x \"!\" }
function none() { noted++ }
function put(array, key) { array[key] = key * 2; array[0]++ ; return array[key] }
function sums(n,  k, t) { for (k = 1; k <= n; k++) t += k; return t }
function fact(n) { return n <= 1 ? 1 : n * fact(n - 1) }
function even(n) { return n == 0 ? 1 : odd(n - 1) }
function odd(n) { return n == 0 ? 0 : even(n - 1) }
function both(p, q) { if (q) { p[q] = q; return length(p) } return p + 1 }
function twice(p) { return p * 2 }
function mixed(p, q) { p += q; return p q }
function steps(p) { p++; return -p }
function glob(n) { noted = n; seen[n]++; return noted }
";

/// Programs that ask for types note how variables are used, so only the calling one includes that
/// function.
fn functions(statement: &str) -> String {
    let typed = if statement.contains("typed(") {
        "function typed(p) { return p + 1 typeof(p) }"
    } else {
        ""
    };
    format!("{FUNCTIONS}{typed}")
}

const INPUT: &str =
    "a b 1\nbb 2.5 3\n\n 4 5 x\nlong fields that are longer than fourteen bytes\n7 8 9\n";

#[test]
fn statements_do_the_same_in_a_loop() {
    for statement in STATEMENTS {
        let functions = functions(statement);
        compare(
            &format!("{functions} BEGIN {{ for (i = 1; i <= 4; i++) {{ {statement} }} }}"),
            INPUT,
        );
    }
}

#[test]
fn statements_do_the_same_in_a_function_that_is_called_again_and_again() {
    for statement in STATEMENTS {
        let functions = functions(statement);
        compare(
            &format!(
                "{functions} function f(i,  local) {{ {statement}; return local }} BEGIN {{ f(1); f(2); f(3); f(\"4\"); f() }}"
            ),
            INPUT,
        );
    }
}

#[test]
fn statements_do_the_same_with_local_variables() {
    let locals = "x, y, z, s, t, v, w, u, k, n, r, a, c, d, e, b, g, parts, q, seps, f, h, j, jj, line, m, l, p, s2";
    for statement in STATEMENTS {
        let functions = functions(statement);
        let again = "for (i = 1; i <= 3; i++)";
        compare(
            &format!(
                "{functions} function ff({locals}, i) {{ {again} {{ {statement} }} }} BEGIN {{ ff(); ff() }}"
            ),
            INPUT,
        );
    }
}

#[test]
fn statements_do_the_same_in_the_record_loop() {
    for statement in STATEMENTS {
        let functions = functions(statement);
        compare(
            &format!("{functions} {{ i = NR; {statement} }} END {{ print NR, i, x, y, s }}"),
            INPUT,
        );
    }
}

#[test]
fn statements_do_the_same_when_their_variables_change_type_in_between() {
    for statement in STATEMENTS {
        let functions = functions(statement);
        let flips = "if (r0++ % 3 == 1) { x = \"t\" r0; s = r0; v = \"7up\"; w = \"\"; n = \"n\"; k = \"0\"; y = u0; p = \"p\" } else if (r0 % 5 == 0) { x = r0; s = 0; n = 1 }";
        compare(
            &format!(
                "{functions} BEGIN {{ for (i = 1; i <= 30; i++) {{ {flips}; {statement}; if (i == 29) print x, y, s, v, w, n, k, p }} }}"
            ),
            INPUT,
        );
    }
}

#[test]
fn every_operation_is_among_the_statements() {
    let mut met = BTreeSet::new();
    for statement in STATEMENTS {
        let functions = functions(statement);
        for program in [
            format!("{functions} {{ i = NR; {statement} }} END {{ print }}"),
            format!(
                "{functions} function f(i, local) {{ {statement}; return local }} BEGIN {{ f(1); NR == 1 }}"
            ),
        ] {
            met.extend(unit(&program).code.iter().map(|op| op.name()));
        }
    }
    for more in ["END { print }", "{ next } { nextfile }", "BEGIN { exit 3 }", "BEGIN { exit }"] {
        met.extend(unit(more).code.iter().map(|op| op.name()));
    }
    let never: Vec<&&str> =
        riverhawk_bytecode::Op::NAMES.iter().filter(|name| !met.contains(**name)).collect();
    // Programs with more than 32,768 variables, errors, pieces of parallel runs.
    let elsewhere = [
        "LoadConst",
        "GetGlobal",
        "SetGlobal",
        "GetGlobalArray",
        "ArgumentGlobal",
        "Fail",
        "ToTruth",
        "Addend",
        "Comparand",
        "NoteAdd",
        "NoteRecordLength",
        "AddExactly",
        "AddExactlyToElement",
        "BeginFirst",
        "EndFirst",
        // Every candidate leaves to the interpreter for these.
        "GetNamed",
        "SetNamed",
        "RefreshNamed",
        "DeleteNamed",
        "BeginOrderedKeys",
        // Only tables have columns; `tests/corpus/tables.awkt` runs in every tier.
        "Column",
        "DeleteField",
        "OwnColumn",
        // Observed and linted programs are never compiled to machine code.
        "Visit",
        "CheckAssigned",
        "Lint",
        // Only with `-M`: the same.
        "Precise",
        "FormatPrecise",
        // Profiled programs: `tests/tests/command/profile.rs` runs them in every tier.
        "EnterRule",
        "EnterFunction",
        "LeaveFunction",
        // Programs with limits of time, steps and records: `tests/tests/command/limits.rs` runs them in every tier.
        "CheckTurn",
        "CountedNextRecord",
        "CountedRecordLoop",
        // Programs that are embedded: `crates/engine/tests/host_functions.rs` runs them in every tier.
        "CallHost",
    ];
    let missing: Vec<&&&str> = never.iter().filter(|name| !elsewhere.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
