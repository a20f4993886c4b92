//! Warns of formats with too many arguments, or without meaning.

use super::general;
use crate::current::CurrentRecord;
use crate::locale::Locale;
use crate::outside::Outside;
use riverhawk_awkio::fault::Fallible;
use riverhawk_value::Value;

struct Conversion {
    width: bool,
    precision: bool,
    sizes: Vec<u8>,
    stars: usize,
    positional: bool,
    letter: Option<u8>,
}

impl Outside {
    pub(super) fn lint_computed_format(
        &mut self,
        current: &CurrentRecord,
        locale: &Locale,
        values: &[Value],
    ) -> Fallible<()> {
        let Some((format, arguments)) = values.split_first() else {
            return self.lint_warn(current, "printf: no arguments");
        };
        if current.is_not_text(format) {
            self.lint_warn(current, "printf/sprintf: received non-string format string argument")?;
        }
        let format = current.text_of(format);
        self.lint_format(current, locale, &format, arguments)
    }

    pub(super) fn lint_format(
        &mut self,
        current: &CurrentRecord,
        locale: &Locale,
        format: &[u8],
        arguments: &[Value],
    ) -> Fallible<()> {
        let (mut at, mut used, mut is_positional) = (0, 0, false);
        // gawk checks only the letter of the last conversion.
        let mut is_complete = true;
        while let Some(percent) = format[at..].iter().position(|&byte| byte == b'%') {
            let (conversion, end) = conversion(format, at + percent + 1);
            at = end;
            is_complete = true;
            used += conversion.stars;
            is_positional |= conversion.positional;
            for size in conversion.sizes {
                self.lint_once(
                    current,
                    match size {
                        b'l' => "`l' is meaningless in awk formats; ignored",
                        b'L' => "`L' is meaningless in awk formats; ignored",
                        b'h' => "`h' is meaningless in awk formats; ignored",
                        b'j' => "`j' is meaningless in awk formats; ignored",
                        b't' => "`t' is meaningless in awk formats; ignored",
                        _ => "`z' is meaningless in awk formats; ignored",
                    },
                )?;
            }
            match conversion.letter {
                None => is_complete = false,
                Some(b'%') => match (conversion.width, conversion.precision) {
                    (true, true) => self.lint_warn(
                        current,
                        "field width and precision are ignored for `%%' specifier",
                    )?,
                    (true, false) => {
                        self.lint_warn(current, "field width is ignored for `%%' specifier")?
                    }
                    (false, true) => {
                        self.lint_warn(current, "precision is ignored for `%%' specifier")?
                    }
                    (false, false) => {}
                },
                Some(letter) if b"diouxXeEfFgGaAcs".contains(&letter) => {
                    if letter == b'a' || letter == b'A' {
                        self.lint_once(
                            current,
                            if letter == b'a' {
                                "%a format is POSIX standard but not portable to other awks"
                            } else {
                                "%A format is POSIX standard but not portable to other awks"
                            },
                        )?;
                    }
                    if letter == b'c'
                        && let Some(value) = arguments.get(used)
                    {
                        self.lint_character(current, locale, value)?;
                    }
                    used += 1;
                }
                Some(other) => {
                    is_complete = false;
                    if other.is_ascii_alphabetic() {
                        let letter = char::from(other);
                        self.lint_warn(current, &format!(
                            "ignoring unknown format specifier character `{letter}': no argument converted"
                        ))?;
                    }
                }
            }
        }
        if !is_complete {
            self.lint_warn(current, "[s]printf: format specifier does not have control letter")?;
        }
        match used < arguments.len() && !is_positional {
            true => self.lint_warn(current, "too many arguments supplied for format string"),
            false => Ok(()),
        }
    }

    fn lint_character(
        &mut self,
        current: &CurrentRecord,
        locale: &Locale,
        value: &Value,
    ) -> Fallible<()> {
        if !value.is_numeric(current.record.text()) {
            return Ok(());
        }
        let number = current.number(value);
        match number >= 0.0 || locale.unit == riverhawk_text::Unit::Byte {
            true => Ok(()),
            false => {
                let shown = general(number);
                self.lint_warn(
                    current,
                    &format!("[s]printf: value {shown} is not a valid wide character"),
                )
            }
        }
    }
}

fn conversion(format: &[u8], mut at: usize) -> (Conversion, usize) {
    let mut found = Conversion {
        width: false,
        precision: false,
        sizes: Vec::new(),
        stars: 0,
        positional: false,
        letter: None,
    };
    let mut in_precision = false;
    while let Some(&byte) = format.get(at) {
        at += 1;
        match byte {
            b'0' if !in_precision && !found.width => {}
            b'0'..=b'9' if in_precision => found.precision = true,
            b'0'..=b'9' => found.width = true,
            b'$' => {
                found.positional = true;
                found.width = false;
            }
            b'*' => {
                found.stars += 1;
                if in_precision { found.precision = true } else { found.width = true }
            }
            b'.' => (in_precision, found.precision) = (true, true),
            b' ' | b'+' | b'-' | b'#' | b'\'' => {}
            b'l' | b'L' | b'h' | b'j' | b't' | b'z' => found.sizes.push(byte),
            letter => {
                found.letter = Some(letter);
                break;
            }
        }
    }
    (found, at)
}
