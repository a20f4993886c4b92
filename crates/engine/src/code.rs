//! Compiles a tree to what the virtual machine runs.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use riverhawk_bytecode::{RegexSpelling, Unit as Bytecode, VerifiedUnit};
use riverhawk_compile::{Mode, Notes, compile_with_notes};
use riverhawk_parallel::Plan;
use riverhawk_record::patterns::CompiledPatterns;
use riverhawk_syntax::Visit;
use riverhawk_syntax::ast::{
    Expr, ExprKind, Extension, FunctionId, Program, Span, Special, VariablePlace,
};
use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_text::Unit;
use riverhawk_vm::lint::Level;

use crate::parallel::analysis::analyse;
use crate::test_functions;
use crate::tier::Watched;
use crate::{CompileOptions, Optimiser, Outcome, TestCall};

pub(crate) struct Code {
    pub bytecode: VerifiedUnit,
    pub unit: Unit,
    pub patterns: Arc<CompiledPatterns>,
    pub mode: Mode,
    /// What earlier runs learned of the program, with their machine code, for the next run.
    pub watched: Mutex<Option<(Optimiser, Option<Arc<Watched>>)>>,
    /// Whether the run must be on one thread.
    pub serial: bool,
    pub lint: Level,
    /// The program with all its variables, once a run has asked for them.
    pub all_variables: OnceLock<Option<Box<Code>>>,
    /// The program with exact sums, once a run has asked for it; `None` inside if none can be.
    pub exact_sums: OnceLock<Option<Box<ExactSums>>>,
}

/// A program whose rules keep sums exactly.
pub(crate) struct ExactSums {
    pub code: Code,
    /// Which variables are sums.
    pub plan: Plan,
}

impl Code {
    /// The same program with exact sums, if it has any that do not depend on the order of records.
    pub fn with_exact_sums(&self, program: &Program) -> Option<&ExactSums> {
        let exact_sums = self.exact_sums.get_or_init(|| {
            let (plan, notes) = analyse(program).plan?;
            if notes.sums.is_empty() {
                return None;
            }
            let notes = Notes { sums: notes.sums, ..Notes::default() };
            let code = self.compiled_as(program, self.mode, &notes)?;
            Some(Box::new(ExactSums { code, plan: Plan { relaxed_sums: true, ..plan } }))
        });
        exact_sums.as_deref()
    }

    /// The same program, keeping variables that the rules need for one record only.
    pub fn with_all_variables(&self, program: &Program) -> &Code {
        if self.bytecode.main.as_ref().is_none_or(|main| main.locals.is_empty()) {
            return self;
        }
        let mode = Mode { keeps_variables: true, ..self.mode };
        let compiled = || self.compiled_as(program, mode, &Notes::default()).map(Box::new);
        self.all_variables.get_or_init(compiled).as_deref().unwrap_or(self)
    }

    fn compiled_as(&self, program: &Program, mode: Mode, notes: &Notes) -> Option<Code> {
        let mut bytecode = compile_with_notes(program, mode, notes).ok()?;
        bytecode.getline_loops.clone_from(&self.bytecode.getline_loops);
        let (bytecode, patterns) = ready(bytecode, self.unit)?;
        Some(Code {
            patterns,
            bytecode,
            mode,
            watched: Mutex::new(None),
            all_variables: OnceLock::new(),
            exact_sums: OnceLock::new(),
            ..*self
        })
    }

    /// Whether the program reports where it is.
    pub fn is_profiled(&self) -> bool {
        !self.bytecode.rules.is_empty()
    }

    pub fn loads(&self, extension: Extension) -> bool {
        self.bytecode.extensions.contains(&extension)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code")
            .field("operations", &self.bytecode.code.len())
            .finish_non_exhaustive()
    }
}

/// Another form of a program that is known to be valid, to be run; `None` if it is not.
pub(crate) fn ready(
    mut bytecode: Bytecode,
    unit: Unit,
) -> Option<(VerifiedUnit, Arc<CompiledPatterns>)> {
    let patterns = CompiledPatterns::new(&bytecode, unit).ok()?;
    bytecode.edges = patterns.edges();
    Some((VerifiedUnit::new(bytecode).ok()?, Arc::new(patterns)))
}

/// Why a tree cannot be compiled.
pub(crate) struct Rejected {
    pub diagnostics: Vec<Diagnostic>,
    pub status: u8,
}

pub(crate) fn generate(program: &Program, options: &CompileOptions) -> Result<Code, Rejected> {
    let lint = match options.lint.filter(|lint| lint.suspicious) {
        Some(lint) => Level { on: true, extensions: lint.extensions, fatal: options.lint_is_fatal },
        None => Level::OFF,
    };
    let warns = lint.on || options.assigns_lint || assigns_lint(program);
    let mode = Mode {
        limited: options.limited,
        observed: options.observed,
        outcomes: options.outcomes,
        profiled: options.profiled,
        warns,
        precise: options.bignum,
        exact: options.exact_integers,
        keeps_variables: false,
        test: options.test.as_ref().map(|test| tested(test, program)).transpose()?,
        left_out: options.left_out,
    };
    let without_rules = options.test.as_ref().and_then(|test| test_functions::alone(test, program));
    let program = without_rules.as_ref().unwrap_or(program);
    let mut bytecode = riverhawk_compile::compile_as(program, mode)
        .map_err(|diagnostic| Rejected { diagnostics: vec![*diagnostic], status: 1 })?;
    if options.quiet {
        bytecode.getline_loops.clear();
    }
    let unit = match (options.characters_as_bytes, options.graphemes) {
        (true, _) => Unit::Byte,
        (false, true) => Unit::Grapheme,
        (false, false) => Unit::CodePoint,
    };
    let patterns = CompiledPatterns::new(&bytecode, unit).map_err(|invalid| Rejected {
        diagnostics: vec![Diagnostic::error(invalid.span, invalid.error.message, "")],
        status: if invalid.spelling == RegexSpelling::Typed { Outcome::FATAL } else { 1 },
    })?;
    bytecode.edges = patterns.edges();
    let bytecode = VerifiedUnit::new(bytecode).map_err(|error| Rejected {
        diagnostics: vec![Diagnostic::error(Span::default(), error.to_string(), "")],
        status: Outcome::FATAL,
    })?;
    // The analysis of programs does not look at a test's call.
    let serial = options.observed || warns || options.bignum || options.test.is_some();
    Ok(Code {
        bytecode,
        mode,
        unit,
        patterns: Arc::new(patterns),
        watched: Mutex::new(None),
        serial,
        lint,
        all_variables: OnceLock::new(),
        exact_sums: OnceLock::new(),
    })
}

fn tested(test: &TestCall, program: &Program) -> Result<FunctionId, Rejected> {
    test_functions::find(test, program).ok_or_else(|| {
        let message = format!("there is no function `{}' to test", test.function);
        Rejected { diagnostics: vec![Diagnostic::error(Span::default(), message, "")], status: 1 }
    })
}

/// An assignment to `LINT` may enable warnings at run time.
fn assigns_lint(program: &Program) -> bool {
    let is_lint =
        |expr: &Expr| matches!(expr.kind, ExprKind::Var(VariablePlace::Special(Special::Lint)));
    program.exprs.iter().any(is_lint)
}

pub(crate) fn is_precise(code: &Code) -> bool {
    code.bytecode.precise
}

pub(crate) fn dump(code: &Code) -> String {
    riverhawk_bytecode::dump::dump(&code.bytecode)
}

pub(crate) fn counts(code: &Code, visits: &[u64]) -> HashMap<Visit, u64> {
    let mut counts = HashMap::new();
    for ((visit, _), count) in code.bytecode.visits.iter().zip(visits) {
        *counts.entry(*visit).or_default() += count;
    }
    counts
}
