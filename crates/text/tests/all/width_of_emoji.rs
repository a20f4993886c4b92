//! Every emoji sequence of Unicode takes two columns.

use crate::unicode_data::{rows, string};
use riverhawk_text::display_width;

#[test]
fn fully_qualified_emoji_take_two_columns() {
    for row in rows(include_str!("data/emoji_18.txt")).filter(|row| row.starts_with('F')) {
        assert_eq!(display_width(string(&row[2..]).as_bytes()), 2, "{row}");
    }
}
