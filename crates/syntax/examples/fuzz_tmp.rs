//! x
use riverhawk_syntax::diagnostic::Severity;
use riverhawk_syntax::{MAX_ERRORS, dump, parse, source::SourceMap};
fn main() {
    let target = |text: &[u8]| {
        let mut source = SourceMap::new();
        // A byte that no program has separates pieces, so that several are tried too.
        for (number, piece) in text.split(|&byte| byte == 0xFE).enumerate() {
            if source.add(format!("piece {number}"), piece.to_vec()).is_err() {
                return;
            }
        }
        let parsed = parse(&source);
        let errors = parsed.diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
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
    };
    let seeds: Vec<Vec<u8>> = std::env::args_os()
        .skip(1)
        .flat_map(|f| {
            let t = std::fs::read(f).unwrap();
            t.split(|b| *b == 0xFD).map(|p| p.to_vec()).collect::<Vec<_>>()
        })
        .collect();
    let mut x = 88172645463325252u64;
    let mut r = move |n: usize| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x % n.max(1) as u64) as usize
    };
    let t0 = std::time::Instant::now();
    let mut n = 0u64;
    while t0.elapsed().as_secs() < 60 {
        let mut p = seeds[r(seeds.len())].clone();
        for _ in 0..1 + r(4) {
            let q = &seeds[r(seeds.len())];
            match r(5) {
                0 => {
                    let a = r(p.len() + 1);
                    let b = (a + r(5)).min(p.len());
                    p.drain(a..b);
                }
                1 => {
                    let a = r(p.len() + 1);
                    let s = r(q.len() + 1);
                    let e = (s + r(12)).min(q.len());
                    p.splice(a..a, q[s..e].iter().copied());
                }
                2 => {
                    let a = r(p.len() + 1);
                    p.insert(a, r(256) as u8);
                }
                3 => {
                    let a = r(p.len() + 1);
                    p.truncate(a);
                    p.extend_from_slice(&q[r(q.len() + 1)..]);
                }
                _ => {
                    let a = r(p.len() + 1);
                    let b = b"(){}[];\n,\"/\\$'|&<>=!~?:@#";
                    p.insert(a, b[r(b.len())]);
                }
            }
        }
        if std::panic::catch_unwind(|| target(&p)).is_err() {
            eprintln!("{}", p.escape_ascii());
            std::process::exit(1);
        }
        n += 1;
    }
    println!("{n} runs");
}
