//! Explains `rhawk prog.awk data`: a file's name in place of a program. The caller has found the
//! file; this decides whether the name can be meant as a program.

use riverhawk_syntax::ast::{ExprKind, Program, RulePattern, VariablePlace};
use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_syntax::source::{SourceMap, SourcePiece};

/// Replaces the errors about such a name by one with advice.
pub(crate) fn explain_failure(sources: &SourceMap, diagnostics: &mut Vec<Diagnostic>) {
    let Some(piece) = text(sources) else { return };
    diagnostics.truncate(1);
    if let Some(error) = diagnostics.first_mut() {
        error.label = "this is read as the program".into();
        error.related.clear();
        error.help = Some(help(piece));
    }
}

/// Warns of a name that is a valid program: a lone variable as the pattern, or `/tmp/x`, the regex
/// `/tmp/` and a variable. Numbers and `NF` are common programs, so they are never reported.
pub(crate) fn warning(program: &Program, sources: &SourceMap) -> Option<Diagnostic> {
    let piece = text(sources)?;
    let [rule] = &program.rules[..] else { return None };
    let (RulePattern::Expr(pattern), None) = (rule.pattern, &rule.action) else { return None };
    let is_path =
        piece.text.contains(&b'/') && !piece.text.iter().any(|byte| byte.is_ascii_whitespace());
    let is_name = matches!(program[pattern].kind, ExprKind::Var(VariablePlace::Global(_)));
    let span = program[pattern].span;
    let shown = String::from_utf8_lossy(&piece.text).into_owned();
    let message =
        format!("`{shown}' is read as the program text, but there is a file of this name");
    (is_path || is_name)
        .then(|| Diagnostic::error(span, message, "").warning().with_help(help(piece)))
}

/// The text from the command line, if it is the whole program.
fn text(sources: &SourceMap) -> Option<&SourcePiece> {
    sources.pieces().iter().find(|piece| piece.is_command_line() && !piece.is_option)
}

fn help(piece: &SourcePiece) -> String {
    format!(
        "did you mean -f? rhawk -f {} runs the program in the file",
        String::from_utf8_lossy(&piece.text)
    )
}
