//! Any bytes are a program or are refused with errors; a program's dump ends.
#![cfg_attr(fuzzing, no_main)]

use riverhawk_syntax::diagnostic::Severity;
use riverhawk_syntax::{MAX_ERRORS, dump, parse, source::SourceMap};

riverhawk_fuzz::target!(|text: &[u8]| {
    let mut source = SourceMap::new();
    // A byte that no program has separates pieces, so that several are tried too.
    for (number, piece) in text.split(|&byte| byte == 0xFE).enumerate() {
        if source.add(format!("piece {number}"), piece.to_vec()).is_err() {
            return;
        }
    }
    let parsed = parse(&source);
    let errors =
        parsed.diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
    assert_eq!(parsed.program.is_none(), errors > 0);
    assert!(errors <= MAX_ERRORS);
    for found in &parsed.diagnostics {
        assert!(found.span.start <= found.span.end);
        let places = found.related.iter().map(|(span, _)| *span).chain([found.span]);
        for span in places {
            assert!(text.is_empty() || source.locate(span).is_some());
        }
    }
    if let Some(program) = &parsed.program {
        let tree = dump(program);
        assert!(tree.ends_with(")\n"));
    }
});
