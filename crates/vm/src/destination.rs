//! Checks the arrays that a built-in function fills. They must not be SYMTAB or FUNCTAB, nor
//! contain each other, since filling one would delete the other.

use crate::globals::Globals;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::NamedTable;
use riverhawk_value::ArrayRef;
use std::rc::Rc;

impl Globals {
    #[inline]
    pub(crate) fn named_table(&self, array: &ArrayRef) -> Option<NamedTable> {
        let is =
            |table: &Option<ArrayRef>| table.as_ref().is_some_and(|table| Rc::ptr_eq(table, array));
        if is(&self.named.symbols) {
            Some(NamedTable::Symbols)
        } else if is(&self.named.functions) {
            Some(NamedTable::Functions)
        } else {
            None
        }
    }

    #[inline]
    pub(crate) fn check_filled(
        &self,
        function: &str,
        ordinal: &str,
        array: &ArrayRef,
    ) -> Fallible<()> {
        match self.named_table(array) {
            None => Ok(()),
            Some(table) => Err(refused(function, ordinal, table)),
        }
    }

    #[inline]
    pub(crate) fn check_pieces(
        &self,
        function: &str,
        pieces: &ArrayRef,
        between: Option<&ArrayRef>,
    ) -> Fallible<()> {
        let Some(between) = between else { return self.check_filled(function, "second", pieces) };
        self.check_filled(function, "fourth", between)?;
        self.check_filled(function, "second", pieces)?;
        let wrong = if Rc::ptr_eq(pieces, between) {
            "the same array for second and fourth args"
        } else if pieces.borrow().holds(between) {
            "a subarray of second arg for fourth arg"
        } else if between.borrow().holds(pieces) {
            "a subarray of fourth arg for second arg"
        } else {
            return Ok(());
        };
        Err(Fault::new(format!("{function}: cannot use {wrong}")))
    }

    pub(crate) fn check_sorted(
        &self,
        function: &str,
        source: &ArrayRef,
        into: Option<&ArrayRef>,
    ) -> Fallible<()> {
        let Some(into) = into else {
            return match self.named_table(source) {
                None => Ok(()),
                Some(table) => {
                    let table = table.name();
                    let message = format!(
                        "{function}: first argument cannot be {table} without a second argument"
                    );
                    Err(Fault::new(message))
                }
            };
        };
        self.check_filled(function, "second", into)?;
        let wrong = if self.named_table(source).is_none() && source.borrow().holds(into) {
            "a subarray of first argument for second argument"
        } else if into.borrow().holds(source) {
            "a subarray of second argument for first argument"
        } else {
            return Ok(());
        };
        Err(Fault::new(format!("{function}: cannot use {wrong}")))
    }
}

#[cold]
fn refused(function: &str, ordinal: &str, table: NamedTable) -> Fault {
    Fault::new(format!("{function}: cannot use {} as {ordinal} argument", table.name()))
}
