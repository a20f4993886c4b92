//! The whole command, for mutants that pass the tests of the crates and the plain corpus.

use crate::binaries::{self, Binary, Ended};
use crate::copy::Copy;
use crate::rows::Rows;
use riverhawk_tests::Config;
use riverhawk_tests::run::Tier;

const CONFIGS: [Config; 7] = [
    Config::Window(1),
    Config::Window(7),
    Config::Pipe,
    Config::Operand,
    Config::Pieces(2, 1),
    Config::Pieces(3, 5),
    Config::Tier(Tier::Eager),
];

const AT_ONCE: usize = 6;

const PACKAGES: [&str; 2] = ["riverhawk-tests", "riverhawk-cli"];

/// Test programs, and modules of them, that run the whole corpus, other builds of rhawk, or hardly
/// anything of `vm`.
const PASSED_OVER: [&str; 12] = [
    "bisect",
    "conformance",
    "corpus",
    "divergences",
    "format",
    "help",
    "naive",
    "real_programs",
    "rhawk",
    "riverhawk_tests",
    "thresholds",
    "workspace",
];

pub struct Whole {
    rows: Rows,
    tests: Vec<Binary>,
}

impl Whole {
    pub fn build(copy: &Copy) -> Result<Whole, String> {
        let packages = PACKAGES.map(str::to_owned);
        let tests =
            binaries::build_of_command(copy, &packages, |name| !PASSED_OVER.contains(&name))?;
        Ok(Whole { rows: Rows::build(copy, &CONFIGS)?, tests })
    }

    pub fn reaches(&self, number: u32) -> bool {
        self.rows.reach(number) || self.tests.iter().any(|test| test.reaches(number))
    }

    /// Runs a failing row or test twice in case the machine is busy, and at most `most_rows` rows
    /// of each configuration.
    pub fn notices(&mut self, number: u32, most_rows: usize) -> bool {
        let most_rows = most_rows.saturating_mul(CONFIGS.len());
        let reaching: Vec<&Binary> =
            self.tests.iter().filter(|test| test.reaches(number)).collect();
        self.rows.notice(number, most_rows)
            || reaching
                .chunks(AT_ONCE)
                .any(|some| failing(some, number).any(|test| fails(test, number)))
    }
}

fn failing<'a>(tests: &[&'a Binary], number: u32) -> impl Iterator<Item = &'a Binary> + use<'a> {
    let ran: Vec<_> = std::thread::scope(|scope| {
        let started: Vec<_> =
            tests.iter().map(|&test| (test, scope.spawn(move || fails(test, number)))).collect();
        started.into_iter().map(|(test, run)| (test, run.join().unwrap_or(true))).collect()
    });
    ran.into_iter().filter_map(|(test, failed)| failed.then_some(test))
}

fn fails(test: &Binary, number: u32) -> bool {
    !matches!(test.run(number), Ended::Passed)
}
