//! Columns on a terminal.

use crate::code_point::first_code_point;
use crate::graphemes;
use unicode_width::UnicodeWidthStr;

/// The columns of `text` in a monospaced font: the sum over its grapheme clusters.
///
/// East Asian wide characters, emoji and their sequences take 2; combining marks and control
/// characters (tab and newline too) 0; a broken byte and `Ambiguous` characters 1.
///
/// Terminals differ; the widths are `unicode-width`'s. Ligatures across clusters (Arabic lam-alef)
/// are counted apart.
///
/// ```
/// use riverhawk_text::display_width;
/// assert_eq!(display_width("e\u{301}漢字👩‍🚀\t".as_bytes()), 1 + 2 + 2 + 2 + 0);
/// ```
pub fn display_width(text: &[u8]) -> usize {
    if riverhawk_simd::is_ascii(text) {
        return text.iter().map(|byte| usize::from(!byte.is_ascii_control())).sum();
    }
    graphemes(text).map(cluster_width).sum()
}

fn cluster_width(cluster: &[u8]) -> usize {
    if let [byte] = cluster {
        return usize::from(!byte.is_ascii_control());
    }
    match (first_code_point(cluster), std::str::from_utf8(cluster)) {
        (Some((c, _)), _) if c.is_control() => 0,
        (_, Ok(text)) => text.width(),
        (_, Err(_)) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::display_width;

    #[test]
    fn columns_of_every_kind_of_text() {
        let rows: [(&[u8], usize); 16] = [
            (b"", 0),
            (b"plain", 5),
            (b"a\tb\r\n\x7F\x00", 2),
            ("\u{85}\u{9F}é\r\n".as_bytes(), 1),
            ("e\u{301}o\u{308}\u{323}".as_bytes(), 2),
            ("漢字かな".as_bytes(), 8),
            ("ＡＢ".as_bytes(), 4),
            ("ｱ".as_bytes(), 1),
            ("한국".as_bytes(), 4),
            ("\u{1112}\u{1161}\u{11AB}".as_bytes(), 2),
            ("😀👍🏽👨‍👩‍👧🇫🇷1️⃣❤️".as_bytes(), 12),
            ("❤".as_bytes(), 1),
            ("\u{200B}\u{200D}\u{FEFF}".as_bytes(), 0),
            (b"a\xFF\xE2\x82b", 5),
            ("½…—".as_bytes(), 3),
            ("नमस्ते".as_bytes(), 4),
        ];
        for (text, columns) in rows {
            assert_eq!(display_width(text), columns, "{:?}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn ascii_has_the_same_width_alone_and_among_others() {
        for byte in 0..128u8 {
            let alone = display_width(&[byte]);
            assert_eq!(display_width(&[b'x', byte, 0xC3, 0xA9, b'y']), alone + 3, "{byte:#x}");
        }
    }
}
