//! `--test`: finds the functions of programs whose names begin with `test_`, runs each as a program
//! of its own, and reports.

mod fixture;
mod human;
mod junit;
mod one;
mod suite;
mod tap;
mod tested;

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use riverhawk::engine::{CompileOptions, Config, Coverage, Outcome, Renderer, VisitCounts};

use crate::coverage::{self, CoverageOutput};
use crate::looks::Looks;
use crate::messages::Messages;
use crate::program_text::Text;
use crate::terminal;
use suite::{Search, Suite};
use tested::{Counts, Tested};

/// `--test=FORMAT`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestFormat {
    /// For people.
    #[default]
    Human,
    /// Test Anything Protocol 14.
    Tap,
    /// JUnit's XML, as far as build servers read it.
    Junit,
}

/// `--test` and `--test-only`.
#[derive(Debug, Default)]
pub struct TestOptions {
    pub format: TestFormat,
    /// A part of the names of the tests that are run.
    pub only: Option<String>,
}

/// What all tests of a command have in common.
pub(crate) struct Testing<'a> {
    pub options: TestOptions,
    /// Program text of options, which is a part of each suite.
    pub texts: Vec<Text>,
    pub compile: CompileOptions,
    /// Its operands are the files and folders of tests.
    pub config: Config,
    /// `--coverage`.
    pub coverage: Vec<CoverageOutput>,
    pub looks: Looks,
    /// Draws errors for the report.
    pub renderer: Renderer,
    pub say: &'a Messages,
}

/// At least one test failed.
const FAILED: u8 = 1;

impl Testing<'_> {
    /// Gives the exit status: 2 if tests could not be run.
    pub fn run(mut self) -> u8 {
        let operands = std::mem::take(&mut self.config.machine.command_line.operands);
        let jobs = self.config.parallel.threads();
        self.config.parallel.jobs = 1;
        let search = Search {
            texts: &self.texts,
            compile: &self.compile,
            only: self.options.only.as_deref(),
            say: self.say,
        };
        let suites = match suite::suites(&search, operands) {
            Ok(suites) => suites,
            Err(status) => return status,
        };
        if suites.iter().all(|suite| suite.tests.is_empty()) {
            let message = match &self.options.only {
                Some(only) => format!("no tests: no function `test_*' has \"{only}\" in its name"),
                None => "no tests: no function has a name that begins with `test_'".to_owned(),
            };
            self.say.error(&self.say.renderer.message(&message));
            return Outcome::FATAL;
        }
        let tested = run_all(&self, &suites, jobs);
        let has_failed = Counts::of(&tested).failed > 0;
        let report = match self.options.format {
            TestFormat::Human => {
                let paint = match terminal::colours(self.looks.color, &io::stdout()) {
                    true => human::Paint::coloured(),
                    false => human::Paint::plain(),
                };
                human::report(&tested, paint)
            }
            TestFormat::Tap => tap::report(&tested),
            TestFormat::Junit => junit::report(&tested),
        };
        let status = self.say.print(report).max(if has_failed { FAILED } else { 0 });
        status.max(self.write_coverage(&suites, &tested))
    }

    fn write_coverage(&self, suites: &[Suite], tested: &[Tested]) -> u8 {
        if self.coverage.is_empty() {
            return 0;
        }
        let mut all = Coverage::default();
        for suite in suites {
            let mut counts = VisitCounts::default();
            let own = tested.iter().filter(|test| test.suite == suite.name);
            own.for_each(|test| counts.add(&test.counts));
            all.merge(&suite.compiled.coverage(&counts));
        }
        coverage::write(all, &self.coverage, self.say)
    }
}

/// In the order of files and text, whichever thread runs which.
fn run_all(testing: &Testing<'_>, suites: &[Suite], jobs: usize) -> Vec<Tested> {
    let all: Vec<(&Suite, usize)> =
        suites.iter().flat_map(|suite| (0..suite.tests.len()).map(move |at| (suite, at))).collect();
    let (compile, config, renderer) = (&testing.compile, &testing.config, &testing.renderer);
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Tested>>> = all.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        while let Some((at, (suite, test))) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            all.get(at).map(|test| (at, test))
        } {
            let tested = one::run(suite, &suite.tests[*test], compile, config, renderer);
            if let Ok(mut result) = results[at].lock() {
                *result = Some(tested);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.min(all.len()) {
            scope.spawn(work);
        }
        work();
    });
    results.into_iter().filter_map(|result| result.into_inner().ok().flatten()).collect()
}
