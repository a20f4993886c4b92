//! The stream algebra, and the HTTP example.

#[path = "../../examples/http/parser.rs"]
mod http_parser;

mod http;
mod operations;
mod records;
mod sinks;
mod sources;
mod waiting;
