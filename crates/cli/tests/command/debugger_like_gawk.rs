//! Debugger sessions recorded from gawk in `debugger_sessions.txt`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::run_in;

/// With these commands and `q`.
fn session(folder: &Path, program: &str, commands: &str) -> String {
    let output = run_in(folder, &["-D", "-f", program, "d.in"], &format!("{commands}q\n"));
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
