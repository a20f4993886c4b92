//! The names in a program: what each means, and what is done with it there.

use std::rc::Rc;

use riverhawk_syntax::ast::Program as Tree;
use riverhawk_syntax::ast::{
    Builtin, ExprId, ExprKind, FunctionDefinition, GetlineFrom, GlobalId, LibraryFn, Name, Span,
    Special, StmtKind, VariablePlace,
};
use riverhawk_syntax::library::ParameterKind;
use riverhawk_syntax::source::SourceMap;

/// What a name means. The same in two programs if it has the same name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    /// A global variable, with its namespace.
    Global(Rc<str>),
    /// The parameter of a function, by its index.
    Param(Rc<str>, u16),
    /// A function of the program, with its namespace.
    Function(Rc<str>),
    /// A variable of the engine.
    Special(Special),
    /// A built-in function.
    Builtin(Builtin),
    /// A function of the library that is not written in awk.
    Library(LibraryFn),
    /// A function of the library that is.
    Written(Rc<str>),
    /// A column of a table: `@"name"`.
    Column(Rc<str>),
}

impl Symbol {
    /// Whether the program names it, and may give it another name.
    pub fn is_own(&self) -> bool {
        match self {
            Symbol::Global(name) => !is_of_engine(name),
            Symbol::Param(..) | Symbol::Function(_) => true,
            _ => false,
        }
    }
}

/// Whether the engine fills a global of this name.
pub(crate) fn is_of_engine(name: &str) -> bool {
    GlobalId::PREDEFINED.contains(&name) || GlobalId::FILLED.contains(&name)
}

/// What is done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Defined: a function's name, a parameter.
    Definition,
    /// Assigned.
    Write,
    /// Read, or passed on.
    Read,
    /// Called.
    Call,
}

/// A name in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    /// The name, with its namespace if that is written.
    pub span: Span,
    /// What it means.
    pub symbol: Symbol,
    /// What is done with it.
    pub role: Role,
}

/// The names of a program, in the order of its texts.
#[derive(Debug, Default)]
pub(crate) struct Occurrences {
    all: Vec<Occurrence>,
}

impl Occurrences {
    /// Those of a tree; `function_at` gives the number of the function that an offset is in.
    pub(crate) fn of(
        tree: &Tree,
        sources: &SourceMap,
        function_at: &dyn Fn(u32) -> Option<u32>,
    ) -> Occurrences {
        let mut search = Search::new(tree, sources, function_at);
        search.expressions();
        search.statements();
        search.definitions();
        let mut all = search.found;
        all.retain(|found| !sources.is_in_library(found.span) && found.span.start < found.span.end);
        all.sort_by_key(|found| (found.span.start, found.span.end, found.role));
        all.dedup_by_key(|found| found.span);
        Occurrences { all }
    }

    /// All.
    pub fn iter(&self) -> impl Iterator<Item = &Occurrence> {
        self.all.iter()
    }

    /// Those of a symbol.
    pub fn of_symbol<'a>(&'a self, symbol: &'a Symbol) -> impl Iterator<Item = &'a Occurrence> {
        self.all.iter().filter(move |found| found.symbol == *symbol)
    }

    /// The name at an offset, or that ends there.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let after = self.all.partition_point(|found| found.span.start <= offset);
        let found = self.all.get(after.checked_sub(1)?)?;
        (offset <= found.span.end).then_some(found)
    }
}

/// The program's functions, by their numbers in the tree.
pub(crate) fn own_functions(tree: &Tree) -> impl Iterator<Item = (u32, &FunctionDefinition)> {
    let own = |function: &&FunctionDefinition| {
        function.defined && !function.builtin && !function.in_library
    };
    (0..).zip(&tree.functions).filter(move |(_, function)| own(function))
}

struct Search<'a> {
    tree: &'a Tree,
    sources: &'a SourceMap,
    function_at: &'a dyn Fn(u32) -> Option<u32>,
    globals: Vec<Rc<str>>,
    functions: Vec<Rc<str>>,
    /// By number: whether an expression is assigned.
    written: Vec<bool>,
    found: Vec<Occurrence>,
}

impl<'a> Search<'a> {
    fn new(
        tree: &'a Tree,
        sources: &'a SourceMap,
        function_at: &'a dyn Fn(u32) -> Option<u32>,
    ) -> Search<'a> {
        Search {
            tree,
            sources,
            function_at,
            globals: tree.globals.iter().map(|global| Rc::from(&*global.name)).collect(),
            functions: tree.functions.iter().map(|function| Rc::from(&*function.name)).collect(),
            written: written(tree),
            found: Vec::new(),
        }
    }

    fn push(&mut self, span: Span, symbol: Symbol, role: Role) {
        self.found.push(Occurrence { span, symbol, role });
    }

    fn variable(&mut self, place: VariablePlace, span: Span, role: Role) {
        let symbol = match place {
            VariablePlace::Special(special) => Symbol::Special(special),
            VariablePlace::Global(id) => {
                let Some(name) = self.globals.get(id.index()) else { return };
                match name.strip_prefix('@') {
                    Some(column) => Symbol::Column(column.into()),
                    None => Symbol::Global(name.clone()),
                }
            }
            VariablePlace::Param(at) => {
                // Of a function that has no end, nothing is known.
                let Some(function) = (self.function_at)(span.start) else { return };
                Symbol::Param(self.functions[function as usize].clone(), at)
            }
        };
        self.push(span, symbol, role);
    }

    fn array(&mut self, name: Name, role: Role) {
        self.variable(name.place, name.span, role);
    }

    fn expressions(&mut self) {
        let tree = self.tree;
        let in_text = tree.exprs.len() - tree.synthesized;
        for (at, expr) in tree.exprs.iter().enumerate().take(in_text) {
            let role = if self.written[at] { Role::Write } else { Role::Read };
            match &expr.kind {
                ExprKind::Var(place) => self.variable(*place, expr.span, role),
                ExprKind::Element { array, .. } | ExprKind::In { array, .. } => {
                    self.array(*array, role);
                }
                ExprKind::Call { function, .. } => {
                    let number = function.index();
                    let Some(name) = self.functions.get(number).cloned() else { continue };
                    let symbol = match tree.functions[number].in_library {
                        true => Symbol::Written(name),
                        false => Symbol::Function(name),
                    };
                    self.push(self.word(expr.span), symbol, Role::Call);
                }
                ExprKind::Builtin { builtin, .. } => {
                    self.push(self.word(expr.span), Symbol::Builtin(*builtin), Role::Call);
                }
                ExprKind::Library { function, .. } => {
                    self.push(self.word(expr.span), Symbol::Library(*function), Role::Call);
                }
                _ => {}
            }
        }
    }

    fn statements(&mut self) {
        for stmt in &self.tree.stmts {
            match &stmt.kind {
                StmtKind::ForIn { array, .. } => self.array(*array, Role::Read),
                StmtKind::Delete { array, .. } => self.array(*array, Role::Write),
                _ => {}
            }
        }
    }

    fn definitions(&mut self) {
        for (number, function) in own_functions(self.tree) {
            let name = self.functions[number as usize].clone();
            for (at, param) in function.params.iter().enumerate() {
                if !param.name.is_empty() {
                    let symbol = Symbol::Param(name.clone(), at as u16);
                    self.push(param.span, symbol, Role::Definition);
                }
            }
            self.push(function.name_span, Symbol::Function(name), Role::Definition);
        }
    }

    /// The name at the start of a call.
    fn word(&self, call: Span) -> Span {
        let text = self.sources.slice(call);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
        let length = text.iter().take_while(|byte| is_name(byte)).count() as u32;
        Span { start: call.start, end: call.start + length }
    }
}

/// The expressions that are assigned, and the arrays that calls fill.
fn written(tree: &Tree) -> Vec<bool> {
    let mut written: Vec<ExprId> = Vec::new();
    for expr in &tree.exprs {
        match &expr.kind {
            ExprKind::Assign { target, .. } | ExprKind::Step { target, .. } => {
                written.push(*target);
            }
            ExprKind::Getline { target: Some(target), from } => {
                debug_assert!(!matches!(from, GetlineFrom::File(file) if file == target));
                written.push(*target);
            }
            ExprKind::Builtin { builtin: Builtin::Sub | Builtin::Gsub, args } => {
                written.extend(args.get(2));
            }
            ExprKind::Builtin { builtin: Builtin::Split, args } => {
                written.extend(args.get(1).into_iter().chain(args.get(3)));
            }
            ExprKind::Builtin { builtin: Builtin::Match, args } => written.extend(args.get(2)),
            ExprKind::Library { function, args } => {
                let arrays = args.iter().enumerate();
                let fills = |at: usize| function.parameter(at) == ParameterKind::Array;
                written.extend(arrays.filter(|(at, _)| fills(*at)).map(|(_, arg)| *arg));
            }
            _ => {}
        }
    }
    for stmt in &tree.stmts {
        if let StmtKind::ForIn { target, .. } = stmt.kind {
            written.push(target);
        }
    }
    // The variable that holds a column's number is what `@"name" = 1` assigns.
    let fields: Vec<ExprId> = written
        .iter()
        .filter_map(|id| match tree.exprs.get(id.index())?.kind {
            ExprKind::Field(number) => is_column(tree, number).then_some(number),
            _ => None,
        })
        .collect();
    let mut is_written = vec![false; tree.exprs.len()];
    for id in written.iter().chain(&fields) {
        is_written[id.index()] = true;
    }
    is_written
}

fn is_column(tree: &Tree, number: ExprId) -> bool {
    match tree[number].kind {
        ExprKind::Var(VariablePlace::Global(id)) => tree.globals[id.index()].column().is_some(),
        _ => false,
    }
}
