//! What a run asks of its tables.

use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_record::table::{Strictness, Tables, VALUES};

impl Runtime {
    /// Input and output are tables from now on; before anything is read.
    pub(crate) fn set_tables(&mut self, tables: Tables) -> Fallible<()> {
        self.tables = tables;
        if tables.written_as() == Some(VALUES) && !tables.keeps_frames() {
            self.io.outputs.stdout().begin_list();
        }
        self.check_rows(tables.strictness != Strictness::Lenient || tables.is_json());
        self.find_columns()?;
        if tables.input.is_some() {
            self.rule.rows = tables.input;
            self.rule.generation += 1;
            let splitter = self.field_splitter()?;
            self.record.set_splitter(splitter);
        }
        Ok(())
    }

    /// Whether each record is looked at before anybody gets it.
    pub(crate) fn check_rows(&mut self, checked: bool) {
        self.rule.generation += u64::from(self.rule.checked != checked);
        self.rule.checked = checked;
    }
}
