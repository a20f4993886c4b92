//! What the server knows between messages.

use riverhawk_system::names::OsStrExt;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;

use lsp_types::{InitializeParams, Position, Uri};

use riverhawk_syntax::source::SourcePiece;

use crate::codes::Codes;
use crate::document::{Document, Language};
use crate::last_tokens::LastTokens;
use crate::occurrences::Occurrence;
use crate::place::Place;
use crate::position::Encoding;
use crate::program::{Finder, Program, in_folder};
use crate::scripts;
use crate::settings::Settings;
use crate::surroundings::Surroundings;
use crate::texts::Texts;

struct Parsed {
    programs: Vec<Rc<Program>>,
    /// Whether a text has changed since.
    is_stale: bool,
}

#[derive(Clone, Default)]
struct Workspace {
    all: Rc<BTreeSet<Place>>,
    /// Those that include others.
    including: Rc<BTreeSet<Place>>,
}

/// What the server knows.
pub(crate) struct Server<'s> {
    pub surroundings: &'s dyn Surroundings,
    pub encoding: Encoding,
    pub settings: Settings,
    pub texts: Texts,
    parsed: HashMap<Place, Parsed>,
    /// The workspace's files, once they have been looked for.
    workspace: Option<Workspace>,
    pub published: HashMap<Place, Vec<lsp_types::Diagnostic>>,
    pub codes: Codes,
    pub last_tokens: LastTokens,
}

/// A question about a position: the programs that the text is part of, the first of which answers.
pub(crate) struct Asked {
    pub programs: Vec<Rc<Program>>,
    pub offset: u32,
}

impl Asked {
    pub(crate) fn program(&self) -> &Rc<Program> {
        &self.programs[0]
    }

    pub(crate) fn occurrence(&self) -> Option<&Occurrence> {
        self.program().occurrence_at(self.offset)
    }
}

impl<'s> Server<'s> {
    pub(crate) fn new(params: &InitializeParams, surroundings: &'s dyn Surroundings) -> Server<'s> {
        let general = params.capabilities.general.as_ref();
        let offered = general.and_then(|general| general.position_encodings.as_deref());
        #[expect(deprecated, reason = "editors without folders send it")]
        let root = params.root_uri.as_ref();
        let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
        let folders: BTreeSet<PathBuf> = folders
            .chain(root)
            .filter_map(|uri| Place::of(uri).path().map(PathBuf::from))
            .collect();
        Server {
            surroundings,
            encoding: Encoding::choose(offered.unwrap_or_default()),
            settings: params.initialization_options.as_ref().map(Settings::of).unwrap_or_default(),
            texts: Texts::in_folders(folders.into_iter().collect()),
            parsed: HashMap::new(),
            workspace: None,
            published: HashMap::new(),
            codes: Codes::default(),
            last_tokens: LastTokens::default(),
        }
    }

    /// A text has changed: what includes it is parsed again when it is asked for.
    pub(crate) fn changed(&mut self, place: &Place) {
        for (root, parsed) in &mut self.parsed {
            parsed.is_stale |=
                root == place || parsed.programs.iter().any(|program| program.holds(place));
        }
    }

    /// A file has come or gone: what could not be included may be there now.
    pub(crate) fn moved(&mut self) {
        self.workspace = None;
        self.parsed.values_mut().for_each(|parsed| parsed.is_stale = true);
    }

    fn workspace(&mut self) -> Workspace {
        if let Some(known) = &self.workspace {
            return known.clone();
        }
        let all = self.texts.workspace();
        let includes = |text: Rc<[u8]>| text.windows(8).any(|part| part == b"@include");
        let including =
            all.iter().filter(|place| self.texts.get(place).is_some_and(includes)).cloned();
        let found = Workspace { including: Rc::new(including.collect()), all: Rc::new(all) };
        self.workspace.insert(found).clone()
    }

    /// Parses what has changed: open programs, and those of the workspace that include others.
    fn refresh(&mut self) {
        let mut roots: BTreeSet<Place> = self.texts.open.keys().cloned().collect();
        let workspace = self.workspace();
        roots.extend(workspace.including.iter().cloned());
        self.parsed.retain(|root, _| roots.contains(root) || workspace.all.contains(root));
        for root in roots {
            self.program(&root);
        }
    }

    /// The programs at a root: more than one in a script.
    fn program(&mut self, root: &Place) -> Vec<Rc<Program>> {
        let before = self.parsed.remove(root);
        let programs = match before {
            Some(parsed) if !parsed.is_stale => parsed.programs,
            before => {
                let before = before.map(|before| before.programs).unwrap_or_default();
                self.parse(root, &before)
            }
        };
        let parsed = Parsed { programs: programs.clone(), is_stale: false };
        self.parsed.insert(root.clone(), parsed);
        programs
    }

    fn parse(&mut self, root: &Place, before: &[Rc<Program>]) -> Vec<Rc<Program>> {
        let Some(text) = self.texts.get(root) else { return Vec::new() };
        let language = self.texts.language(root);
        let parts = scripts::programs(language, &text);
        let lint = self.settings.lint;
        // A program in quotes needs no newline at its end.
        let name = match language {
            Language::Awk => root.name(),
            _ => SourcePiece::COMMAND_LINE.to_owned(),
        };
        let mut finder = InEditor { texts: &mut self.texts, surroundings: self.surroundings };
        let parse = |(at, (part, text)): (usize, (Range<usize>, Vec<u8>))| {
            let before = before.get(at).map(|before| &**before);
            Rc::new(Program::parse(
                root.clone(),
                part,
                name.clone(),
                &text,
                before,
                lint,
                &mut finder,
            ))
        };
        parts.into_iter().enumerate().map(parse).collect()
    }

    /// The programs that a text is part of: those that include it, else itself.
    pub(crate) fn programs_of(&mut self, place: &Place) -> Vec<Rc<Program>> {
        self.refresh();
        let programs = || self.parsed.values().flat_map(|parsed| &parsed.programs);
        let mut found: Vec<Rc<Program>> = programs()
            .filter(|program| program.root != *place && program.holds(place))
            .cloned()
            .collect();
        found.sort_by(|a, b| a.root.cmp(&b.root));
        if found.is_empty() {
            found = self.program(place);
        }
        found
    }

    /// The programs whose main text this is, whatever includes it.
    pub(crate) fn own_programs(&mut self, place: &Place) -> Vec<Rc<Program>> {
        self.program(place)
    }

    /// Every program that is known, for searches in all of the workspace.
    pub(crate) fn all_programs(&mut self) -> Vec<Rc<Program>> {
        self.refresh();
        let mut roots: BTreeSet<Place> = (*self.workspace().all).clone();
        roots.extend(self.texts.open.keys().cloned());
        roots.iter().flat_map(|root| self.program(root)).collect()
    }

    pub(crate) fn asked(&mut self, uri: &Uri, position: Position) -> Option<Asked> {
        let place = Place::of(uri);
        let mut programs = self.programs_of(&place);
        let encoding = self.encoding;
        if self.texts.is_script(&place) {
            programs.retain(|program| {
                let offset = program.offset(&place, position, encoding);
                offset.is_some_and(|at| {
                    // Behind a program's end, its text has only the end.
                    let line_is_inside = program.range_end_line() >= position.line;
                    line_is_inside
                        && (program.part.start..=program.part.end).contains(&(at as usize))
                })
            });
        }
        let offset = programs.first()?.offset(&place, position, encoding)?;
        Some(Asked { programs, offset })
    }

    pub(crate) fn open(&mut self, uri: Uri, version: i32, language: &str, text: String) {
        let language = Language::of(language, &uri);
        let place = Place::of(&uri);
        self.texts.open.insert(place.clone(), Document::new(uri, version, language, text));
        self.parsed.remove(&place);
        self.moved();
    }

    /// The address of a place as the editor spells it.
    pub(crate) fn uri(&self, place: &Place) -> Uri {
        self.texts.open.get(place).map_or_else(|| place.uri(), |document| document.uri.clone())
    }
}

/// Includes from open texts, the workspace, and the command's folders.
struct InEditor<'a> {
    texts: &'a mut Texts,
    surroundings: &'a dyn Surroundings,
}

impl Finder for InEditor<'_> {
    fn find(&mut self, name: &[u8]) -> Option<PathBuf> {
        let in_workspace = self.texts.folders.iter().find_map(|folder| in_folder(folder, name));
        let name = std::ffi::OsStr::from_bytes(name);
        in_workspace.or_else(|| self.surroundings.find_program_file(name))
    }

    fn text(&mut self, place: &Place) -> Option<Rc<[u8]>> {
        self.texts.get(place)
    }
}
