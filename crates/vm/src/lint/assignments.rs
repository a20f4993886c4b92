//! Warns of assignments to specials, and handles those to `LINT`.

use super::Level;
use crate::current::CurrentRecord;
use crate::outside::Outside;
use riverhawk_awkio::fault::Fallible;
use riverhawk_syntax::ast::Special;
use riverhawk_value::Value;

impl Outside {
    pub(crate) fn lint_assignment(
        &mut self,
        current: &mut CurrentRecord,
        special: Special,
        value: &Value,
    ) -> Fallible<()> {
        if !self.lint.level.on {
            return Ok(());
        }
        let text = current.text_of(value);
        match special {
            Special::Ignorecase => self.lint_extension(current, "`IGNORECASE' is a gawk extension"),
            Special::Fieldwidths => {
                self.lint_extension(current, "`FIELDWIDTHS' is a gawk extension")
            }
            Special::Fpat => self.lint_extension(current, "`FPAT' is a gawk extension"),
            Special::Binmode => {
                self.lint_extension(current, "`BINMODE' is a gawk extension")?;
                let is_known = matches!(
                    &text[..],
                    b"0" | b"1" | b"2" | b"3" | b"" | b"r" | b"w" | b"rw" | b"wr"
                ) || value.is_numeric(current.record.text());
                match is_known {
                    true => Ok(()),
                    false => {
                        let text = String::from_utf8_lossy(&text);
                        self.lint_warn(
                            current,
                            &format!("BINMODE value `{text}' is invalid, treated as 3"),
                        )
                    }
                }
            }
            Special::Rs if riverhawk_text::length(&text, riverhawk_text::Unit::CodePoint) > 1 => {
                self.lint_extension(current, "multicharacter value of `RS' is a gawk extension")
            }
            Special::Fs if text.is_empty() => {
                self.lint_extension(current, "null string for `FS' is a gawk extension")
            }
            Special::Convfmt | Special::Ofmt if !is_number_format(&text) => {
                let text = String::from_utf8_lossy(&text);
                self.lint_warn(current, &format!("bad `{}' specification `{text}'", special.name()))
            }
            Special::Nf => {
                let count = current.record.count() as f64;
                match current.number(value) < count && current.number(value) >= 0.0 {
                    true => self
                        .lint_once(current, "decrementing NF is not portable to many awk versions"),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// For an operand that would be an assignment if its name were valid.
    pub(crate) fn lint_operand(&mut self, current: &CurrentRecord, operand: &[u8]) -> Fallible<()> {
        if !self.lint.level.on || operand.starts_with(b"=") {
            return Ok(());
        }
        let operand = String::from_utf8_lossy(operand);
        let Some((name, _)) = operand.split_once('=') else { return Ok(()) };
        self.warnings.at = u32::MAX;
        self.lint_warn(
            current,
            &format!("`{name}' is not a variable name, looking for file `{operand}'"),
        )
    }

    pub(crate) fn set_lint(&mut self, current: &CurrentRecord, value: &Value) -> Fallible<()> {
        let before = self.lint.level;
        self.lint.level = match value {
            Value::Small(_) | Value::Str(_) => Level::of_text(&current.text_of(value)),
            value
                if value.strnum(current.record.text()).is_none()
                    && !value.is_numeric(current.record.text()) =>
            {
                Level::of_text(&current.text_of(value))
            }
            value if current.number(value) != 0.0 => Level::ALL,
            _ => Level::OFF,
        };
        match before.on && !self.lint.level.on {
            true => self.warn_here(current, "turning off `--lint' due to assignment to `LINT'"),
            false => Ok(()),
        }
    }
}

fn is_number_format(format: &[u8]) -> bool {
    let Some(rest) = format.strip_prefix(b"%") else { return false };
    let without = |text: &[u8], drop: fn(&u8) -> bool| {
        text.iter().position(|byte| !drop(byte)).unwrap_or(text.len())
    };
    let rest = &rest[without(rest, |byte| b" +-#'0".contains(byte))..];
    let rest = &rest[without(rest, u8::is_ascii_digit)..];
    let rest = match rest.strip_prefix(b".") {
        Some(precision) => &precision[without(precision, u8::is_ascii_digit)..],
        None => rest,
    };
    matches!(rest, [b'e' | b'f' | b'g' | b'E' | b'F' | b'G'])
}

#[cfg(test)]
mod tests {
    use super::is_number_format;

    #[test]
    fn formats_for_one_number_are_known() {
        for format in ["%.6g", "%5.2f", "%g", "%-+#010.3E", "%'f"] {
            assert!(is_number_format(format.as_bytes()), "{format}");
        }
        for format in ["", "abc", "%d", "%s", "%.3g ", "x%g", "%.6", "%d%d"] {
            assert!(!is_number_format(format.as_bytes()), "{format}");
        }
    }
}
