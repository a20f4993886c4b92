//! A child's pseudo-terminal, whose other side is a handle.
//!
//! As in gawk: no echo and no translation of output; lines and the end-of-file character work.
#![allow(unsafe_code)] // The code between fork and exec: one function.

use crate::device::{Device, PtyMaster};
use crate::system;
use riverhawk_system::fd::OwnedFd;
use riverhawk_system::fs::{Mode, OFlags};
use riverhawk_system::pty::{grantpt, ptsname, unlockpt};
use riverhawk_system::termios::{
    InputModes, LocalModes, OptionalActions, OutputModes, tcgetattr, tcsetattr,
};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;

/// Our side, and the child's.
pub(super) fn open() -> io::Result<(Arc<dyn Device>, OwnedFd)> {
    let master = system::open_terminal()?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let slave = riverhawk_system::fs::open(
        name.as_c_str(),
        OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    let mut settings = tcgetattr(&slave)?;
    settings
        .input_modes
        .remove(InputModes::ISTRIP | InputModes::IGNCR | InputModes::INLCR | InputModes::IXOFF);
    settings
        .input_modes
        .insert(InputModes::ICRNL | InputModes::IGNPAR | InputModes::BRKINT | InputModes::IXON);
    settings.output_modes.remove(OutputModes::OPOST);
    settings.local_modes.remove(
        LocalModes::ECHO
            | LocalModes::ECHOE
            | LocalModes::ECHOK
            | LocalModes::NOFLSH
            | LocalModes::TOSTOP,
    );
    settings.local_modes.insert(LocalModes::ISIG | LocalModes::ICANON);
    tcsetattr(&slave, OptionalActions::Now, &settings)?;
    Ok((Arc::new(PtyMaster::new(master)?), slave))
}

/// Makes the child the leader of a session on its terminal, to which Ctrl-C and `/dev/tty` then
/// refer.
pub(super) fn take_terminal(command: &mut Command) {
    let in_child = || {
        riverhawk_system::process::setsid()?;
        riverhawk_system::process::ioctl_tiocsctty(riverhawk_system::stdio::stdin())?;
        Ok(())
    };
    // SAFETY: only async-signal-safe calls are allowed between fork and exec. These are two bare
    // system calls: nothing is allocated, locked or unwound, and an `io::Error` from an errno is a
    // number.
    unsafe {
        command.pre_exec(in_child);
    }
}
