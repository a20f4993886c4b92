//! Decides for each variable how pieces' results are joined, or why they cannot be.

use super::shapes::{MISSING, TEXT};
use super::uses::{Effects, Use, Variable};
use riverhawk_parallel::{Empty, Join, Share, Slot};
use riverhawk_syntax::ast::{GlobalId, Program, Span, Special};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub name: String,
    pub span: Span,
    /// How it is joined, or why it cannot be.
    pub finding: Result<Join, Obstacle>,
}

/// What prevents running a program in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    pub span: Span,
    /// How it depends on the order of records.
    pub message: String,
}

/// `None` if the rules do not use the variable.
pub(super) fn verdict(program: &Program, effects: &Effects, variable: Variable) -> Option<Verdict> {
    let first = effects.uses_of(variable).map(|(_, span)| span).min_by_key(|span| span.start)?;
    let name = variable.name(program);
    let finding = join(program, effects, variable)
        .map_err(|(span, what)| Obstacle { span, message: format!("`{name}` {what}") });
    Some(Verdict { name, span: first, finding })
}

pub(super) fn share(
    program: &Program,
    variable: Variable,
    join: Join,
    wanted: bool,
) -> Option<Share> {
    let (slot, array) = match variable {
        Variable::Global(number) => {
            (Slot::Global(GlobalId(number)), program.globals[number as usize].usage.array)
        }
        Variable::Rstart => (Slot::Special(Special::Rstart), false),
        Variable::Rlength => (Slot::Special(Special::Rlength), false),
        Variable::Param(_) => return None,
    };
    Some(Share { slot, array, join, wanted })
}

fn join(
    program: &Program,
    effects: &Effects,
    variable: Variable,
) -> Result<Join, (Span, &'static str)> {
    let uses: Vec<(Use, Span)> = effects.uses_of(variable).collect();
    let find = |wanted: fn(Use) -> bool| {
        uses.iter().find(|(what, _)| wanted(*what)).map(|(_, span)| *span)
    };
    let only = |allowed: fn(Use) -> bool| uses.iter().all(|(what, _)| allowed(*what));
    let array = match variable {
        Variable::Global(number) => {
            let usage = program.globals[number as usize].usage;
            if usage.array && usage.scalar {
                return Err((uses[0].1, "is used as an array and as a scalar"));
            }
            if number <= GlobalId::ENVIRON.0
                && let Some(span) =
                    find(|what| !matches!(what, Use::Read | Use::Fetch | Use::Touch))
            {
                return Err((span, "is used when later records are read, or by their commands"));
            }
            usage.array
        }
        _ => false,
    };
    if only(|what| what == Use::Read) {
        return Ok(Join::Constant);
    }
    if find(|what| matches!(what, Use::Follow(_))).is_some() {
        let elsewhere = "is assigned together with a maximum or minimum, and also used elsewhere";
        return match *uses {
            [(Use::Follow(best), span)] => match join(program, effects, Variable::Global(best)) {
                Ok(Join::Best { .. }) => Ok(Join::Follow(GlobalId(best))),
                _ => Err((span, elsewhere)),
            },
            _ => Err((uses[0].1, elsewhere)),
        };
    }
    let Some(&exposed) = effects.exposed.get(&variable) else {
        return Ok(if array { Join::Contents } else { Join::Last });
    };
    // RSTART and RLENGTH could not hold an exact sum.
    if matches!(variable, Variable::Global(_))
        && only(|what| matches!(what, Use::Sum | Use::Touch))
        && find(|what| what == Use::Sum).is_some()
    {
        return Ok(Join::Sum);
    }
    if only(|what| what == Use::Distinct) {
        return Ok(Join::Distinct);
    }
    if only(|what| what == Use::Append) {
        return Ok(Join::Concatenation);
    }
    if only(|what| what == Use::First) {
        return Ok(Join::First);
    }
    if array && only(|what| what == Use::Set) {
        return Ok(Join::Last);
    }
    if array && only(|what| matches!(what, Use::Fetch | Use::Touch)) {
        return Ok(Join::Keys);
    }
    if let [(Use::Best { greatest, or_equal, vacant, .. }, _)] = *uses {
        let vacant = match vacant {
            TEXT => Empty::Text,
            MISSING => Empty::Missing,
            _ => Empty::Never,
        };
        return Ok(Join::Best { greatest, or_equal, vacant });
    }
    // Reported at a read, if there is one.
    if let Some(span) = find(|what| what == Use::Read) {
        return Err(match array {
            true => (span, "is tested here for its elements, and other records create some"),
            false => (span, "is read here, and its value comes from other records"),
        });
    }
    if let Some(span) = find(|what| what == Use::Fetch) {
        return Err((span, "is read here, and the element may come from other records"));
    }
    if let Some(span) = find(|what| what == Use::Change) {
        return Err((span, "is changed here depending on its value after other records"));
    }
    if let Some(span) = find(|what| what == Use::Clear) {
        return Err((span, "is emptied here, which deletes elements from other records"));
    }
    let last = uses.iter().map(|(_, span)| *span).max_by_key(|span| span.start);
    Err((last.unwrap_or(exposed), "is used in several ways whose order matters"))
}
