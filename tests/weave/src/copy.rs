//! A copy of the tree.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Little to optimise, nothing to debug, everything checked.
const PROFILE: [&str; 9] = [
    "--profile=mutants",
    "--config=profile.mutants.inherits='dev'",
    "--config=profile.mutants.debug=false",
    "--config=profile.mutants.opt-level=1",
    "--config=profile.mutants.package.'*'.debug-assertions=false",
    "--config=profile.mutants.package.'*'.overflow-checks=false",
    "--config=build.rustflags=['--cap-lints=allow']",
    "--locked",
    "--quiet",
];

fn made(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)
}

pub struct Copy {
    folder: PathBuf,
}

impl Copy {
    /// Copies git's files except some, and writes only what differs.
    pub fn make(tree: &Path, folder: &Path, without: &BTreeSet<String>) -> Result<Copy, String> {
        let copy = Copy { folder: folder.to_owned() };
        let listed = Command::new("git").arg("-C").arg(tree).args(["ls-files", "-z"]).output();
        let listed = listed.map_err(|error| format!("git: {error}"))?.stdout;
        for file in listed.split(|&byte| byte == 0).filter(|file| !file.is_empty()) {
            let file = String::from_utf8_lossy(file);
            if without.contains(&*file) {
                continue;
            }
            if let Ok(target) = std::fs::read_link(tree.join(&*file)) {
                copy.link(&file, &target)?;
            } else if let Ok(content) = std::fs::read(tree.join(&*file)) {
                // An unreadable file was deleted without a commit.
                copy.write(&file, &content)?;
            }
        }
        Ok(copy)
    }

    pub fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn write(&self, file: &str, content: &[u8]) -> Result<(), String> {
        let path = self.tree().join(file);
        if std::fs::read(&path).is_ok_and(|old| old == content) {
            return Ok(());
        }
        made(&path)
            .and_then(|()| std::fs::write(&path, content))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn link(&self, file: &str, target: &Path) -> Result<(), String> {
        let path = self.tree().join(file);
        if std::fs::read_link(&path).is_ok_and(|old| old == target) {
            return Ok(());
        }
        let _ = std::fs::remove_file(&path);
        made(&path)
            .and_then(|()| symlink(target, &path))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Cargo in the copy, with the profile after its first argument.
    pub fn cargo(&self, subcommand: &str) -> Command {
        let mut command = Command::new("cargo");
        command
            .current_dir(self.tree())
            .env("CARGO_TARGET_DIR", self.beside("target"))
            .arg(subcommand)
            .args(PROFILE);
        command
    }

    pub fn built(&self, name: &str) -> PathBuf {
        self.beside("target/mutants").join(name)
    }
}
