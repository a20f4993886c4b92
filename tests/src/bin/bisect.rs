//! Finds the specialisation that breaks a program: `bisect [--awk COMMAND] [--options WORDS]
//! ARGUMENT...`.
//!
//! The program runs once without machine code, for the right answer, then with fewer and fewer
//! specialisations until two neighbouring numbers are right and wrong. Prints the item of the plan
//! that the second added. Exit status 0 when one was found, 1 when all is right, 2 on an error.

use riverhawk_tests::build;
use riverhawk_tests::scratch::Scratch;
use std::io;
use std::process::{Command, ExitCode, Output};

const USAGE: &str = "usage: bisect [--awk COMMAND] [--options WORDS] ARGUMENT...
  --awk       the rhawk to look into; that of this workspace if not given
  --options   how it runs each time (--spesh-nodelay --spesh-blocking)
  ARGUMENT    what rhawk is given: program and operands";

struct Search {
    awk: Vec<String>,
    options: Vec<String>,
    arguments: Vec<String>,
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn search() -> Option<Search> {
    let mut search = Search {
        awk: vec![build::rhawk().display().to_string()],
        options: words("--spesh-nodelay --spesh-blocking"),
        arguments: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--awk" => search.awk = words(&args.next()?),
            "--options" => search.options = words(&args.next()?),
            _ => {
                search.arguments.push(arg);
                search.arguments.extend(args.by_ref());
            }
        }
    }
    (!search.arguments.is_empty() && !search.awk.is_empty()).then_some(search)
}

impl Search {
    fn run(&self, options: &[String]) -> io::Result<(Option<i32>, Vec<u8>, Vec<u8>)> {
        let mut command = Command::new(&self.awk[0]);
        command.args(&self.awk[1..]).args(options).args(&self.arguments);
        let Output { status, stdout, stderr } = command.output()?;
        Ok((status.code(), stdout, stderr))
    }

    fn limited(&self, limit: u64, log: Option<&str>) -> Vec<String> {
        let log = log.map(|log| format!("--spesh-log={log}"));
        self.options.iter().cloned().chain([format!("--spesh-limit={limit}")]).chain(log).collect()
    }

    fn find(&self) -> io::Result<Option<(u64, String)>> {
        let right = self.run(&[String::from("--no-jit")])?;
        let is_right =
            |limit: u64| Ok::<bool, io::Error>(self.run(&self.limited(limit, None))? == right);
        if is_right(u64::MAX >> 1)? {
            return Ok(None);
        }
        let (mut good, mut bad) = (0, 1);
        if !is_right(good)? {
            return Err(io::Error::other(
                "it goes wrong without any specialisation: observing alone does it",
            ));
        }
        while is_right(bad)? {
            (good, bad) = (bad, bad.saturating_mul(2));
        }
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if is_right(middle)? { good = middle } else { bad = middle }
        }
        let scratch = Scratch::new()?;
        let log = scratch.path().join("log");
        self.run(&self.limited(bad, Some(&log.display().to_string())))?;
        Ok(Some((bad, last_made(&std::fs::read_to_string(log).unwrap_or_default()))))
    }
}

fn last_made(log: &str) -> String {
    let is_item = |paragraph: &&str| {
        paragraph.contains(" specialisation of ") && !paragraph.contains("the limit is reached")
    };
    log.split("\n\n")
        .filter(is_item)
        .last()
        .unwrap_or("(the log does not say which)")
        .trim()
        .to_owned()
}

fn main() -> ExitCode {
    let Some(search) = search() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match search.find() {
        Ok(Some((number, item))) => {
            println!("Specialisation {number} makes it go wrong:\n{item}");
            ExitCode::SUCCESS
        }
        Ok(None) => {
            println!("Nothing goes wrong.");
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("bisect: {error}");
            ExitCode::from(2)
        }
    }
}
