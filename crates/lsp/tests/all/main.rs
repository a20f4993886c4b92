//! A scripted client asks the server everything that it can answer.

mod client;
mod edits;
mod files;
mod requests;
mod scripts;
mod texts;
