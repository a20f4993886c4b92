//! The awks whose answers are recorded: gawk decides, the others are peers.
//!
//! `tests/fetch-awks FOLDER` unpacks them; `./test` and `.ci/run` set `PATH`. Only the recorded
//! version of an awk is used.

use crate::Awk;
use std::process::Command;

#[derive(Clone, Copy, Debug)]
pub struct Reference {
    pub name: &'static str,
    pub command: &'static str,
    pub version: &'static str,
    probe: (&'static [&'static str], &'static str),
}

/// The first one decides.
pub const REFERENCES: [Reference; 5] = [
    Reference {
        name: "gawk",
        command: "gawk",
        version: "5.3.2",
        probe: (&["--version"], "GNU Awk 5.3.2"),
    },
    Reference {
        name: "mawk",
        command: "mawk",
        version: "1.3.4-20260302",
        probe: (&["--version"], "mawk 1.3.4 20260302"),
    },
    Reference {
        name: "original-awk",
        command: "original-awk",
        version: "2025-12-25",
        probe: (&["--version"], "awk version 20251225"),
    },
    Reference {
        name: "busybox",
        command: "busybox awk",
        version: "1.38.0",
        probe: (&["--help"], "BusyBox v1.38."),
    },
    Reference {
        name: "goawk",
        command: "goawk",
        version: "1.29.0",
        probe: (&["--version"], "v1.29."),
    },
];

impl Reference {
    pub fn find(self) -> Option<Awk> {
        let awk = Awk::new(self.command);
        let (words, beginning) = self.probe;
        let answer = Command::new(&awk.program).args(words).output().ok()?;
        if [&answer.stdout, &answer.stderr]
            .iter()
            .any(|said| said.starts_with(beginning.as_bytes()))
        {
            return Some(awk);
        }
        None
    }
}

/// gawk in the recorded version. If it is missing, standard error says that a comparison is left
/// out.
pub fn gawk() -> Option<Awk> {
    peer("gawk")
}

/// The awk of this name, as [`gawk`].
///
/// # Panics
/// If no awk has the name.
pub fn peer(name: &str) -> Option<Awk> {
    let reference =
        REFERENCES.iter().find(|reference| reference.name == name).expect("an awk that is known");
    let found = reference.find();
    if found.is_none() {
        eprintln!(
            "{name} {} is not here (tests/fetch-awks unpacks it): not compared with it",
            reference.version
        );
    }
    found
}
