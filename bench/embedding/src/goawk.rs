//! GoAWK, measured by a Go program in `goawk/` that prints what [`Costs`] holds, a number a line.

use crate::Costs;
use std::process::Command;

/// Nothing where Go, or the module, is not to be had.
pub fn costs() -> Option<Costs> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/goawk");
    let output = Command::new("go").args(["run", "."]).current_dir(folder).output().ok()?;
    if !output.status.success() {
        eprint!("GoAWK is left out: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    let text = String::from_utf8(output.stdout).expect("numbers");
    let mut costs = text.lines().map(|line| line.parse().expect("a number"));
    Some(Costs {
        compile: costs.next(),
        run: costs.next(),
        call: costs.next(),
        memory: costs.next(),
    })
}
