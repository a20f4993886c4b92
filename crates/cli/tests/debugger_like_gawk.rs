//! Sessions of the debugger that show what gawk's shows: commands and answers, recorded from gawk 5.2.1, stand in
//! `debugger_sessions.txt`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a session of a program shows for these commands and `q`.
fn session(folder: &PathBuf, program: &str, commands: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rhawk"))
        .args(["-D", "-f", program, "d.in"])
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{commands}q\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{commands}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn sessions_show_what_gawk_shows() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("debugger-like-gawk");
    fs::create_dir_all(&folder).unwrap();
    let recorded = include_str!("debugger_sessions.txt");
    let (mut count, mut waiting) = (0, None);
    for block in recorded.trim_end_matches('\n').split("\n=== ").skip(1) {
        let (head, text) = block.split_once('\n').unwrap();
        let text = &format!("{text}\n");
        match head.split_once(' ') {
            Some(("file", name)) => fs::write(folder.join(name), text).unwrap(),
            Some(("session", program)) => waiting = Some((program.to_owned(), text.clone())),
            _ => {
                let (program, commands) = waiting.take().expect("commands before what they show");
                assert_eq!(&session(&folder, &program, &commands), text, "{program}:\n{commands}");
                count += 1;
            }
        }
    }
    assert!(count > 25, "{count}");
}
