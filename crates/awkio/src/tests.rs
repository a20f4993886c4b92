//! What only a whole process shows: order of output, death, remains.
//!
//! Each test starts this binary again to play one scenario. Where gawk is installed, its output
//! must be the recorded bytes too.
#![allow(unsafe_code)] // close(1) and waitpid(-1) have no safe face

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::*;
use crate::output::tests::Scratch;

const SCENARIO: &str = "RIVERHAWK_IO_SCENARIO";

fn print(io: &mut Io, text: &str) {
    io.outputs.stdout().write(text.as_bytes()).unwrap();
    io.outputs.stdout().end_print().unwrap();
}

fn print_to(io: &mut Io, kind: OutputKind, name: &str, text: &str) {
    let sink = io.output(kind, name.as_bytes()).unwrap();
    sink.write(text.as_bytes()).unwrap();
    sink.end_print().unwrap();
}

fn getline(io: &mut Io, kind: InputKind, name: &str) -> String {
    let id = io.input(kind, name.as_bytes()).unwrap();
    let next = io.next_record(id).unwrap();
    next.map_or(String::new(), |(reader, record)| {
        String::from_utf8(reader.records.text(&record).to_vec()).unwrap()
    })
}

/// Status 2 after failures.
fn exit(io: &mut Io) -> ! {
    let failures = io.finish();
    for failure in &failures {
        eprintln!("rhawk: {failure}");
    }
    std::process::exit(if failures.is_empty() { 0 } else { 2 })
}

use InputKind::Command as FromCommand;
use OutputKind::{File as ToFile, Pipe};

/// The harness has written to the standard output, so that is replaced.
#[test]
#[ignore = "run by the other tests, in a child process"]
fn scenario() {
    let Ok(scenario) = std::env::var(SCENARIO) else { return };
    let (name, argument) = scenario.split_once(' ').unwrap_or((&scenario, ""));
    riverhawk_system::stdio::dup2_stdout(riverhawk_system::stdio::stderr()).unwrap();
    let broken_stdout = if argument == "die" { BrokenPipe::Die } else { BrokenPipe::Report };
    let mut io = Io::new(broken_stdout, 1);
    match name {
        "exit-order" => {
            print_to(&mut io, Pipe, "sort; echo one", "1\n");
            print_to(&mut io, Pipe, "sort; echo two", "2\n");
            print_to(&mut io, Pipe, "sort; echo one", "1b\n");
            print(&mut io, "out\n");
        }
        "exit-order-with-dev-stdout" => {
            print_to(&mut io, Pipe, "sort", "b\n");
            print(&mut io, "first\n");
            print_to(&mut io, ToFile, "/dev/stdout", "second\n");
            print(&mut io, "third\n");
        }
        "order" => {
            print(&mut io, "a");
            print_to(&mut io, ToFile, "/dev/stderr", "E");
            print(&mut io, "b");
            io.system(b"printf S").unwrap();
            print(&mut io, "c");
            getline(&mut io, FromCommand, "printf G >&2; echo x");
            print(&mut io, "d");
            print_to(&mut io, Pipe, "sort", "P\n");
            print(&mut io, "e");
            assert_eq!(io.close(b"sort").unwrap(), CloseStatus(0));
            print(&mut io, "f\n");
        }
        "pipe-before-getline" => {
            print_to(&mut io, Pipe, "cat", "to cat\n");
            getline(&mut io, FromCommand, "sleep 0.2; echo from command >&2; echo x");
            print(&mut io, "done\n");
        }
        "closes" => {
            for (written_first, kinds) in [("exit 4", [0, 1]), ("exit 4 ", [1, 0])] {
                for kind in kinds {
                    match kind {
                        0 => drop(io.input(FromCommand, written_first.as_bytes()).unwrap()),
                        _ => print_to(&mut io, ToFile, written_first, "x\n"),
                    }
                }
                for _ in 0..3 {
                    let status = io.close(written_first.as_bytes()).unwrap();
                    print(&mut io, &format!("{} ", status.0));
                }
                std::fs::remove_file(written_first).unwrap();
            }
        }
        "full" => {
            riverhawk_system::stdio::dup2_stdout(File::create("/dev/full").unwrap()).unwrap();
            print(&mut io, "x\n");
            print_to(&mut io, ToFile, "/dev/stderr", "still here\n");
            print_to(&mut io, ToFile, "/dev/full", "y\n");
            print_to(&mut io, ToFile, argument, "kept\n");
        }
        "closed" => {
            // SAFETY: nothing in this process uses descriptor 1 any more.
            unsafe { libc::close(1) };
            fill_standard_descriptors();
            print_to(&mut io, ToFile, argument, "not the standard output\n");
            print(&mut io, "x\n");
        }
        "reader-gone" => {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            riverhawk_system::stdio::dup2_stdout(&writer).unwrap();
            print(&mut io, "nobody reads this\n");
        }
        "reader-goes-while-waiting" => {
            let (mut reader, writer) = std::io::pipe().unwrap();
            riverhawk_system::stdio::dup2_stdout(&writer).unwrap();
            drop(writer);
            print(&mut io, "x");
            // Pending output is flushed as the input stalls; then the reader leaves.
            std::thread::spawn(move || {
                reader.read_exact(&mut [0]).unwrap();
                std::thread::sleep(Duration::from_millis(50));
            });
            let Err(ReadError::Output(failure)) = io.inputs.stdin().refill(&mut io.outputs) else {
                panic!("read something")
            };
            io.die_if_stdout_is_broken(&failure);
            eprintln!("rhawk: {failure}");
            std::process::exit(2);
        }
        "interrupted-system" => {
            assert_eq!(
                io.system(b"sleep 0.1; kill -INT $PPID; kill -QUIT $PPID; exit 3").unwrap(),
                CloseStatus(3)
            );
            print(&mut io, "survived\n");
        }
        "child-signals" => {
            let ignored = "sed -n 's/^SigIgn://p' /proc/self/status";
            let own = std::fs::read_to_string("/proc/self/status").unwrap();
            let own = own.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
            print(&mut io, &format!("{own}\n"));
            io.system(format!("{ignored} >&2").as_bytes()).unwrap();
            let line = getline(&mut io, FromCommand, ignored);
            print(&mut io, &format!("{line}\n"));
            print_to(&mut io, Pipe, &format!("cat >/dev/null; {ignored}"), "x");
        }
        "many-commands" => {
            let open_files = || std::fs::read_dir("/proc/self/fd").unwrap().count();
            // Makes a descriptor to wake the thread.
            assert_eq!(getline(&mut io, FromCommand, "sleep 0.1; echo x"), "x");
            assert_eq!(io.close(b"sleep 0.1; echo x").unwrap(), CloseStatus(0));
            let before = open_files();
            for n in 0..500 {
                assert_eq!(getline(&mut io, FromCommand, "echo x"), "x");
                assert_eq!(io.close(b"echo x").unwrap(), CloseStatus(0));
                print_to(&mut io, Pipe, "read x", "x\n");
                assert_eq!(io.close(b"read x").unwrap(), CloseStatus(0), "{n}");
            }
            assert_eq!(open_files(), before);
            // SAFETY: only asks whether any child is left.
            assert_eq!(unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) }, -1);
        }
        "few-descriptors" => {
            let name = |n: usize| format!("{argument}{n}");
            for round in 0..2 {
                for n in 0..40 {
                    print_to(&mut io, ToFile, &name(n), &format!("{n} in round {round}\n"));
                }
            }
            assert_eq!(getline(&mut io, FromCommand, "echo command"), "command");
            assert_eq!(io.system(b"exit 9").unwrap(), CloseStatus(9));
            print_to(&mut io, Pipe, "cat", "to cat\n");
            io.flush(name(7).as_bytes()).unwrap();
            assert_eq!(getline(&mut io, InputKind::File, &name(7)), "7 in round 0");
        }
        "no-descriptors" => {
            let mut held = Vec::new();
            while let Ok(file) = File::open("/dev/null") {
                held.push(file);
            }
            let failure = io.output(ToFile, b"/tmp/never-opened").err().unwrap();
            print(&mut io, &format!("{failure}\n"));
            let Err(InputError::Open(failure)) = io.input(FromCommand, b"echo x") else {
                panic!("opened")
            };
            assert_eq!(failure.kind, OpenErrorKind::TooManyOpen);
        }
        "children-see-no-descriptors" => {
            let count = "ls /proc/self/fd | wc -l >&2";
            io.system(count.as_bytes()).unwrap();
            print_to(&mut io, ToFile, argument, "x\n");
            print_to(&mut io, Pipe, "cat >/dev/null", "x\n");
            io.input(FromCommand, b"read x; echo x").unwrap();
            io.input(InputKind::File, b"/dev/zero").unwrap();
            io.system(count.as_bytes()).unwrap();
        }
        "inherited" => {
            print_to(&mut io, ToFile, "/dev/fd/9", "to nine\n");
            assert_eq!(io.close(b"/dev/fd/9").unwrap(), CloseStatus(0));
            assert!(io.output(ToFile, b"/dev/fd/9").is_err());
        }
        _ => panic!("no scenario {name}"),
    }
    exit(&mut io)
}

fn child(scenario: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "tests::scenario", "--ignored", "--nocapture"])
        .env(SCENARIO, scenario);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

fn play(scenario: &str) -> (String, i32) {
    let output = child(scenario).stderr(Stdio::piped()).output().unwrap();
    let status = output.status.code().unwrap_or_else(|| 1000 + output.status.signal().unwrap_or(0));
    (String::from_utf8(output.stderr).unwrap(), status)
}

fn gawk(program: &str, directory: &Scratch) -> Option<String> {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = Command::new("gawk");
    command.arg(program).stdin(Stdio::null()).stdout(writer.try_clone().unwrap()).stderr(writer);
    command.current_dir(directory.path());
    let mut child = command.spawn().ok()?;
    drop(command); // with it our copies of the writing end
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    child.wait().unwrap();
    Some(text)
}

fn both_give(recorded: &str, scenario: &str, program: &str) {
    if let Some(theirs) = gawk(program, &Scratch::new(scenario)) {
        assert_eq!(theirs, recorded, "gawk");
    }
    assert_eq!(play(scenario), (recorded.to_owned(), 0));
}

#[test]
fn at_exit_the_youngest_stream_closes_first_and_stdout_comes_last() {
    both_give(
        "2\ntwo\n1\n1b\none\nout\n",
        "exit-order",
        r#"BEGIN { print "1" | "sort; echo one"; print "2" | "sort; echo two"; print "1b" | "sort; echo one"; print "out" }"#,
    );
}

#[test]
fn at_exit_dev_stdout_is_flushed_in_its_turn() {
    both_give(
        "first\nsecond\nthird\nb\n",
        "exit-order-with-dev-stdout",
        r#"BEGIN { print "b" | "sort"; print "first"; print "second" > "/dev/stdout"; print "third" }"#,
    );
}

#[test]
fn the_order_of_prints_children_and_stderr_is_gawks() {
    both_give(
        "EabSGcdeP\nf\n",
        "order",
        r#"BEGIN { printf "a"; printf "E" > "/dev/stderr"; printf "b"; system("printf S"); printf "c"
            "printf G >&2; echo x" | getline; printf "d"; print "P" | "sort"; printf "e"; close("sort"); print "f" }"#,
    );
}

#[test]
fn what_was_printed_to_a_command_arrives_before_another_is_read() {
    both_give(
        "to cat\nfrom command\ndone\n",
        "pipe-before-getline",
        r#"BEGIN { print "to cat" | "cat"; "sleep 0.2; echo from command >&2; echo x" | getline; print "done" }"#,
    );
}

#[test]
fn close_takes_the_youngest_of_one_name() {
    let program = r#"BEGIN { c = "exit 4"; c | getline; print "x" > c; printf "%s %s %s ", close(c), close(c), close(c)
        c = "exit 4 "; print "x" > c; c | getline; printf "%s %s %s ", close(c), close(c), close(c)
        system("rm 'exit 4' 'exit 4 '") }"#;
    let scratch = Scratch::new("closes");
    if let Some(theirs) = gawk(program, &scratch) {
        assert_eq!(theirs, "0 4 -1 4 0 -1 ");
    }
    let output =
        child("closes").current_dir(scratch.path()).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "0 4 -1 4 0 -1 ");
}

#[test]
fn at_exit_every_failure_is_reported_and_everything_else_is_kept() {
    let scratch = Scratch::new("full");
    let file = String::from_utf8(scratch.name("kept")).unwrap();
    let (text, status) = play(&format!("full {file}"));
    assert_eq!(
        text,
        "still here\n\
         rhawk: cannot finish writing to \"/dev/full\": No space left on device\n\
         rhawk: cannot finish writing to standard output: No space left on device\n"
    );
    assert_eq!(status, 2);
    assert_eq!(scratch.read("kept"), "kept\n");
}

#[test]
fn a_closed_stdout_is_an_error_and_no_file_takes_its_place() {
    let scratch = Scratch::new("closed");
    let file = String::from_utf8(scratch.name("f")).unwrap();
    let (text, status) = play(&format!("closed {file}"));
    assert_eq!(text, "rhawk: cannot finish writing to standard output: Bad file descriptor\n");
    assert_eq!(status, 2);
    assert_eq!(scratch.read("f"), "not the standard output\n");
}

#[test]
fn a_reader_that_is_gone_is_sigpipe_or_an_error_as_was_asked_for() {
    assert_eq!(play("reader-gone die"), (String::new(), 1000 + libc::SIGPIPE));
    let message = "rhawk: cannot finish writing to standard output: Broken pipe\n";
    assert_eq!(play("reader-gone report"), (message.to_owned(), 2));
}

#[test]
fn a_reader_that_goes_while_we_wait_for_input_ends_the_wait() {
    for (asked, message, code, signal) in [
        ("die", "", None, Some(libc::SIGPIPE)),
        ("report", "rhawk: cannot write to standard output: ", Some(2), None),
    ] {
        let mut command = child(&format!("reader-goes-while-waiting {asked}"));
        let mut child: Child =
            command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap(); // stays open, and silent, until the child has ended
        let mut text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), status.signal()), (code, signal), "{text}");
        assert!(text.starts_with(message) && text.is_empty() == message.is_empty(), "{text}");
        let _ = input.write(b"x");
    }
}

#[test]
fn an_interrupt_during_system_is_the_childs_affair() {
    assert_eq!(play("interrupted-system"), ("survived\n".to_owned(), 0));
}

#[test]
fn children_get_sigpipe_at_its_default_and_interrupts_unchanged() {
    // Bit n - 1 stands for signal n.
    let (text, _) = play("child-signals");
    let bit = |signal: i32| 1_u64 << (signal - 1);
    let masks: Vec<_> =
        text.lines().map(|line| u64::from_str_radix(line.trim(), 16).unwrap()).collect();
    let [own, children @ ..] = &masks[..] else { panic!("{text}") };
    assert_eq!(children.len(), 3, "{text}");
    assert_ne!(own & bit(libc::SIGPIPE), 0, "{text}");
    let interrupts = bit(libc::SIGINT) | bit(libc::SIGQUIT);
    for child in children {
        assert_eq!(child & (bit(libc::SIGPIPE) | interrupts), own & interrupts, "{text}");
    }
}

#[test]
fn a_thousand_commands_leave_no_descriptor_and_no_zombie() {
    assert_eq!(play("many-commands"), (String::new(), 0));
}

#[test]
fn more_files_than_descriptors_take_turns() {
    let scratch = Scratch::new("few");
    let prefix = String::from_utf8(scratch.name("f")).unwrap();
    let limited = child(&format!("few-descriptors {prefix}"));
    let output = under_limit(20, &limited);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "to cat\n");
    assert_eq!(output.status.code(), Some(0));
    for n in 0..40 {
        assert_eq!(scratch.read(&format!("f{n}")), format!("{n} in round 0\n{n} in round 1\n"));
    }
}

#[test]
fn no_descriptor_at_all_is_an_error_that_says_so() {
    let output = under_limit(12, &child("no-descriptors"));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text, "cannot open \"/tmp/never-opened\" for writing: Too many open files\n");
    assert_eq!(output.status.code(), Some(0));
}

fn under_limit(files: usize, command: &Command) -> std::process::Output {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("ulimit -n {files} && exec \"$@\""), "sh"])
        .arg(command.get_program());
    shell
        .args(command.get_args())
        .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap()
}

#[test]
fn children_see_none_of_our_descriptors() {
    let scratch = Scratch::new("cloexec");
    let file = String::from_utf8(scratch.name("f")).unwrap();
    let (text, status) = play(&format!("children-see-no-descriptors {file}"));
    let counts: Vec<_> = text.lines().collect();
    assert_eq!((counts.len(), status), (2, 0), "{text}");
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn an_inherited_descriptor_is_written_in_place_and_closed_for_good() {
    let scratch = Scratch::new("inherited");
    let path = String::from_utf8(scratch.name("nine")).unwrap();
    let command = child("inherited");
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "file=$1; shift; echo before >\"$file\"; exec 9>>\"$file\"; exec \"$@\"",
        "sh",
        &path,
    ]);
    shell.arg(command.get_program()).args(command.get_args()).env(SCENARIO, "inherited");
    let output =
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(scratch.read("nine"), "before\nto nine\n");
}
