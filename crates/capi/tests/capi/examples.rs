//! The examples, compiled against an installed library, run, and looked at by valgrind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `examples/filter.c` prints this.
const FILTER_C: &str =
    "1: tea 3\n2: milk 1\ntotal 6 of 3 records\nprogram:2:9: expected an expression, found `}`\n";

const FILTER_CPP: &str = "1 a\n2 bb\n3 ccc\n[4 dddd]\n[5 eeeee]\nerror: ";

const FILTER_GO: &str = "7\nrefused\n";

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// What a command prints, which has to succeed; `None` if there is no such command.
fn output(command: &mut Command) -> Option<String> {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => panic!("{command:?}: {error}"),
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{errors}", output.status);
    Some(String::from_utf8(output.stdout).unwrap())
}

/// An installed library.
struct Installed(tempfile::TempDir);

impl Installed {
    fn new() -> Installed {
        let prefix = tempfile::tempdir().unwrap();
        // Cargo puts the libraries beside the tests.
        let executable = std::env::current_exe().unwrap();
        let mut install = Command::new(folder().join("install"));
        install.env_remove("DESTDIR").arg(executable.parent().unwrap()).arg(prefix.path());
        output(&mut install).expect("bash");
        Installed(prefix)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Compiles an example; `None` without a compiler.
    fn compile(&self, compiler: &str, example: &str, arguments: &[&str]) -> Option<PathBuf> {
        let program = self.at(&format!("{compiler}-program"));
        let mut command = Command::new(compiler);
        command.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-I"]);
        command.arg(self.at("include")).arg(folder().join("examples").join(example));
        command.arg("-o").arg(&program).arg("-L").arg(self.at("lib")).args(arguments);
        output(&mut command).is_some().then_some(program)
    }

    fn run(&self, program: &Path) -> String {
        output(self.with_library(&mut Command::new(program))).unwrap()
    }

    fn with_library<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.env("LD_LIBRARY_PATH", self.at("lib")).env("DYLD_LIBRARY_PATH", self.at("lib"))
    }

    /// As `run`, with every leak and every wrong access an error. The standard library keeps a thread's
    /// handle by a pointer into it, which valgrind takes for a possible leak: only certain ones count.
    fn run_under_valgrind(&self, program: &Path) {
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--leak-check=full", "--error-exitcode=1"]);
        command.args(["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]);
        command.arg(program);
        if output(self.with_library(&mut command)).is_none() {
            eprintln!("left out: no valgrind");
        }
    }
}

#[test]
fn examples_compile_run_and_leak_nothing() {
    let installed = Installed::new();
    let library = ["-lriverhawk"];
    match installed.compile("cc", "filter.c", &[&["-std=c99"], &library[..]].concat()) {
        Some(program) => {
            assert_eq!(installed.run(&program), FILTER_C);
            installed.run_under_valgrind(&program);
        }
        None => eprintln!("left out: no C compiler"),
    }
    match installed.compile("c++", "filter.cpp", &[&["-std=c++17"], &library[..]].concat()) {
        Some(program) => {
            let printed = installed.run(&program);
            assert!(printed.starts_with(FILTER_CPP), "{printed}");
            installed.run_under_valgrind(&program);
        }
        None => eprintln!("left out: no C++ compiler"),
    }
}

#[test]
fn programs_link_with_what_pkg_config_says() {
    let installed = Installed::new();
    let file = fs::read_to_string(installed.at("lib/pkgconfig/riverhawk.pc")).unwrap();
    assert!(!file.contains('@'), "{file}");
    let mut command = Command::new("pkg-config");
    command.args(["--static", "--libs", "riverhawk"]);
    command.env("PKG_CONFIG_PATH", installed.at("lib/pkgconfig"));
    let Some(flags) = output(&mut command) else {
        eprintln!("left out: no pkg-config");
        return;
    };
    // Without the shared library, to see that the static one needs nothing else.
    for file in fs::read_dir(installed.at("lib")).unwrap() {
        let path = file.unwrap().path();
        if path.file_name().unwrap().to_str().unwrap().contains(".so") {
            fs::remove_file(path).unwrap();
        }
    }
    let flags: Vec<&str> = flags.split_whitespace().collect();
    if let Some(program) = installed.compile("cc", "filter.c", &flags) {
        assert_eq!(installed.run(&program), FILTER_C);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn symbols_have_the_version_of_the_interface_and_no_others_are_there() {
    let installed = Installed::new();
    let mut command = Command::new("readelf");
    command.args(["--dyn-syms", "--wide"]).arg(installed.at("lib/libriverhawk.so"));
    let Some(symbols) = output(&mut command) else {
        eprintln!("left out: no readelf");
        return;
    };
    // Number, value, size, type, binding, visibility, section and name.
    let defined =
        symbols.lines().filter(|line| line.contains(" GLOBAL ") && !line.contains(" UND "));
    let names: Vec<&str> = defined.filter_map(|line| line.split_whitespace().nth(7)).collect();
    assert!(names.contains(&"rh_program_run@@RIVERHAWK_0"), "{names:?}");
    let others: Vec<&&str> = names
        .iter()
        .filter(|name| !name.ends_with("@@RIVERHAWK_0") && **name != "RIVERHAWK_0")
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn go_calls_the_library() {
    let installed = Installed::new();
    let mut command = Command::new("go");
    command.args(["run", "."]).current_dir(folder().join("examples/go"));
    command.env("CGO_CFLAGS", format!("-I{}", installed.at("include").display()));
    command.env("CGO_LDFLAGS", format!("-L{}", installed.at("lib").display()));
    command.env("CGO_ENABLED", "1").env("GOFLAGS", "-mod=mod").env("GOTOOLCHAIN", "local");
    match output(installed.with_library(&mut command)) {
        Some(printed) => assert_eq!(printed, FILTER_GO),
        None => eprintln!("left out: no Go"),
    }
}
