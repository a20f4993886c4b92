//! Writes a file so that each of its mutants can be chosen at run time.
//!
//! A changed expression is added to the unchanged one, `(if crate::mutant(7) { (a <= b) } else { (a
//! < b) })`, without other mutants, because only one is chosen at a time. A changed body is a
//! `return` at the beginning, and changes of an arm are in its guard.

use crate::listing::Mutant;
use crate::sites::{Binds, Kind, Site, Sites};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

pub type Numbered<'a> = (u32, &'a Mutant);

#[derive(Default)]
pub struct Woven {
    pub text: String,
    /// Which bytes of the text are there only because of a mutant.
    pub own: Vec<(u32, Range<usize>)>,
    /// Its expression, guard or function, in both versions.
    pub around: Vec<(u32, Range<usize>)>,
}

struct Weaver<'a> {
    source: &'a str,
    woven: Woven,
}

type Node<'a> = (Site, Vec<Numbered<'a>>);

pub fn weave<'a>(source: &str, mutants: &[Numbered<'a>]) -> Result<Woven, String> {
    let sites = Sites::of(source)?;
    let mut nodes: BTreeMap<Site, Vec<Numbered<'a>>> = BTreeMap::new();
    for &(number, mutant) in mutants {
        let site =
            sites.site(mutant).ok_or_else(|| format!("{}: it stands nowhere", mutant.name))?;
        if let Some(whole) = sites.match_of(&site) {
            nodes.entry(whole).or_default().push((number, mutant));
        }
        nodes.entry(site).or_default().push((number, mutant));
    }
    let nodes: Vec<Node> = nodes.into_iter().collect();
    let mut weaver = Weaver { source, woven: Woven::default() };
    weaver.write(0..source.len(), &nodes);
    Ok(weaver.woven)
}

impl Weaver<'_> {
    fn write(&mut self, part: Range<usize>, mut nodes: &[Node]) {
        let mut at = part.start;
        while let Some((node, after)) = nodes.split_first() {
            let range = node.0.range();
            let inside = after
                .iter()
                .take_while(|(site, _)| site.range().end <= range.end && range.start < range.end)
                .count();
            self.plain(at..range.start);
            let begin = self.woven.text.len();
            self.node(node, range.clone(), &after[..inside]);
            let whole = begin..self.woven.text.len();
            self.woven.around.extend(node.1.iter().map(|(number, _)| (*number, whole.clone())));
            at = range.end;
            nodes = &after[inside..];
        }
        self.plain(at..part.end);
    }

    fn plain(&mut self, part: Range<usize>) {
        self.woven.text.push_str(&self.source[part]);
    }

    fn node(&mut self, (site, mutants): &Node, range: Range<usize>, inside: &[Node]) {
        match site.kind {
            Kind::Body => {
                for &(number, mutant) in mutants {
                    self.chosen("if ", number, &format!(" {{ return {}; }} ", mutant.replacement));
                }
                self.write(range, inside);
            }
            Kind::Arm => {
                self.woven.text.push_str(" if ");
                for (at, &(number, _)) in mutants.iter().enumerate() {
                    self.chosen(if at == 0 { "!" } else { " && !" }, number, "");
                }
            }
            Kind::Guard(binds) => self.guard(binds, mutants, range, inside),
            Kind::Match => self.write(range, inside),
            Kind::Expression => self.expression(mutants, range, inside),
        }
    }

    fn guard(&mut self, binds: Binds, mutants: &[Numbered], range: Range<usize>, inside: &[Node]) {
        let (met, skipped): (Vec<Numbered>, Vec<Numbered>) =
            mutants.iter().partition(|(_, mutant)| mutant.replacement == "true");
        for (number, _) in skipped {
            self.chosen("!", number, " && ");
        }
        if binds == Binds::Names {
            return self.write(range, inside);
        }
        self.woven.text.push('(');
        for (number, _) in met {
            self.chosen("", number, " || ");
        }
        self.woven.text.push('(');
        self.write(range, inside);
        self.woven.text.push_str("))");
    }

    fn expression(&mut self, mutants: &[Numbered], range: Range<usize>, inside: &[Node]) {
        self.woven.text.push('(');
        for &(number, mutant) in mutants {
            let (before, after) = (
                &self.source[range.start..mutant.span.start],
                &self.source[mutant.span.end..range.end],
            );
            self.chosen(
                "if ",
                number,
                &format!(" {{ ({before}{}{after}) }} else ", mutant.replacement),
            );
        }
        self.woven.text.push_str("{ (");
        self.write(range, inside);
        self.woven.text.push_str(") })");
    }

    /// Writes the test for this mutant, between `before` and `after`.
    fn chosen(&mut self, before: &str, number: u32, after: &str) {
        let begin = self.woven.text.len();
        let _ = write!(self.woven.text, "{before}crate::mutant({number}){after}");
        self.woven.own.push((number, begin..self.woven.text.len()));
    }
}
