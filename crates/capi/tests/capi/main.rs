//! The library as its callers see it: the entry points with everything that may be missing, and the
//! examples, compiled against the header.

mod entry_points;
mod examples;
mod functions;
mod header;
mod panics;
