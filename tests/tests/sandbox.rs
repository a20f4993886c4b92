//! Ways out of the sandbox, all of them shut: by the interpreter, and by the kernel where it knows Landlock.

use riverhawk_tests::shell::Shell;

/// Every program is run over a file `in`, beside a file `secret` that is no operand.
const ESCAPES: &[&str] = &[
    "BEGIN { print 1 > \"new\" }",
    "BEGIN { print 1 >> \"new\" }",
    "BEGIN { print 1 > \"/dev/stdout\" }",
    "BEGIN { print 1 > \"/dev/fd/1\" }",
    "BEGIN { print 1 | \"cat > new\" }",
    "BEGIN { print 1 |& \"cat\" }",
    "BEGIN { print 1 |& \"/inet/tcp/0/127.0.0.1/9\" }",
    "BEGIN { print 1 |& \"/inet/udp/0/127.0.0.1/9\" }",
    "BEGIN { getline x < \"secret\"; print x }",
    "BEGIN { getline x < \"-\"; print x }",
    "BEGIN { getline x < \"/proc/self/environ\"; print x }",
    "BEGIN { getline x < \"/dev/fd/0\"; print x }",
    "BEGIN { \"cat secret\" | getline x; print x }",
    "BEGIN { \"cat secret\" |& getline x; print x }",
    "BEGIN { system(\"cat secret\") }",
    "BEGIN { system(\"\") }",
    "BEGIN { f = \"system\"; print @f(\"cat secret\") }",
    "BEGIN { f = \"awk::system\"; print @f(\"cat secret\") }",
    "function g() { print 1 > \"new\" } BEGIN { f = \"g\"; @f() }",
    "BEGIN { ARGV[1] = \"secret\" } { print }",
    "BEGIN { ARGV[ARGC++] = \"secret\" } { print }",
    "BEGIN { ARGV[1] = \"./secret\" } { print }",
    "BEGIN { ARGV[1] = \"/inet/tcp/0/127.0.0.1/9\" } { print }",
    "BEGIN { SYMTAB[\"ARGV\"][1] = \"secret\" } { print }",
    "{ ARGV[2] = \"secret\"; ARGC = 3 } NR > 1",
    "{ SYMTAB[\"ARGC\"] = 3; SYMTAB[\"ARGV\"][2] = \"secret\" } NR > 1",
    "function f(a) { a[2] = \"secret\" } { f(ARGV); ARGC = 3 } NR > 1",
    "{ split(\"in secret secret\", ARGV); ARGC = 4 } NR > 1",
    "BEGIN { print file::slurp(\"secret\") }",
    "BEGIN { print file::spew(\"new\", 1) }",
    "BEGIN { print file::append(\"new\", 1) }",
    "BEGIN { print file::lines(\"secret\", a), a[1] }",
    "BEGIN { print file::dir(\".\", a) }",
    "BEGIN { print file::stat(\"secret\", a) }",
    "BEGIN { f = \"file::slurp\"; print @f(\"secret\") }",
    "@load \"readfile\"; BEGIN { print readfile(\"secret\") }",
    "@load \"filefuncs\"; BEGIN { print stat(\"secret\", a) }",
    "@load \"filefuncs\"; BEGIN { print chdir(\"/\") }",
    "@load \"fork\"; BEGIN { print fork() }",
    "@load \"rwarray\"; BEGIN { a[1]; print writea(\"new\", a) }",
    "@load \"rwarray\"; BEGIN { print reada(\"secret\", a) }",
    "@include \"inplace\"; { print }",
    // What machine code calls asks at the same doors.
    "BEGIN { for (i = 0; i < 100000; i++) if (i == 99999) print 1 > \"new\" }",
    "BEGIN { for (i = 0; i < 100000; i++) if (i == 99999) { getline x < \"secret\"; print x } }",
];

#[test]
fn every_way_out_is_shut() {
    for options in ["-S", "-S -j4", "-S --no-jit"] {
        for program in ESCAPES {
            let shell = Shell::new();
            let quoted = program.replace('\'', "'\\''");
            let script = format!(
                "echo data > in; echo opened > secret
                 RHAWK_SPESH_NODELAY=1 RHAWK_SPESH_BLOCKING=1 \"$RHAWK\" {options} '{quoted}' in 2> err; echo $?
                 cat err | tr '\\n' ' ' | grep -c -e 'in sandbox mode' >&2
                 test -e new && echo made; true"
            );
            let ran = shell.run(&script);
            let out = ran.stdout.clone();
            assert!(!out.contains("opened") && !out.contains("made"), "{options} {program}\n{out}");
            assert!(out.ends_with("2\n") || out.ends_with("1\n"), "{options} {program}\n{out}");
        }
    }
}

/// The interpreter goes by the names of operands; the kernel by the files that they named when the program began. What has taken the
/// name of one since is opened by nobody.
#[test]
fn the_kernel_refuses_what_takes_the_place_of_an_operand() {
    let ran = Shell::new().run(
        "echo harmless > first; echo opened > secret; ln -s first operand; mkfifo gate
         \"$RHAWK\" -S '{ print }' gate operand 2> err & pid=$!
         exec 3> gate
         ln -sf secret operand; echo go >&3; exec 3>&-
         wait $pid; echo $?; grep -c 'Permission denied' err",
    );
    let out = ran.stdout.clone();
    let symbols = std::fs::read_to_string("/proc/kallsyms").unwrap_or_default();
    match symbols.contains("landlock_restrict_self") || out.contains("2\n1\n") {
        true => assert_eq!(out, "go\n2\n1\n"),
        // A kernel without Landlock leaves only the names.
        false => assert_eq!(out, "go\nopened\n0\n0\n"),
    }
}

#[test]
fn a_directory_among_the_operands_is_skipped_as_elsewhere() {
    let ran = Shell::new().run(
        "mkdir folder; echo data > in
         \"$RHAWK\" -S '{ print }' folder in 2>&1 | sed 's/.*warning/warning/'
         \"$RHAWK\" -S 'BEGINFILE { if (ERRNO) { print ERRNO; nextfile } } { print }' folder in",
    );
    ran.assert_prints("warning: the operand folder is a directory: skipped\ndata\nIs a directory\ndata\n");
}
