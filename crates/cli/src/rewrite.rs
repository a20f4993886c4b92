//! `--check`, `--fix`, and `--format` with either: programs that are looked at or changed, not run.

use std::io;

use riverhawk::engine::slurp::Spew;
use riverhawk::engine::{Colours, Compiled, Failure, Outcome, compile, unified_diff};

use crate::messages::Messages;
use crate::parse::Invocation;
use crate::program_text::Text;
use crate::terminal;

/// Findings were reported, or the layout is another.
const FOUND: u8 = 1;

/// More passes than any program needs: each resolves at least one finding.
const PASSES: usize = 100;

/// Gives the exit status.
pub(crate) fn rewrite(invocation: &Invocation, texts: Vec<Text>, say: &Messages) -> u8 {
    let result = match (invocation.format, invocation.fix) {
        (true, _) => layout(invocation, &texts, say),
        (false, true) => fix(invocation, &texts, say),
        (false, false) => compiled(invocation, &texts).map(|compiled| findings(&compiled, say)),
    };
    result.unwrap_or_else(|failure| {
        say.diagnostics(&failure.sources, &failure.diagnostics);
        failure.status
    })
}

fn compiled(invocation: &Invocation, texts: &[Text]) -> Result<Compiled, Failure> {
    compile(texts.iter().map(|text| text.source.clone()).collect(), &invocation.compile)
}

/// Reports what is found; gives the status.
fn findings(compiled: &Compiled, say: &Messages) -> u8 {
    let found = || compiled.warnings().iter().chain(compiled.failing());
    say.diagnostics(compiled.sources(), found());
    if found().next().is_some() { FOUND } else { 0 }
}

/// The pieces that are no options, to which the engine's lists of pieces belong.
fn own(texts: &[Text]) -> impl Iterator<Item = &Text> {
    texts.iter().filter(|text| !text.source.is_option())
}

fn fix(invocation: &Invocation, texts: &[Text], say: &Messages) -> Result<u8, Failure> {
    let mut program = compiled(invocation, texts)?;
    let code = program.dump_bytecode();
    let mut new = texts.to_vec();
    let mut applied = vec![0; own(texts).count()];
    for _ in 0..PASSES {
        let fixed = program.fixed();
        if fixed.iter().all(|(_, fixed)| fixed.applied == 0) {
            break;
        }
        let mut next = new.clone();
        let pieces = next.iter_mut().filter(|text| !text.source.is_option());
        for ((text, (_, fixed)), count) in pieces.zip(fixed).zip(&mut applied) {
            text.source = text.source.with_text(fixed.text);
            *count += fixed.applied;
        }
        // What is promised is also checked: the same instructions as before.
        match compiled(invocation, &next) {
            Ok(again) if again.dump_bytecode() == code => program = again,
            _ => {
                let message =
                    "no fix was applied: the program would not be the same; please report this";
                say.error(&say.renderer.message(message));
                return Ok(Outcome::FATAL);
            }
        }
        new = next;
    }
    let mut status = 0;
    for ((old, new), count) in own(texts).zip(own(&new)).zip(applied) {
        status = status.max(put(old, new.source.text(), say));
        if count > 0 && old.file.is_some() {
            let fixes = if count == 1 { "1 fix".to_owned() } else { format!("{count} fixes") };
            let message = format!("{}: {fixes} applied", old.source.name());
            say.error(&say.renderer.remark(program.sources(), None, &message));
        }
    }
    let found = findings(&program, say);
    Ok(status.max(if invocation.check { found } else { 0 }))
}

fn layout(invocation: &Invocation, texts: &[Text], say: &Messages) -> Result<u8, Failure> {
    let program = compiled(invocation, texts)?;
    let formatted = program.format_pieces(invocation.format_width);
    let mut status = 0;
    for (text, new) in own(texts).zip(formatted) {
        let old = match text.file {
            Some(_) => text.source.text().to_vec(),
            None => with_newline(text.source.text()),
        };
        if new != old && invocation.check {
            let colours = match terminal::colours(invocation.looks.color, &io::stdout()) {
                true => Colours::Ansi,
                false => Colours::None,
            };
            let diff = unified_diff(text.source.name().as_bytes(), &[old, new.clone()], colours);
            status = status.max(FOUND).max(say.print(diff));
        }
        if invocation.fix {
            status = status.max(put(text, &new, say));
        }
    }
    Ok(status)
}

/// Text from the command line has no newline at its end, and needs none.
fn with_newline(text: &[u8]) -> Vec<u8> {
    match text.last() {
        Some(b'\n') | None => text.to_vec(),
        Some(_) => [text, b"\n"].concat(),
    }
}

/// Replaces a file if its text is another; prints what is from no file.
fn put(old: &Text, new: &[u8], say: &Messages) -> u8 {
    let Some(file) = &old.file else { return say.print(with_newline(new)) };
    if new == old.source.text() {
        return 0;
    }
    let mut is_as_read = true;
    let edited = Spew::new().edit(file, |text| {
        is_as_read = text == old.source.text();
        if is_as_read {
            *text = new.to_vec();
        }
    });
    let message = match edited {
        Ok(_) if is_as_read => return 0,
        Ok(_) => format!("{}: not changed: another program changed it meanwhile", file.display()),
        Err(error) => error.to_string(),
    };
    say.error(&say.renderer.message(&message));
    Outcome::FATAL
}
