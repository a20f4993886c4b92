//! Landlock. For commands without connections there is also a filter of system calls, since Landlock
//! only knows TCP.

use super::{Directories, Enforced};
use riverhawk_awkio::sandbox::{Access, Allowed, Paths};
use riverhawk_system::names::OsStrExt;
use std::ffi::OsStr;
use std::path::Path;

/// Confines this thread, threads that it starts, and their commands, until they end. They can open
/// only these operands and the time zones, and other files, commands and connections as the list
/// allows. Returns how much of this the kernel enforces.
pub(crate) fn confine(
    operands: &[Vec<u8>],
    directories: Directories,
    allowed: &Allowed,
) -> Enforced {
    match restrict(operands, directories, allowed) {
        Ok(landlock::RulesetStatus::FullyEnforced) => {}
        Ok(landlock::RulesetStatus::PartiallyEnforced) => {
            return with_filter(allowed, Enforced::Partly);
        }
        Ok(landlock::RulesetStatus::NotEnforced) | Err(_) => return Enforced::Not,
    }
    with_filter(allowed, Enforced::Fully)
}

/// What commands may always read.
const OF_COMMANDS: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/dev/zero",
    "/dev/urandom",
    "/etc/alternatives",
    "/proc/self",
];

/// Read by a connection to a host name.
const OF_CONNECTIONS: [&str; 11] = [
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/resolv.conf",
    "/etc/nsswitch.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/gai.conf",
    "/etc/ld.so.cache",
    "/lib",
    "/lib64",
    "/usr/lib",
];

fn restrict(
    operands: &[Vec<u8>],
    directories: Directories,
    allowed: &Allowed,
) -> Result<landlock::RulesetStatus, landlock::RulesetError> {
    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath,
        PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
    };
    // The newest rules; older kernels ignore those they do not know.
    let abi = ABI::V5;
    let runs_commands = allowed.commands == Access::Granted;
    let mut rules = Ruleset::default();
    if runs_commands {
        // The interpreter cannot check what commands do, so the kernel must.
        rules = rules
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V3))?;
        rules = rules
            .set_compatibility(CompatLevel::BestEffort)
            .scope(Scope::Signal | Scope::AbstractUnixSocket)?;
    }
    rules = rules.handle_access(AccessFs::from_all(abi))?;
    if allowed.network == Access::Denied {
        rules = rules.handle_access(AccessNet::from_all(abi))?;
    }
    let mut created = rules.create()?;
    let listed = AccessFs::ReadFile | AccessFs::ReadDir;
    let changed = AccessFs::from_write(abi) & !AccessFs::IoctlDev;
    let mut rules: Vec<(std::path::PathBuf, BitFlags<AccessFs>)> = Vec::new();
    // The time zones.
    rules.extend(
        ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/localtime"]
            .map(|path| (path.into(), listed)),
    );
    for operand in operands {
        // An operand may be an assignment, which needs no rule, or a missing file, which is
        // reported later.
        let operand = Path::new(OsStr::from_bytes(operand));
        match operand.is_dir() {
            true if directories == Directories::Listed => {
                rules.push((operand.into(), AccessFs::ReadDir.into()));
            }
            true => {}
            false => rules.push((operand.into(), AccessFs::ReadFile.into())),
        }
    }
    let under = |paths: &Paths| match paths {
        Paths::All => vec!["/".into()],
        Paths::Under(paths) => paths.clone(),
    };
    rules.extend(under(&allowed.read).into_iter().map(|path| (path, listed)));
    rules.extend(under(&allowed.write).into_iter().map(|path| (path, changed)));
    if runs_commands {
        rules.push(("/".into(), AccessFs::Execute.into()));
        rules.push(("/dev/null".into(), AccessFs::ReadFile | AccessFs::WriteFile));
        rules.extend(OF_COMMANDS.map(|path| (path.into(), listed)));
    }
    if allowed.network == Access::Granted {
        rules.extend(OF_CONNECTIONS.map(|path| (path.into(), listed)));
    }
    for (path, access) in rules {
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
        if let Ok(opened) = PathFd::new(&path)
            && !access.is_empty()
        {
            created = created.add_rule(PathBeneath::new(opened, access))?;
        }
    }
    Ok(created.restrict_self()?.ruleset)
}

/// Refuses all connections to commands, if they are not allowed.
fn with_filter(allowed: &Allowed, enforced: Enforced) -> Enforced {
    if allowed.commands == Access::Denied || allowed.network == Access::Granted {
        return enforced;
    }
    if refuse_sockets().is_some() { enforced } else { Enforced::Not }
}

/// Refuses `socket(2)`, and `io_uring`, which could replace it.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
fn refuse_sockets() -> Option<()> {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
    let calls = [libc::SYS_socket, libc::SYS_io_uring_setup];
    let filter = SeccompFilter::new(
        calls.into_iter().map(|call| (call, Vec::new())).collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EACCES.cast_unsigned()),
        std::env::consts::ARCH.try_into().ok()?,
    );
    let program: BpfProgram = filter.ok()?.try_into().ok()?;
    apply_filter(&program).ok()
}

/// No filter can be made for other processors.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
fn refuse_sockets() -> Option<()> {
    None
}

#[cfg(test)]
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
        // In a thread, so that other tests are not affected.
        let confined = std::thread::spawn({
            let (operand, other) = (operand.clone(), other.clone());
            move || {
                let name = operand.as_os_str().as_bytes().to_vec();
                let operands = [name, b"a=b".to_vec(), b"/no/such/file".to_vec()];
                let enforced = confine(&operands, Directories::Refused, &Allowed::default());
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
