//! The record that is being worked on, and what says how it is read, divided and put together.

use crate::specials::Specials;
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::Record;
use riverhawk_record::record_rule::RecordRule;
use riverhawk_record::splitter::Splitter;
use riverhawk_record::table::{Columns, Flaws, Frames, Tables};
use riverhawk_record::terminator::Terminator;
use riverhawk_regex::Options;

/// The current record with the special variables, which most values are read by.
pub(crate) struct CurrentRecord {
    /// `$0` and its fields.
    pub(crate) record: Record,
    /// NR, FS and the like.
    pub(crate) specials: Specials,
    /// What RS says.
    pub(crate) rule: RecordRule,
    /// What ended the last record.
    pub(crate) rt: Terminator,
    /// Its text, when it is more than a byte.
    pub(crate) rt_text: Vec<u8>,
    /// What input and output are, if tables.
    pub(crate) tables: Tables,
    /// The columns that the program names, and those of the file being read.
    pub(crate) columns: Columns,
    /// The brackets around the JSON values of the file being read.
    pub(crate) frames: Frames,
    /// What was wrong with rows of the file being read.
    pub(crate) flaws: Flaws,
    /// Whether a warning said that FS, or RS, has no effect.
    pub(crate) warned_of_separators: [bool; 2],
}

impl CurrentRecord {
    pub(crate) fn new(program: &Program, options: Options) -> CurrentRecord {
        let mut record = Record::new(Splitter::Blanks);
        record.expect_fields(program.fields_named());
        CurrentRecord {
            record,
            specials: Specials::default(),
            rule: RecordRule {
                separator: b"\n".to_vec(),
                generation: 0,
                options,
                rows: None,
                checked: false,
            },
            rt: Terminator::None,
            rt_text: Vec::new(),
            tables: Tables::default(),
            columns: Columns::default(),
            frames: Frames::default(),
            flaws: Flaws::default(),
            warned_of_separators: [false; 2],
        }
    }
}
