//! LuaJIT, through `mlua`. A text is given as one string; `gmatch` and `find` are the idioms for
//! lines.

use crate::{Costs, LENGTHS, SUM, lines, numbers, timing};
use mlua::{Function, Lua};
use std::hint::black_box;

const ONE_LINER: &str = "local text = ...; local n = 0; \
    for field in text:gmatch('(%S+)[^\\n]*\\n') do n = n + tonumber(field) end; return n";
const LENGTH: &str = "local text = ...; local n = 0; local find = string.find; local from = 1; \
    while true do local at = find(text, '\\n', from, true); \
    if not at then return n end; n = n + (at - from); from = at + 1 end";

pub fn costs() -> Costs {
    let lua = Lua::new();
    let compile = |text: &str| lua.load(black_box(text)).into_function().expect("a function");
    let sum = compile(ONE_LINER);
    let input = numbers();
    let run = || sum.call::<f64>(input.as_str()).expect("a number");
    assert_eq!(run(), SUM);

    let same = lua.create_function(|_, number: f64| Ok(number)).expect("a function");
    lua.globals().set("same", same).expect("a global");
    let calls = |body: &str| {
        compile(&format!("local s = 0; for i = 1, 5000000 do s = s + {body} end; return s"))
    };
    let [with, without] = ["same(i)", "i"].map(calls);
    let loop_of = |function: &Function| {
        black_box(function.call::<f64>(()).expect("a sum"));
    };

    let length = compile(LENGTH);
    let text = lua.create_string(lines()).expect("a string");
    let read = || assert_eq!(length.call::<f64>(&text).expect("a number"), LENGTHS);
    Costs {
        compile: Some(timing::best(2_000, || drop(black_box(compile(ONE_LINER)))) * 1e6),
        run: Some(timing::best(20_000, || _ = black_box(run())) * 1e6),
        call: Some(timing::call(5e6, || loop_of(&with), || loop_of(&without))),
        memory: Some(timing::best(1, read)),
    }
}
