//! Tables, as the run reads and writes them: [`riverhawk_record::table`] has their formats.
//!
//! - `columns`: the header of a file, taken and kept;
//! - `heading`: the header over what is printed, `keep_header`: when there is one;
//! - `output`: `print`, and how rows end;
//! - `check_rows`: rows that are not as they should be;
//! - `json`: JSON records.

mod check_rows;
mod columns;
mod heading;
mod json;
mod keep_header;
mod output;
