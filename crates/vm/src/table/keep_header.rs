//! Sets the tables of a run.

use crate::current::CurrentRecord;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_record::table::{Strictness, Tables, VALUES};

impl Runtime {
    pub(crate) fn set_tables(&mut self, tables: Tables) -> Fallible<()> {
        self.current.tables = tables;
        if tables.written_as() == Some(VALUES) && !tables.keeps_frames() {
            self.outside.io.outputs.stdout().begin_list();
        }
        self.current.check_rows(tables.strictness != Strictness::Lenient || tables.is_json());
        self.current.find_columns(&self.program, &mut self.globals)?;
        if tables.input.is_some() {
            self.current.rule.rows = tables.input;
            self.current.rule.generation += 1;
            let splitter =
                self.searches.field_splitter(&self.program, &self.current, &self.locale)?;
            self.current.record.set_splitter(splitter);
        }
        Ok(())
    }
}

impl CurrentRecord {
    pub(crate) fn check_rows(&mut self, checked: bool) {
        self.rule.generation += u64::from(self.rule.checked != checked);
        self.rule.checked = checked;
    }
}
