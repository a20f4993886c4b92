//! The command's interface: options, usage errors, syntax errors, dumps, closed streams. The corpus
//! tests what programs do.

use std::fs;
use std::io::Write;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const RHAWK: &str = env!("CARGO_BIN_EXE_rhawk");

fn rhawk() -> Command {
    let mut command = Command::new(RHAWK);
    command.stdin(Stdio::null()).env("LC_ALL", "C.UTF-8");
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
        command.env_remove(variable);
    }
    command
}

/// Standard output, standard error, status.
fn run(args: &[&str]) -> (String, String, i32) {
    taken_apart(rhawk().args(args).output().unwrap())
}

/// In a shell, in which `$RHAWK` is the command.
fn shell(script: &str) -> (String, String, i32) {
    let mut command = Command::new("sh");
    taken_apart(
        command
            .args(["-c", script])
            .env("RHAWK", RHAWK)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .unwrap(),
    )
}

fn taken_apart(output: Output) -> (String, String, i32) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let status = output.status.code().expect("ended by itself");
    (text(output.stdout), text(output.stderr), status)
}

fn file(test: &str, name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn help_goes_to_standard_output() {
    for form in ["-h", "--help", "--he", "-Whelp"] {
        let (out, err, status) = run(&[form]);
        assert!(out.starts_with("Usage: rhawk [options] 'program'"), "{form}: {out}");
        assert!(out.lines().count() <= 24 && out.lines().all(|line| line.len() <= 80), "{out}");
        assert_eq!((err.as_str(), status), ("", 0), "{form}");
    }
}

#[test]
fn version_names_version_and_licence() {
    for form in ["-V", "--version", "--vers", "-Wversion"] {
        let (out, err, status) = run(&[form]);
        assert_eq!(out.lines().next(), Some(concat!("rhawk ", env!("CARGO_PKG_VERSION"))));
        assert!(
            out.contains("\ntarget: ")
                && out.contains("\nfeatures: jit\n")
                && out.contains("MIT or Apache-2.0"),
            "{out}"
        );
        assert_eq!((err.as_str(), status), ("", 0), "{form}");
    }
}

#[test]
fn a_wrong_command_line_gets_message_usage_and_status_1() {
    for (args, message) in [
        (&["-Z", "BEGIN { }"][..], "unknown option -Z"),
        (&["--verison"], "unknown option --verison; did you mean --version?"),
        (&["-f"], "-f (--file) needs an argument"),
        (&["-v", "a", "BEGIN { }"], "-v 'a': expected var=value"),
        (
            &["--window-size=0", "BEGIN { }"],
            "--window-size needs a whole number of at least 1, not '0'",
        ),
        (&[], "no program text: give it as the first argument, with -e or with -f"),
    ] {
        let (out, err, status) = run(args);
        let expected = format!("rhawk: error: {message}\nUsage: rhawk ");
        assert!(err.starts_with(&expected), "{args:?}: {err}");
        assert_eq!((out.as_str(), status), ("", 1), "{args:?}");
    }
}

#[test]
fn a_name_that_cannot_be_a_variable_gets_status_2_before_the_program_is_read() {
    let (out, err, status) = run(&["-v", "if=1", "not awk ("]);
    assert_eq!(err, "rhawk: error: -v 'if=1': 'if' is a keyword, not a variable\n");
    assert_eq!((out.as_str(), status), ("", 2));
}

#[test]
fn a_syntax_error_shows_line_and_caret() {
    let (out, err, status) = run(&["BEGIN {\n\tx = 1 +\n}"]);
    let mut lines = err.lines();
    let first = lines.next().unwrap();
    assert!(first.starts_with("rhawk: cmd. line:") && first.contains(": error: "), "{err}");
    assert!(lines.any(|line| line.trim_start().contains("| ") && line.contains('^')), "{err}");
    assert!(!err.contains('\x1b'), "no colour when not on a terminal: {err}");
    assert_eq!((out.as_str(), status), ("", 1));
}

#[test]
fn a_syntax_error_in_a_file_has_its_name() {
    let good = file("in_a_file", "good.awk", "function f(x) { return x }\n");
    let bad = file("in_a_file", "bad.awk", "BEGIN { f( }\n");
    let (_, err, status) = run(&["-f", good.to_str().unwrap(), "-f", bad.to_str().unwrap()]);
    assert!(err.starts_with(&format!("{}:1:", bad.display())), "{err}");
    assert_eq!(status, 1);
}

#[test]
fn program_text_from_standard_input() {
    for name in ["-", "/dev/stdin"] {
        let mut child = rhawk()
            .args(["--dump=ast", "-f", name])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"BEGIN { marker = 1 }").unwrap();
        let (out, _, status) = taken_apart(child.wait_with_output().unwrap());
        assert!(out.contains("marker"), "{out}");
        assert_eq!(status, 0);
    }
    let (_, err, status) = shell("\"$RHAWK\" -f - <&-");
    assert_eq!(err, "rhawk: error: cannot read program file '-': Bad file descriptor\n");
    assert_eq!(status, 1);
}

#[test]
fn all_pieces_are_one_program() {
    let lib = file("pieces", "lib.awk", "function from_file() { return 1 }\n");
    let (out, err, status) = run(&[
        "--dump=ast",
        "-e",
        "BEGIN { from_file() }",
        "-f",
        lib.to_str().unwrap(),
        "-eEND { x = 2 }",
    ]);
    assert!(out.contains("from_file") && out.contains('x'), "{out}{err}");
    assert_eq!(status, 0);
}

#[test]
fn a_program_file_that_cannot_be_read_is_named() {
    let (_, err, status) = run(&["-f", "/nonexistent/p.awk"]);
    assert_eq!(
        err,
        "rhawk: error: cannot open program file '/nonexistent/p.awk': No such file or directory\n"
    );
    assert_eq!(status, 2);
    let (_, err, status) = run(&["-f", "/"]);
    assert_eq!(err, "rhawk: error: cannot read program file '/': Is a directory\n");
    assert_eq!(status, 1);
}

#[test]
fn a_script_runs_by_its_shebang() {
    let script = file("shebang", "script", &format!("#!{RHAWK} -f\nBEGIN {{ ( }}\n"));
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let (_, err, status) = taken_apart(Command::new(&script).arg("operand").output().unwrap());
    assert!(err.starts_with(&format!("{}:2:", script.display())), "{err}");
    assert_eq!(status, 1);
}

#[test]
fn messages_begin_with_the_name_the_command_was_called_by() {
    let folder = file("called_by", "x", "");
    let link = folder.with_file_name("awk");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(RHAWK, &link).unwrap();
    let (_, err, _) = taken_apart(Command::new(&link).arg("-Z").output().unwrap());
    assert!(err.starts_with("awk: error: unknown option -Z\n"), "{err}");
}

#[test]
fn output_that_goes_nowhere_is_an_error() {
    for (script, reason) in [
        ("\"$RHAWK\" --help > /dev/full", "No space left on device"),
        ("\"$RHAWK\" --version >&-", "Bad file descriptor"),
        ("\"$RHAWK\" --dump=ast 'BEGIN { x = 1 }' >&-", "Bad file descriptor"),
    ] {
        let (out, err, status) = shell(script);
        assert_eq!(
            err,
            format!("rhawk: error: cannot write to standard output: {reason}\n"),
            "{script}"
        );
        assert_eq!((out.as_str(), status), ("", 2), "{script}");
    }
}

#[test]
fn a_closed_or_full_standard_error_changes_nothing() {
    for place in [">&-", ">/dev/full", ">&- <&-"] {
        let (out, _, status) = shell(&format!("\"$RHAWK\" -Z 2{place}"));
        assert_eq!((out.as_str(), status), ("", 1), "{place}");
        let (out, _, status) = shell(&format!("\"$RHAWK\" --version 2{place}"));
        assert!(out.starts_with("rhawk "), "{place}");
        assert_eq!(status, 0, "{place}");
    }
}

#[test]
fn a_program_file_never_becomes_standard_error() {
    // Otherwise the next opened file would get descriptor 2, and the message.
    let program = file("closed_stderr", "p.awk", "BEGIN { ( }\n");
    let (_, _, status) =
        shell(&format!("exec 2>&-; \"$RHAWK\" -f '{0}' 1<>'{0}' 0<&-", program.display()));
    assert_eq!(status, 1);
    assert_eq!(fs::read_to_string(&program).unwrap(), "BEGIN { ( }\n");
}

#[test]
fn sigpipe_stays_as_inherited() {
    // By the default disposition the signal ends the command: 128 + 13 in the shell.
    let (out, err, _) = shell("{ \"$RHAWK\" --help; echo $? >&2; } | true; sleep 0.1");
    assert_eq!(out, "");
    assert!(err == "141\n" || err == "0\n", "{err}");
    // If ignored, the write fails.
    let (_, err, _) = shell("trap '' PIPE; { sleep 0.2; \"$RHAWK\" --help; echo $? >&2; } | true");
    assert_eq!(err, "rhawk: error: cannot write to standard output: Broken pipe\n2\n");
    let (_, err, _) = shell("{ sleep 0.2; \"$RHAWK\" --help; echo $? >&2; } | true");
    assert_eq!(err, "141\n");
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    let on_terminal = |variables: &[(&str, &str)]| {
        let (ours, theirs) = terminal();
        let mut command = rhawk();
        command
            .arg("BEGIN { ( }")
            .env("TERM", "xterm")
            .envs(variables.iter().copied())
            .stderr(theirs);
        assert_eq!(command.status().unwrap().code(), Some(1));
        // An open copy of the other end would keep reads from ending.
        drop(command);
        let mut ours = fs::File::from(ours);
        let mut text = vec![0; 4096];
        let length = std::io::Read::read(&mut ours, &mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    };
    assert!(on_terminal(&[]).contains("\x1b["));
    assert!(on_terminal(&[("NO_COLOR", "")]).contains("\x1b["));
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let text = on_terminal(&[variable]);
        assert!(text.starts_with("rhawk: cmd. line:1:") && !text.contains('\x1b'), "{text:?}");
    }
}

fn terminal() -> (OwnedFd, OwnedFd) {
    let (mut ours, mut theirs) = (-1, -1);
    let null = std::ptr::null_mut();
    // SAFETY: both descriptors are written before the call returns; null means no name and default
    // settings.
    let status = unsafe { libc::openpty(&mut ours, &mut theirs, null, null.cast(), null.cast()) };
    assert_eq!(status, 0);
    // SAFETY: both were just opened and have no other owner.
    unsafe { (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs)) }
}

#[test]
fn arguments_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let output = rhawk().arg("-f").arg(OsStr::from_bytes(b"/nonexistent/\xff")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let (_, err, status) =
        taken_apart(rhawk().arg(OsStr::from_bytes(b"BEGIN { \xff }")).output().unwrap());
    assert!(err.starts_with("rhawk: cmd. line:1:9: error: "), "{err}");
    assert_eq!(status, 1);
}

#[test]
fn pretty_print_writes_a_file_and_runs_nothing() {
    let program = file("pretty", "p.awk", "BEGIN{print \"ran\"}#c\n\n\nfunction f(a){return a}");
    let text = "BEGIN {\n\tprint \"ran\"\n}\t#c\n\nfunction f(a)\n{\n\treturn a\n}\n";
    let folder = program.parent().unwrap().to_owned();
    let in_folder =
        |args: &[&str]| taken_apart(rhawk().args(args).current_dir(&folder).output().unwrap());
    assert_eq!(in_folder(&["-o", "-fp.awk"]), (String::new(), String::new(), 0));
    assert_eq!(fs::read_to_string(folder.join("awkprof.out")).unwrap(), text);
    assert_eq!(in_folder(&["-oother", "-fp.awk"]).2, 0);
    assert_eq!(fs::read_to_string(folder.join("other")).unwrap(), text);
    for form in ["-o-", "--pretty-print=-", "--format", "-Wpretty-print=/dev/stdout"] {
        assert_eq!(in_folder(&[form, "-fp.awk"]), (text.to_owned(), String::new(), 0), "{form}");
    }
    let (out, err, status) = in_folder(&["-o/nowhere/x", "-fp.awk"]);
    assert_eq!((out.as_str(), status), ("", 2));
    assert!(err.contains("cannot write '/nowhere/x'"), "{err}");
    // Only --format keeps empty lines.
    let blank = "BEGIN { x\n\n\ny }";
    assert_eq!(run(&["--format", blank]).0, "BEGIN {\n\tx\n\n\ty\n}\n");
    assert_eq!(run(&["-o-", blank]).0, "BEGIN {\n\tx\n\ty\n}\n");
}

#[test]
fn included_files_are_part_of_a_whole_program_and_no_part_of_one_that_is_formatted() {
    let library = file("included", "lib.awk", "# lib\nfunction f(x){return x}");
    file("included", "p.awk", "@include \"lib\"\nBEGIN{print f(1)}");
    let in_folder = |args: &[&str]| {
        taken_apart(
            rhawk()
                .args(args)
                .current_dir(library.parent().unwrap())
                .env_remove("AWKPATH")
                .output()
                .unwrap(),
        )
    };
    let whole = "# @include \"lib\"\n\n# lib\nfunction f(x)\n{\n\treturn x\n}\n\nBEGIN {\n\tprint f(1)\n}\n";
    assert_eq!(in_folder(&["-o-", "-fp.awk"]), (whole.to_owned(), String::new(), 0));
    assert_eq!(in_folder(&["-o-", "-ilib", "BEGIN{print f(1)}"]).0, whole);
    assert_eq!(in_folder(&[whole]).0, "1\n");
    let alone = "@include \"lib\"\nBEGIN {\n\tprint f(1)\n}\n";
    assert_eq!(in_folder(&["--format", "-fp.awk"]), (alone.to_owned(), String::new(), 0));
    let profile = in_folder(&["-p-", "-fp.awk"]).0;
    assert!(
        profile.starts_with(
            "1\n\t# rhawk profile\n\n\t# @include \"lib\"\n\n\t# lib\n     1  function f(x)\n"
        ),
        "{profile}"
    );
}

#[test]
fn program_files_are_looked_for_in_the_path() {
    let library = file("path/lib", "q.awk", "BEGIN { print \"found\", ENVIRON[\"AWKPATH\"] }");
    let folder = library.parent().unwrap().parent().unwrap();
    let with_path = |path: &str, args: &[&str]| {
        taken_apart(rhawk().args(args).current_dir(folder).env("AWKPATH", path).output().unwrap())
    };
    for name in ["q", "q.awk", "lib/q.awk"] {
        assert_eq!(
            with_path("none:lib", &["-f", name]),
            ("found none:lib\n".to_owned(), String::new(), 0),
            "{name}"
        );
    }
    assert_eq!(with_path("none:lib", &["-P", "-f", "q"]).0, "found none:lib\n");
    assert_eq!(with_path("none:lib", &["-c", "-f", "q"]).0, "found none:lib\n");
    let (out, err, status) = with_path("none", &["-f", "q"]);
    assert!(out.is_empty() && err.contains("cannot open program file 'q'") && status == 2, "{err}");
    // An empty one counts as unset, and the program sees the default.
    let (out, _, status) = with_path("", &["-f", "lib/q.awk"]);
    assert_eq!((out.as_str(), status), ("found .:/usr/share/awk\n", 0));
    // Commands see the variables assigned by the program, not its initial ones.
    let program = "BEGIN { ENVIRON[\"x\"] = \"y\"; c = \"echo $x [$AWKPATH]\"; system(c); ENVIRON[\"AWKPATH\"] = \"z\"; system(c) }";
    let (out, _, status) =
        taken_apart(rhawk().arg(program).env_remove("AWKPATH").output().unwrap());
    assert_eq!((out.as_str(), status), ("y []\ny [z]\n", 0));
}

#[test]
fn copyright_says_what_may_be_done() {
    let (out, err, status) = run(&["-C"]);
    assert!(out.contains("MIT licence") && out.contains("WITHOUT ANY WARRANTY"), "{out}");
    assert_eq!((err.as_str(), status), ("", 0));
    assert_eq!(run(&["--copyright"]).0, out);
}

#[test]
fn the_sandbox_keeps_the_library_from_files_and_reads_with_every_core() {
    let input = file("sandbox", "input", "a\nb\n");
    for function in
        ["file::slurp(\"/etc/passwd\")", "file::spew(\"x\", \"y\")", "file::dir(\"/\", a)"]
    {
        let (out, err, status) = run(&["-S", &format!("BEGIN {{ print {function} }}")]);
        assert_eq!((out.as_str(), status), ("", 2), "{function}");
        assert!(err.contains("not allowed in sandbox mode"), "{err}");
    }
    for program in [
        "@load \"readfile\"; BEGIN { readfile(\"/etc/passwd\") }",
        "@load \"filefuncs\"; BEGIN { stat(\"/etc/passwd\", a) }",
    ] {
        let (_, err, status) = run(&["-S", program]);
        assert!(status == 2 && err.contains("not allowed in sandbox mode"), "{err}");
    }
    // Files named by options are trusted, and opened before the sandbox closes.
    let folder = input.parent().unwrap().to_owned();
    let in_folder =
        |args: &[&str]| taken_apart(rhawk().args(args).current_dir(&folder).output().unwrap());
    let logs = ["--spesh-log=spesh", "--spesh-nodelay", "--spesh-blocking", "--inline-log=inlined"];
    let sum = ["{ n += NR } END { print n }", "input"];
    assert_eq!(
        in_folder(&[&["-S", "-dvariables"], &logs[..], &sum[..]].concat()),
        ("3\n".to_owned(), String::new(), 0)
    );
    assert!(fs::read_to_string(folder.join("variables")).unwrap().ends_with("\nn: 3\n"));
    assert!(folder.join("spesh").exists() && folder.join("inlined").exists());
    assert_eq!(in_folder(&[&["-S", "-pprofile"], &sum[..]].concat()).0, "3\n");
    assert!(fs::read_to_string(folder.join("profile")).unwrap().contains("     2  \tn += NR\n"));
    let (out, err, status) = in_folder(&["-S", "-p/nowhere/x", "BEGIN { print 1 }"]);
    assert_eq!((out.as_str(), status), ("", 2), "{err}");
    // Editing is writing.
    for in_place in [&["--in-place"][..], &["-i", "inplace"]] {
        let (out, err, status) =
            in_folder(&[&["-S"], in_place, &["{ print 1 }", "input"]].concat());
        assert_eq!((out.as_str(), status), ("", 2), "{err}");
        assert!(err.contains("editing files in place not allowed in sandbox mode"), "{err}");
    }
    assert_eq!(fs::read_to_string(&input).unwrap(), "a\nb\n");
    let input = input.to_str().unwrap();
    assert_eq!(
        run(&[
            "-S",
            "-j2",
            "--piece-size=1",
            "{ n++ } END { print n, text::width(\"ab\") }",
            input
        ])
        .0,
        "2 2\n"
    );
}

/// Unlike gawk's, `--dump` does not abbreviate `--dump-variables`: a misspelt stage writes no file.
#[test]
fn a_dump_of_what_there_is_not_names_the_option_for_variables() {
    for option in ["--dump=variables.out", "--dump="] {
        let (out, err, status) = run(&[option, "BEGIN { print 1 }"]);
        assert_eq!((out.as_str(), status), ("", 1), "{option}");
        assert!(err.contains("--dump needs ast or bytecode or ir or asm"), "{err}");
        assert!(err.contains("to list the variables, use --dump-variables"), "{err}");
    }
    assert!(run(&["--dump-v=-", "BEGIN { x = 1 }"]).0.contains("x: 1\n"));
}
