//! Random patterns against a matcher without automata, which lists every end.

use std::collections::BTreeSet;

use proptest::prelude::*;
use riverhawk_regex::{Arrival, Match, MatchProgress, Options, Partial, Regex};

#[derive(Debug, Clone)]
enum Node {
    Empty,
    Text(char),
    Any,
    Set(bool, Vec<char>),
    Start,
    End,
    Edge,
    NoEdge,
    WordStart,
    WordEnd,
    Group(Box<Node>),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Repeat(Box<Node>, usize, Option<usize>),
}

impl Node {
    fn print(&self, out: &mut String) {
        match self {
            Node::Empty => {}
            Node::Text(text) => out.push(*text),
            Node::Any => out.push('.'),
            Node::Set(negated, members) => {
                out.push_str(if *negated { "[^" } else { "[" });
                out.extend(members);
                out.push(']');
            }
            Node::Start => out.push('^'),
            Node::End => out.push('$'),
            Node::Edge => out.push_str(r"\y"),
            Node::NoEdge => out.push_str(r"\B"),
            Node::WordStart => out.push_str(r"\<"),
            Node::WordEnd => out.push_str(r"\>"),
            Node::Group(inner) => {
                out.push('(');
                inner.print(out);
                out.push(')');
            }
            Node::Sequence(items) => items.iter().for_each(|item| item.print(out)),
            Node::Choice(items) => {
                // In a group of its own.
                out.push('(');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push('|');
                    }
                    item.print(out);
                }
                out.push(')');
            }
            Node::Repeat(inner, min, max) => {
                out.push('(');
                inner.print(out);
                out.push(')');
                match (min, max) {
                    (0, None) => out.push('*'),
                    (1, None) => out.push('+'),
                    (0, Some(1)) => out.push('?'),
                    (min, None) => out.push_str(&format!("{{{min},}}")),
                    (min, Some(max)) => out.push_str(&format!("{{{min},{max}}}")),
                }
            }
        }
    }

    fn ends(&self, text: &[char], at: usize) -> BTreeSet<usize> {
        let word = |index: Option<usize>| {
            index
                .and_then(|index| text.get(index))
                .is_some_and(|unit| unit.is_alphanumeric() || *unit == '_')
        };
        let (before, after) = (word(at.checked_sub(1)), word(Some(at)));
        let here = |holds: bool| if holds { BTreeSet::from([at]) } else { BTreeSet::new() };
        let unit = |test: &dyn Fn(char) -> bool| match text.get(at) {
            Some(&found) if test(found) => BTreeSet::from([at + 1]),
            _ => BTreeSet::new(),
        };
        match self {
            Node::Empty => here(true),
            Node::Text(want) => unit(&|found| found == *want),
            Node::Any => unit(&|_| true),
            Node::Set(negated, members) => unit(&|found| members.contains(&found) != *negated),
            Node::Start => here(at == 0),
            Node::End => here(at == text.len()),
            Node::Edge => here(before != after),
            Node::NoEdge => here(before == after),
            Node::WordStart => here(!before && after),
            Node::WordEnd => here(before && !after),
            Node::Group(inner) => inner.ends(text, at),
            Node::Sequence(items) => items.iter().fold(here(true), |ends, item| {
                ends.into_iter().flat_map(|end| item.ends(text, end)).collect()
            }),
            Node::Choice(items) => items.iter().flat_map(|item| item.ends(text, at)).collect(),
            Node::Repeat(inner, min, max) => {
                let mut ends = here(true);
                for _ in 0..*min {
                    ends = ends.into_iter().flat_map(|end| inner.ends(text, end)).collect();
                }
                let mut all = ends.clone();
                for _ in *min..max.unwrap_or(min + text.len() + 1) {
                    ends = ends.into_iter().flat_map(|end| inner.ends(text, end)).collect();
                    all.extend(&ends);
                }
                all
            }
        }
    }
}

fn node() -> impl Strategy<Value = Node> {
    let letters = || prop::sample::select(vec!['a', 'b', 'c', 'é', ' ']);
    let leaf = prop_oneof![
        8 => letters().prop_map(Node::Text),
        1 => Just(Node::Any),
        1 => Just(Node::Empty),
        2 => (any::<bool>(), prop::collection::vec(letters(), 1..3)).prop_map(|(not, set)| Node::Set(not, set)),
        1 => prop::sample::select(vec![Node::Start, Node::End, Node::Edge, Node::NoEdge, Node::WordStart, Node::WordEnd]),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        let bounds =
            prop::sample::select(vec![(0, None), (1, None), (0, Some(1)), (2, None), (0, Some(2)), (1, Some(3))]);
        prop_oneof![
            2 => prop::collection::vec(inner.clone(), 1..4).prop_map(Node::Sequence),
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(Node::Choice),
            2 => (inner.clone(), bounds).prop_map(|(node, (min, max))| Node::Repeat(Box::new(node), min, max)),
            1 => inner.prop_map(|node| Node::Group(Box::new(node))),
        ]
    })
}

fn text(letters: &'static [char]) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(letters), 0..9)
        .prop_map(|units| units.into_iter().collect())
}

fn slow_find(node: &Node, text: &str, from: usize) -> Option<Match> {
    let units: Vec<char> = text.chars().collect();
    let offset = |index: usize| units[..index].iter().map(|unit| unit.len_utf8()).sum();
    (from..=units.len()).find_map(|start| {
        let end = *node.ends(&units, start).last()?;
        Some(Match { start: offset(start), end: offset(end) })
    })
}

/// The first match that is not empty.
fn first_with_a_byte(node: &Node, text: &str) -> Option<Match> {
    (0..=text.len()).filter(|&at| text.is_char_boundary(at)).enumerate().find_map(|(index, at)| {
        slow_find(node, text, index).filter(|found| found.start == at && !found.is_empty())
    })
}

fn check(node: &Node, text: &str) -> Result<(), TestCaseError> {
    let mut pattern = String::new();
    node.print(&mut pattern);
    let regex =
        Regex::new(pattern.as_bytes(), &Options::default()).expect("printed patterns are valid");
    for (index, (from_at, _)) in text.char_indices().chain([(text.len(), ' ')]).enumerate() {
        let want = slow_find(node, text, index);
        prop_assert_eq!(
            regex.find_at(text.as_bytes(), from_at),
            want,
            "{} in {:?} from {}",
            pattern,
            text,
            from_at
        );
    }
    let want = slow_find(node, text, 0);
    prop_assert_eq!(regex.is_match(text.as_bytes()), want.is_some(), "{} in {:?}", pattern, text);

    // An early answer must equal that for the whole text.
    let mut resume_at = 0;
    let mut found = None;
    let mut progress = MatchProgress::default();
    for cut in 0..=text.len() {
        let arrival = if cut == text.len() { Arrival::Complete } else { Arrival::Partial };
        match regex.find_in_stream(&text.as_bytes()[..cut], resume_at, arrival, &mut progress) {
            Partial::Found(early) => {
                found = Some(early);
                break;
            }
            Partial::NotYet { resume_from } => {
                prop_assert!(resume_from >= resume_at && resume_from <= cut.max(resume_at));
                resume_at = resume_from;
            }
        }
    }
    prop_assert_eq!(found, first_with_a_byte(node, text), "{} in the stream {:?}", pattern, text);
    prop_assert!(
        progress.looked_at() <= 16 * text.len() as u64,
        "{} in the stream {:?}",
        pattern,
        text
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_are_those_of_the_reference_in_ascii(node in node(), text in text(&['a', 'b', 'c', ' '])) {
        check(&node, &text)?;
    }

    #[test]
    fn spans_are_those_of_the_reference_beyond_ascii(node in node(), text in text(&['a', 'b', 'é', ' ', '日'])) {
        check(&node, &text)?;
    }

    #[test]
    fn a_literal_beginning_is_found_wherever_the_stream_is_cut(
        pieces in prop::collection::vec(prop::sample::select(vec!["\n---", "\n--", "\n", "-", "42", "---\n", "x", "\n---7---\n"]), 0..24),
        pattern in prop::sample::select(vec!["\n---[0-9]+---\n", "\n---[0-9]*(---\n)?", "\n--(-|x)", "--[0-9]?"]),
    ) {
        let text = pieces.concat();
        let regex = Regex::new(pattern.as_bytes(), &Options::default()).expect("a valid pattern");
        let want = regex.find_at(text.as_bytes(), 0);
        for first_cut in 0..=text.len() {
            let mut progress = MatchProgress::default();
            let resume_at = match regex.find_in_stream(&text.as_bytes()[..first_cut], 0, Arrival::Partial, &mut progress) {
                Partial::Found(early) => {
                    prop_assert_eq!(Some(early), want);
                    continue;
                }
                Partial::NotYet { resume_from } => resume_from,
            };
            let found = match regex.find_in_stream(text.as_bytes(), resume_at, Arrival::Complete, &mut progress) {
                Partial::Found(found) => Some(found),
                Partial::NotYet { .. } => None,
            };
            prop_assert_eq!(found, want, "{:?} cut at {}", text, first_cut);
        }
    }
}
