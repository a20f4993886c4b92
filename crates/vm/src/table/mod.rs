//! The tables of a run; [`riverhawk_record::table`] has their formats.

mod check_rows;
mod columns;
mod heading;
mod json;
mod keep_header;
mod output;
