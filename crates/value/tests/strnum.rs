//! Text to number, compared with gawk 5.2.1.

use riverhawk_value::number::{looks_numeric, to_number};

#[test]
fn words_blanks_and_half_numbers_are_read_as_gawk_reads_them() {
    // Text, its value in arithmetic, whether a field of it is a number.
    let rows: &[(&str, f64, bool)] = &[
        ("12", 12.0, true),
        (" 12", 12.0, true),
        ("\t12", 12.0, true),
        ("\n12", 12.0, true),
        ("\x0c12", 12.0, true),
        ("\x0b12", 12.0, true),
        ("\r12", 12.0, true),
        ("12 ", 12.0, true),
        ("12\r", 12.0, true),
        ("12\x0c\x0b\n", 12.0, true),
        ("", 0.0, false),
        (" ", 0.0, false),
        ("+inf", f64::INFINITY, true),
        ("-inf", f64::NEG_INFINITY, true),
        ("+INF", f64::INFINITY, true),
        (" +inf", f64::INFINITY, true),
        ("+inf ", f64::INFINITY, true),
        ("inf", 0.0, false),
        ("nan", 0.0, false),
        ("+infinity", 0.0, false),
        ("+nanx", 0.0, false),
        ("+inf1", 0.0, false),
        ("+inf x", 0.0, false),
        ("+inf-", 0.0, false),
        ("+inf.", 0.0, false),
        ("-nan(123)", 0.0, false),
        ("+i", 0.0, false),
        ("0x1A", 0.0, false),
        ("+0x1A", 0.0, false),
        ("0b1", 0.0, false),
        ("1e3", 1000.0, true),
        ("1E3", 1000.0, true),
        ("1e", 1.0, false),
        ("1e+", 1.0, false),
        ("1e-", 1.0, false),
        ("1e+5x", 100000.0, false),
        ("1e000000000000000005", 100000.0, true),
        ("1e0000000000000000005", 100000.0, true),
        ("1e-0000000000000000000", 1.0, true),
        ("1e99999999999999999999", f64::INFINITY, true),
        ("1e5.5", 100000.0, false),
        ("5.", 5.0, true),
        ("5.e3", 5000.0, true),
        (".5", 0.5, true),
        (".5.", 0.5, false),
        (".e3", 0.0, false),
        (".", 0.0, false),
        ("+.", 0.0, false),
        ("+.5", 0.5, true),
        ("-.5e-2x", -0.005, false),
        ("-", 0.0, false),
        ("+", 0.0, false),
        ("+-3", 0.0, false),
        (" + 5", 0.0, false),
        ("1_000", 1.0, false),
        ("1,5", 1.0, false),
        ("1 2", 1.0, false),
        ("1d3", 1.0, false),
        ("1p3", 1.0, false),
        ("00123", 123.0, true),
        ("-0", -0.0, true),
        ("1e400", f64::INFINITY, true),
        ("-1e400", f64::NEG_INFINITY, true),
        ("1e-400", 0.0, true),
        ("1e99999999999999999999", f64::INFINITY, true),
        ("0e99999999999999999999", 0.0, true),
        ("1e-99999999999999999999", 0.0, true),
        ("9007199254740993", 9007199254740992.0, true),
        ("12345678901234567890.", 12345678901234567890.0, true),
        ("0.00000000000000000000000000000000001", 1e-35, true),
        ("\u{a0}5", 0.0, false),
        ("5\0", 5.0, false),
    ];
    for &(text, value, numeric) in rows {
        assert_eq!(to_number(text.as_bytes()).to_bits(), value.to_bits(), "{text:?}");
        assert_eq!(
            looks_numeric(text.as_bytes()).map(f64::to_bits),
            numeric.then_some(value.to_bits()),
            "{text:?}"
        );
    }
    for (text, negative) in [("+nan", false), ("-nan", true), ("+NaN\n", false)] {
        let value = to_number(text.as_bytes());
        assert!(value.is_nan() && value.is_sign_negative() == negative, "{text:?}");
        assert!(looks_numeric(text.as_bytes()).is_some(), "{text:?}");
    }
}
