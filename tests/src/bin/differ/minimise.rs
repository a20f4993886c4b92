//! Minimises a disagreement: leaves out statements and records, replaces expressions by their
//! parts.

use crate::dialect::Dialect;
use crate::judge::{Judge, Pair};
use crate::programs::Case;
use std::io;

/// Programs tried for one disagreement; each costs two processes, some 5 ms.
const TRIES: usize = 1_500;

/// The smallest case found that still disagrees, and both answers.
pub fn minimise(judge: &mut Judge, mut case: Case, mut pair: Pair) -> io::Result<(Case, Pair)> {
    let mut tries = TRIES;
    loop {
        let before = case.size();
        shrink_program(judge, &mut case, &mut pair, &mut tries)?;
        shrink_input(judge, &mut case, &mut pair, &mut tries)?;
        shrink_options(judge, &mut case, &mut pair, &mut tries)?;
        if case.size() == before || tries == 0 {
            return Ok((case, pair));
        }
    }
}

fn keep(
    judge: &mut Judge,
    case: &mut Case,
    pair: &mut Pair,
    candidate: Case,
    tries: &mut usize,
) -> io::Result<bool> {
    if *tries == 0 {
        return Ok(false);
    }
    *tries -= 1;
    let found = judge.ask(&candidate)?;
    let same_kind =
        (found.oracle.status == found.ours.status) == (pair.oracle.status == pair.ours.status);
    let kept = !found.agree() && same_kind;
    if kept {
        (*case, *pair) = (candidate, found);
    }
    Ok(kept)
}

fn shrink_program(
    judge: &mut Judge,
    case: &mut Case,
    pair: &mut Pair,
    tries: &mut usize,
) -> io::Result<()> {
    let mut number = 0;
    'nodes: while let Some(replacements) = case.program.nth(number).map(|node| node.replacements())
    {
        for replacement in replacements {
            let mut candidate = case.clone();
            if let Some(node) = candidate.program.nth(number) {
                *node = replacement;
            }
            if keep(judge, case, pair, candidate, tries)? {
                continue 'nodes;
            }
        }
        number += 1;
    }
    Ok(())
}

fn shrink_input(
    judge: &mut Judge,
    case: &mut Case,
    pair: &mut Pair,
    tries: &mut usize,
) -> io::Result<()> {
    let mut line = 0;
    while line < case.input.len() {
        let mut candidate = case.clone();
        candidate.input.remove(line);
        if keep(judge, case, pair, candidate, tries)? {
            continue;
        }
        let words: Vec<&str> = case.input[line].split(' ').collect();
        let shorter: Vec<String> = (0..words.len())
            .map(|left_out| {
                let kept = words
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != left_out)
                    .map(|(_, word)| *word);
                kept.collect::<Vec<_>>().join(" ")
            })
            .filter(|shorter| shorter.len() < case.input[line].len())
            .collect();
        let mut shrunk = false;
        for text in shorter {
            let mut candidate = case.clone();
            candidate.input[line] = text;
            if keep(judge, case, pair, candidate, tries)? {
                shrunk = true;
                break;
            }
        }
        line += usize::from(!shrunk);
    }
    Ok(())
}

fn shrink_options(
    judge: &mut Judge,
    case: &mut Case,
    pair: &mut Pair,
    tries: &mut usize,
) -> io::Result<()> {
    let mut at = 0;
    while at < case.operands.len() {
        let mut candidate = case.clone();
        candidate.operands.remove(at);
        at += usize::from(!keep(judge, case, pair, candidate, tries)?);
    }
    if case.unterminated {
        let candidate = Case { unterminated: false, ..case.clone() };
        keep(judge, case, pair, candidate, tries)?;
    }
    for switches in case.switches.fewer().collect::<Vec<_>>() {
        let candidate = Case { switches, ..case.clone() };
        keep(judge, case, pair, candidate, tries)?;
    }
    if case.dialect != Dialect::Shared {
        let candidate = Case { dialect: Dialect::Shared, ..case.clone() };
        // The prelude of the shared language lacks functions that the program may call.
        if !case.dialect.has_extensions() {
            keep(judge, case, pair, candidate, tries)?;
        }
    }
    Ok(())
}
