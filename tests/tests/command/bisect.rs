//! `bisect` finds the one wrong specialisation.
#![cfg(unix)]

use riverhawk_tests::build;
use riverhawk_tests::scratch::Scratch;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

fn program(functions: usize) -> String {
    let all = (0..functions).map(|n| format!("function f{n}(x) {{ return x + {n} }}\n"));
    let calls: String = (0..functions).map(|n| format!("s += f{n}(i); ")).collect();
    format!(
        "{}BEGIN {{ for (i = 0; i < 400; i++) {{ {calls} }} print s }}\n",
        all.collect::<String>()
    )
}

/// A rhawk that prints something else with at least `bad` specialisations, and counts its runs.
fn injected(scratch: &Scratch, bad: u64) -> String {
    let script = format!(
        "#!/bin/sh
echo run >> {dir}/runs
for word in \"$@\"; do
    case $word in --spesh-limit=*) limit=${{word#--spesh-limit=}} ;; esac
done
{rhawk} \"$@\"
[ \"${{limit:-0}}\" -lt {bad} ] || echo wrong
",
        dir = scratch.path().display(),
        rhawk = build::rhawk().display(),
    );
    let path = scratch.file("rhawk", script).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    path.display().to_string()
}

#[test]
fn the_bad_one_is_found_in_as_many_runs_as_halving_takes() {
    let scratch = Scratch::new().expect("a directory");
    let bisect = env!("CARGO_BIN_EXE_bisect");
    for bad in [1, 2, 7, 10] {
        let rhawk = injected(&scratch, bad);
        let output = Command::new(bisect)
            .args(["--awk", &rhawk, &program(12)])
            .output()
            .expect("bisect runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.starts_with(&format!("Specialisation {bad} makes it go wrong:\n")), "{said}");
        assert!(
            said.contains(" specialisation of 'f") || said.contains(" specialisation of 'BEGIN'"),
            "{said}"
        );
        let runs =
            std::fs::read_to_string(scratch.path().join("runs")).expect("counted").lines().count();
        // The right answer, all, none, up by doubling, down by halving, and once more for the log.
        let halvings = bad.next_power_of_two().ilog2() as usize;
        assert!(runs <= 5 + 2 * halvings, "{runs} runs for {bad}");
        std::fs::remove_file(scratch.path().join("runs")).expect("counted");
    }
}

#[test]
fn a_program_that_goes_right_is_said_to() {
    let output = Command::new(env!("CARGO_BIN_EXE_bisect"))
        .args(["--awk", &build::rhawk().display().to_string(), &program(3)])
        .output()
        .expect("bisect runs");
    assert_eq!((output.status.code(), &*output.stdout), (Some(1), &b"Nothing goes wrong.\n"[..]));
}
