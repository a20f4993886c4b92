//! Fields are ranges of the record until they must outlive it. These programs change the record, or
//! the slot that an operation reads, in the middle of an expression. Results are those of gawk
//! 5.2.1.

use crate::run::prints;

const LINES: &str = "a b c\nd e f\ng h i\n";

#[test]
fn a_field_read_before_the_record_changes_keeps_its_text() {
    prints("{ print $1, (getline), $1 }", LINES, "a 1 d\ng 0 g\n");
    prints("{ print $0, (getline x), $0, x }", LINES, "a b c 1 a b c d e f\ng h i 0 g h i d e f\n");
    prints(
        "{ x = $1 ($2 = \"zz\") $2 $0; print x }",
        LINES,
        "azzzza zz c\ndzzzzd zz f\ngzzzzg zz i\n",
    );
    prints(
        "{ print $1 == (($1 = \"q\") ? \"a\" : \"b\"), $0 }",
        LINES,
        "1 q b c\n0 q e f\n0 q h i\n",
    );
    prints("{ if ($1 < (getline)) print; print $1 }", LINES, "d\ng\n");
    prints(
        "{ n = split($0, p, ($0 = \"x y\") ? \" \" : \"\"); print n, p[1], $0 }",
        "a b c\n",
        "3 a x y\n",
    );
}

#[test]
fn a_call_that_changes_the_record_does_not_change_what_was_passed() {
    prints("function f(a) { getline; return a } { print f($1), $1 }", LINES, "a d\ng g\n");
    prints(
        "function f(a) { $0 = \"new one\"; return a } { print f($0), $0, f($1) }",
        "a b\n",
        "a b new one new\n",
    );
    prints(
        "function f(a, b) { $2 = \"Z\"; return a b $0 } { print f($1, $2) $0 }",
        "a b c\n",
        "aba Z ca Z c\n",
    );
    prints(
        "function f(x) { $0 = x; return $1 } BEGIN { $0 = \"a b\"; print f($2 \" z\"), $0, f($1), $0 }",
        "",
        "b b z b b\n",
    );
}

#[test]
fn an_element_or_field_is_stored_under_the_key_it_was_read_by() {
    let program = "BEGIN { x = \"k\"; a[\"k\"] = \"foo\"; x = sub(/f/, \"g\", a[x]); print a[\"k\"], x; for (k in a) print k }";
    prints(program, "", "goo 1\nk\n");
    prints("{ x = 2; x = sub(/b/, \"Q\", $x); print; print x }", "a b c\n", "a Q c\n1\n");
    prints("{ x = 2; x = gsub(/b/, \"Q\", $x) + x; print x, $0 }", "a b c\n", "3 a Q c\n");
    prints("{ x = \"y\"; x = (getline a[x]); print x, a[\"y\"] }", "a\nb\n", "1 b\n");
}

#[test]
fn a_destination_that_is_also_a_source_is_read_first() {
    prints(
        "BEGIN { x = \"0123456789abcdefghij\"; x = x x; x = x x x; print length(x); x = x substr(x, 3, 4) x; print length(x) }",
        "",
        "120\n244\n",
    );
    prints(
        "BEGIN { x = \"abc\"; x = substr(x, 2); x = toupper(x); x = x ~ x; print x; x = x !~ x; print x }",
        "",
        "1\n0\n",
    );
    prints(
        "BEGIN { x = \"abcdefghijklmnopqrstuvwxyz\"; x = substr(x, 2, 20); x = toupper(x); print x }",
        "",
        "BCDEFGHIJKLMNOPQRSTU\n",
    );
    prints(
        "BEGIN { x = \"aaa\"; y = x; gsub(/a/, \"b\", y); print x, y; gsub(x, x y, x); print x, y }",
        "",
        "aaa bbb\naaabbb bbb\n",
    );
    prints("BEGIN { x = \"aaa\"; n = gsub(x = \"a\", \"b\", x); print n, x }", "", "1 b\n");
    prints(
        "BEGIN { x = \"a+b\"; n = gsub(/a/, x, x); print n, x; n = sub(x, \"&&\", x); print n, x }",
        "",
        "1 a+b+b\n0 a+b+b\n",
    );
    prints(
        "BEGIN { i = 5; i = i++; print i; i = ++i + i; print i; i += i++; print i }",
        "",
        "5\n12\n25\n",
    );
    prints(
        "BEGIN { a[\"s\"] = \"a b c\"; n = split(a[\"s\"], a); print n, a[1], a[3], length(a) }",
        "",
        "3 a c 3\n",
    );
    prints("BEGIN { a[1] = \":\"; n = split(\"p:q\", a, a[1]); print n, a[1] }", "", "2 p\n");
    prints("BEGIN { f = \"in\"; while ((getline f < f) > 0) print f }", "", "");
}

#[test]
fn a_string_that_two_names_hold_changes_under_one_of_them_only() {
    let program = "BEGIN { x = \"abcdefghijklmnopqrstuvwxyz\"; y = x; x = x \"1\"; y = y \"2\"; print x, y; z = x; x = x z; print x, z }";
    let alphabet = "abcdefghijklmnopqrstuvwxyz";
    prints(program, "", &format!("{alphabet}1 {alphabet}2\n{alphabet}1{alphabet}1 {alphabet}1\n"));
    prints(
        "function f(a) { a = a \"x\"; return a } BEGIN { s = \"0123456789012345\"; t = f(s); print s, t, f(t) }",
        "",
        "0123456789012345 0123456789012345x 0123456789012345xx\n",
    );
    prints(
        "BEGIN { a[1] = \"0123456789012345\"; b = a[1]; a[1] = a[1] \"x\"; a[1] = a[1] \"y\"; print a[1], b }",
        "",
        "0123456789012345xy 0123456789012345\n",
    );
    prints(
        "BEGIN { a[\"k\"] = \"abcdefghijklmnopqrst\"; k = a[\"k\"]; a[k] = k; delete a[\"k\"]; a[k] = a[k] a[k]; print length(a[k]), k }",
        "",
        "40 abcdefghijklmnopqrst\n",
    );
}

#[test]
fn appending_several_parts_reads_them_all_before_the_variable_grows() {
    prints("BEGIN { $0 = \"a 2 c\"; s = 1; s = s $2 $s; print s }", "", "12a\n");
    prints(
        "BEGIN { a[1] = \"q\"; a[\"12\"] = \"W\"; s = 1; i = 2; s = s i a[s]; print s }",
        "",
        "12q\n",
    );
    prints("BEGIN { s = \"k\"; s = s (s = \"m\") s; print s }", "", "kmm\n");
    prints(
        "{ a[$1] = a[$1] \" \" $2 } END { print a[\"x\"] \"|\" a[\"y\"] }",
        "x 1\ny 2\nx 3\n",
        " 1 3| 2\n",
    );
    prints(
        "BEGIN { i = 1; a[i] = a[i] i; a[i] = a[i] i; print a[1]; n = 2.5; a[n] = a[n] n n; print a[2.5] }",
        "",
        "11\n2.52.5\n",
    );
}

#[test]
fn stepping_a_field_gives_its_old_number_exactly() {
    prints("{ print ($1++ == 0.1), $1 }", "0.1\n", "1 1.1\n");
    prints(
        "{ printf \"%.17g %.17g\\n\", $1--, $1 }",
        "0.3\n1e17\n",
        "0.29999999999999999 -0.69999999999999996\n1e+17 1e+17\n",
    );
    prints(
        "BEGIN { $0 = \"a b c\"; i = 1; $i++; print; $(i++) = i; print; $i = i = 3; print }",
        "",
        "1 b c\n1 b c\n1 b 3\n",
    );
}

#[test]
fn assignments_to_fields_and_their_number_follow_each_other() {
    prints(
        "{ NF = 2; x = $0; NF = 5; print $0, x; sub(/$/, $2); print $0, $2 }",
        "a b c\n",
        "a b    a b\na b   b b\n",
    );
    prints(
        "{ $5 = \"\"; print; print NF; NF = 1; print; $0 = \"p q r\"; print $2 }",
        "a b c\n",
        "a b c  \n5\na\nq\n",
    );
    prints("{ NF = 0; print; print NF; $2 = \"x\"; print; print $1 }", "a b\n", "\n0\n x\n\n");
    prints(
        "BEGIN { $3 = \"c\"; x = $0; OFS = \"-\"; print; $1 = $1; print; print x }",
        "",
        "  c\n--c\n  c\n",
    );
    prints(
        "BEGIN { $0 = \"3 2 1\"; $($1) = \"x\"; print; $($($2)) = \"y\"; print }",
        "",
        "3 2 x\n3 y x\n",
    );
    prints("{ $1 = \"z\"; sub(/q/, \"\", $4); print $0 \"|\"; print NF }", "a b\n", "z b  |\n4\n");
}
