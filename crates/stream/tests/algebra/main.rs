//! The stream algebra: operations, waiting and errors, records, sinks, and the HTTP example built
//! on it.

#[path = "../../examples/http/parser.rs"]
mod http_parser;

mod http;
mod operations;
mod records;
mod sinks;
mod sources;
mod waiting;
