//! A script on a pseudo-terminal, and what a user would see.

use crate::shell::Shell;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, OutputModes, Winsize, tcgetattr, tcsetattr, tcsetwinsize};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

#[derive(Debug)]
pub struct Seen {
    /// All of it; lines end with a newline alone.
    pub text: String,
    pub status: i32,
}

/// Runs a script with a terminal of `columns` columns as output, and no standard input.
#[track_caller]
pub fn on_terminal(shell: &Shell, columns: u16, script: &str) -> Seen {
    let (ours, theirs) = terminal(columns);
    let mut command = shell.command(script);
    command.stdin(Stdio::null()).stdout(theirs.try_clone().expect("a descriptor")).stderr(theirs);
    watch(command, ours, "")
}

#[track_caller]
pub fn typed(shell: &Shell, script: &str, keys: &str) -> Seen {
    let (ours, theirs) = terminal(200);
    let mut command = shell.command(script);
    command.stdin(theirs.try_clone().expect("a descriptor"));
    command.stdout(theirs.try_clone().expect("a descriptor")).stderr(theirs);
    watch(command, ours, keys)
}

fn terminal(columns: u16) -> (File, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&ours).expect("its owner");
    unlockpt(&ours).expect("its other end");
    let name = ptsname(&ours, Vec::new()).expect("its name");
    let path = OsStr::from_bytes(name.as_bytes());
    let theirs = File::options().read(true).write(true).open(path).expect("its other end");
    tcsetwinsize(&theirs, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })
        .expect("its size");
    let mut modes = tcgetattr(&theirs).expect("its modes");
    modes.output_modes.remove(OutputModes::OPOST);
    tcsetattr(&theirs, OptionalActions::Now, &modes).expect("its modes");
    (File::from(ours), theirs)
}

fn watch(mut command: Command, mut ours: File, keys: &str) -> Seen {
    let mut child = command.env("TERM", "xterm").spawn().expect("sh");
    // Our copies of the other end would keep reading from ending.
    drop(command);
    ours.write_all(keys.as_bytes()).expect("the terminal");
    let mut text = Vec::new();
    // On Linux, the end is an error.
    let _ = ours.read_to_end(&mut text);
    let status = child.wait().expect("an end").code().unwrap_or(-1);
    Seen { text: String::from_utf8_lossy(&text).into_owned(), status }
}

/// The lines on the screen at the end, without what carriage returns and erasing have removed.
pub fn screen(text: &str) -> Vec<String> {
    let mut lines = vec![Vec::new()];
    let mut column = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let line = lines.last_mut().expect("one at least");
        if let Some(after) = rest.strip_prefix("\x1b[K") {
            line.truncate(column);
            rest = after;
            continue;
        }
        rest = &rest[first.len_utf8()..];
        match first {
            '\r' => column = 0,
            '\n' => {
                lines.push(Vec::new());
                column = 0;
            }
            _ => {
                if column < line.len() {
                    line[column] = first;
                } else {
                    line.push(first);
                }
                column += 1;
            }
        }
    }
    lines.into_iter().map(|line| line.into_iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::screen;

    #[test]
    fn what_was_wiped_out_is_not_on_the_screen() {
        assert_eq!(screen("abc\rx\n\rprogress\r\x1b[Kline\n"), ["xbc", "line", ""]);
    }
}
