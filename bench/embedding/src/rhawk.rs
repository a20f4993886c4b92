//! This project's engine.

use crate::{Costs, LENGTHS, SUM, lines, numbers, timing};
use riverhawk::{Call, Program, Run};
use std::hint::black_box;
use std::sync::Arc;

const ONE_LINER: &str = "{ n += $1 } END { print n }";

pub fn costs() -> Costs {
    let compile = || Program::compile(black_box(ONE_LINER)).expect("a program");
    let sum = compile();
    let input = numbers();
    let run = || sum.run(Run::new().input(input.as_str())).expect("a run");
    assert_eq!(run().text().trim_end().parse(), Ok(SUM));

    let calls = |body: &str| {
        let text = format!("BEGIN {{ for (i = 0; i < 5000000; i++) s += {body} }}");
        let builder = Program::builder().source("calls", text);
        builder
            .function("same", 1..=1, |call: &mut Call<'_>| Ok(call.number(0).into()))
            .compile()
            .expect("a program")
    };
    let [with, without] = ["same(i)", "i"].map(calls);
    let loop_of = |program: &Program| drop(program.run(Run::new()).expect("a run"));

    let length = Program::compile("{ n += length($0) } END { print n }").expect("a program");
    let text: Arc<[u8]> = lines().into_bytes().into();
    let read = || {
        let outcome = length.run(Run::new().shared_input(text.clone())).expect("a run");
        assert_eq!(outcome.text().trim_end().parse(), Ok(LENGTHS));
    };
    Costs {
        compile: Some(timing::best(2_000, || drop(black_box(compile()))) * 1e6),
        run: Some(timing::best(20_000, || drop(black_box(run()))) * 1e6),
        call: Some(timing::call(5e6, || loop_of(&with), || loop_of(&without))),
        memory: Some(timing::best(1, read)),
    }
}
