//! Decides whether a run can be on several threads, and how its input is cut.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use riverhawk_compile::{Mode, Notes};
use riverhawk_parallel::{Join, Plan, Slot};
use riverhawk_record::table::Tables;
use riverhawk_syntax::ast::{GlobalId, Program};

use crate::code::Code;
use crate::executable::Executable;
use crate::parallel::Jobs;
use crate::parallel::analysis::analyse;
use crate::parallel::remark::{self, SerialReason};
use crate::tier::Watched;
use crate::{Config, Remark};

/// How the program is run in pieces; `None` if that is not requested, or impossible, which gives a
/// remark.
pub(crate) fn jobs(
    Executable { code, program, sources, .. }: Executable<'_>,
    config: &Config,
    bytes: &Arc<AtomicU64>,
    watched: Option<&Watched>,
) -> (Option<Jobs>, Option<Remark>) {
    let threads = config.parallel.threads();
    if threads < 2 && config.cluster.is_none() {
        return (None, None);
    }
    if let Some(against) = against_pieces(code, config) {
        return (None, Some(remark::about_options(against)));
    }
    let analysis = analyse(program);
    let remark = remark::about_program(&analysis);
    let prints = analysis.rules.iter().any(|rule| rule.prints);
    let Some((plan, notes)) = analysis.plan else { return (None, remark) };
    let machine = &config.machine;
    let prints_tables = machine.tables.output.is_some() || machine.tables.edits;
    if plan.drops_output() && (prints_tables || config.cluster.is_some()) {
        return (None, Some(remark::about_options(SerialReason::Distinct)));
    }
    let conditions = Conditions {
        tables: machine.tables,
        relaxed_sums: keeps_sums(code, config),
        keeps_variables: machine.reports.data,
    };
    let Some((plan, notes)) = completed(plan, notes, program, conditions) else {
        return (None, None);
    };
    let wants_last_record =
        plan.end_reads_record || machine.tables.input.is_some() || machine.reports.data;
    let jobs = Jobs {
        program: program.clone(),
        sources: sources.clone(),
        plan: Arc::new(plan),
        notes: Arc::new(notes),
        threads,
        piece_size: config.parallel.piece_size as u64,
        prints,
        progress: bytes.clone(),
        program_name: machine.command_line.program_name.as_slice().into(),
        environment: machine.environment.clone(),
        clock: machine.clock,
        mode: Mode { profiled: false, keeps_variables: machine.reports.data, ..code.mode },
        unit: code.unit,
        window_size: machine.input.window_size,
        watched: watched.map(Watched::sibling),
        tables: machine.tables,
        host_functions: machine.host_functions.clone(),
        process_owner: machine.process_owner(),
        wants_last_record,
        keeps_variables: machine.reports.data,
        operand_files: machine.input.operand_files.clone(),
        cluster: config.cluster.clone(),
    };
    (Some(jobs), None)
}

/// What a run asks of its pieces beside the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    pub tables: Tables,
    pub relaxed_sums: bool,
    /// Whether variables are looked at after END.
    pub keeps_variables: bool,
}

/// A plan, and what its pieces note, for this run; `None` if the program cannot run in pieces then.
pub(crate) fn completed(
    mut plan: Plan,
    notes: Notes,
    program: &Program,
    Conditions { tables, relaxed_sums, keeps_variables }: Conditions,
) -> Option<(Plan, Notes)> {
    plan.shares.iter_mut().for_each(|share| share.wanted |= keeps_variables);
    if tables.is_json() {
        plan = with_names_of_each_record(plan, program)?;
    }
    let notes = match relaxed_sums {
        true => Notes { addends: HashSet::new(), ..notes },
        false => Notes { sums: HashSet::new(), ..notes },
    };
    Some((Plan { relaxed_sums, ..plan }, notes))
}

/// Exact integers are exact without this, and observed programs have operations of their own.
pub(crate) fn keeps_sums(code: &Code, config: &Config) -> bool {
    config.parallel.relaxed_sums && !code.serial && !code.bytecode.exact
}

fn against_pieces(code: &Code, config: &Config) -> Option<SerialReason> {
    let machine = &config.machine;
    let has_own_numbers = !machine.has_plain_numbers() || machine.locale.collation.is_some();
    let checks = [
        (code.bytecode.precise, SerialReason::Precise),
        (has_own_numbers, SerialReason::Numbers),
        (code.serial || code.is_profiled(), SerialReason::Observed),
        (machine.output.in_place.is_some(), SerialReason::InPlace),
        (machine.input.follow, SerialReason::Followed),
        (machine.has_counted_limits(), SerialReason::Limited),
        (machine.tables.are_whole(), SerialReason::Whole),
    ];
    checks.into_iter().find(|(is_so, _)| *is_so).map(|(_, against)| against)
}

/// With JSON records, FIELDS is made anew for each record, so it is not joined. Rules that assign
/// it are not proved.
fn with_names_of_each_record(mut plan: Plan, program: &Program) -> Option<Plan> {
    let Some(fields) = program.globals.iter().position(|global| global.name == "FIELDS") else {
        return Some(plan);
    };
    for share in
        plan.shares.iter_mut().filter(|share| share.slot == Slot::Global(GlobalId(fields as u32)))
    {
        match share.join {
            Join::Constant | Join::Keys => (share.join, share.wanted) = (Join::Constant, false),
            _ => return None,
        }
    }
    Some(plan)
}
