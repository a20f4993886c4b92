//! The current record, and how records are read, divided and put together.

use crate::specials::Specials;
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::Record;
use riverhawk_record::record_rule::RecordRule;
use riverhawk_record::splitter::Splitter;
use riverhawk_record::table::{Columns, Flaws, Frames, Tables};
use riverhawk_record::terminator::Terminator;
use riverhawk_regex::Options;

/// The current record with the specials, by which most values are read.
pub(crate) struct CurrentRecord {
    pub(crate) record: Record,
    pub(crate) specials: Specials,
    pub(crate) rule: RecordRule,
    pub(crate) rt: Terminator,
    /// The terminator, when it is more than a byte.
    pub(crate) rt_text: Vec<u8>,
    pub(crate) tables: Tables,
    /// Columns that the program names, and those of the file.
    pub(crate) columns: Columns,
    /// Brackets around the file's JSON values.
    pub(crate) frames: Frames,
    /// Malformed rows of the file.
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
