//! A log filter with a function of the embedding program: which addresses are known.
//!
//! `cargo run -p riverhawk --example log_filter`

use riverhawk::{Call, Program, Run};
use std::collections::HashMap;

const LOG: &str = "\
10.0.0.1 GET /tea 200
10.9.9.9 GET /admin 403
10.0.0.2 GET /milk 500
10.9.9.9 GET /admin 403
";

/// How often each of those who called failed.
fn failures(log: &str) -> Result<String, riverhawk::Error> {
    let known = HashMap::from([("10.0.0.1", "kitchen"), ("10.0.0.2", "cellar")]);
    let program = Program::builder()
        .source(
            "filter.awk",
            r#"
            $4 >= 400 { failed[who($1)]++ }
            END { for (name in failed) print name, failed[name] | "sort" }
            "#,
        )
        .function("who", 1..=1, move |call: &mut Call<'_>| {
            let address = call.text(0);
            let name = std::str::from_utf8(&address).ok().and_then(|address| known.get(address));
            Ok(name.copied().unwrap_or("unknown").into())
        })
        .compile()?;
    let sort = riverhawk::Permissions::none().commands();
    let outcome = program.run(Run::new().input(log).permissions(sort))?;
    Ok(outcome.text().into_owned())
}

fn main() -> Result<(), riverhawk::Error> {
    print!("{}", failures(LOG)?);
    Ok(())
}

#[test]
fn failures_are_counted_by_name() {
    assert_eq!(failures(LOG).unwrap(), "cellar 1\nunknown 2\n");
}
