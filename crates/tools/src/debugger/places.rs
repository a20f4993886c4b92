//! Lines of files, and the statements that a run can stop at.

use std::collections::BTreeSet;
use std::sync::Arc;

use riverhawk_bytecode::Unit;
use riverhawk_syntax::Visit;
use riverhawk_syntax::ast::{FunctionId, Program, RulePattern, Span};
use riverhawk_syntax::source::SourceMap;
use riverhawk_vm::visits::Scene;

/// A place in a program's text.
#[derive(Clone, Debug)]
pub struct VisitPlace {
    /// The number of its file.
    pub piece: usize,
    /// Its name.
    pub file: Arc<str>,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// Whether a run can stop here.
    pub stops: bool,
    /// After a call, in the middle of a statement, where no breakpoint can be.
    pub is_return: bool,
    /// `BEGIN`, `Rule` or `END`; none in functions.
    pub phase: Option<&'static str>,
    /// None in rules.
    pub function: Option<FunctionId>,
}

impl VisitPlace {
    /// Whether a statement or rule begins here.
    fn begins(&self) -> bool {
        self.stops && !self.is_return
    }
}

/// The lines of a program's files, and its places by the numbers of
/// [`Unit::visits`](riverhawk_bytecode::Unit::visits).
pub struct Places {
    places: Vec<VisitPlace>,
    sources: SourceMap,
    files: Vec<(Arc<str>, Vec<String>)>,
    functions: Vec<Signature>,
    /// The rules with a name.
    phases: Vec<(Span, &'static str)>,
}

struct Signature {
    name: String,
    params: Vec<String>,
    /// Of its definition.
    place: Option<(usize, usize)>,
}

/// A rule without a pattern stops at its first statement.
fn stops_at(visit: Visit, program: &Program) -> bool {
    match visit {
        Visit::Statement(_) | Visit::Returned => true,
        Visit::Rule(number) => {
            !matches!(program.rules[number as usize].pattern, RulePattern::Always)
        }
        _ => false,
    }
}

impl Places {
    /// Of a program that was compiled to be observed.
    pub fn new(unit: &Unit, program: &Program, sources: &SourceMap) -> Places {
        let files: Vec<(Arc<str>, Vec<String>)> = sources
            .pieces()
            .iter()
            .map(|piece| {
                let text = String::from_utf8_lossy(&piece.text);
                (piece.name.as_str().into(), text.lines().map(str::to_owned).collect())
            })
            .collect();
        let find = |span: Span| locate(sources, span);
        let holds =
            |outer: Span, inner: Span| outer.start <= inner.start && inner.start < outer.end;
        let kinds = [
            (&program.begin, "BEGIN"),
            (&program.end, "END"),
            (&program.begin_file, "BEGINFILE"),
            (&program.end_file, "ENDFILE"),
        ];
        let phases: Vec<(Span, &'static str)> = kinds
            .into_iter()
            .flat_map(|(actions, phase)| actions.iter().map(move |action| (action.span, phase)))
            .collect();
        let place = |&(visit, span): &(Visit, Span)| {
            let (piece, line, column) = find(span).unwrap_or_default();
            let function = program
                .functions
                .iter()
                .position(|function| function.defined && holds(function.span, span));
            let phase = if function.is_some() { None } else { Some(phase_in(&phases, span)) };
            let function = function.map(|function| FunctionId(function as u32));
            let file = files.get(piece).map_or_else(|| "".into(), |(name, _)| name.clone());
            let is_return = visit == Visit::Returned;
            let stops = stops_at(visit, program);
            VisitPlace { piece, file, line, column, stops, is_return, phase, function }
        };
        let functions =
            program.functions.iter().filter(|function| !function.builtin).map(|function| {
                let params = function
                    .params
                    .iter()
                    .map(|param| param.name.clone())
                    .filter(|name| !name.is_empty());
                let place = function.defined.then(|| find(function.name_span)).flatten();
                let place = place.map(|(piece, line, _)| (piece, line));
                Signature { name: function.name.clone(), params: params.collect(), place }
            });
        let functions = functions.collect();
        let places = unit.visits.iter().map(place).collect();
        Places { places, sources: sources.clone(), files, functions, phases }
    }

    /// The kind of the rule that a span lies in.
    pub fn phase_of(&self, span: Span) -> Option<&'static str> {
        Some(phase_in(&self.phases, span))
    }

    /// The file and line of a function's definition.
    pub fn definition(&self, name: &str) -> Option<(usize, usize)> {
        self.functions.iter().find(|function| function.name == name)?.place
    }

    /// By its number.
    pub fn get(&self, at: usize) -> Option<&VisitPlace> {
        self.places.get(at)
    }

    /// Where a span begins.
    pub fn of_span(&self, span: Span) -> Option<VisitPlace> {
        let (piece, line, column) = locate(&self.sources, span)?;
        let file = self.files.get(piece)?.0.clone();
        Some(VisitPlace {
            piece,
            file,
            line,
            column,
            stops: false,
            is_return: false,
            phase: None,
            function: None,
        })
    }

    /// The text of its line.
    pub fn line(&self, place: &VisitPlace) -> &str {
        self.text(place.piece, place.line).unwrap_or_default()
    }

    fn text(&self, piece: usize, line: usize) -> Option<&str> {
        self.files.get(piece)?.1.get(line.checked_sub(1)?).map(String::as_str)
    }

    /// As gawk shows it.
    pub fn numbered(&self, place: &VisitPlace) -> String {
        format!("{:<8}{}\n", place.line, self.line(place))
    }

    /// Numbered lines with four columns of marks.
    pub fn list(
        &self,
        piece: usize,
        from: usize,
        to: usize,
        marked: impl Fn(usize) -> String,
    ) -> String {
        let line =
            |line: usize| Some(format!("{line:<4}{}{}\n", marked(line), self.text(piece, line)?));
        (from..=to).filter_map(line).collect()
    }

    /// The number of lines of a file.
    pub fn line_count(&self, piece: usize) -> usize {
        self.files.get(piece).map_or(0, |(_, lines)| lines.len())
    }

    /// The name of a file.
    pub fn file_name(&self, piece: usize) -> &str {
        self.files.get(piece).map_or("", |(name, _)| name)
    }

    /// The number of files.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The number of the file with this name.
    pub fn piece(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|(file, _)| &**file == name)
    }

    /// The first stop on a line, or on the first after it that runs anything.
    pub fn at_line(&self, piece: usize, line: usize) -> Option<usize> {
        let there = |place: &&(usize, &VisitPlace)| {
            place.1.begins() && place.1.piece == piece && place.1.line >= line
        };
        let places = self.places.iter().enumerate();
        places
            .filter(|place| there(&place))
            .min_by_key(|(at, place)| (place.line, *at))
            .map(|(at, _)| at)
    }

    /// The lines of a file where a breakpoint can be, in order.
    pub fn lines_that_stop(&self, piece: usize) -> BTreeSet<usize> {
        let there = self.places.iter().filter(|place| place.begins() && place.piece == piece);
        there.map(|place| place.line).collect()
    }

    /// Where a frame is: the running one at the place with the number `at`, others at their calls.
    pub fn of_frame(
        &self,
        level: usize,
        at: Option<usize>,
        scene: &Scene<'_>,
    ) -> Option<VisitPlace> {
        if level == 0 {
            return self.get(at?).cloned();
        }
        self.of_span(scene.call(level)?)
    }

    /// Whether a file is part of rhawk.
    pub fn is_library(&self, piece: usize) -> bool {
        self.sources.pieces().get(piece).is_some_and(|piece| piece.is_library)
    }

    /// The text of a file.
    pub fn text_of(&self, piece: usize) -> Option<&[u8]> {
        Some(&self.sources.pieces().get(piece)?.text)
    }

    /// The first stop in a function.
    pub fn in_function(&self, name: &str) -> Option<usize> {
        let number = self
            .functions
            .iter()
            .position(|function| function.name == name && function.place.is_some())?;
        let function = Some(FunctionId(number as u32));
        self.places.iter().position(|place| place.begins() && place.function == function)
    }

    /// `f(a, b)`.
    pub fn signature(&self, function: FunctionId) -> String {
        let Signature { name, params, .. } =
            &self.functions[function.index().min(self.functions.len().saturating_sub(1))];
        format!("{name}({})", params.join(", "))
    }

    /// The names of a function's parameters.
    pub fn params(&self, function: FunctionId) -> &[String] {
        self.functions.get(function.index()).map_or(&[], |function| &function.params)
    }

    /// The depth of the frame whose parameter an expression names, at a level.
    pub fn frame_of_parameters(
        &self,
        expression: &str,
        level: usize,
        scene: &Scene<'_>,
    ) -> Option<usize> {
        let params =
            scene.function(level).map(|function| self.params(function)).unwrap_or_default();
        let word = |text: &str, name: &str| {
            text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == name)
        };
        params.iter().any(|param| word(expression, param)).then(|| scene.depth() - level)
    }

    /// Signature, file and line of each.
    pub fn functions(&self) -> impl Iterator<Item = (String, &str, usize)> {
        self.functions.iter().filter_map(|Signature { name, params, place }| {
            let (piece, line) = (*place)?;
            Some((format!("{name}({})", params.join(", ")), self.file_name(piece), line))
        })
    }
}

fn phase_in(phases: &[(Span, &'static str)], span: Span) -> &'static str {
    let around = phases.iter().find(|(rule, _)| rule.start <= span.start && span.start < rule.end);
    around.map_or("Rule", |(_, phase)| phase)
}

/// The file, the line and the column.
fn locate(sources: &SourceMap, span: Span) -> Option<(usize, usize, usize)> {
    let piece = sources.pieces().iter().rposition(|piece| piece.base <= span.start)?;
    let at = sources.locate(span)?;
    Some((piece, at.line, at.column))
}
