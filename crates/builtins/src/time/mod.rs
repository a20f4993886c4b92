//! Dates, time zones, and times as text and back.

pub mod calendar;
pub mod format;
pub mod parse;
pub mod zone;
