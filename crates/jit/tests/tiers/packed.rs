//! Arrays of numbers, packed in eight bytes each until another value is assigned.

use crate::run::compare;
use proptest::prelude::*;

const SHOW: &str = "for (k in a) print k, a[k], typeof(a[k]); print length(a), s, t, n";

/// In or past the dense part, as a number and as text.
fn key() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        4 => Just("i"),
        2 => Just("i % 7"),
        2 => Just("(i * 5) % 131"),
        2 => Just("i + 1"),
        1 => Just("i * 2"),
        1 => Just("i - 3"),
        1 => Just("i / 2"),
        1 => Just("i * 1000"),
        1 => Just("(i \"\")"),
        1 => Just("(\"x\" i % 3)"),
        1 => Just("k"),
    ]
}

fn statement() -> impl Strategy<Value = String> {
    let plain = prop_oneof![
        Just("a[@] = i"),
        Just("a[@] = i / 3"),
        Just("a[@]++"),
        Just("n += --a[@]"),
        Just("a[@] += i"),
        Just("a[@] *= 1.5"),
        Just("a[@] %= 7"),
        Just("s += a[@]"),
        Just("if (a[@] < 5) n++"),
        Just("if (a[@]) n++; else n += 2"),
        Just("if (@ in a) n++"),
        Just("if (!(@ in a)) a[@] = n"),
        Just("delete a[@]"),
        Just("t = a[@]; a[@] = a[i]; a[i] = t"),
        Just("t = a[@]"),
        Just("a[@]"),
        Just("a[@] = log(-1)"),
    ];
    let others = prop_oneof![
        Just("a[@] = \"text \" i"),
        Just("a[@] = a[i] \"\""),
        Just("a[@] = u"),
        Just("a[@] = t"),
        Just("sub(/1/, \"2\", a[@])"),
        Just("f(a[@])"),
        Just("split(i \" 2 3\", a)"),
        Just("delete a"),
        Just("for (k in a) if (k > 90) s += a[k]"),
    ];
    let other = (others, prop_oneof![Just(0), Just(41), Just(90)])
        .prop_map(|(statement, from)| format!("if (i > {from} && i % 3 == 0) {{ {statement} }}"));
    (prop_oneof![6 => plain.prop_map(String::from), 1 => other], key())
        .prop_map(|(statement, key)| statement.replace('@', key))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn elements_are_the_same_in_either_tier(
        body in proptest::collection::vec(statement(), 1..6),
        counts in proptest::collection::vec(prop_oneof![Just(5), Just(70), Just(160)], 1..3),
    ) {
        let body = body.join("; ");
        let loops: Vec<String> = counts.iter().map(|count| format!("for (i = 1; i <= {count}; i++) {{ {body} }}")).collect();
        compare(&format!("function f(x) {{ return x }} BEGIN {{ {} {SHOW} }}", loops.join(" ")), "");
    }
}

#[test]
fn a_hole_that_is_read_becomes_an_element_that_was_never_assigned() {
    for read in [
        "s += a[i]",
        "t = a[i]",
        "a[i]",
        "if (a[i] < 1) n++",
        "if (a[i] == t) n++",
        "n += length(a[i])",
    ] {
        compare(
            &format!(
                "BEGIN {{ for (i = 0; i < 300; i += 2) a[i] = i; for (i = 0; i < 200; i++) {{ {read} }} {SHOW} }}"
            ),
            "",
        );
    }
}

#[test]
fn the_first_text_may_come_anywhere() {
    for text in [
        "a[i] = \"x\"",
        "a[i] = a[i] \"\"",
        "a[i] = u",
        "a[i] = @/r/",
        "sub(/./, \"y\", a[i])",
        "a[i][1] = 1; break",
    ] {
        for at in [1, 2, 64, 150] {
            compare(
                &format!(
                    "BEGIN {{ for (i = 1; i < 200; i++) {{ if (i == {at}) {{ {text} }} else a[i] += i }} for (k in a) if (!isarray(a[k])) print k, a[k]; print length(a) }}"
                ),
                "",
            );
        }
    }
}

#[test]
fn a_number_where_an_array_stands_is_an_error_and_the_other_way_round() {
    compare("BEGIN { for (i = 1; i < 99; i++) { a[i] = i; if (i == 50) a[20][1] = 2 } }", "");
    compare(
        "BEGIN { for (i = 1; i < 99; i++) { if (i == 50) a[i][1] = 2; else a[i] = i } for (i = 1; i < 99; i++) s += a[i]; print s }",
        "",
    );
}

#[test]
fn numbers_that_are_none_are_numbers() {
    compare(
        "BEGIN { for (i = 1; i < 99; i++) { a[i] = log(-1); b[i] = -log(-1); c[i] = a[i] - b[i]; s = s a[i] b[i] c[i] } print s, length(a), typeof(a[7]) }",
        "",
    );
}

#[test]
fn a_queue_of_numbers_loses_its_front() {
    compare(
        "BEGIN { for (i = 1; i <= 3000; i++) { q[i] = i; if (i > 9) { s += q[i - 9]; delete q[i - 9] } } for (k in q) print k, q[k]; print s }",
        "",
    );
}
