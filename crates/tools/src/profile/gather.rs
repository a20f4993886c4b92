//! From recorded numbers to rules and functions with names and places.

use super::{Call, EnteredLoop, Fallback, Profile, ProfilePart, SourcePlace, StackNode};
use riverhawk_bytecode::{FrameKind, Op, Unit};
use riverhawk_syntax::ast::Span;
use riverhawk_syntax::source::SourceMap;
use riverhawk_vm::profile::{CodeKind, Recorded, Target};
use std::collections::{BTreeMap, HashMap};

/// What the tier did, by operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeUse {
    /// Loop headers entered as machine code, and how often.
    pub loops: Vec<(u32, u64)>,
    /// Side exits: operation, reason, whether by a guard, and how often.
    pub fallbacks: Vec<(u32, String, bool, u64)>,
}

/// Characters.
const LONGEST_NAME: usize = 40;

/// `counts` are records and bytes.
pub fn gather(
    recorded: &Recorded,
    code_use: &CodeUse,
    counts: [u64; 2],
    unit: &Unit,
    sources: &SourceMap,
) -> Profile {
    let mut gathering = Gathering { unit, sources, parts: Vec::new(), by_target: HashMap::new() };
    let mut targets: Vec<Target> = recorded.sites.iter().map(|site| site.target).collect();
    targets.extend(recorded.inclusive.iter().map(|(target, _)| *target));
    targets.sort_by_key(|&target| (gathering.span(target).start, !gathering.reads(target), target));
    targets.dedup();
    for target in targets {
        gathering.part(target);
    }
    gathering.count(recorded);
    let calls = gathering.calls(recorded);
    let stacks = gathering.stacks(recorded);
    gathering.make_names_differ();
    let loop_at = |&(at, count): &(u32, u64)| EnteredLoop {
        part: gathering
            .part_of_loop(at)
            .map_or_else(String::new, |part| gathering.parts[part].name.clone()),
        place: gathering.place(gathering.span_at(at)),
        count,
    };
    let mut loops: Vec<EnteredLoop> = code_use.loops.iter().map(loop_at).collect();
    loops.sort_by_key(|entered| std::cmp::Reverse(entered.count));
    let mut fallbacks: Vec<Fallback> =
        code_use.fallbacks.iter().map(|exit| gathering.fallback(exit)).collect();
    fallbacks.sort_by(|a, b| (b.count, &a.place, &a.reason).cmp(&(a.count, &b.place, &b.reason)));
    let [records, bytes] = counts;
    Profile {
        program: sources.pieces().first().map_or_else(String::new, |piece| piece.name.clone()),
        elapsed: recorded.elapsed.as_nanos() as u64,
        samples: recorded.samples,
        records,
        bytes,
        parts: gathering.parts,
        calls,
        stacks,
        loops,
        fallbacks,
    }
}

struct Gathering<'a> {
    unit: &'a Unit,
    sources: &'a SourceMap,
    parts: Vec<ProfilePart>,
    by_target: HashMap<Target, usize>,
}

impl Gathering<'_> {
    fn span(&self, target: Target) -> Span {
        match target {
            Target::Function(number) => {
                self.unit.functions.get(number as usize).map(|function| function.span)
            }
            Target::Rule(number) => self.unit.rules.get(number as usize).map(|rule| rule.span),
        }
        .unwrap_or_default()
    }

    fn reads(&self, target: Target) -> bool {
        matches!(target, Target::Rule(number) if self.unit.rules.get(number as usize).is_some_and(|rule| rule.reads))
    }

    fn is_in_record_loop(&self, target: Target) -> bool {
        let Target::Rule(number) = target else { return false };
        self.unit
            .rules
            .get(number as usize)
            .is_some_and(|rule| rule.kind == FrameKind::Main && !rule.reads)
    }

    fn place(&self, span: Span) -> SourcePlace {
        match self.sources.locate(span) {
            Some(at) => SourcePlace { file: at.name.to_owned(), line: at.line, column: at.column },
            None => SourcePlace::default(),
        }
    }

    fn text(&self, span: Span) -> String {
        let text = String::from_utf8_lossy(self.sources.slice(span));
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ");
        match line.char_indices().nth(LONGEST_NAME) {
            Some((at, _)) => format!("{}...", line[..at].trim_end()),
            None => line,
        }
    }

    fn span_at(&self, at: u32) -> Span {
        self.unit.spans.get(at as usize).copied().unwrap_or_default()
    }

    fn part(&mut self, target: Target) -> usize {
        if let Some(&part) = self.by_target.get(&target) {
            return part;
        }
        let name = match target {
            Target::Function(number) => self
                .unit
                .functions
                .get(number as usize)
                .map_or_else(String::new, |function| function.name.clone()),
            Target::Rule(number) => match self.unit.rules.get(number as usize) {
                Some(rule) if rule.kind == FrameKind::Main && !rule.reads => {
                    self.text(rule.pattern.unwrap_or(rule.span))
                }
                Some(rule) => rule.kind.name().to_owned(),
                None => String::new(),
            },
        };
        let place = self.place(self.span(target));
        self.parts.push(ProfilePart { name, place, ..ProfilePart::default() });
        self.by_target.insert(target, self.parts.len() - 1);
        self.parts.len() - 1
    }

    fn part_at(&self, at: u32) -> Option<usize> {
        let functions = (0..).zip(&self.unit.functions);
        if let Some((number, _)) =
            functions.into_iter().find(|(_, function)| function.code.contains(&at))
        {
            return self.by_target.get(&Target::Function(number)).copied();
        }
        let frame = self.unit.frames().find(|frame| frame.code.contains(&at))?;
        let before = (frame.code.start..=at).rev();
        let rule =
            before.into_iter().find_map(|before| match self.unit.code.get(before as usize) {
                Some(Op::EnterRule { rule }) => Some(Target::Rule(rule.0)),
                _ => None,
            })?;
        self.by_target.get(&rule).copied()
    }

    /// The header of the record loop is the mark of its first rule.
    fn part_of_loop(&self, head: u32) -> Option<usize> {
        match self.unit.code.get(head as usize) {
            Some(Op::EnterRule { .. }) => self.main(),
            _ => self.part_at(head),
        }
    }

    fn count(&mut self, recorded: &Recorded) {
        for site in &recorded.sites {
            let part = self.by_target[&site.target];
            let reads = self.reads(site.target);
            let part = &mut self.parts[part];
            if reads {
                // It begins once, however often it reads.
                part.interpreted = 1;
                continue;
            }
            part.interpreted += site.entries[CodeKind::Interpreted as usize];
            part.compiled += site.entries[CodeKind::Compiled as usize];
            part.inlined += site.entries[CodeKind::Inlined as usize];
        }
        for node in &recorded.tree {
            if let Some(target) = node.target {
                let part = self.part(target);
                self.parts[part].self_interpreted += node.time[0];
                self.parts[part].self_compiled += node.time[1];
            }
        }
        let mut main = None;
        let mut below_main = 0;
        for &(target, time) in &recorded.inclusive {
            let part = self.part(target);
            self.parts[part].total = time;
            if self.reads(target) {
                main = Some(part);
            } else if self.is_in_record_loop(target) {
                below_main += time;
            }
        }
        if let Some(main) = main {
            self.parts[main].total += below_main;
        }
    }

    fn main(&self) -> Option<usize> {
        self.by_target.iter().find(|(target, _)| self.reads(**target)).map(|(_, part)| *part)
    }

    fn calls(&self, recorded: &Recorded) -> Vec<Call> {
        let main = self.main();
        let mut calls: BTreeMap<(usize, usize, SourcePlace), [u64; 2]> = BTreeMap::new();
        for site in &recorded.sites {
            let callee = self.by_target[&site.target];
            let caller = match site.target {
                Target::Function(_) => self.part_at(site.at),
                Target::Rule(_) => main.filter(|_| self.is_in_record_loop(site.target)),
            };
            let Some(caller) = caller else { continue };
            let call =
                calls.entry((caller, callee, self.place(self.span_at(site.at)))).or_default();
            call[0] += site.entries.iter().sum::<u64>();
            call[1] += site.time;
        }
        let call = |((caller, callee, place), [count, time]): (_, [u64; 2])| Call {
            caller,
            callee,
            place,
            count,
            time,
        };
        calls.into_iter().map(call).collect()
    }

    /// With the rules below the record loop.
    fn stacks(&mut self, recorded: &Recorded) -> Vec<StackNode> {
        let mut nodes = vec![StackNode { part: None, parent: 0, time: 0 }];
        let mut main_node = None;
        for (number, node) in recorded.tree.iter().enumerate().skip(1) {
            let Some(target) = node.target else { continue };
            let part = self.part(target);
            if node.parent == 0 && self.reads(target) {
                main_node = Some(number);
            }
            nodes.push(StackNode {
                part: Some(part),
                parent: node.parent,
                time: node.time[0] + node.time[1],
            });
        }
        if let Some(root) = recorded.tree.first() {
            nodes[0].time = root.time[0] + root.time[1];
        }
        let is_rule = |node: &riverhawk_vm::profile::Node| {
            node.target.is_some_and(|target| self.is_in_record_loop(target))
        };
        if let Some(main) = self.main().filter(|_| recorded.tree.iter().any(is_rule)) {
            let main_node = main_node.unwrap_or_else(|| {
                nodes.push(StackNode { part: Some(main), parent: 0, time: 0 });
                nodes.len() - 1
            });
            for (number, node) in recorded.tree.iter().enumerate() {
                if number > 0 && node.parent == 0 && is_rule(node) {
                    nodes[number].parent = main_node;
                }
            }
        }
        nodes
    }

    /// There may be many `BEGIN`s, and rules with the same pattern.
    fn make_names_differ(&mut self) {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for part in &self.parts {
            *seen.entry(part.name.clone()).or_default() += 1;
        }
        for part in &mut self.parts {
            if seen[&part.name] > 1 {
                part.name = format!("{} (line {})", part.name, part.place.line);
            }
        }
    }

    fn fallback(&self, (at, reason, is_guard, count): &(u32, String, bool, u64)) -> Fallback {
        let span = self.span_at(*at);
        Fallback {
            part: self.part_at(*at).map_or_else(String::new, |part| self.parts[part].name.clone()),
            place: self.place(span),
            text: self.text(span),
            reason: reason.clone(),
            is_guard: *is_guard,
            count: *count,
        }
    }
}
