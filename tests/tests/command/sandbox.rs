//! Escapes from the sandbox, stopped by the interpreter, and by the kernel where it has Landlock.

use riverhawk_tests::shell::Shell;

/// Every program runs over a file `in`, beside a file `secret` that is not an operand.
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
    // Calls from machine code are checked too.
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

/// The interpreter checks the names of operands, the kernel the files that they named at the start.
/// A file that has replaced one since cannot be opened.
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
    ran.assert_prints(
        "warning: the operand folder is a directory: skipped\ndata\nIs a directory\ndata\n",
    );
}

/// A folder with `data/f` and `out` on the list, and with `secret` and links to it, which are not.
const PLACES: &str = "mkdir data out; echo inside > data/f; echo opened > secret; echo in > in
     ln -s ../secret data/link; ln -s ../made out/dangling; ln -s ../data out/inner\n";

const LIST: &str = "read:data,write:out,exec:none,net:none";

fn listed(list: &str, program: &str) -> riverhawk_tests::shell::Ran {
    let quoted = program.replace('\'', "'\\''");
    Shell::new()
        .run(&format!("{PLACES}\"$RHAWK\" --sandbox={list} '{quoted}' in; s=$?; test -e made && echo made; exit $s"))
}

#[test]
fn a_list_allows_what_is_on_it() {
    for (program, stdout) in [
        ("BEGIN { getline x < \"data/f\"; print x }", "inside\n"),
        ("BEGIN { getline x < \"out/../data/./f\"; print x }", "inside\n"),
        ("BEGIN { getline x < \"out/inner/f\"; print x }", "inside\n"),
        (
            "BEGIN { print file::slurp(\"data/f\") file::lines(\"data/f\", a) file::stat(\"data/f\", b) }",
            "inside\n11\n",
        ),
        (
            "BEGIN { print 1 > \"out/new\"; print 2 >> \"out/new\"; print file::spew(\"out/s\", \"x\") }",
            "1\n",
        ),
        ("BEGIN { print 1 > \"/dev/stdout\"; print 2 > \"/dev/fd/1\" }", "1\n2\n"),
        ("BEGIN { ARGV[ARGC++] = \"data/f\" } { print }", "in\ninside\n"),
        (
            "BEGIN { for (i = 0; i < 100000; i++) if (i == 99999) { getline x < \"data/f\"; print x } }",
            "inside\n",
        ),
    ] {
        for options in ["", ",read:none", " --no-jit", " -j4"] {
            listed(&format!("{LIST}{options}"), program).assert_prints(stdout);
        }
    }
    listed(
        "read:all,write:all",
        "BEGIN { getline x < \"secret\"; print x > \"new\"; close(\"new\"); print file::slurp(\"new\") }",
    )
    .assert_prints("opened\n\n");
    let ran = Shell::new().run(&format!(
        "{PLACES}\"$RHAWK\" --sandbox=read:.,write:. --in-place '{{ print \"new\" }}' in; cat in"
    ));
    ran.assert_prints("new\n");
    let ran = Shell::new().run(&format!(
        "{PLACES}printf '{{ print }}' > p; \"$RHAWK\" -S --sandbox=read:data -f p in data/f"
    ));
    ran.assert_prints("in\ninside\n");
}

#[test]
fn what_is_not_on_the_list_is_refused() {
    for program in ESCAPES
        .iter()
        .filter(|program| !program.contains("/dev/") && !program.contains("-\""))
        .chain(&[
            "BEGIN { getline x < \"data/../secret\"; print x }",
            "BEGIN { getline x < \"data/link\"; print x }",
            "BEGIN { print file::slurp(\"data/link\") }",
            "BEGIN { ARGV[1] = \"data/link\" } { print }",
            "BEGIN { print 1 > \"out/dangling\" }",
            "BEGIN { print 1 > \"out/../made\" }",
            "BEGIN { print 1 > \"data/f\" }",
            "BEGIN { getline x < \"out/../in2\"; getline x < \"/etc/passwd\"; print x }",
            "BEGIN { print file::prepend(\"out/x\", 1) }",
            "BEGIN { print file::dir(\".\", a) }",
            "@load \"filefuncs\"; BEGIN { print chdir(\"data\") }",
            "BEGIN { print 1 |& \"/inet/udp/0/127.0.0.1/9\" }",
        ])
    {
        let ran = listed(LIST, program);
        assert!(
            !ran.stdout.contains("opened") && !ran.stdout.contains("made"),
            "{program}\n{ran:?}"
        );
        assert!([1, 2].contains(&ran.status), "{program}\n{ran:?}");
        let words = ["the sandbox does not allow", "in sandbox mode"];
        assert!(words.iter().any(|words| ran.stderr.contains(words)), "{program}\n{ran:?}");
    }
    let ran = Shell::new().run(&format!(
        "{PLACES}\"$RHAWK\" --sandbox=read:. --in-place '{{ print \"new\" }}' in; s=$?; cat in; exit $s"
    ));
    assert_eq!((ran.stdout.as_str(), ran.status), ("in\n", 2), "{ran:?}");
}

/// The interpreter sees a command's text; only the kernel sees its actions.
#[test]
fn commands_are_kept_to_the_list_by_the_kernel() {
    let run =
        |list: &str, command: &str| listed(list, &format!("BEGIN {{ system(\"{command}\") }}"));
    let ran = run("exec:all", "echo ran");
    if ran.stderr.contains("this system cannot keep commands to the list") {
        println!("skipped: no Landlock here");
        return;
    }
    ran.assert_prints("ran\n");
    for (list, command, stdout) in [
        ("exec:all", "cat secret 2> /dev/null", ""),
        ("exec:all", "(echo x > made) 2> /dev/null; ls made 2> /dev/null", ""),
        ("exec:all", "cat < /etc/passwd 2> /dev/null", ""),
        (
            "exec:all",
            "rm secret 2> /dev/null; ln secret data/f2 2> /dev/null; mv secret made 2> /dev/null; echo tried",
            "tried\n",
        ),
        ("exec:all,read:data", "cat data/f; cat data/link 2> /dev/null", "inside\n"),
        (
            "exec:all,read:data,write:out",
            "sort data/f > out/o; (echo x > data/f) 2> /dev/null; cat data/f",
            "inside\n",
        ),
        ("exec:all,read:all", "cat secret", "opened\n"),
    ] {
        assert_eq!(run(list, command).stdout, stdout, "{list} {command}");
    }
    // No connection of any kind, if python is there to try; and no signal to others.
    let python = "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM); print(1)' 2>&1 | tail -n 1";
    let program = format!("BEGIN {{ system(\"{python}\") }}");
    if Shell::new().run("python3 -c 1").status == 0 {
        assert!(listed("exec:all,net:none", &program).stdout.contains("Permission denied"));
        assert_eq!(listed("exec:all,net:all", &program).stdout, "1\n");
    }
    let ran = Shell::new().run(
        "\"$RHAWK\" --timeout=300ms --sandbox=exec:all 'BEGIN { system(\"sleep 27.5; echo never\") }' 2> err; grep -c 'time limit' err
         ps ax 2> /dev/null | grep -c 'sleep 2[7].5'",
    );
    assert!(
        ran.stdout.starts_with("1\n")
            && !ran.stdout.contains("never")
            && ran.stdout.trim_end().ends_with(['0', '1']),
        "{ran:?}"
    );
}

#[test]
fn a_list_that_is_none_is_refused() {
    let refuses = |list: &str, words: &str| {
        Shell::new().run(&format!("\"$RHAWK\" --sandbox={list} 1")).assert_says(&[words], 1)
    };
    refuses(
        "reed:/",
        "--sandbox needs a list such as read:/data,write:/tmp/out,exec:none,net:none, not 'reed:/'",
    );
    refuses("exec:some", "--sandbox: 'exec:some' should end in :all or :none");
    refuses(
        "write:missing",
        "--sandbox: cannot allow 'missing': no such file or directory; make the file or folder first",
    );
}
