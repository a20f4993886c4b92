//! Columns in Arrow's layout, built value by value, and what type a column of texts has.

use std::fmt;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    String,
    Bytes,
    I64,
    F64,
    Bool,
}

impl ColumnType {
    pub(crate) const NAMES: [(&'static str, ColumnType); 5] = [
        ("string", ColumnType::String),
        ("bytes", ColumnType::Bytes),
        ("i64", ColumnType::I64),
        ("f64", ColumnType::F64),
        ("bool", ColumnType::Bool),
    ];

    pub(crate) fn named(name: &str) -> Option<ColumnType> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind)
    }

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.iter().find(|&&(_, kind)| kind == self).map_or("", |(name, _)| name)
    }
}

/// Some rows of a table.
pub(crate) struct Batch {
    pub columns: Vec<Column>,
    pub rows: usize,
}

/// The values of a column for some rows.
pub(crate) struct Column {
    pub values: Values,
    /// A bit per row, set unless it is null; empty if none is.
    pub valid: Vec<u8>,
    pub nulls: usize,
    pub len: usize,
}

/// In Arrow's layout; a null has some value.
pub(crate) enum Values {
    /// Row `n` is `data[ends[n]..ends[n + 1]]`.
    Text {
        ends: Vec<i32>,
        data: Vec<u8>,
        is_utf8: bool,
    },
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    Bits(Vec<u8>),
}

/// A value of a column.
pub(crate) enum Cell<'a> {
    Null,
    Text(&'a str),
    Bytes(&'a [u8]),
    Integer(i64),
    Float(f64),
    Bool(bool),
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Null => Ok(()),
            Cell::Text(text) => out.write_str(text),
            Cell::Bytes(bytes) => out.write_str(&String::from_utf8_lossy(bytes)),
            Cell::Integer(integer) => integer.fmt(out),
            Cell::Float(float) => float.fmt(out),
            Cell::Bool(truth) => truth.fmt(out),
        }
    }
}

impl Column {
    pub(crate) fn new(kind: ColumnType) -> Column {
        let text = |is_utf8| Values::Text { ends: vec![0], data: Vec::new(), is_utf8 };
        let values = match kind {
            ColumnType::String => text(true),
            ColumnType::Bytes => text(false),
            ColumnType::I64 => Values::Integers(Vec::new()),
            ColumnType::F64 => Values::Floats(Vec::new()),
            ColumnType::Bool => Values::Bits(Vec::new()),
        };
        Column { values, valid: Vec::new(), nulls: 0, len: 0 }
    }

    pub(crate) fn push_null(&mut self) {
        if self.nulls == 0 {
            self.valid = vec![0xFF; self.len.div_ceil(8)];
        }
        self.nulls += 1;
        set_bit(&mut self.valid, self.len, false);
        match &mut self.values {
            Values::Text { ends, data, .. } => ends.push(data.len() as i32),
            Values::Integers(integers) => integers.push(0),
            Values::Floats(floats) => floats.push(0.0),
            Values::Bits(bits) => set_bit(bits, self.len, false),
        }
        self.len += 1;
    }

    /// Adds a value by its text; false if that is none of the column's type.
    #[inline]
    pub(crate) fn push(&mut self, text: &[u8]) -> bool {
        match &mut self.values {
            Values::Text { ends, data, .. } => {
                data.extend_from_slice(text);
                let Ok(end) = i32::try_from(data.len()) else { return false };
                ends.push(end);
            }
            Values::Integers(integers) => {
                let Some(integer) = trimmed(text, integer_of) else { return false };
                integers.push(integer);
            }
            Values::Floats(floats) => {
                let Some(float) = trimmed(text, float_of) else { return false };
                floats.push(float);
            }
            Values::Bits(bits) => {
                let Some(truth) = trimmed(text, truth_of) else { return false };
                set_bit(bits, self.len, truth);
            }
        }
        if self.nulls > 0 {
            set_bit(&mut self.valid, self.len, true);
        }
        self.len += 1;
        true
    }

    /// A column of bytes as one of texts.
    pub(crate) fn into_texts(mut self) -> Column {
        if let Values::Text { is_utf8, .. } = &mut self.values {
            *is_utf8 = true;
        }
        self
    }

    pub(crate) fn is_of_texts(&self) -> bool {
        matches!(self.values, Values::Text { .. })
    }

    /// The bytes of a text, whatever they are.
    pub(crate) fn bytes(&self, row: usize) -> Option<&[u8]> {
        match &self.values {
            Values::Text { ends, data, .. } if !self.is_null(row) => {
                Some(&data[ends[row] as usize..ends[row + 1] as usize])
            }
            _ => None,
        }
    }

    pub(crate) fn cell(&self, row: usize) -> Cell<'_> {
        if self.is_null(row) {
            return Cell::Null;
        }
        match &self.values {
            Values::Text { is_utf8, .. } => {
                let bytes = self.bytes(row).unwrap_or_default();
                match std::str::from_utf8(bytes) {
                    Ok(text) if *is_utf8 => Cell::Text(text),
                    _ => Cell::Bytes(bytes),
                }
            }
            Values::Integers(integers) => Cell::Integer(integers[row]),
            Values::Floats(floats) => Cell::Float(floats[row]),
            Values::Bits(bits) => Cell::Bool(bit(bits, row)),
        }
    }

    /// The first row whose text is no UTF-8, though it has to be.
    pub(crate) fn malformed(&self) -> Option<usize> {
        let Values::Text { ends, data, is_utf8: true } = &self.values else { return None };
        let is_cut = |&end: &i32| data.get(end as usize).is_some_and(|byte| byte & 0xC0 == 0x80);
        if riverhawk_simd::is_ascii(data)
            || (riverhawk_simd::validate_utf8(data).is_ok() && !ends.iter().any(is_cut))
        {
            return None;
        }
        (0..self.len)
            .find(|&row| self.bytes(row).is_some_and(|text| std::str::from_utf8(text).is_err()))
    }

    fn is_null(&self, row: usize) -> bool {
        self.nulls > 0 && !bit(&self.valid, row)
    }
}

fn set_bit(bits: &mut Vec<u8>, at: usize, is_set: bool) {
    if at / 8 == bits.len() {
        bits.push(0);
    }
    let mask = 1 << (at % 8);
    let byte = &mut bits[at / 8];
    *byte = if is_set { *byte | mask } else { *byte & !mask };
}

fn bit(bits: &[u8], at: usize) -> bool {
    bits[at / 8] >> (at % 8) & 1 == 1
}

/// What a text is, which few have blanks around.
#[inline]
fn trimmed<T>(text: &[u8], parse: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    parse(text).or_else(|| {
        let inner = text.trim_ascii();
        if inner.len() < text.len() { parse(inner) } else { None }
    })
}

/// A decimal integer of 64 bits, with a sign or without.
fn integer_of(text: &[u8]) -> Option<i64> {
    /// So many digits are always below 2^63.
    const SAFE_DIGITS: usize = 18;
    let (digits, is_negative) = signed(text);
    if digits.is_empty() {
        return None;
    }
    if digits.len() > SAFE_DIGITS {
        return std::str::from_utf8(text).ok()?.parse().ok();
    }
    let mut total = 0;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        total = total * 10 + i64::from(digit);
    }
    Some(if is_negative { -total } else { total })
}

/// Digits, and whether a minus is before them.
fn signed(text: &[u8]) -> (&[u8], bool) {
    match text {
        [b'-', digits @ ..] => (digits, true),
        [b'+', digits @ ..] | digits => (digits, false),
    }
}

/// A decimal number, `inf` or `nan`.
fn float_of(text: &[u8]) -> Option<f64> {
    short_float_of(text).or_else(|| std::str::from_utf8(text).ok()?.parse().ok())
}

/// A number whose digits, without its point, and the power of ten that divides them are doubles exactly: their
/// quotient is rounded once, as it should be.
fn short_float_of(text: &[u8]) -> Option<f64> {
    /// So many digits are always below 2^53.
    const EXACT_DIGITS: usize = 15;
    const POWERS: [f64; EXACT_DIGITS + 1] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (number, is_negative) = signed(text);
    // One byte may be the point.
    if number.len() > EXACT_DIGITS + 1 {
        return None;
    }
    let (mut total, mut digits, mut whole_digits) = (0_u64, 0, None);
    for byte in number {
        match byte.wrapping_sub(b'0') {
            digit @ 0..=9 => {
                total = total * 10 + u64::from(digit);
                digits += 1;
            }
            _ if *byte == b'.' && whole_digits.is_none() => whole_digits = Some(digits),
            _ => return None,
        }
    }
    if digits == 0 || digits > EXACT_DIGITS {
        return None;
    }
    let fraction_digits = digits - whole_digits.unwrap_or(digits);
    let size = total as f64 / POWERS[fraction_digits];
    Some(if is_negative { -size } else { size })
}

fn truth_of(text: &[u8]) -> Option<bool> {
    match text {
        b"true" | b"True" | b"TRUE" | b"1" => Some(true),
        b"false" | b"False" | b"FALSE" | b"0" => Some(false),
        _ => None,
    }
}

/// The type that all values of a column have; without any, that of texts.
pub(crate) fn common_type(types: impl Iterator<Item = ColumnType>) -> ColumnType {
    let mut common = None;
    for new in types {
        let both = match (common.unwrap_or(new), new) {
            (ColumnType::I64, ColumnType::F64) | (ColumnType::F64, ColumnType::I64) => {
                ColumnType::F64
            }
            (known, new) if known == new => known,
            _ => ColumnType::String,
        };
        if both == ColumnType::String {
            return both;
        }
        common = Some(both);
    }
    common.unwrap_or(ColumnType::String)
}

/// The type that a text has by itself.
///
/// What looks like a number is none if it could be a code: with zeros before other digits, as in
/// `007`, or an integer that 64 bits do not hold.
pub(crate) fn type_of(text: &[u8]) -> ColumnType {
    let text = text.trim_ascii();
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    match digits {
        [b'0', b'0'..=b'9', ..] => ColumnType::String,
        [b'0'..=b'9', ..] if integer_of(text).is_some() => ColumnType::I64,
        // Too long.
        [b'0'..=b'9', ..] if digits.iter().all(u8::is_ascii_digit) => ColumnType::String,
        [b'0'..=b'9' | b'.', ..] if float_of(text).is_some() => ColumnType::F64,
        b"true" | b"True" | b"TRUE" | b"false" | b"False" | b"FALSE" => ColumnType::Bool,
        _ => ColumnType::String,
    }
}
