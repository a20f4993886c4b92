//! Prints the tree of the program in the first argument (or in the file after `-f`), or its errors.

use std::process::ExitCode;

use riverhawk_syntax::{dump, parse, source::SourceMap};

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let mut source = SourceMap::new();
    let (name, text) = match &args[..] {
        [option, file] if option == "-f" => match std::fs::read(file) {
            Ok(text) => (file.to_string_lossy().into_owned(), text),
            Err(error) => {
                eprintln!("{}: {error}", file.to_string_lossy());
                return ExitCode::from(2);
            }
        },
        [program] => ("cmd. line".to_string(), program.as_encoded_bytes().to_vec()),
        _ => {
            eprintln!("usage: dump 'program' | -f file");
            return ExitCode::from(1);
        }
    };
    if let Err(error) = source.add(name, text) {
        eprintln!("{error}");
        return ExitCode::from(2);
    }
    let parsed = parse(&source);
    for found in &parsed.diagnostics {
        let at = source
            .locate(found.span)
            .map_or(String::new(), |at| format!("{}:{}:{}: ", at.name, at.line, at.column));
        eprintln!("{at}{:?}: {} ({})", found.severity, found.message, found.label);
        for (span, text) in &found.related {
            let at = source
                .locate(*span)
                .map_or(String::new(), |at| format!("{}:{}: ", at.line, at.column));
            eprintln!("    {at}{text}");
        }
        if let Some(help) = &found.help {
            eprintln!("    help: {help}");
        }
    }
    if let Some(program) = &parsed.program {
        print!("{}", dump(program));
    }
    ExitCode::from(parsed.exit_status())
}
