//! jaq: its input is JSON, so the numbers are summed as values; it has no lines of text to measure.

use crate::{Costs, SUM, numbers, timing};
use jaq_core::load::{Arena, File, Loader};
use jaq_core::native::{self, Fun, v};
use jaq_core::{Ctx, Native, RunPtr, Vars, data, unwrap_valr};
use jaq_json::{Val, read};
use std::hint::black_box;

type Data = data::JustLut<Val>;
type Filter = jaq_core::compile::Filter<Native<Data>>;

const ONE_LINER: &str = "add";

pub fn costs() -> Costs {
    let sum = compile(ONE_LINER);
    let input = numbers();
    let total = || {
        let values = read::parse_many(input.as_bytes()).map(|value| value.expect("a number"));
        number(&sum, Val::Arr(values.collect::<Vec<Val>>().into()))
    };
    assert_eq!(total(), SUM);

    let calls = |body: &str| compile(&format!("reduce range(5000000) as $i (0; . + ($i{body}))"));
    let [with, without] = [" | same", ""].map(calls);
    let loop_of = |filter: &Filter| _ = black_box(number(filter, Val::Null));
    Costs {
        compile: Some(timing::best(100, || drop(black_box(compile(black_box(ONE_LINER))))) * 1e6),
        run: Some(timing::best(20_000, || _ = black_box(total())) * 1e6),
        call: Some(timing::call(5e6, || loop_of(&with), || loop_of(&without))),
        memory: None,
    }
}

fn compile(text: &str) -> Filter {
    let defs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let itself: RunPtr<Data> = |cv| native::bome(Ok(cv.1));
    let same: Fun<Data> = native::run::<Data>(("same", v(0), itself));
    let funs = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs()).chain([same]);
    let arena = Arena::default();
    let modules = Loader::new(defs).load(&arena, File { code: text, path: () }).expect("a filter");
    jaq_core::Compiler::default().with_funs(funs).compile(modules).expect("a filter")
}

fn number(filter: &Filter, input: Val) -> f64 {
    let context = Ctx::<Data>::new(&filter.lut, Vars::new([]));
    let value = filter.id.run((context, input)).map(unwrap_valr).next();
    value.expect("a value").expect("a number").to_string().parse().expect("a number")
}
