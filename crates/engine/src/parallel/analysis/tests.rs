//! Programs and their analysis, one per line.

use super::*;

fn analysis(text: &str) -> Analysis {
    let mut sources = riverhawk_syntax::source::SourceMap::new();
    sources.add("row", text.as_bytes().to_vec()).expect("a short program");
    let parsed = riverhawk_syntax::parse(&sources);
    analyse(&parsed.program.unwrap_or_else(|| panic!("{text}: {:?}", parsed.diagnostics)))
}

fn joins(text: &str) -> String {
    let found = analysis(text);
    assert!(found.plan.is_some(), "{text}: {:?}", obstacles(&found));
    let all = found
        .variables
        .iter()
        .filter_map(|found| Some((&found.name, word(found.finding.as_ref().ok()?))));
    let mut all: Vec<String> = all.map(|(name, join)| format!("{name} {join}")).collect();
    all.sort();
    all.join(", ")
}

fn word(join: &Join) -> &'static str {
    use riverhawk_parallel::Empty;
    match join {
        Join::Constant => "constant",
        Join::Last => "last",
        Join::Contents => "contents",
        Join::Sum => "sum",
        Join::Distinct => "distinct",
        Join::Best { greatest: true, or_equal: false, vacant: Empty::Never } => ">",
        Join::Best { greatest: true, or_equal: true, vacant: Empty::Never } => ">=",
        Join::Best { greatest: false, or_equal: false, vacant: Empty::Never } => "<",
        Join::Best { greatest: false, or_equal: true, vacant: Empty::Never } => "<=",
        Join::Best { vacant: Empty::Text, .. } => "best or empty",
        Join::Best { vacant: Empty::Missing, .. } => "best or missing",
        Join::First => "first",
        Join::Concatenation => "concatenation",
        Join::Keys => "keys",
        Join::Follow(_) => "follows",
    }
}

fn obstacles(found: &Analysis) -> Vec<(String, u32)> {
    let of_rules = found.rules.iter().flat_map(|rule| rule.obstacles.iter());
    let of_variables =
        found.variables.iter().filter_map(|variable| variable.finding.as_ref().err());
    let all = of_rules.chain(of_variables).chain(&found.obstacles);
    all.map(|obstacle| (obstacle.message.clone(), obstacle.span.start)).collect()
}

/// The program is not parallel, for this reason among others, at the byte marked by `@`.
#[track_caller]
fn hindered(marked: &str, words: &str) {
    let at = marked.find('@').expect("a mark") as u32;
    let text = marked.replacen('@', "", 1);
    let found = analysis(&text);
    let all = obstacles(&found);
    assert!(found.plan.is_none(), "{text} is taken for parallel");
    assert!(
        all.iter().any(|(message, start)| message.contains(words) && *start == at),
        "{text}: {all:?}"
    );
}

#[test]
fn what_can_be_joined() {
    let rows = [
        // No flow between records.
        ("{ print $1 }", ""),
        ("/x/", ""),
        ("END { print NR }", ""),
        ("{ $2 = x; NF = 3; $0 = $1; print }", "x constant"),
        ("$1 == \"a\" { exit 1 } { nextfile }", ""),
        ("{ print NR, FNR, FILENAME, RT, NF }", ""),
        // Constants.
        ("BEGIN { t[1] = 2 } $1 in t { print t[$1], length(t) }", "t constant"),
        ("$1 in t && t[$1] > 3 { print t[$1] }", "t constant"),
        ("{ for (k in t) if (t[k] == $1) print k }", "t constant, k last"),
        ("{ print ENVIRON[\"HOME\"] }", "ENVIRON keys"),
        // Ranges, with loops that end.
        ("/a/, /b/", ""),
        (
            "/a/, /b/ { for (i = 1; i <= NF; i++) n++; for (i = 9; 0 < i; i--) { c[i]++; u = $1; sub(/x/, \"y\", u) } }",
            "c sum, i last, n sum, u last",
        ),
        ("$1 == 1, f($2) { print } function f(x) { return x + 1 }", ""),
        (
            "{ c[$1]++ } END { PROCINFO[\"sorted_in\"] = \"@ind_num_asc\"; for (k in c) print k }",
            "c sum",
        ),
        (
            "NR == 1 { PROCINFO[\"sorted_in\"] = \"f\" } { c[$1]++ } END { for (k in c) print k }",
            "c sum",
        ),
        // Functions that only compute.
        (
            "{ print gensub(/a/, \"b\", \"g\"), strtonum($1), text::width($2), typeof(x), and(1, 3), @/x/ }",
            "x constant",
        ),
        (
            "{ n = patsplit($0, a, /b/, s); print a[1] s[1]; print text::codepoints($1, c), c[1] }",
            "a contents, c contents, n last, s contents",
        ),
        (
            "{ delete a; a[1] = $2; asort(a); asorti(a, b); print a[1] b[1] }",
            "a contents, b contents",
        ),
        (
            "{ switch ($1) { case 1: n++; break; case /x/: x = $2; print x; default: s = s $3 } }",
            "n sum, s concatenation, x last",
        ),
        // Set before they are read in the same record.
        ("{ x = $1; y = x x; print y }", "x last, y last"),
        ("{ n = split($0, a); for (i = 1; i <= n; i++) print a[i] }", "n last, a contents, i last"),
        ("{ delete a; a[$1]++; for (k in a) print a[k] }", "a contents, k last"),
        ("{ if ($1) x = 1; else x = 2; print x }", "x last"),
        ("match($0, /x/) { print RSTART, RLENGTH }", "RSTART last, RLENGTH last"),
        ("{ match($0, /(x)/, m); print m[1] }", "m contents, RSTART last, RLENGTH last"),
        ("{ x = $1; sub(/a/, \"b\", x); print x }", "x last"),
        ("{ m = 0; for (i = 1; i <= NF; i++) if ($i > m) m = $i; print m }", "m last, i last"),
        ("{ x = $1 } { print x }", "x last"),
        ("{ while (x = $1) { print x; break } print x }", "x last"),
        ("function f() { return g = $1 } { f(); print g }", "g last"),
        ("function f(a) { split($0, a) } { f(x); print x[1] }", "x contents"),
        ("function f(p) { if (p) { f(p - 1) } g = p } { f(3); print g }", "g last"),
        ("function f(a, i) { i++; a[1] = i } { f() }", ""),
        // Assigned and never read.
        ("{ last = $0 }", "last last"),
        ("/x/ { seen = 1 }", "seen last"),
        ("{ a[$1] = $2 }", "a last"),
        ("NR == 1 { h = $0 } { print }", ""),
        // Sums.
        ("{ s += $1; t -= $2; n++; --d; ++c; e-- }", "s sum, t sum, n sum, d sum, c sum, e sum"),
        ("{ s += length }", "s sum"),
        ("{ a[$1]++; a[$1, $2] -= 2; a[$3] }", "a sum"),
        ("{ for (i = 1; i <= NF; i++) w[$i]++ }", "w sum, i last"),
        ("function add(x) { total += x } { add($1) }", "total sum"),
        ("function f(n) { if (n > 0) { c++; f(n - 1) } } { f($1) }", "c sum"),
        // Printed once for each key.
        ("!seen[$0]++", "seen distinct"),
        ("{ if (!seen[$1]++) print $2 }", "seen distinct"),
        ("++seen[$1, $2] == 1 { printf \"%s\\n\", $2; print NR }", "seen distinct"),
        ("NR > 1 && !(a[$1]++) { print } (b[$2]++) == 0", "a distinct, b distinct"),
        ("!a[$1]++; NF && $2 > 3 && !a[$2]++", "a distinct"),
        ("NF == (x = 2) && !a[x]++ { print x }", "a distinct, x last"),
        ("{ for (i = 1; i <= NF; i++) if (!w[$i]++) print $i }", "i last, w distinct"),
        (
            "function f(k) { if (!a[k]++) print k } { f($1) } END { for (k in a) print a[k] }",
            "a distinct",
        ),
        // Emptied by each record.
        ("{ delete a; for (i = 1; i <= NF; i++) if (!a[$i]++) print $i }", "a contents, i last"),
        // Maximum and minimum.
        ("$1 > m { m = $1 }", "m >"),
        ("{ if (m < $1) m = $1 }", "m >"),
        ("{ if ($1 >= m) { m = $1 } }", "m >="),
        ("{ if (m > $1) m = $1 }", "m <"),
        ("{ if ($1 <= m) m = $1 }", "m <="),
        ("length > m { m = length }", "m >"),
        ("$1 + 0 > m { m = $1 + 0 }", "m >"),
        ("m == \"\" || $1 < m { m = $1 }", "m best or empty"),
        ("NR == 1 || $1 < m { m = $1 }", "m <"),
        ("{ if ($2 > m[$1]) m[$1] = $2 }", "m >"),
        ("{ if (!($1 in m) || $2 < m[$1]) m[$1] = $2 }", "m best or missing"),
        ("{ if (m[$1] == \"\" || $2 > m[$1]) m[$1] = $2 }", "m best or empty"),
        ("$1 > m { m = $1; line = $0; at = NR }", "m >, line follows, at follows"),
        ("{ if (m == \"\" || $1 < m) { l = $0; m = $1 } }", "m best or empty, l follows"),
        (
            "{ m = 0; for (i = 1; i <= NF; i++) if ($i > m) { m = $i; at = i } print m }",
            "m last, i last, at last",
        ),
        // First values, and text in order.
        ("!($1 in f) { f[$1] = $0 }", "f first"),
        ("x == \"\" { x = $1 }", "x first"),
        ("{ s = s $1 }", "s concatenation"),
        ("{ s = s $1 \",\" $2 }", "s concatenation"),
        ("{ s = s + $2 }", "s sum"),
        ("{ s[$1] = s[$1] - $2 }", "s sum"),
        ("{ a[$1] = a[$1] \" \" $2 }", "a concatenation"),
        // Reads that create elements.
        ("{ print t[$1] }", "t keys"),
        ("t[$1] == 3", "t keys"),
        // After the first record.
        (
            "NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { s += $(c[\"x\"]) }",
            "c keys, s sum",
        ),
        ("NR <= 1 { x = x + 1; print y++ } 1 < NR { z++ }", "z sum"),
        ("NR != 1 { s++ } !(NR > 1) { print s }", "s sum"),
        ("NR == 1 && /x/ { print s } { s++ }", "s sum"),
        (
            "NR == 1 { FS = \":\"; while ((getline l < \"list\") > 0) n++; \"date\" | getline d } { s++ }",
            "s sum",
        ),
    ];
    for (text, expected) in rows {
        if text.starts_with("NR == 1 && ") {
            // Only the shapes of accumulators use a half of a condition.
            assert!(analysis(text).plan.is_none(), "{text}");
            continue;
        }
        let mut expected: Vec<&str> = expected.split(", ").collect();
        expected.sort_unstable();
        assert_eq!(joins(text), expected.join(", "), "{text}");
    }
}

#[test]
fn the_first_file_may_fill_what_the_others_look_up() {
    let rows = [
        ("NR == FNR { a[$1] = $2; next } $1 in a { print a[$1] }", "a constant"),
        ("FNR == NR { a[$1]; next } !($1 in a)", "a constant"),
        ("NR == FNR { sum += $3; next } { print $3 / sum }", "sum constant"),
        ("{ if (NR != FNR) { if ($1 in a) n++ } else a[$1] = $2 }", "a constant, n sum"),
        ("FNR < NR && ($1 in a) { print } FNR >= NR { a[$1] = prev; prev = $1 }", "a constant"),
        (
            "NR == FNR { while ((getline l < \"list\") > 0) a[l] = $1; nextfile } { n += a[$1] }",
            "a keys, n sum",
        ),
        ("NR == FNR { line[NR] = $0; next } { print FNR, line[FNR] }", "line keys"),
    ];
    for (text, expected) in rows {
        assert_eq!(joins(text), expected, "{text}");
        let plan = analysis(text).plan.expect("parallel").0;
        assert_eq!(plan.lead, Lead::FirstFile, "{text}");
        assert_eq!(plan.counts_records, text.ends_with("line[FNR] }"), "{text}");
    }
    // One file is enough for pieces.
    for text in ["NR == FNR { n++ }", "{ print NR == FNR }", "NR == 1 { h = $0 } { print h }"] {
        assert_eq!(analysis(text).plan.expect("parallel").0.lead, Lead::FirstRecord, "{text}");
    }
}

#[test]
fn what_stands_in_the_way_and_where() {
    let rows = [
        ("{ print @s; s += $1 }", "read here"),
        ("{ s += $1; t += @s }", "read here"),
        ("!@seen[$0]++ { n++ }", "changed here"),
        ("!@seen[$0]++ { print; next } { print NF }", "changed here"),
        ("!@seen[$0]++ { print f($1) } function f(x) { y = x }", "changed here"),
        ("!@seen[$0]++ { print t[$1] }", "changed here"),
        ("!@seen[$0]++ { print x = $1 }", "changed here"),
        ("{ if (!@seen[$0]++) print; else n++ }", "changed here"),
        ("!@seen[$0]++ || NF", "changed here"),
        ("!@seen[$0]++ && NF", "changed here"),
        ("!@seen[$0]--", "changed here"),
        ("!++@seen[$0]", "changed here"),
        ("@seen[$0]++ == 1", "changed here"),
        ("!seen[$1]++ { print @seen[$1] }", "read here"),
        ("!seen[$1]++; { n = length(@seen) }", "tested here for its elements"),
        ("!seen[$1]++; { delete @seen[$2] }", "changed here"),
        ("!seen[$1]++; { @seen[$2]++ }", "in several ways"),
        ("@n++ && !seen[$1]++", "changed here"),
        ("!seen[@n++]++", "changed here"),
        ("@prev == $1 { print } { prev = $1 }", "read here"),
        ("{ if ($1) x = 1; print @x }", "read here"),
        ("{ while ($1 > i) { x = 1; i = 9 } print @x; i = 0 }", "read here"),
        ("{ do { if ($1) continue; x = 1 } while (@x) }", "read here"),
        ("{ a[NR % 3] = $0; print @a[NR % 2] }", "read here"),
        ("{ c[$1]++ } $2 in @c { print }", "tested here for its elements"),
        ("{ c[$1]++; print length(@c) }", "tested here for its elements"),
        ("{ for (k in @c) print k; c[$1]++ }", "tested here for its elements"),
        ("{ c[$1]++; delete @c[$2] }", "changed here"),
        ("{ x = t[$1] } $1 in @t", "tested here for its elements"),
        ("$1 in @t { $1 = $2; print t[$1] }", "tested here for its elements"),
        ("{ @s = s * 2 }", "changed here"),
        ("{ s += $1 } /x/ { @s = 0 }", "several ways"),
        ("{ m = $1 > @m ? $1 : m }", "read here"),
        ("{ s = $1 @s }", "read here"),
        ("{ s = s $1 @s }", "read here"),
        ("{ @s *= 2 }", "changed here"),
        ("{ print @n++ }", "changed here"),
        ("{ if ($1 > m) m = $1; if ($2 < m) @m = $2 }", "several ways"),
        ("$1 > m { m = $1; l = $0 } { print @l }", "also used elsewhere"),
        ("$1 > m { m = $1; l = $0 } $2 > m { @m = $2 }", "several ways"),
        ("$1 > @m[$2] { m[$2] = $1; l = $0 }", "read here"),
        ("function f() { if ($1 > m) { m = $1; l = @$0 } } { m = 0; f() }", "also used elsewhere"),
        ("/a/, /b/ { @while (x < $1) x++ }", "this loop may not end"),
        ("/a/, /b/ { @for (i = 1; i < $1; i++) print }", "this loop may not end"),
        ("/a/, /b/ { @for (i = 1; i <= NF; i++) $(i + 1) = i }", "this loop may not end"),
        (
            "/a/, /b/ { print @f($1) } function f(n) { return n < 1 ? 0 : f(n - 1) }",
            "this recursion may not end",
        ),
        ("{ print @file::slurp($1) }", "acts on a file"),
        ("{ a[$1] = @@name($2) }", "is known only at run time"),
        ("BEGIN { PROCINFO[\"sorted_in\"] = f } { @for (k in t) print k }", "order of this loop"),
        (
            "function f() { @for (k in t) print k } { f() } END { PROCINFO[1] }",
            "order of this loop",
        ),
        ("{ PROCINFO[\"sorted_in\"] = \"f\" } END { @for (k in t) print k }", "order of this loop"),
        ("{ n = @asort(a, b, $1) }", "may call a function"),
        ("{ @getline; print }", "getline"),
        ("{ @getline x < \"f\" }", "getline"),
        ("{ @\"c\" | getline }", "getline"),
        ("{ @print > \"f\" }", "file or command"),
        ("{ @printf \"x\" | \"cat\" }", "file or command"),
        ("{ print @rand() }", "rand"),
        ("{ @srand(1) }", "srand"),
        ("{ @system(\"x\") }", "command"),
        ("{ @close(\"x\") }", "close"),
        ("{ @fflush() }", "fflush"),
        ("{ @OFS = \",\" }", "later records"),
        ("{ @NR = 3 }", "later records"),
        ("{ @FS = \":\" }", "later records"),
        ("NR == FNR { a[$1]; next } ($1 in @a) { delete a[$1] }", "tested here for its elements"),
        // Input is cut before the first record is read.
        ("NR == FNR { @RS = \"\"; a[$1]; next } $1 in a", "later records"),
        ("NR == FNR { a[$1]; next } ($1 in a) { @NR = 0 }", "later records"),
        ("NR == 1 { @RS = \"\" } { print }", "later records"),
        ("function f() { @IGNORECASE = 1 } { if (NR < 2) f(); print }", "later records"),
        ("function f() { if (NR < 2) @RS = \"\" } NR == 1 { f() } { print }", "later records"),
        ("NR == 1 { if (x) sub(/x/, \"y\", @FILENAME) } { print }", "later records"),
        ("NR == 1 { getline @RS < \"f\" } { print }", "later records"),
        ("NR == 1 { @ARGV[2] = \"f\" } { print }", "which files follow"),
        ("function f(a) { delete a[2] } NR == 1 { f(@ARGV) } { print }", "which files follow"),
        ("NR < 2 { @ARGC-- } { print }", "which files follow"),
        ("NR == 1 { @getline } { print }", "input that the main loop would read"),
        (
            "function f() { @getline x; return x } NR == 1 { y = f() } { print }",
            "input that the main loop would read",
        ),
        ("NR == 1 { @getline x < \"-\" } { print }", "input that the main loop would read"),
        ("NR == 1 { @getline x < f } { print }", "input that the main loop would read"),
        ("NR == 1 { @@f() } { print }", "known only at run time"),
        // While a range is open, its first pattern is not evaluated.
        ("x = /a/, /b/ { print @x }", "read here"),
        ("{ @ARGV[2] = \"x\" }", "later records"),
        ("{ @ENVIRON[\"x\"] = 1 }", "later records"),
        ("NR > 5 { @nextfile }", "nextfile"),
        ("/x/ { @exit } END { getline; print }", "after exit, getline in END"),
        ("function f() { return @n++ } { print f() }", "changed here"),
        ("function f() { @system(\"x\") } function g() { f() } { g() }", "command"),
        ("function f(a) { a[1]++ } { f(@x) } END { print x[1] }", "changed here"),
        ("function f(a) { a[1]++ } { f(x); print @x[1] }", "read here"),
        (
            "function f(a, k) { return k in a } { c[$1]++; f(@c, 1) }",
            "tested here for its elements",
        ),
        ("function g(a) { } { g(@x) }", "known only at run time"),
        ("function f() { if ($1) g = 1 } { f(); print @g }", "read here"),
        ("match($0, /x/) { next } { print @RSTART }", ""),
    ];
    for (marked, words) in rows {
        if words.is_empty() {
            // The previous rule's pattern has set RSTART.
            assert!(analysis(&marked.replace('@', "")).plan.is_some(), "{marked}");
            continue;
        }
        hindered(marked, words);
    }
}

#[test]
fn only_what_is_joined_is_noted() {
    let (plan, notes) =
        analysis("{ s += $1; x = 1; x += $2; print x; a[$1] -= $2 } $3 > m { m = $3 }")
            .plan
            .expect("parallel");
    assert_eq!((notes.addends.len(), notes.comparands.len()), (2, 1));
    assert_eq!(notes.sums, notes.addends);
    assert!(!plan.counts_records);
    assert!(analysis("{ s += NR }").plan.expect("parallel").0.counts_records);
}

#[test]
fn what_nobody_looks_at_in_the_end_does_not_travel() {
    let wanted = |text: &str| -> Vec<String> {
        let found = analysis(text);
        let shares = found.plan.expect("parallel").0.shares;
        let named = found.variables.iter().zip(&shares).filter(|(_, share)| share.wanted);
        named.map(|(variable, _)| variable.name.clone()).collect()
    };
    assert_eq!(wanted("{ s++; t++ } END { print s }"), ["s"]);
    assert_eq!(wanted("function f() { return t } { s++; t++ } END { print f() }"), ["t"]);
    assert_eq!(wanted("{ a[$1]; b[$1]; c[$1] } END { for (k in a) delete b }"), ["a", "b"]);
    assert_eq!(wanted("{ s++; t++ } END { \"x\" | getline }").len(), 2);
}

#[test]
fn deep_trees_are_walked_without_running_out_of_stack() {
    let deep = format!("{{ x = {}1{} }}", "(".repeat(50_000), ")".repeat(50_000));
    assert_eq!(joins(&deep), "x last");
    let long = format!("{{ x = 1{} }}", " + $1".repeat(50_000));
    assert_eq!(joins(&long), "x last");
}

#[test]
fn functions_that_call_each_other_in_circles_are_looked_at_to_an_end() {
    // Each has a loop after its call, so each iteration finds another one first.
    hindered(
        "function e() { t(); @while (q) t() } function t() { f(); while (q) f() } function f() { e(); L = 1 } \
         /a/, /b/ { e() }",
        "with a range pattern",
    );
    let bodies = [
        "f0()",
        "f1()",
        "f2()",
        "f3()",
        "while (q) q--",
        "n = NR",
        "print n",
        "exit",
        "return q",
        "x = x q",
    ];
    // Knuth's MMIX generator.
    let mut state = 1u64;
    let mut choose = |count: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    for _ in 0..2_000 {
        let mut text = String::from("{ f0(); f1() }");
        for function in 0..4 {
            let statements: Vec<&str> =
                (0..choose(5)).map(|_| bodies[choose(bodies.len())]).collect();
            text.push_str(&format!(" function f{function}() {{ {} }}", statements.join("; ")));
        }
        analysis(&text);
    }
}
