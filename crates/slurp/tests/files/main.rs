//! Every function with its options on every kind of file, and failures.

mod attributes;
mod full;
mod in_place;
mod interrupted;
mod killed;
mod known_bugs;
mod locks;
mod permissions;
mod scratch;
mod separators;
mod sources;
mod table;
mod text;
