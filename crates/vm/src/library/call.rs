//! Calling a function of the library.

use super::{Failure, time};
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_syntax::ast::{LibraryFn, Special};
use riverhawk_value::{HeapStr, Truth, Value};

impl Runtime {
    /// Calls a library function; `old` is a string that may be used again, as everywhere. The
    /// verifier has seen to the number of the arguments, the interpreter to arrays being where
    /// the table wants them.
    pub(crate) fn call_library(
        &mut self,
        f: LibraryFn,
        old: Option<HeapStr>,
        arguments: &[Value],
    ) -> Fallible<Value> {
        use LibraryFn as F;
        self.allow_function(f, arguments)?;
        Ok(match (f, arguments) {
            (F::Gensub, [re, new, how]) => self.gensub(old, re, new, how, None)?,
            (F::Gensub, [re, new, how, s]) => self.gensub(old, re, new, how, Some(s))?,
            (F::Patsplit, [s, Value::Array(array)]) => self.patsplit(s, array, None, None)?,
            (F::Patsplit, [s, Value::Array(array), re]) => {
                self.patsplit(s, array, Some(re), None)?
            }
            (F::Patsplit, [s, Value::Array(array), re, Value::Array(between)]) => {
                self.patsplit(s, array, Some(re), Some(between))?
            }
            (F::Strtonum, [s]) => self.strtonum(s),
            (F::Systime, []) => time::now(),
            (F::Strftime, arguments) => self.strftime(old, arguments)?,
            (F::Mktime, [date]) => self.mktime(date, None),
            (F::Mktime, [date, utc]) => self.mktime(date, Some(utc)),
            (F::And | F::Or | F::Xor, numbers) => self.bits(f, numbers)?,
            (F::Compl, [n]) => self.complement(n)?,
            (F::Lshift | F::Rshift, [n, count]) => self.shifted(f, n, count)?,
            (F::Typeof, [x]) => Value::from_text(self.type_name(x).as_bytes()),
            (F::Typeof, [x, Value::Array(array)]) => {
                self.check_filled("typeof", "second", array)?;
                self.type_details(x, array)
            }
            (F::Isarray, [x]) => Value::from_bool(x.is_array()),
            (F::Mkbool, [x]) if self.program.precise => {
                Value::Bool(Truth::of(x.precise_truth(self.current.record.text())))
            }
            (F::Mkbool, [x]) => Value::Bool(Truth::of(x.truth(self.current.record.text()))),
            (F::Bindtextdomain, [directory]) => self.bindtextdomain(directory, None),
            (F::Bindtextdomain, [directory, domain]) => {
                self.bindtextdomain(directory, Some(domain))
            }
            (F::Dcgettext, [text, rest @ ..]) => self.dcgettext(text, rest)?,
            (F::Dcngettext, [one, many, count, rest @ ..]) => {
                self.dcngettext(one, many, count, rest)?
            }
            (F::FileSlurp, [path, limit @ ..]) => self.file_slurp(old, path, limit.first()),
            (F::FileLines, [path, Value::Array(array)]) => self.file_lines(path, array),
            (F::FileSpew, [path, text, flags @ ..]) => self.file_spew(path, text, flags.first())?,
            (F::FileAppend, [path, text, flags @ ..]) => {
                self.file_append(path, text, flags.first())?
            }
            (F::FilePrepend, [path, text, flags @ ..]) => {
                self.file_prepend(path, text, flags.first())?
            }
            (F::FileDir, [path, Value::Array(array)]) => self.file_dir(path, array),
            (F::FileStat, [path, Value::Array(array)]) => self.file_stat(path, array, None),
            (F::FileStat, [path, Value::Array(array), follow]) => {
                self.file_stat(path, array, Some(follow))
            }
            (F::TextGraphemes, [s]) => self.text_graphemes(s),
            (F::TextGraphemes, [s, Value::Array(array)]) => self.text_graphemes_into(s, array),
            (F::TextCodepoints, [s]) => self.text_codepoints(s),
            (F::TextCodepoints, [s, Value::Array(array)]) => self.text_codepoints_into(s, array),
            (F::TextNormalize, [s]) => self.text_normalize(old, s, None)?,
            (F::TextNormalize, [s, form]) => self.text_normalize(old, s, Some(form))?,
            (F::TextWidth, [s]) => self.text_width(s),
            (F::TextReplace, [s, wanted, new]) => self.text_replace(old, s, wanted, new, None),
            (F::TextReplace, [s, wanted, new, count]) => {
                self.text_replace(old, s, wanted, new, Some(count))
            }
            (F::TextMatches, [s, re, Value::Array(array)]) => self.text_matches(s, re, array)?,
            (F::TextUrlEncode, [s]) => self.text_url_encode(old, s),
            (F::TextUrlDecode, [s]) => self.text_url_decode(old, s),
            (F::TextEncode, [s, encoding]) => self.text_encode(old, s, encoding)?,
            (F::TextDecode, [s, encoding]) => self.text_decode(old, s, encoding)?,
            (F::TimeNow, []) => Runtime::time_now(),
            (F::TimeParse, arguments) => self.time_parse(arguments)?,
            (F::TimeFormat, arguments) => self.time_format(old, arguments)?,
            (F::TimeMake, [date, zone @ ..]) => self.time_make(date, zone.first())?,
            (F::TimeAdd, [time, duration, zone @ ..]) => {
                self.time_add(time, duration, zone.first())?
            }
            (F::TimeSeconds, [duration]) => self.time_seconds(duration),
            (F::TimeDuration, [seconds, style @ ..]) => {
                self.time_duration(old, seconds, style.first())?
            }
            (F::JsonParse, [text]) => self.json_parse(text),
            (F::JsonParse, [text, Value::Array(array)]) => self.json_parse_into(text, array),
            (F::JsonFormat, [x]) => self.json_format(x),
            (F::JsonTrue, []) => Value::Bool(Truth::True),
            (F::JsonFalse, []) => Value::Bool(Truth::False),
            (F::JsonNull, []) => Value::Bool(Truth::Null),
            (other, arguments) if riverhawk_syntax::extension::Extension::of(other).is_some() => {
                self.call_extension(other, old, arguments)?
            }
            (other, arguments) => {
                unreachable!("{} with {} arguments", other.name(), arguments.len())
            }
        })
    }

    /// A number, or -1 and ERRNO.
    pub(super) fn count_or_failure(&mut self, result: Result<usize, Failure>) -> Value {
        match result {
            Ok(count) => Value::Num(count as f64),
            Err(failure) => {
                self.note_failure(&failure);
                Value::Num(-1.0)
            }
        }
    }

    /// A text, or nothing assigned and ERRNO.
    pub(super) fn text_or_failure(&mut self, result: Result<Value, Failure>) -> Value {
        result.unwrap_or_else(|failure| {
            self.note_failure(&failure);
            Value::Unassigned
        })
    }

    /// ERRNO says why a call failed. As in C, a call that succeeds leaves it alone.
    pub(super) fn note_failure(&mut self, failure: &Failure) {
        self.set_errno(&failure.reason, failure.number);
    }

    /// ERRNO as a failed getline or close leaves it, too.
    pub(crate) fn set_errno(&mut self, reason: &str, number: i32) {
        self.notes.failed = true;
        self.current.specials.store(Special::Errno, Value::from_text(reason.as_bytes()));
        self.tell_errno(number);
    }

    /// ERRNO says what the system said.
    pub(crate) fn set_errno_of(&mut self, error: &std::io::Error) {
        self.set_errno(
            &riverhawk_awkio::Reason(error).to_string(),
            error.raw_os_error().unwrap_or(0),
        );
    }
}
