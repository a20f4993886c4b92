//! The grammar of a format, as gawk reads it: `%`, then flags (`- + space # 0 '`) and a width in
//! any order, then a period and a precision, then at most one each of the ignored `h l L z j t H D
//! w`, then the letter. A later width replaces an earlier one, and flags may follow it (`%5-d`).
//! `%2$s` and `*2$` name arguments. Other text is output unchanged.

use super::layout::Case;
use super::real::Form;
use super::{
    Conversion, Count, Flags, Format, FormatError, FormatRules, LITERAL_SLACK, Letter, MAX_FIELD,
    Piece, Radix, Want,
};

/// C's modifiers of length.
const MODIFIERS: &[u8; 9] = b"hlLzjtHDw";

pub(super) fn parse(format: &[u8], rules: FormatRules) -> Format {
    let mut parser = Parser {
        format,
        rules,
        at: 0,
        conversion_at: 0,
        next: 0,
        numbered: false,
        sequential: false,
        parsed: Format {
            pieces: Vec::new(),
            literals: Vec::new(),
            needed: 0,
            wants: Vec::new(),
            error: None,
            general: None,
        },
    };
    if let Err(error) = parser.run() {
        parser.parsed.error = Some(error);
    }
    let mut parsed = parser.parsed;
    parsed.literals.extend_from_slice(&[0; LITERAL_SLACK]);
    if let ([Piece::General(_, precision)], None) = (parsed.pieces.as_slice(), parsed.error) {
        parsed.general = Some(*precision);
    }
    parsed
}

struct Parser<'a> {
    format: &'a [u8],
    rules: FormatRules,
    at: usize,
    conversion_at: usize,
    next: usize,
    numbered: bool,
    sequential: bool,
    parsed: Format,
}

#[derive(Default)]
struct Draft {
    flags: Flags,
    width: Option<Count>,
    period: bool,
    /// `None` after a period is 0; a negative one counts as none.
    precision: Option<Count>,
    negative_precision: bool,
    precision_done: bool,
    argument: Option<usize>,
    modifiers: [bool; MODIFIERS.len()],
}

impl Draft {
    fn set_count(&mut self, count: Count) {
        if self.period {
            self.precision = Some(count);
            self.precision_done = true;
        } else {
            self.width = Some(count);
        }
    }
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), FormatError> {
        while self.at < self.format.len() {
            let rest = &self.format[self.at..];
            let text_len = rest.iter().position(|&byte| byte == b'%').unwrap_or(rest.len());
            self.literal(self.at, self.at + text_len);
            self.at += text_len;
            if self.at < self.format.len() {
                self.conversion()?;
            }
        }
        Ok(())
    }

    fn literal(&mut self, start: usize, end: usize) {
        if start == end {
            return;
        }
        let literals = &mut self.parsed.literals;
        let from = literals.len();
        literals.extend_from_slice(&self.format[start..end]);
        let to = literals.len();
        match self.parsed.pieces.last_mut() {
            Some(Piece::Literal(range)) => range.end = to,
            _ => self.parsed.pieces.push(Piece::Literal(from..to)),
        }
    }

    fn conversion(&mut self) -> Result<(), FormatError> {
        self.conversion_at = self.at;
        self.at += 1;
        let mut draft = Draft::default();
        while let Some(&byte) = self.format.get(self.at) {
            self.at += 1;
            let modifier = MODIFIERS.iter().position(|&modifier| modifier == byte);
            if let Some(modifier) = modifier {
                if self.rules == FormatRules::Posix {
                    return Err(FormatError::ModifierNotPermitted { letter: byte });
                }
                // gawk takes each once: %lld is no conversion.
                if std::mem::replace(&mut draft.modifiers[modifier], true) {
                    break;
                }
            } else if byte == b'%' {
                // Also `%5%`; a `*` in between has taken its argument.
                self.literal(self.at - 1, self.at);
                return Ok(());
            } else if let Some(letter) = letter(byte) {
                return self.finish(draft, letter);
            } else if !self.option(byte, &mut draft)? {
                break;
            }
        }
        self.literal(self.conversion_at, self.at);
        Ok(())
    }

    /// A flag, width or precision; `false` if not allowed here.
    fn option(&mut self, byte: u8, draft: &mut Draft) -> Result<bool, FormatError> {
        match byte {
            b'-' if draft.period && !draft.negative_precision && !draft.precision_done => {
                draft.negative_precision = true
            }
            b'-' | b'+' | b' ' | b'#' | b'\'' if !draft.period => {
                let flags = &mut draft.flags;
                *match byte {
                    b'-' => &mut flags.left,
                    b'+' => &mut flags.plus,
                    b' ' => &mut flags.space,
                    b'#' => &mut flags.alternate,
                    _ => &mut flags.group,
                } = true;
            }
            b'.' if !draft.period => draft.period = true,
            b'0' if !draft.period && draft.flags.left => {}
            b'0'..=b'9' if !draft.precision_done => {
                // A zero before the width is a flag; after it, a width of its own.
                draft.flags.zero |= byte == b'0' && !draft.period;
                self.at -= 1;
                let number = self.number();
                if number > MAX_FIELD && self.format.get(self.at) != Some(&b'$') {
                    return Err(FormatError::TooWide);
                }
                draft.set_count(Count::Fixed(number));
            }
            b'$' => {
                // The number was no width or precision; `%.2$s` keeps the precision 0.
                let count = if draft.period { draft.precision.take() } else { draft.width.take() };
                let Count::Fixed(number) = count.unwrap_or(Count::Fixed(0)) else {
                    return Ok(false);
                };
                let index = self.index(if draft.negative_precision { 0 } else { number })?;
                self.numbered = true;
                draft.argument = Some(index);
                draft.precision_done = draft.period;
            }
            b'*' if !draft.precision_done => {
                let index = self.star()?;
                draft.set_count(Count::Argument(index));
                // In `%.-*d` the minus is ignored.
                draft.negative_precision = false;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn star(&mut self) -> Result<usize, FormatError> {
        if self.rules != FormatRules::Gawk
            || !self.format.get(self.at).is_some_and(u8::is_ascii_digit)
        {
            return self.sequential();
        }
        let number = self.number();
        if self.format.get(self.at) != Some(&b'$') {
            return Err(FormatError::NoDollar);
        }
        self.at += 1;
        self.index(number)
    }

    fn index(&mut self, number: usize) -> Result<usize, FormatError> {
        if self.rules != FormatRules::Gawk {
            return Err(FormatError::IndexNotPermitted);
        }
        let index = number.checked_sub(1).ok_or(FormatError::ZeroIndex)?;
        self.want(index, true);
        Ok(index)
    }

    fn sequential(&mut self) -> Result<usize, FormatError> {
        self.sequential = true;
        if self.numbered {
            return Err(FormatError::MixedIndexes);
        }
        self.next += 1;
        self.want(self.next - 1, false);
        Ok(self.next - 1)
    }

    fn want(&mut self, argument: usize, numbered: bool) {
        self.parsed.needed = self.parsed.needed.max(argument.saturating_add(1));
        self.parsed.wants.push(Want { argument, conversion_at: self.conversion_at, numbered });
    }

    fn number(&mut self) -> usize {
        let mut number = 0usize;
        while let Some(digit @ b'0'..=b'9') = self.format.get(self.at) {
            number = number.saturating_mul(10).saturating_add((digit - b'0').into());
            self.at += 1;
        }
        number
    }

    fn finish(&mut self, draft: Draft, letter: Letter) -> Result<(), FormatError> {
        let argument = match draft.argument {
            Some(_) if self.sequential => return Err(FormatError::MixedIndexes),
            Some(argument) => argument,
            None => self.sequential()?,
        };
        let precision = match (draft.period, draft.negative_precision) {
            (true, false) => Some(draft.precision.unwrap_or(Count::Fixed(0))),
            _ => None,
        };
        let conversion = Conversion {
            letter,
            flags: draft.flags,
            width: draft.width.unwrap_or(Count::Fixed(0)),
            precision,
            argument,
        };
        self.parsed.pieces.push(simplest(conversion));
        Ok(())
    }
}

fn simplest(conversion: Conversion) -> Piece {
    let Conversion { letter, flags, width, precision, argument, .. } = conversion;
    if flags != Flags::default() || width != Count::Fixed(0) {
        return Piece::Conversion(conversion);
    }
    match (letter, precision) {
        (Letter::Text, None) => Piece::Text(argument),
        (Letter::Integer, None) => Piece::Integer(argument),
        (
            Letter::Real { form: Form::Fixed, case: Case::Lower },
            Some(Count::Fixed(places @ 0..=15)),
        ) => Piece::Fixed(argument, places as u8),
        (Letter::Real { form: Form::Fixed, case: Case::Lower }, None) => Piece::Fixed(argument, 6),
        (
            Letter::Real { form: Form::General, case: Case::Lower },
            Some(Count::Fixed(precision @ 0..=100)),
        ) => Piece::General(argument, precision.max(1) as u8),
        (Letter::Real { form: Form::General, case: Case::Lower }, None) => {
            Piece::General(argument, 6)
        }
        _ => Piece::Conversion(conversion),
    }
}

fn letter(byte: u8) -> Option<Letter> {
    let case = Case::of(byte);
    Some(match byte {
        b'c' | b'C' => Letter::Character,
        b's' | b'S' => Letter::Text,
        b'd' | b'i' => Letter::Integer,
        b'u' => Letter::Unsigned(Radix::Decimal),
        b'o' => Letter::Unsigned(Radix::Octal),
        b'x' | b'X' => Letter::Unsigned(Radix::Hexadecimal(case)),
        b'e' | b'E' => Letter::Real { form: Form::Exponent, case },
        b'f' | b'F' => Letter::Real { form: Form::Fixed, case },
        b'g' | b'G' => Letter::Real { form: Form::General, case },
        b'a' | b'A' => Letter::Real { form: Form::Hexadecimal, case },
        _ => return None,
    })
}
