use super::*;
use RegexSpelling::{Slashes, Text, Typed};
use riverhawk_bytecode::{RegexConstant, RegexSpelling};
use riverhawk_syntax::ast::Span;

fn compiled(constants: &[(&str, RegexSpelling)]) -> Result<CompiledPatterns, InvalidConstant> {
    let constant = |(at, &(pattern, spelling)): (usize, &(&str, RegexSpelling))| RegexConstant {
        pattern: pattern.as_bytes().to_vec(),
        spelling,
        span: Span { start: at as u32, end: at as u32 + 1 },
    };
    let regexes = constants.iter().enumerate().map(constant).collect();
    CompiledPatterns::new(&Program { regexes, ..Program::default() }, Unit::CodePoint)
}

fn patterns(constants: &[(&str, RegexSpelling)]) -> Result<Patterns, InvalidConstant> {
    compiled(constants).map(|compiled| Patterns::over(Arc::new(compiled)))
}

#[test]
fn runs_in_several_threads_share_what_is_compiled_and_not_their_case() {
    let compiled = compiled(&[("a.*b", Slashes), ("b", Text)]).expect("regexes");
    let compiled = Arc::new(compiled);
    let run = |ignore: bool| {
        let mut patterns = Patterns::over(compiled.clone());
        if ignore {
            patterns.switch_case();
        }
        assert_eq!(patterns.constant(0).expect("a regex").is_match(b"xA-b"), ignore);
        assert_eq!(patterns.literal(1).is_some(), !ignore);
        Arc::as_ptr(patterns.constant(0).expect("a regex").compiled()) as usize
    };
    std::thread::scope(|threads| {
        let exact = [false; 2].map(|ignore| threads.spawn(move || run(ignore)));
        let folded = [true; 2].map(|ignore| threads.spawn(move || run(ignore)));
        let [first, second] = exact.map(|thread| thread.join().expect("a run"));
        let [third, fourth] = folded.map(|thread| thread.join().expect("a run"));
        assert!(first == second && third == fourth && first != third);
    });
}

#[test]
fn a_dynamic_pattern_is_compiled_once_while_it_is_remembered() {
    let mut patterns = patterns(&[]).expect("no constants");
    let first = patterns.dynamic(b"a+").expect("a regex");
    patterns.dynamic(b"b+").expect("a regex");
    assert!(Rc::ptr_eq(&first, &patterns.dynamic(b"a+").expect("a regex")));
}

#[test]
fn patterns_by_the_thousand_do_not_pile_up() {
    let mut patterns = patterns(&[]).expect("no constants");
    for number in 0..3 * DYNAMIC_LIMIT {
        let text = format!("x{number}y");
        assert!(patterns.dynamic(text.as_bytes()).expect("a regex").is_match(text.as_bytes()));
        patterns.splitter(format!("{number}|;").as_bytes()).expect("a splitter");
        assert!(
            patterns.dynamic.regexes.len() <= DYNAMIC_LIMIT
                && patterns.dynamic.splitters.len() <= DYNAMIC_LIMIT
        );
    }
    assert!(patterns.dynamic(b"x0y").expect("compiled anew").is_match(b"x0y"));
}

#[test]
fn a_bad_pattern_between_slashes_is_an_error_of_the_program_and_names_its_place() {
    for spelling in [Slashes, Typed] {
        let invalid = patterns(&[("fine", Slashes), ("a(", spelling)]).err().expect("an error");
        assert!(invalid.error.message.contains("a("), "{}", invalid.error.message);
        assert_eq!((invalid.span.start, invalid.spelling), (1, spelling));
    }
}

#[test]
fn a_bad_pattern_in_a_string_is_an_error_only_when_it_is_used() {
    let patterns = patterns(&[("fine", Text), ("a(", Text)]).expect("nothing is used yet");
    assert!(patterns.constant(0).is_ok());
    assert!(patterns.constant(1).is_err());
}

#[test]
fn a_bad_dynamic_pattern_is_not_remembered_as_a_good_one() {
    let mut patterns = patterns(&[]).expect("no constants");
    assert!(patterns.dynamic(b"a(").is_err());
    assert!(patterns.dynamic(b"a(").is_err());
    assert!(patterns.splitter(b"a(").is_err());
    assert!(patterns.dynamic(b"a").is_ok());
}

#[test]
fn a_splitter_for_one_space_is_not_the_splitter_remembered_for_another_text() {
    let mut patterns = patterns(&[]).expect("no constants");
    assert!(matches!(patterns.splitter(b" "), Ok(Splitter::Blanks)));
    assert!(matches!(patterns.splitter(b","), Ok(Splitter::Byte(b','))));
    assert!(matches!(patterns.splitter(b" "), Ok(Splitter::Blanks)));
    assert!(matches!(patterns.splitter(b""), Ok(Splitter::Characters(_))));
}
