//! Functions that test a program: those whose name begins with `test_`.

use riverhawk_syntax::ast::{FunctionId, Program, Span};
use riverhawk_syntax::source::SourceMap;
use riverhawk_tools::profile::SourcePlace;

use crate::compile_options::{TestCall, TestRules};

/// A function whose name begins with `test_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFunction {
    /// Its name, with its namespace unless that is `awk`.
    pub name: String,
    /// Its name's place.
    pub place: SourcePlace,
    /// The comment above it, without its marks.
    pub comment: String,
}

/// The tests in the order of the text.
pub(crate) fn all(program: &Program, sources: &SourceMap) -> Vec<TestFunction> {
    let mut tests: Vec<(Span, TestFunction)> = program
        .functions
        .iter()
        .filter(|function| function.defined && !function.builtin && is_test(&function.name))
        .filter_map(|function| {
            let at = sources.locate(function.name_span)?;
            let place = SourcePlace { file: at.name.to_owned(), line: at.line, column: at.column };
            let comment = sources.comment_above(function.span.start).unwrap_or_default();
            let test = TestFunction { name: function.name.clone(), place, comment };
            Some((function.name_span, test))
        })
        .collect();
    tests.sort_by_key(|(span, _)| span.start);
    tests.into_iter().map(|(_, test)| test).collect()
}

fn is_test(name: &str) -> bool {
    name.rsplit("::").next().is_some_and(|name| name.starts_with("test_"))
}

pub(crate) fn find(test: &TestCall, program: &Program) -> Option<FunctionId> {
    let mut functions = (0..).zip(&program.functions);
    let found = functions.find(|(_, function)| {
        function.name == test.function && function.defined && !function.builtin
    });
    found.map(|(number, _)| FunctionId(number))
}

/// The program without its rules, if the test is to run none.
pub(crate) fn alone(test: &TestCall, program: &Program) -> Option<Program> {
    (test.rules == TestRules::Skipped).then(|| {
        let mut alone = program.clone();
        alone.begin.clear();
        alone.rules.clear();
        alone.end.clear();
        alone.begin_file.clear();
        alone.end_file.clear();
        alone
    })
}
