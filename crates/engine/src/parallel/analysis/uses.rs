//! What rules and functions do with variables, as facts for the verdict.

use riverhawk_syntax::ast::{ExprId, FunctionId, Program, Span, Special};
use std::collections::{BTreeMap, BTreeSet};

/// A variable of the program, or one of the two that `match` sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variable {
    /// A global, by number.
    Global(u32),
    /// RSTART.
    Rstart,
    /// RLENGTH.
    Rlength,
    /// An array parameter of the function being looked at.
    Param(u16),
}

impl Variable {
    /// Its name.
    pub fn name(self, program: &Program) -> String {
        match self {
            Variable::Global(number) => program.globals[number as usize].name.clone(),
            Variable::Rstart => Special::Rstart.name().to_owned(),
            Variable::Rlength => Special::Rlength.name().to_owned(),
            Variable::Param(number) => format!("parameter {number}"),
        }
    }
}

/// What is done with a variable in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// Its value is used; of an array: which keys there are, how many, or an element in a way that
    /// does not make it.
    Read,
    /// An element is read, which makes it when it is missing.
    Fetch,
    /// An element is named and not used: it is made when it is missing.
    Touch,
    /// It, or an element, is assigned in a way that is none of the following.
    Change,
    /// It, or an element, is assigned and the value not used further.
    Set,
    /// `+=`, `-=`, `++`, `--`, the result not used.
    Sum,
    /// `s = s e`.
    Append,
    /// Assigned while it is empty, or there is no such element.
    First,
    /// `if (e > m) m = e`.
    Best {
        /// `>` rather than `<`.
        greatest: bool,
        /// `>=` or `<=`.
        or_equal: bool,
        /// Also assigned while it is the empty text (1), or there is no such element (2).
        vacant: u8,
        /// Which statement it is, when other variables are assigned with it; else 0.
        site: u32,
    },
    /// Assigned together with this global, which takes the greatest or least.
    Follow(u32),
    /// Of an array: all elements are deleted, or replaced.
    Clear,
}

/// Why a program is not parallel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reason {
    /// Where in the program.
    pub span: (u32, u32),
    /// What stands in the way there.
    pub message: String,
}

impl Reason {
    pub fn new(span: Span, message: impl Into<String>) -> Reason {
        Reason { span: (span.start, span.end), message: message.into() }
    }
}

/// What a rule, or a function with all it calls, does. Everything in it only grows while functions
/// are looked at again and again, except `assigned`, which only shrinks, and places stay where they
/// were first found: so that ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Each kind of use of each variable, and where it was met first.
    pub uses: BTreeMap<(Variable, Use), Span>,
    /// Variables that are looked at before they are certain to have been assigned, and where.
    pub exposed: BTreeMap<Variable, Span>,
    /// Variables certain to have been assigned (arrays: emptied) when it ends; `None` when it
    /// never ends by itself.
    pub assigned: Option<BTreeSet<Variable>>,
    /// What stands in the way, whatever the variables.
    pub reasons: BTreeSet<Reason>,
    /// Right sides of sums.
    pub addends: BTreeSet<(Variable, ExprId)>,
    /// What is compared with greatest or least values.
    pub comparands: BTreeSet<(Variable, ExprId)>,
    /// Where NR or FNR is looked at.
    pub counts: Option<Span>,
    /// Where a `nextfile` is.
    pub skips_file: Option<Span>,
    /// Where an `exit` is.
    pub exits: Option<Span>,
    /// Where something is printed.
    pub prints: Option<Span>,
    /// What stands in the way even where only the first record does it: the input has been laid
    /// out before that is read.
    pub even_first: BTreeSet<Reason>,
    /// Where a loop is of which it is not seen that it ends, whatever the record holds.
    pub loops: Option<Span>,
    /// Functions that it may call, also by way of others, and where.
    pub calls: BTreeMap<FunctionId, Span>,
}

impl Effects {
    /// Notes a use; the first place counts.
    pub fn note(&mut self, variable: Variable, what: Use, span: Span) {
        self.uses.entry((variable, what)).or_insert(span);
    }

    /// The same, where `before` has found it already. Functions that call each other in a circle
    /// would else hand their places round for ever: each has its own first place until it hears
    /// of another's.
    pub fn at_the_places_of(mut self, before: &Effects) -> Effects {
        fn keep<K: Ord>(places: &mut BTreeMap<K, Span>, before: &BTreeMap<K, Span>) {
            for (what, place) in places {
                *place = *before.get(what).unwrap_or(place);
            }
        }
        keep(&mut self.uses, &before.uses);
        keep(&mut self.exposed, &before.exposed);
        keep(&mut self.calls, &before.calls);
        self.counts = before.counts.or(self.counts);
        self.skips_file = before.skips_file.or(self.skips_file);
        self.exits = before.exits.or(self.exits);
        self.prints = before.prints.or(self.prints);
        self.loops = before.loops.or(self.loops);
        self
    }

    /// The uses of one variable.
    pub fn uses_of(&self, variable: Variable) -> impl Iterator<Item = (Use, Span)> {
        self.uses
            .iter()
            .filter(move |((of, _), _)| *of == variable)
            .map(|((_, what), span)| (*what, *span))
    }
}

/// Why arrays of arrays are left alone.
pub(super) const WITHIN: &str = "arrays within arrays have not been looked into";
