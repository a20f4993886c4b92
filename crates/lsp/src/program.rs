//! A program: a text with all that it includes, parsed once.

use riverhawk_system::names::OsStrExt;
use std::cell::OnceCell;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use lsp_types::Position;
use riverhawk_syntax::ast::{self, FunctionDefinition, Span};
use riverhawk_syntax::diagnostic::{Diagnostic, Severity};
use riverhawk_syntax::lint::{self, Lint};
use riverhawk_syntax::source::{Included, SourceMap, SourcePiece};
use riverhawk_syntax::{Parsed, parse_partly};

use crate::occurrences::{Occurrence, Occurrences, own_functions};
use crate::place::Place;
use crate::position::{Encoding, Lines};

/// A file that a program includes, by each name that it is included as.
#[derive(Clone, Debug)]
pub(crate) struct Include {
    pub name: Vec<u8>,
    pub answer: Answer,
}

#[derive(Clone, Debug)]
pub(crate) enum Answer {
    File(Place, Rc<[u8]>),
    /// The root itself.
    Root,
    Refused(String),
}

/// Where a program's included files come from.
pub(crate) trait Finder {
    fn find(&mut self, name: &[u8]) -> Option<PathBuf>;
    fn text(&mut self, place: &Place) -> Option<Rc<[u8]>>;
}

/// A parsed program.
pub(crate) struct Program {
    /// Where its main text is.
    pub root: Place,
    /// What part of the main text it is; of a script, what is in the quotes.
    pub part: Range<usize>,
    /// Its texts.
    pub sources: SourceMap,
    /// Its tree; without what has errors.
    pub tree: ast::Program,
    /// Whether there are errors.
    pub is_broken: bool,
    /// What is wrong with it, in the order of the text.
    pub found: Vec<Diagnostic>,
    /// The place of each piece of the text; none for the library.
    places: Vec<Option<Place>>,
    lines: Vec<OnceCell<Lines>>,
    includes: Vec<Include>,
    /// The name of the main text in messages.
    name: String,
    occurrences: OnceCell<Occurrences>,
    functions: OnceCell<Vec<(Span, u32)>>,
}

/// What a program is parsed from; see [`Program`].
struct Texts {
    root: Place,
    part: Range<usize>,
    name: String,
    sources: SourceMap,
    places: Vec<Option<Place>>,
    includes: Vec<Include>,
}

impl Program {
    /// Parses the text at a place. `before` is what it was before a change: what that included is
    /// looked up first, so that the text is parsed once.
    pub(crate) fn parse(
        root: Place,
        part: Range<usize>,
        name: String,
        text: &[u8],
        before: Option<&Program>,
        wanted: Lint,
        finder: &mut dyn Finder,
    ) -> Program {
        let mut includes: Vec<Include> = Vec::new();
        for include in before.into_iter().flat_map(|before| &before.includes) {
            includes.push(found(&root, &include.name, finder));
        }
        loop {
            let (sources, places) = assembled(&root, &name, text, &includes);
            let parsed = parse_partly(&sources);
            if parsed.wanted.is_empty() {
                let mut program =
                    Program::of(parsed, Texts { root, part, name, sources, places, includes });
                program.lint(wanted);
                return program;
            }
            for wanted in parsed.wanted {
                if !includes.iter().any(|include| include.name == wanted.name) {
                    includes.push(found(&root, &wanted.name, finder));
                }
            }
        }
    }

    fn of(parsed: Parsed, texts: Texts) -> Program {
        let Texts { root, part, name, sources, places, includes } = texts;
        Program {
            root,
            part,
            lines: places.iter().map(|_| OnceCell::new()).collect(),
            places,
            includes,
            name,
            is_broken: parsed.diagnostics.iter().any(is_error),
            found: parsed.diagnostics,
            tree: parsed.program.unwrap_or_default(),
            sources,
            occurrences: OnceCell::new(),
            functions: OnceCell::new(),
        }
    }

    /// The same program with other texts.
    pub(crate) fn with_texts(&self, text: &dyn Fn(&Place, &[u8]) -> Vec<u8>) -> Program {
        let mut includes = self.includes.clone();
        for include in &mut includes {
            if let Answer::File(place, old) = &mut include.answer {
                *old = text(place, old).into();
            }
        }
        let (sources, places) = assembled(
            &self.root,
            &self.name,
            &text(&self.root, &self.sources.pieces()[0].text),
            &includes,
        );
        let parsed = parse_partly(&sources);
        let (root, part, name) = (self.root.clone(), self.part.clone(), self.name.clone());
        Program::of(parsed, Texts { root, part, name, sources, places, includes })
    }

    fn lint(&mut self, wanted: Lint) {
        // As the command: warnings about a program with errors would mislead.
        if self.is_broken {
            return;
        }
        self.found.extend(lint::always(&self.tree, &self.sources));
        self.found.extend(lint::certain(&self.tree, &self.sources));
        self.found.extend(lint::lint(&self.tree, &self.sources, wanted));
        let sources = &self.sources;
        self.found.retain(|found| !sources.is_in_library(found.span));
        self.found.sort_by_key(|found| found.span.start);
        self.found.dedup_by(|a, b| a.message == b.message && a.span == b.span);
    }

    /// The places of its texts, the root first.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().flatten()
    }

    /// Whether a text is part of it.
    pub fn holds(&self, place: &Place) -> bool {
        self.places().any(|other| other == place)
    }

    /// The piece with the text at a place.
    pub fn piece(&self, place: &Place) -> Option<&SourcePiece> {
        let number = self.places.iter().position(|other| other.as_ref() == Some(place))?;
        self.sources.pieces().get(number)
    }

    /// As [`Program::piece`], with its lines.
    pub fn text_at(&self, place: &Place) -> Option<(&SourcePiece, &Lines)> {
        let number = self.places.iter().position(|other| other.as_ref() == Some(place))?;
        Some((self.sources.pieces().get(number)?, self.lines(number)))
    }

    fn number_at(&self, offset: u32) -> Option<usize> {
        self.sources.pieces().partition_point(|piece| piece.base <= offset).checked_sub(1)
    }

    /// The place of an offset in all texts.
    pub fn place_at(&self, offset: u32) -> Option<&Place> {
        self.places.get(self.number_at(offset)?)?.as_ref()
    }

    fn lines(&self, number: usize) -> &Lines {
        self.lines[number].get_or_init(|| Lines::of(&self.sources.pieces()[number].text))
    }

    /// The range of a span in its text.
    pub fn range(&self, span: Span, encoding: Encoding) -> lsp_types::Range {
        let Some(number) = self.number_at(span.start) else { return lsp_types::Range::default() };
        let piece = &self.sources.pieces()[number];
        let offset = |offset: u32| offset.saturating_sub(piece.base) as usize;
        let (start, end) = (offset(span.start), offset(span.end).max(offset(span.start)));
        self.lines(number).range(&piece.text, start..end, encoding)
    }

    /// The line of an offset in its text, from 0.
    pub fn line(&self, offset: u32) -> u32 {
        self.number_at(offset).map_or(0, |number| {
            let base = self.sources.pieces()[number].base;
            self.lines(number).line_of((offset - base) as usize)
        })
    }

    /// The last line of the main text.
    pub(crate) fn range_end_line(&self) -> u32 {
        self.lines(0).count() - 1
    }

    /// The offset of a position in the text at a place.
    pub fn offset(&self, place: &Place, position: Position, encoding: Encoding) -> Option<u32> {
        let number = self.places.iter().position(|other| other.as_ref() == Some(place))?;
        let piece = &self.sources.pieces()[number];
        Some(piece.base + self.lines(number).offset(&piece.text, position, encoding) as u32)
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> String {
        String::from_utf8_lossy(self.sources.slice(span)).into_owned()
    }

    /// The names in it.
    pub fn occurrences(&self) -> &Occurrences {
        self.occurrences.get_or_init(|| {
            Occurrences::of(&self.tree, &self.sources, &|offset| self.function_at(offset))
        })
    }

    /// The name at an offset, or that ends there.
    pub fn occurrence_at(&self, offset: u32) -> Option<&Occurrence> {
        self.occurrences().at(offset)
    }

    /// The program's functions, by their numbers in the tree.
    pub fn functions(&self) -> impl Iterator<Item = (u32, &FunctionDefinition)> {
        own_functions(&self.tree)
    }

    /// The number of the function that an offset is in.
    pub fn function_at(&self, offset: u32) -> Option<u32> {
        let spans = self.functions.get_or_init(|| {
            let mut spans: Vec<(Span, u32)> =
                self.functions().map(|(number, function)| (function.span, number)).collect();
            spans.sort_by_key(|(span, _)| span.start);
            spans
        });
        let after = spans.partition_point(|(span, _)| span.start <= offset);
        let &(span, number) = spans.get(after.checked_sub(1)?)?;
        (offset <= span.end).then_some(number)
    }

    /// The comment above a line, without its marks.
    pub fn comment_above(&self, offset: u32) -> Option<String> {
        self.sources.comment_above(offset)
    }

    /// The namespace of plain names at an offset.
    pub fn namespace_at(&self, offset: u32) -> &str {
        let base = self.sources.piece_at(offset).map_or(0, |piece| piece.base);
        let before = self.tree.directives.iter().filter_map(|directive| match &directive.kind {
            ast::DirectiveKind::Namespace(name) => Some((directive.span.start, name.as_str())),
            _ => None,
        });
        let before = before.filter(|(start, _)| (base..offset).contains(start));
        before.max_by_key(|(start, _)| *start).map_or("awk", |(_, name)| name)
    }
}

fn is_error(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

/// What is included by a name: beside the including program, in the workspace, in `AWKPATH`.
fn found(root: &Place, name: &[u8], finder: &mut dyn Finder) -> Include {
    let shown = String::from_utf8_lossy(name);
    let refused = || Answer::Refused(format!("cannot open source file `{shown}'"));
    let beside = root.path().and_then(Path::parent).and_then(|folder| in_folder(folder, name));
    let answer = match beside.or_else(|| finder.find(name)).map(Place::File) {
        Some(place) if place == *root => Answer::Root,
        Some(place) => finder.text(&place).map_or_else(refused, |text| Answer::File(place, text)),
        None => refused(),
    };
    Include { name: name.to_vec(), answer }
}

/// The file of this name, or with the suffix, in a folder.
pub(crate) fn in_folder(folder: &Path, name: &[u8]) -> Option<PathBuf> {
    let exact = folder.join(OsStr::from_bytes(name));
    let with_suffix = folder.join(OsStr::from_bytes(&[name, b".awk"].concat()));
    let found = [exact, with_suffix].into_iter().find(|path| path.is_file())?;
    // Two spellings of a path are one file.
    let is_plain = found.components().all(|part| {
        matches!(part, std::path::Component::RootDir | std::path::Component::Normal(_))
    });
    Some(if is_plain { found } else { std::fs::canonicalize(&found).unwrap_or(found) })
}

fn assembled(
    root: &Place,
    name: &str,
    text: &[u8],
    includes: &[Include],
) -> (SourceMap, Vec<Option<Place>>) {
    let mut sources = SourceMap::new();
    let mut places = vec![Some(root.clone())];
    // Texts beyond 4 GiB are left out; editors open none.
    let _ = sources.add(name, text.to_vec());
    for include in includes {
        match &include.answer {
            Answer::Root => sources.answer(&include.name, Included::ProgramFile),
            Answer::Refused(why) => sources.answer(&include.name, Included::Refused(why.clone())),
            Answer::File(place, text) => {
                match places.iter().position(|other| other.as_ref() == Some(place)) {
                    Some(number) => sources.answer(&include.name, Included::Piece(number)),
                    None => {
                        if sources.include(&include.name, place.name(), text.to_vec()).is_ok() {
                            places.push(Some(place.clone()));
                        }
                    }
                }
            }
        }
    }
    let _ = sources.add_library();
    places.resize(sources.pieces().len(), None);
    (sources, places)
}
