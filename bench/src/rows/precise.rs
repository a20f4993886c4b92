//! Arithmetic of any precision, only in gawk: the bar is nine tenths of its time.

use super::Row;

pub fn rows() -> Vec<Row> {
    let bits = |row: Row, flags: &[&'static str]| {
        row.flags(flags).by_case().awk_with("gawk", flags).of_fastest_awk(0.9)
    };
    let integers = |row: Row| bits(row, &["-M"]);
    let thousand = |row: Row| bits(row, &["-M", "-v", "PREC=1000"]);
    vec![
        thousand(Row::computes(
            "precise-chain",
            "sums and products of 1,000 bits",
            "BEGIN { x = sqrt(2); y = sqrt(3); for (i = 0; i < @n:1000000@; i++) { x = x * y + y - x; if (x > 1000) x = x / 1000 } print x }",
        )),
        thousand(Row::computes(
            "precise-quotients",
            "quotients of 1,000 bits",
            "BEGIN { x = sqrt(2); y = sqrt(7); for (i = 0; i < @n:1000000@; i++) z = x / y; print z }",
        )),
        integers(Row::computes(
            "precise-products",
            "products of integers of 1,000 bits",
            "BEGIN { a = 3 ^ 630; b = 7 ^ 356; for (i = 0; i < @n:2000000@; i++) x = a * b; print x }",
        )),
        integers(Row::computes(
            "precise-text",
            "numbers of a hundred digits read and written",
            "BEGIN { a = 7 ^ 118; for (i = 0; i < @n:300000@; i++) { s = (a + i) \"\"; n += (s + 0) % 7 } print n }",
        )),
    ]
}
