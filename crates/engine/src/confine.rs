//! The kernel's part of the sandbox: Landlock, where Linux has it.

use std::ffi::OsString;

/// From now on the calling thread, and those it starts, can open nothing but these operands and the time zones, and only for
/// reading, directories if they are to be listed; start no command and make no connection. Whether the kernel does all of that, part of it, or none.
///
/// It cannot be taken back.
#[cfg(target_os = "linux")]
pub(crate) fn confine(operands: &[OsString], lists_directories: bool) -> Enforced {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    };
    // The newest rules that are asked for; what the kernel is too old for is left out.
    let abi = ABI::V5;
    let restrict = || -> Result<RulesetStatus, landlock::RulesetError> {
        let mut rules = Ruleset::default()
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .create()?;
        // What strftime needs.
        for zones in ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/localtime"] {
            if let Ok(path) = PathFd::new(zones) {
                let access = if std::path::Path::new(zones).is_dir() {
                    AccessFs::ReadFile | AccessFs::ReadDir
                } else {
                    AccessFs::ReadFile.into()
                };
                rules = rules.add_rule(PathBeneath::new(path, access))?;
            }
        }
        for operand in operands {
            // What is no file, an assignment for one, needs no rule; what is missing is missed when it is opened.
            let access = match std::path::Path::new(operand).is_dir() {
                true if lists_directories => AccessFs::ReadDir,
                true => continue,
                false => AccessFs::ReadFile,
            };
            if let Ok(path) = PathFd::new(operand) {
                rules = rules.add_rule(PathBeneath::new(path, access))?;
            }
        }
        Ok(rules.restrict_self()?.ruleset)
    };
    match restrict() {
        Ok(RulesetStatus::FullyEnforced) => Enforced::Fully,
        Ok(RulesetStatus::PartiallyEnforced) => Enforced::Partly,
        Ok(RulesetStatus::NotEnforced) | Err(_) => Enforced::Not,
    }
}

/// There is no such thing here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn confine(_: &[OsString], _: bool) -> Enforced {
    Enforced::Not
}

/// How much of the sandbox the kernel sees to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Enforced {
    /// All.
    Fully,
    /// What it knows: an older kernel does not know of connections.
    Partly,
    /// Nothing.
    Not,
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::io::ErrorKind;
    use std::process::Command;

    #[test]
    fn a_confined_thread_reads_its_operands_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("riverhawk-confine-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (operand, other) = (folder.join("operand"), folder.join("other"));
        fs::write(&operand, "x").unwrap();
        fs::write(&other, "y").unwrap();
        // A thread's own restriction does not reach the other tests.
        let confined = std::thread::spawn({
            let (operand, other) = (operand.clone(), other.clone());
            move || {
                let enforced = confine(&[operand.clone().into(), "a=b".into(), "/no/such/file".into()], false);
                if enforced == Enforced::Not {
                    return enforced;
                }
                assert_eq!(fs::read(&operand).unwrap(), b"x");
                for result in [
                    File::open(&other).map(drop),
                    File::create(&operand).map(drop),
                    File::create(other.with_extension("new")).map(drop),
                    fs::remove_file(&other),
                    Command::new("/bin/true").status().map(drop),
                ] {
                    assert_eq!(result.unwrap_err().kind(), ErrorKind::PermissionDenied);
                }
                enforced
            }
        });
        let enforced = confined.join().unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"y", "{enforced:?}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
