//! Commands that a program reads from, writes to and runs.

use riverhawk_tests::build;
use std::process::{Command, Stdio};

fn printed(program: &str) -> String {
    let mut command = Command::new(build::rhawk());
    command.arg(program).stdin(Stdio::null()).env("LC_ALL", "C.UTF-8");
    let output = command.output().expect("rhawk can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// No descriptor and no zombie remains, whether the output was read to its end or not.
#[test]
fn a_thousand_commands_leave_no_descriptor_and_no_zombie() {
    let program = r#"
        # A command may run before the other side has closed its end of the new pipe.
        function open(   n) { look = "sleep 0.1; ls /proc/" PROCINFO["pid"] "/fd | wc -l"; look | getline n; close(look); return n + 0 }
        BEGIN {
            # The first wait makes a descriptor that this thread is woken by.
            open(); before = open()
            for (i = 0; i < 250; i++) {
                read = "echo " i; while ((read | getline line) > 0) n += line; statuses += close(read)
                early = "yes " i; early | getline line; m += line; signals[close(early)]++
                print i > "/dev/null"; print i | "cat > /dev/null; exit 3"; written += close("cat > /dev/null; exit 3")
                ran += system("exit 2")
            }
            print n, m, statuses, written, ran, signals[128 + 13]
            close("/dev/null")
            print open() - before
            zombies = "ps -o stat= --ppid " PROCINFO["pid"] " | grep -c Z"
            zombies | getline count
            print count
        }"#;
    assert_eq!(printed(program), "31125 31125 0 750 500 250\n0\n0\n");
}

/// A command that was read to its end holds no descriptor, closed or not: ten thousand may be open
/// by name.
#[test]
fn commands_at_their_end_hold_no_descriptor() {
    let program = r#"BEGIN {
        for (i = 0; i < 300; i++) { command = "echo " i; while ((command | getline line) > 0) n++ }
        "ls /proc/" PROCINFO["pid"] "/fd | wc -l" | getline open
        print n, (open < 12)
    }"#;
    assert_eq!(printed(program), "300 1\n");
}

#[test]
fn commands_inherit_nothing_but_the_standard_streams() {
    let program = r#"BEGIN {
        print "x" | "cat >/dev/null"; "echo a; sleep 1" | getline a
        count = "ls /proc/self/fd | wc -l"; count | getline read; print read + 0
        system(count)
        print "" | count
    }"#;
    // Three streams, the directory that `ls` reads, and the inherited ones.
    let without =
        Command::new("sh").args(["-c", "ls /proc/self/fd | wc -l"]).output().expect("sh").stdout;
    let without: i32 = String::from_utf8_lossy(&without).trim().parse().expect("a number");
    let counts: Vec<i32> =
        printed(program).lines().map(|line| line.trim().parse().expect("a number")).collect();
    assert_eq!(counts, [without; 3]);
}

/// Output to a command appears while the program runs, and the early end of a command is noticed.
#[test]
fn a_command_is_written_to_print_by_print() {
    let program = r#"BEGIN {
        reply = "/tmp/riverhawk-commands-" PROCINFO["pid"]
        command = "read line; echo got $line > " reply "; cat > /dev/null"
        print "first" | command
        while ((getline answer < reply) <= 0) { close(reply); system("sleep 0.02") }
        print answer
        print close(command)
        system("rm " reply)
    }"#;
    assert_eq!(printed(program), "got first\n0\n");
}
