//! Arrays that change while a loop visits them, and ENVIRON, which commands see.

use crate::run::{prints, run_with};
use riverhawk_vm::config::{Environment, MachineConfig};

#[test]
fn a_loop_goes_over_the_keys_that_were_there_when_it_began() {
    prints(
        "BEGIN { for (i = 0; i < 5; i++) a[i]; for (k in a) { delete a; n++ } print n, length(a) }",
        "",
        "5 0\n",
    );
    prints(
        "BEGIN { for (i = 0; i < 5; i++) a[i]; for (k in a) { a[k + 10]; n++ } print n, length(a) }",
        "",
        "5 10\n",
    );
    prints(
        "BEGIN { for (i = 0; i < 5; i++) a[i]; for (k in a) { delete a[k]; n += (k in a) } print n, length(a) }",
        "",
        "0 0\n",
    );
    prints(
        "BEGIN { a[1]; a[2]; for (k in a) for (j in a) n++; print n; for (k in a) { if (n++ > 4) break } print n }",
        "",
        "4\n6\n",
    );
}

#[test]
fn loops_left_in_the_middle_leave_nothing_behind() {
    prints(
        "function f() { for (k in a) return k } BEGIN { a[\"x\"]; print f() f() f() }",
        "",
        "xxx\n",
    );
    prints(
        "{ a[NR]; for (k in a) if (NR < 3) next; else print length(a) }",
        "1\n2\n3\n",
        "3\n3\n3\n",
    );
}

#[test]
fn integers_come_in_order_and_other_keys_as_they_arrived() {
    prints(
        "BEGIN { n = split(\"c a b\", w); for (i = 1; i <= n; i++) a[w[i]] = i; for (k in a) printf \"%s \", k; for (k in w) printf \"%s \", k; print \"\" }",
        "",
        "c a b 1 2 3 \n",
    );
}

#[test]
fn text_and_number_name_one_element_when_they_are_spelled_alike() {
    prints(
        "BEGIN { a[\"01\"]; a[1]; a[\"1\"]; a[01]; a[\"1.0\"]; a[1.0]; a[1e0]; a[\"-0\"]; a[-0]; print length(a) }",
        "",
        "5\n",
    );
    prints(
        "{ print ($1 in a); a[$1]; print length(a) }",
        "1\n01\n1.0\n1\n",
        "0\n1\n0\n2\n0\n3\n1\n3\n",
    );
    prints(
        "BEGIN { CONVFMT = \"%d\"; a[1.5]; for (k in a) print k; print (1 in a) }",
        "",
        "1\n1\n",
    );
}

#[test]
fn a_queue_over_many_records_stays_small_and_right() {
    let input: String = (1..=5000).map(|n| format!("{n}\n")).collect();
    prints(
        "{ q[NR] = $1; delete q[NR - 10] } END { for (k in q) s += q[k]; print length(q), s, q[4995] }",
        &input,
        "10 49955 4995\n",
    );
}

#[test]
fn commands_see_the_environment_as_the_program_left_it() {
    let variables = vec![(b"KEPT".to_vec(), b"k".to_vec()), (b"GONE".to_vec(), b"g".to_vec())];
    let environment = Environment { variables, ..Environment::default() };
    let config = || MachineConfig { environment: environment.clone(), ..MachineConfig::default() };
    let shown = |program: &str| run_with(program, "", config()).out;
    let show = "echo [$KEPT] [$GONE] [$NEW]";
    let program = |change: &str| format!("BEGIN {{ {change}; \"{show}\" | getline x; print x }}");
    assert_eq!(shown(&program("ENVIRON[\"NEW\"] = \"n\"")), "[k] [g] [n]\n");
    assert_eq!(
        shown(&program("delete ENVIRON[\"GONE\"]; ENVIRON[\"KEPT\"] = 1.5")),
        "[1.5] [] []\n"
    );
    assert_eq!(shown(&program("delete ENVIRON")), "[] [] []\n");
    assert_eq!(
        shown(&program("ENVIRON[\"a=b\"]; ENVIRON[\"\"]; ENVIRON[\"NEW\"] = \"n\\0rest\"")),
        "[k] [g] [n]\n"
    );
    let by_parameter =
        format!("function set(e) {{ e[\"NEW\"] = \"thru\" }} {}", program("set(ENVIRON)"));
    assert_eq!(shown(&by_parameter), "[k] [g] [thru]\n");
}

#[test]
fn a_command_that_runs_keeps_the_environment_it_was_started_with() {
    let program = "BEGIN { ENVIRON[\"NEW\"] = 1; c = \"echo $NEW; echo $NEW\"; c | getline x; ENVIRON[\"NEW\"] = 2; c | getline y; close(c); \
        c | getline z; print x, y, z }";
    assert_eq!(run_with(program, "", MachineConfig::default()).out, "1 1 2\n");
}
