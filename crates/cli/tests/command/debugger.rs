//! The debugger, with commands from standard input and from a pseudo-terminal.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::support::run_in;

const RHAWK: &str = env!("CARGO_BIN_EXE_rhawk");

const PROGRAM: &str = "function add(a, b) {
	c = a + b
	return c
}
BEGIN {
	x = 1
	y = add(x, 2)
	arr[\"k\"] = 5
	arr[\"m\"] = \"str\"
	for (i = 0; i < 3; i++)
		x += i
	print x
}
/q/ { n++
	print $1
}
END { print n }
";

fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("debugger").join(test);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("d.awk"), PROGRAM).unwrap();
    fs::write(folder.join("d.in"), "q 1\nz\nq 2\n").unwrap();
    folder
}

/// The output of a session; the last command ends it.
fn session(test: &str, commands: &str) -> String {
    let output = run_in(&folder(test), &["-D", "-fd.awk", "d.in"], commands);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn breakpoints_stop_where_they_are_set() {
    let shown = session("breakpoints", "break 8\nb add\ntbreak 15\ninfo break\nrun\nc\nc\nc\nc\n");
    assert_eq!(
        shown,
        "Breakpoint 1 set at file `d.awk', line 8
Breakpoint 2 set at file `d.awk', line 2
Breakpoint 3 set at file `d.awk', line 15
Number  Disp  Enabled  Location

1       keep  yes      file d.awk, line #8
2       keep  yes      file d.awk, line #2
3       del   yes      file d.awk, line #15
Starting program:
Stopping in BEGIN ...
Breakpoint 2, add(a, b) at `d.awk':2
2       \tc = a + b
Breakpoint 1, main() at `d.awk':8
8       \tarr[\"k\"] = 5
4
Stopping in Rule ...
Breakpoint 3, main() at `d.awk':15
15      \tprint $1
q
q
2
Program exited normally with exit value: 0
error: program not running
"
    );
}

#[test]
fn stepping_goes_by_lines_and_over_or_into_calls() {
    let shown = session("stepping", "b 6\nr\nn\ns\ns\ns\ns\nn 2\nni\nu\nuntil 12\nq\n");
    assert_eq!(
        shown,
        "Breakpoint 1 set at file `d.awk', line 6
Starting program:
Stopping in BEGIN ...
Breakpoint 1, main() at `d.awk':6
6       \tx = 1
7       \ty = add(x, 2)
add(a, b) at `d.awk':2
2       \tc = a + b
3       \treturn c
main() at `d.awk':7
7       \ty = add(x, 2)
8       \tarr[\"k\"] = 5
10      \tfor (i = 0; i < 3; i++)
10      \tfor (i = 0; i < 3; i++)
11      \t\tx += i
12      \tprint x
"
    );
    let shown = session("finishing", "b add\nr\nfinish\nfinish\nq\n");
    assert!(
        shown.contains(
            "Run until return from #0\t add(a, b) at `d.awk':2\nReturned value = 3\nmain() at `d.awk':7\n7       \ty"
        ),
        "{shown}"
    );
    assert!(
        shown.ends_with("error: 'finish' not meaningful in the outermost frame main()\n"),
        "{shown}"
    );
}

/// A called function may need more registers than there are, which moves those of the run.
#[test]
fn a_run_goes_on_after_a_function_was_called_from_the_prompt() {
    let folder = folder("called");
    let program = "function f(n) { if (n) return f(n - 1) + 1; return 0 }
{ total += length($0) }
END { print total }
";
    fs::write(folder.join("c.awk"), program).unwrap();
    let commands = "b 2\nr\np f(200)\nd 1\nc\nq\n";
    let output = run_in(&folder, &["-D", "-fc.awk", "d.in"], commands);
    let shown = String::from_utf8(output.stdout).unwrap();
    let end = "f(200) = 200\n7\nProgram exited normally with exit value: 0\n";
    assert!(shown.ends_with(end), "{shown}");
    assert!(output.status.success());
}

#[test]
fn frames_and_their_variables_are_shown() {
    let shown = session(
        "frames",
        "b add\nr\nbt\nframe 1\ninfo frame\nprint x\nprint a\ndown\np a, b, a + b * 2, \"s\" a\ninfo args\np @arr\nwhere 1\nq\n",
    );
    for expected in [
        "#0\t add(a, b) at `d.awk':2\n#1\tin main() at `d.awk':7\n#1\tin main() at `d.awk':7\n7       \ty = add(x, 2)\n",
        "Current frame: #1\tin main() at `d.awk':7\nCaller of frame: #0\t add(a, b) at `d.awk':2\n",
        "x = 1\nerror: no symbol `a' in current context\n",
        "a = 1\nb = 2\na + b * 2 = 5\n\"s\" a = \"s1\"\na = 1\nb = 2\n",
        "error: no symbol",
    ] {
        assert!(shown.contains(expected), "{expected}\n{shown}");
    }
}

#[test]
fn conditions_ignored_hits_and_commands_of_breakpoints() {
    let shown = session("conditions", "b 11\ncondition 1 i == 2\nr\np i, x\ninfo break\nq\n");
    assert!(shown.contains("11      \t\tx += i\ni = 2\nx = 2\n"), "{shown}");
    assert!(shown.contains("\tnumber of hits = 1\n\tstop condition: i == 2\n"), "{shown}");
    let shown = session("ignored", "b 11\nignore 1 1\nr\np i\nq\n");
    assert!(shown.contains("Will ignore next 1 crossing(s) of breakpoint 1.\n"), "{shown}");
    assert!(shown.contains("\ni = 1\n"), "{shown}");
    let shown = session("commands", "b 11\ncommands 1\nsilent\np i\nc\nend\nr\n");
    assert!(
        shown.contains("i = 0\n") && shown.contains("i = 1\n") && shown.contains("i = 2\n"),
        "{shown}"
    );
    let shown = session(
        "disabled",
        "b 11\nb 12\ndisable 1\nr\nenable once 1\ndelete 2\nclear 11\nclear 3\nq\n",
    );
    assert!(
        shown.contains("Breakpoint 2, main()") && !shown.contains("Breakpoint 1, main()"),
        "{shown}"
    );
    assert!(
        shown.contains("Deleted breakpoint 1\nNo breakpoint at file `d.awk', line #3\n"),
        "{shown}"
    );
}

#[test]
fn watchpoints_and_displays() {
    let shown = session(
        "watch",
        "b 8\nr\nwatch x\ndisplay x\ninfo watch\nc\nset x = 7\nc\nunwatch 2\nundisplay 1\ninfo watch\ninfo display\nq\n",
    );
    for expected in [
        "Watchpoint 2: x\n1: x = 1\nWatch variables:\n\n2:\tx\n",
        "Watchpoint 2: x\n  Old value: 1\n  New value: 2\nmain() at `d.awk':10\n",
        "x = 7\nWatchpoint 2: x\n  Old value: 7\n  New value: 9\n",
        "Watch variables:\n\nAuto-display variables:\n\n",
    ] {
        assert!(shown.contains(expected), "{expected}\n{shown}");
    }
    // Watches of a parameter end with its frame.
    let shown = session("watch-parameter", "b add\nr\nwatch a\ndisplay a\nc\n");
    let gone = "Watchpoint 2 deleted because parameter is out of scope.\nDisplay 1 deleted because parameter is out of scope.\n";
    assert!(shown.contains(gone) && shown.contains("Program exited normally"), "{shown}");
    // Watches set before the run.
    let shown = session("watch-before", "watch n\ndisplay n\nunwatch 7\nr\nunwatch 1\nc\n");
    assert!(
        shown.starts_with(
            "Watchpoint 1: n\n1: n = untyped variable\nerror: no watch item numbered 7\nStarting program:\n"
        ),
        "{shown}"
    );
    assert!(shown.contains("Stopping in Rule ...\nWatchpoint 1: n\n  Old value: untyped variable\n  New value: 1\nmain() at `d.awk':15\n15      \tprint $1\n1: n = 1\n"), "{shown}");
}

#[test]
fn the_program_can_be_changed() {
    let shown = session(
        "set",
        "b 12\nr\nset var x = x * 10\nset arr[\"k\"] = \"new\"\np arr[\"k\"]\neval length(arr[\"m\"])\nc\n",
    );
    assert!(
        shown.contains("x = 40\narr[\"k\"] = \"new\"\narr[\"k\"] = \"new\"\n3\n40\n"),
        "{shown}"
    );
    let shown = session("fields", "b 15\nr\nset $1 = \"changed\"\np $0, NF, ($0 ~ /^ch/)\nc\nq\n");
    assert!(
        shown.contains("$1 = \"changed\"\n$0 = \"changed 1\"\nNF = 2\n($0 ~ /^ch/) = 1\nchanged\n"),
        "{shown}"
    );
    let shown = session("return", "b add\nr\nreturn 42\nb 12\nc\np y\nreturn\nq\n");
    assert!(
        shown.contains("y = 42\nerror: 'return' not meaningful in the outermost frame main()\n"),
        "{shown}"
    );
}

#[test]
fn arguments_are_what_was_passed_and_locals_the_other_parameters() {
    let folder = folder("locals");
    fs::write(
        folder.join("d.awk"),
        "function f(x, y) {\n\ty = x * 2\n\treturn y\n}\nBEGIN { f(3) }\n",
    )
    .unwrap();
    let commands = "b f\nr\ninfo args\ninfo locals\nup\ninfo args\ninfo locals\nq\n";
    let output = run_in(&folder, &["-D", "-fd.awk"], commands);
    let shown = String::from_utf8(output.stdout).unwrap();
    // As in gawk 5.2.1.
    let expected = "x = 3\ny = untyped variable\n#1\tin main() at `d.awk':5\n5       BEGIN { f(3) }\nNone in main().\nNone in main().\n";
    assert!(
        shown.contains("Stopping in BEGIN ...\nBreakpoint 1, f(x, y)") && shown.ends_with(expected),
        "{shown}"
    );
}

/// As in gawk, 2 whether or not the program has run; 0 after `quit`.
#[test]
fn commands_that_end_before_the_session_does_are_a_failure() {
    for (commands, status) in
        [("", 2), ("run\n", 2), ("b 6\nrun\n", 2), ("b 6\nrun\nq\n", 0), ("run\nq\n", 0)]
    {
        let output = run_in(&folder("status"), &["-D", "-fd.awk", "d.in"], commands);
        assert_eq!(output.status.code(), Some(status), "{commands:?}");
    }
}

#[test]
fn quit_in_the_middle_of_a_run_is_a_success() {
    let output =
        run_in(&folder("quit"), &["-D", "BEGIN { x = 1; print x }"], "break 1\nrun\nquit\n");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_program_can_be_run_again_and_its_errors_are_told() {
    let shown = session("again", "b 12\nr\nrun\nc\nrun\nq\n");
    assert_eq!(shown.matches("Breakpoint 1, main() at `d.awk':12\n").count(), 3, "{shown}");
    assert_eq!(shown.matches("Program exited normally with exit value: 0\n").count(), 1, "{shown}");
    let output = run_in(&folder("again"), &["-D", "BEGIN { x = 0; print 1 / x }"], "run\nq\n");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("division by zero"), "{shown}");
    assert!(shown.ends_with("Program exited abnormally with exit value: 2\n"), "{shown}");
}

#[test]
fn lists_help_and_files_of_commands() {
    let shown = session(
        "list",
        "list\nl\nl 1-2\nl add\ninfo source\ninfo functions\nhelp n\nh step\nzork\nun\nbt\ncondition 9 x\nb 99\nb nofile:1\nq\n",
    );
    for expected in [
        "1       function add(a, b) {\n2       \tc = a + b\n",
        "16      }\n17      END { print n }\n1       function add",
        "Current source file: d.awk\nNumber of lines: 17\n",
        "add(a, b) in file `d.awk', line 1\n",
        "next [COUNT] - step program, proceeding through subroutine calls\nstep [COUNT]",
        "error: unknown command - `zork', try help\nerror: ambiguous command - `un': undisplay or until\nerror: program not running\n",
        "error: condition: invalid breakpoint/watchpoint number\nerror: line number 99 in file `d.awk' is out of range\nerror: cannot find source file named `nofile': No such file or directory\n",
    ] {
        assert!(shown.contains(expected), "{expected}\n{shown}");
    }
    let saved = session(
        "save",
        "b 11\ncommands\np i\nend\ntbreak 12\nr\nwatch x\ndisplay i\nsave points\nq\n",
    );
    assert!(!saved.contains("error"), "{saved}");
    let text = fs::read_to_string(folder("save").join("points")).unwrap();
    assert_eq!(
        text,
        "break \"d.awk\":11\ncommands\np i\nend\ntbreak \"d.awk\":12\nwatch x\ndisplay i\n"
    );
    fs::write(folder("source").join("points"), "break \"d.awk\":12\nrun\np x\n").unwrap();
    let shown = session("source", "source points\nsource nowhere\nq\n");
    assert!(
        shown.contains("x = 4\n")
            && shown.contains("error: cannot open source file `nowhere' for reading"),
        "{shown}"
    );
    let by_option = Command::new(RHAWK)
        .args(["-Dpoints", "-fd.awk", "d.in"])
        .current_dir(folder("source"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(String::from_utf8(by_option.stdout).unwrap().contains("x = 4\n"));
}

/// Another rhawk drives the debugger on a pseudo-terminal, with the backspace key and a line
/// recalled by an arrow key.
#[test]
fn a_terminal_has_line_editing() {
    // Waits until the debugger is ready to edit, with a limit.
    let driver = r#"function send(text) { system("sleep 0.4"); printf "%s", text |& command; fflush(command) }
    BEGIN {
        command = RHAWK " -D -fd.awk d.in"
        PROCINFO[command, "pty"] = 1
        PROCINFO[command, "READ_TIMEOUT"] = 20000
        send("brexx\177\177ak 12\r")
        send("run\r")
        send("print x\r")
        send("set x = 50\r")
        send("\033[A\033[A\r")
        send("q\r")
        while ((command |& getline line) > 0) print line
    }"#;
    let output = Command::new(RHAWK)
        .args(["-v", &format!("RHAWK={RHAWK}"), driver])
        .current_dir(folder("terminal"))
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("rhawk> "), "{shown}");
    assert!(shown.contains("Breakpoint 1 set at file `d.awk', line 12"), "{shown}");
    assert!(shown.contains("x = 4"), "{shown}");
    assert!(shown.contains("x = 50"), "{shown}");
    let after = shown.rsplit("x = 50").next().unwrap_or_default();
    assert!(!after.contains("error"), "{shown}");
}

/// As gawk's `.gawk_history` and `.gawkrc`, for typed lines only.
#[test]
fn lines_and_options_are_kept_for_the_next_session_at_a_terminal() {
    let folder = folder("kept");
    let kept = |name: &str| fs::read_to_string(folder.join(name)).ok();
    for name in [".rhawk_history", ".rhawkrc"] {
        let _ = fs::remove_file(folder.join(name));
    }
    run_in(&folder, &["-D", "-fd.awk", "d.in"], "option listsize=2\nq\n");
    assert_eq!((kept(".rhawk_history"), kept(".rhawkrc")), (None, None));
    let typed = |commands: &str| {
        let driver = r#"function send(text) { system("sleep 0.4"); printf "%s", text |& command; fflush(command) }
        BEGIN {
            command = RHAWK " -D -fd.awk d.in"
            PROCINFO[command, "pty"] = 1
            PROCINFO[command, "READ_TIMEOUT"] = 20000
            for (i = 1; i <= split(COMMANDS, commands, ";"); i++) send(commands[i] "\r")
            while ((command |& getline line) > 0) print line
        }"#;
        let output = Command::new(RHAWK)
            .args(["-v", &format!("RHAWK={RHAWK}"), "-v", &format!("COMMANDS={commands}"), driver])
            .current_dir(&folder)
            .env("TERM", "xterm")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    typed("option listsize=2;option history_size=3;b 12;q");
    assert_eq!(kept(".rhawk_history").as_deref(), Some("option history_size=3\nb 12\nq\n"));
    let options = kept(".rhawkrc").unwrap();
    assert!(
        options.contains("option listsize = 2\n")
            && options.contains("option prompt = \"rhawk> \"\n"),
        "{options}"
    );
    // The next session reads them; when turned off, no file remains.
    let shown = typed("option listsize;option save_history=off;option save_options=off;q");
    assert!(shown.contains("listsize = 2"), "{shown}");
    assert_eq!(kept(".rhawkrc"), None);
    assert_eq!(kept(".rhawk_history").as_deref(), Some("option history_size=3\nb 12\nq\n"));
}

/// The program's output, separated from the debugger's.
#[test]
fn the_program_prints_where_it_is_told() {
    let shown = session(
        "outfile",
        "option outfile=\"there\"\nb 12\nr\np x\nc\noption outfile\noption outfile=\nr\nc\nq\n",
    );
    let there = fs::read_to_string(folder("outfile").join("there")).unwrap();
    assert_eq!(there, "4\nq\nq\n2\n", "{shown}");
    assert!(
        shown.contains("x = 4\nProgram exited normally with exit value: 0\noutfile = \"there\"\n"),
        "{shown}"
    );
    assert!(shown.ends_with("4\nq\nq\n2\nProgram exited normally with exit value: 0\n"), "{shown}");
    let shown = session("outfile", "option outfile=/nowhere/x\noption outfile\nq\n");
    assert_eq!(
        shown,
        "error: could not open `/nowhere/x' for writing: No such file or directory\nsending output to stdout\noutfile = \"/dev/stdout\"\n"
    );
}
