//! What each name means: a variable, a function, a parameter.

use std::ops::Range;

use crate::ast::{
    ExprId, ExprKind, FunctionDefinition, FunctionId, Global, GlobalId, HostId, Param, Program,
    Span, Special, Usage, VariablePlace,
};
use crate::diagnostic::Diagnostic;
use crate::extension::Extension;
use crate::library::LibraryFn;
use crate::words::Words;

/// How many parameters [`VariablePlace::Param`] can number.
const MAX_PARAMS: usize = u16::MAX as usize;

pub(super) struct Callable {
    pub word: u32,
    pub first: Span,
    pub definition: Option<(FunctionDefinition, Range<usize>)>,
    pub max_args: (usize, Span),
    /// The first call after a use of the name as a variable.
    pub after_variable: Option<Span>,
}

#[derive(Clone, Copy, Default)]
struct Meaning {
    /// Its variable, as seen outside parameter lists, and the first use.
    variable: Option<(VariablePlace, Span)>,
    function: Option<FunctionId>,
    host: Option<HostId>,
    defined: Option<Span>,
    param: Option<u16>,
}

pub(crate) struct Names {
    meanings: Vec<Meaning>,
    pub(super) callables: Vec<Callable>,
    pub(super) host_words: Vec<u32>,
    params: Vec<Param>,
    param_words: Vec<u32>,
    /// Variables that are a whole argument of a call, and so may be arrays.
    pub(super) passed: Vec<ExprId>,
    pub(super) extensions: Vec<Extension>,
}

impl Names {
    pub(crate) fn new(words: &mut Words, program: &mut Program) -> Names {
        let mut names = Names {
            meanings: Vec::new(),
            callables: Vec::new(),
            host_words: Vec::new(),
            params: Vec::new(),
            param_words: Vec::new(),
            passed: Vec::new(),
            extensions: Vec::new(),
        };
        for (at, name) in GlobalId::PREDEFINED.iter().enumerate() {
            program.globals.push(Global { name: name.to_string(), usage: Usage::default() });
            let place = VariablePlace::Global(GlobalId(at as u32));
            names.meaning(words.number(name)).variable = Some((place, Span::default()));
        }
        for special in
            Special::ALL.iter().filter(|special| program.dialect.has_variable(special.name()))
        {
            names.meaning(words.number(special.name())).variable =
                Some((VariablePlace::Special(*special), Span::default()));
        }
        names
    }

    fn meaning(&mut self, word: u32) -> &mut Meaning {
        let at = word as usize;
        if at >= self.meanings.len() {
            self.meanings.resize(at + 1, Meaning::default());
        }
        &mut self.meanings[at]
    }

    /// What a name refers to; a new name becomes a global.
    pub(crate) fn place(
        &mut self,
        word: u32,
        span: Span,
        words: &Words,
        program: &mut Program,
    ) -> VariablePlace {
        let meaning = self.meaning(word);
        if let Some(param) = meaning.param {
            return VariablePlace::Param(param);
        }
        if let Some((place, _)) = meaning.variable {
            return place;
        }
        let place = VariablePlace::Global(GlobalId(program.globals.len() as u32));
        meaning.variable = Some((place, span));
        let name = words.text(word).to_string();
        // These are arrays whatever the text says.
        let array = GlobalId::FILLED.contains(&&*name);
        program.globals.push(Global { name, usage: Usage { scalar: false, array } });
        place
    }

    pub(crate) fn load(&mut self, extension: Extension) {
        if !self.extensions.contains(&extension) {
            self.extensions.push(extension);
        }
    }

    pub(crate) fn loaded(&self, function: Option<LibraryFn>) -> Option<LibraryFn> {
        function.filter(|&function| {
            Extension::of(function).is_some_and(|extension| self.extensions.contains(&extension))
        })
    }

    pub(crate) fn uses_array(&mut self, place: VariablePlace, program: &mut Program) {
        match place {
            VariablePlace::Global(id) => program.globals[id.index()].usage.array = true,
            VariablePlace::Param(at) => {
                if let Some(param) = self.params.get_mut(usize::from(at)) {
                    param.usage.array = true;
                }
            }
            VariablePlace::Special(_) => {}
        }
    }

    /// Notes a bare variable as an argument, since it need not be a scalar.
    pub(crate) fn passed(&mut self, arg: ExprId, program: &Program) {
        if let ExprKind::Var(_) = program[arg].kind {
            self.passed.push(arg);
        }
    }

    /// Whether no host function had this name before.
    pub(crate) fn declare_host(&mut self, word: u32, id: HostId) -> bool {
        self.host_words.push(word);
        self.meaning(word).host.replace(id).is_none()
    }

    pub(crate) fn host_function(&self, word: u32) -> Option<HostId> {
        self.meanings.get(word as usize)?.host
    }

    pub(crate) fn called(&mut self, word: u32, span: Span) -> FunctionId {
        if let Some(id) = self.meaning(word).function {
            return id;
        }
        let id = FunctionId(self.callables.len() as u32);
        self.callables.push(Callable {
            word,
            first: span,
            definition: None,
            max_args: (0, span),
            after_variable: None,
        });
        self.meaning(word).function = Some(id);
        id
    }

    pub(crate) fn note_call(&mut self, function: FunctionId, count: usize, call: Span) {
        let after_variable = self.variable_use(self.callables[function.index()].word).is_some();
        let callable = &mut self.callables[function.index()];
        if count > callable.max_args.0 {
            callable.max_args = (count, call);
        }
        if after_variable {
            callable.after_variable.get_or_insert(call);
        }
    }

    pub(crate) fn lacks_function_of(&self, namespace: &str, words: &Words) -> bool {
        let is_of =
            |name: &str| name.strip_prefix(namespace).is_some_and(|rest| rest.starts_with("::"));
        self.callables
            .iter()
            .any(|callable| callable.definition.is_none() && is_of(words.text(callable.word)))
    }

    pub(crate) fn is_param(&self, word: u32) -> bool {
        self.meanings.get(word as usize).is_some_and(|meaning| meaning.param.is_some())
    }

    pub(crate) fn define(&mut self, word: u32, span: Span, words: &Words) -> Vec<Diagnostic> {
        if self.host_function(word).is_some() {
            let message = format!("function name `{}' previously defined", words.text(word));
            return vec![Diagnostic::error(span, message, "a host function has this name")];
        }
        self.called(word, span);
        let meaning = self.meaning(word);
        let message = || format!("function name `{}' previously defined", words.text(word));
        let found = match (meaning.defined, meaning.variable) {
            (Some(before), _) => Diagnostic::error(span, message(), "defined again")
                .with_related(before, "first defined here"),
            (None, Some((VariablePlace::Special(_), _))) => {
                Diagnostic::error(span, message(), "a special variable has this name")
            }
            (None, Some((_, before))) if before == Span::default() => {
                Diagnostic::error(span, message(), "a special variable has this name")
            }
            (None, Some((_, before))) => {
                Diagnostic::error(span, message(), "defined as a function")
                    .with_related(before, "used as a variable here")
            }
            (None, None) => {
                meaning.defined = Some(span);
                return Vec::new();
            }
        };
        vec![found]
    }

    pub(crate) fn declare_param(
        &mut self,
        function: u32,
        word: u32,
        span: Span,
        words: &Words,
    ) -> Option<Diagnostic> {
        let (function_name, name) = (words.text(function), words.text(word));
        let number = self.params.len() + 1;
        // SYMTAB and FUNCTAB may be parameters, as in gawk.
        let special = Special::from_name(name).is_some()
            || GlobalId::PREDEFINED.contains(&name)
            || name == "PROCINFO";
        if word == function {
            let message =
                format!("function `{function_name}': cannot use function name as parameter name");
            return Some(Diagnostic::error(span, message, "choose another name"));
        }
        if special {
            let message = format!(
                "function `{function_name}': cannot use special variable `{name}' as a function parameter"
            );
            return Some(Diagnostic::error(span, message, "choose another name"));
        }
        if let Some(first) = self.meaning(word).param {
            let first = usize::from(first);
            let message = format!(
                "function `{function_name}': parameter #{number}, `{name}', duplicates parameter #{}",
                first + 1
            );
            let before = self.params[first].span;
            return Some(
                Diagnostic::error(span, message, "the same name again")
                    .with_related(before, "first declared here"),
            );
        }
        if self.params.len() >= MAX_PARAMS {
            let message =
                format!("function `{function_name}' has more than {MAX_PARAMS} parameters");
            return Some(Diagnostic::error(span, message, "one too many"));
        }
        self.meaning(word).param = Some(self.params.len() as u16);
        self.params.push(Param { name: name.to_string(), usage: Usage::default(), span });
        self.param_words.push(word);
        None
    }

    pub(crate) fn too_many_params(&self) -> bool {
        self.params.len() >= MAX_PARAMS
    }

    pub(crate) fn finish_function(
        &mut self,
        word: u32,
        mut function: FunctionDefinition,
        exprs: Range<usize>,
    ) {
        function.params = std::mem::take(&mut self.params);
        let span = function.name_span;
        let id = self.called(word, span);
        self.callables[id.index()].definition = Some((function, exprs));
        self.leave_function();
    }

    pub(crate) fn leave_function(&mut self) {
        self.params.clear();
        for word in std::mem::take(&mut self.param_words) {
            self.meaning(word).param = None;
        }
    }

    pub(super) fn variable_use(&self, word: u32) -> Option<Span> {
        self.meanings.get(word as usize)?.variable.map(|(_, span)| span)
    }
}
