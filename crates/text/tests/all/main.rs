//! All tests in one program: it is linked once.

mod decoder_bugs;
mod decoder_property;
mod decoder_rows;
mod decoder_user_encoding;
mod encoding_facts;
mod encoding_round_trip;
mod grapheme_conformance;
mod grapheme_stream;
mod grapheme_strings;
mod normal_conformance;
mod unicode_data;
mod width_of_emoji;
