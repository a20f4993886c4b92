//! What functions a run executes.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// The mangled names of the binary's functions that a run with these arguments executes; `INPUT` among them is the input's name.
///
/// # Errors
/// When valgrind cannot be run or says nothing.
pub fn functions(binary: &Path, arguments: &[&str], input: &Path) -> io::Result<BTreeSet<String>> {
    let profile = input.with_extension("callgrind");
    let mut file = OsStr::new("--callgrind-out-file=").to_owned();
    file.push(&profile);
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--demangle=no", "--compress-strings=no"]).arg(file).arg(binary);
    for &argument in arguments {
        match argument {
            "INPUT" => command.arg(input),
            _ => command.arg(argument),
        };
    }
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if !status.success() {
        return Err(io::Error::other(format!("{arguments:?} under valgrind: {status}")));
    }
    let text = fs::read_to_string(&profile)?;
    fs::remove_file(&profile)?;
    Ok(of(&text, &binary.file_name().unwrap_or_default().to_string_lossy()))
}

/// The functions of one object in callgrind's output. Those that call themselves are there once more for each level, with `'2` behind
/// their names.
fn of(profile: &str, object: &str) -> BTreeSet<String> {
    let mut is_ours = false;
    let mut functions = BTreeSet::new();
    for line in profile.lines() {
        if let Some(name) = line.strip_prefix("ob=") {
            is_ours = Path::new(name.trim()).file_name().is_some_and(|name| name == object);
        } else if let Some(name) = line.strip_prefix("fn=").filter(|_| is_ours) {
            functions.insert(name.split('\'').next().unwrap_or_default().trim().to_owned());
        }
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_the_binary_alone() {
        let profile = "ob=/lib/libc.so\nfn=malloc\n1 2\nob=/bin/rhawk\nfn=run\n3 4\ncfn=malloc\nfn=run'2\nfn=parse\n";
        assert_eq!(of(profile, "rhawk").into_iter().collect::<Vec<_>>(), ["parse", "run"]);
    }
}
