//! Calls of library and host functions. Those that only compute are treated as operators.

use super::library::only_computes;
use super::uses::{Use, WITHIN};
use super::walk::Walker;
use riverhawk_syntax::ast::{ExprId, ExprKind, HostId, LibraryFn, Name, Program, Span};
use riverhawk_syntax::library::ParameterKind;

impl Walker<'_> {
    pub(super) fn library(&mut self, function: LibraryFn, args: &[ExprId], span: Span) {
        let program = self.program;
        if let Some(why) = obstacle(program, function, args) {
            let message = format!("{} {why}", function.name());
            match function.reaches_variables() {
                true => self.obstacle_even_first(span, message),
                false => self.obstacle(span, message),
            }
        }
        // Arrays are filled last. A failure sets ERRNO, which the machine notes, so that the piece
        // is run again.
        let is_array = |at: usize| function.parameter(at) == ParameterKind::Array;
        (0..args.len()).filter(|&at| !is_array(at)).for_each(|at| self.expr(args[at]));
        for at in (0..args.len()).filter(|&at| is_array(at)) {
            let ExprKind::Var(place) = program[args[at]].kind else {
                self.obstacle(program[args[at]].span, WITHIN);
                continue;
            };
            let array = Name { place, span: program[args[at]].span, element: None };
            if at == 0 {
                // Sorting reads an array, and changes it unless another array is given.
                self.use_array(array, Use::Read);
                if args.len() == 1 {
                    self.use_array(array, Use::Change);
                }
            } else {
                self.use_array(array, Use::Clear);
                self.certain(place);
            }
            self.present.clear();
        }
    }
}

impl Walker<'_> {
    /// Only its declaration is known.
    pub(super) fn host_call(&mut self, function: HostId, args: &[ExprId], span: Span) {
        let program = self.program;
        let declared = &program.host_functions[function.index()];
        args.iter().for_each(|&arg| self.expr(arg));
        if !declared.is_pure() {
            let name = declared.name();
            self.obstacle(span, format!("{name} may have side effects: it is not declared pure"));
        } else if declared.takes_arrays() {
            self.obstacle(span, format!("{} may change an array", declared.name()));
        }
    }
}

/// Why its effect depends on the order of records.
fn obstacle(program: &Program, function: LibraryFn, args: &[ExprId]) -> Option<&'static str> {
    match function {
        LibraryFn::Asort | LibraryFn::Asorti => {
            // The comparison may be a function of the program, which cannot be analysed by its
            // name.
            let named = |&how: &ExprId| matches!(&program[how].kind, ExprKind::String(how) if how.starts_with(b"@"));
            (!args.get(2).is_none_or(named))
                .then_some("may call a function that is known only at run time")
        }
        LibraryFn::Bindtextdomain => Some("changes a setting for later records"),
        LibraryFn::FileSlurp
        | LibraryFn::FileLines
        | LibraryFn::FileSpew
        | LibraryFn::FileAppend
        | LibraryFn::FilePrepend
        | LibraryFn::FileEdit
        | LibraryFn::FileEditLines
        | LibraryFn::FileDir
        | LibraryFn::FileStat
        | LibraryFn::Chdir
        | LibraryFn::Stat
        | LibraryFn::Fts
        | LibraryFn::Statvfs
        | LibraryFn::Readfile
        | LibraryFn::Writea
        | LibraryFn::Reada => Some("acts on a file, which must happen in the order of the records"),
        LibraryFn::Writeall | LibraryFn::Readall => Some("accesses every variable"),
        LibraryFn::Fork | LibraryFn::Wait | LibraryFn::Waitpid => {
            Some("acts on processes, and a forked process has one thread")
        }
        LibraryFn::Intdiv => {
            Some("may warn of a division by zero, which must happen in the order of the records")
        }
        LibraryFn::Patsplit | LibraryFn::TextMatches => None,
        function if only_computes(function) => None,
        // Functions added later are not proved.
        _ => Some("is not analysed"),
    }
}
