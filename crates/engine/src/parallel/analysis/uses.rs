//! What rules and functions do with variables.

use riverhawk_syntax::ast::{ExprId, FunctionId, Program, Span, Special};
use std::collections::{BTreeMap, BTreeSet};

/// A variable of the program, or one of the two that `match` sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variable {
    Global(u32),
    Rstart,
    Rlength,
    /// An array parameter of the current function.
    Param(u16),
}

impl Variable {
    pub fn name(self, program: &Program) -> String {
        match self {
            Variable::Global(number) => program.globals[number as usize].name.clone(),
            Variable::Rstart => Special::Rstart.name().to_owned(),
            Variable::Rlength => Special::Rlength.name().to_owned(),
            Variable::Param(number) => format!("parameter {number}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// Its value is read; for an array: keys, their number, or an element without creating it.
    Read,
    /// An element is read, and created if missing.
    Fetch,
    /// An element is created if missing, without another use.
    Touch,
    /// It, or an element, is assigned in a way not listed below.
    Change,
    /// It, or an element, is assigned and the result not used.
    Set,
    /// `+=`, `-=`, `++`, `--`, and the result not used.
    Sum,
    /// `!a[k]++` decides whether something is printed, and nothing else.
    Distinct,
    /// `s = s e`.
    Append,
    /// Assigned if it is empty, or the element is missing.
    First,
    /// `if (e > m) m = e`.
    Best {
        /// `>`, not `<`.
        greatest: bool,
        /// `>=` or `<=`.
        or_equal: bool,
        /// Also assigned if it is the empty text (1), or the element is missing (2).
        vacant: u8,
        /// The statement's number if other variables are assigned along with it, otherwise 0.
        site: u32,
    },
    /// Assigned along with this global, a maximum or minimum.
    Follow(u32),
    /// An array whose elements are all deleted or replaced.
    Clear,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reason {
    pub span: (u32, u32),
    pub message: String,
}

impl Reason {
    pub fn new(span: Span, message: impl Into<String>) -> Reason {
        Reason { span: (span.start, span.end), message: message.into() }
    }
}

/// What a rule does, or a function with all it calls. In the iteration to a fixpoint everything
/// grows, except `assigned`, which shrinks, and positions, which stay where first found. So it
/// ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// The first position of each use of each variable.
    pub uses: BTreeMap<(Variable, Use), Span>,
    /// Where variables may be read before they are assigned.
    pub exposed: BTreeMap<Variable, Span>,
    /// Variables certain to be assigned (arrays: emptied) at the end; `None` if it never ends by
    /// itself.
    pub assigned: Option<BTreeSet<Variable>>,
    /// Obstacles other than variables.
    pub reasons: BTreeSet<Reason>,
    /// Operands of sums.
    pub addends: BTreeSet<(Variable, ExprId)>,
    /// `++` and `--` of sums.
    pub steps: BTreeSet<(Variable, ExprId)>,
    /// Conditions that hold for the first record of a key.
    pub firsts: BTreeSet<(Variable, ExprId)>,
    /// Operands compared with maxima or minima.
    pub comparands: BTreeSet<(Variable, ExprId)>,
    /// Where NR or FNR is read.
    pub counts: Option<Span>,
    /// A `nextfile`.
    pub skips_file: Option<Span>,
    /// An `exit`.
    pub exits: Option<Span>,
    pub prints: Option<Span>,
    /// Obstacles even in the first record, since the input is cut before it is read.
    pub even_first: BTreeSet<Reason>,
    /// A loop that may not end for some record.
    pub loops: Option<Span>,
    /// Functions that it may call, directly or not.
    pub calls: BTreeMap<FunctionId, Span>,
}

impl Effects {
    pub fn note(&mut self, variable: Variable, what: Use, span: Span) {
        self.uses.entry((variable, what)).or_insert(span);
    }

    /// Keeps the positions found before. Otherwise functions in a cycle of calls would exchange
    /// their positions for ever, since each begins with its own.
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

    pub fn uses_of(&self, variable: Variable) -> impl Iterator<Item = (Use, Span)> {
        self.uses
            .iter()
            .filter(move |((of, _), _)| *of == variable)
            .map(|((_, what), span)| (*what, *span))
    }
}

pub(super) const WITHIN: &str = "arrays of arrays are not analysed";
pub(super) const ORDERED: &str = "PROCINFO[\"sorted_in\"] may set the order of this loop";

/// PROCINFO, if the program mentions it.
pub(super) fn procinfo(program: &Program) -> Option<Variable> {
    let at = program.globals.iter().position(|global| global.name == "PROCINFO")?;
    Some(Variable::Global(at as u32))
}
