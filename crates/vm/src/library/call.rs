//! Dispatches calls to the functions of the library.

use super::Failure;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_syntax::ast::{LibraryFn, Special};
use riverhawk_value::{HeapStr, Truth, Value};

impl Runtime {
    /// `old` is a string to reuse. The number of arguments was checked by the verifier, their kinds
    /// by the interpreter.
    pub(crate) fn call_library(
        &mut self,
        f: LibraryFn,
        old: Option<HeapStr>,
        arguments: &[Value],
    ) -> Fallible<Value> {
        use LibraryFn as F;
        self.outside.allow_function(&self.current, f, arguments)?;
        let Runtime { program, current, globals, workspace, arithmetic, outside, library, .. } =
            self;
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
            (F::Strtonum, [s]) => arithmetic.strtonum(program, current, s),
            (F::Systime, []) => Value::Num(library.clock.seconds() as f64),
            (F::Strftime, arguments) => self.strftime(old, arguments)?,
            (F::Mktime, [date]) => library.mktime(current, globals, date, None),
            (F::Mktime, [date, utc]) => library.mktime(current, globals, date, Some(utc)),
            (F::And | F::Or | F::Xor, numbers) => current.bits(program, f, numbers)?,
            (F::Compl, [n]) => current.complement(program, n)?,
            (F::Lshift | F::Rshift, [n, count]) => current.shifted(program, f, n, count)?,
            (F::Typeof, [x]) => Value::from_text(current.type_name(x).as_bytes()),
            (F::Typeof, [x, Value::Array(array)]) => {
                globals.check_filled("typeof", "second", array)?;
                current.type_details(x, array)
            }
            (F::Isarray, [x]) => Value::from_bool(x.is_array()),
            (F::Mkbool, [x]) if program.precise => {
                Value::Bool(Truth::of(x.precise_truth(current.record.text())))
            }
            (F::Mkbool, [x]) => Value::Bool(Truth::of(x.truth(current.record.text()))),
            (F::Bindtextdomain, [directory]) => library.bindtextdomain(current, directory, None),
            (F::Bindtextdomain, [directory, domain]) => {
                library.bindtextdomain(current, directory, Some(domain))
            }
            (F::Dcgettext, [text, rest @ ..]) => current.dcgettext(text, rest)?,
            (F::Dcngettext, [one, many, count, rest @ ..]) => {
                current.dcngettext(one, many, count, rest)?
            }
            (F::FileSlurp, [path, limit @ ..]) => {
                outside.file_slurp(current, globals, old, path, limit.first())
            }
            (F::FileLines, [path, Value::Array(array)]) => {
                outside.file_lines(current, globals, path, array)
            }
            (F::FileSpew, [path, text, flags @ ..]) => {
                outside.file_spew(current, globals, path, text, flags.first())?
            }
            (F::FileAppend, [path, text, flags @ ..]) => {
                outside.file_append(current, globals, path, text, flags.first())?
            }
            (F::FilePrepend, [path, text, flags @ ..]) => {
                outside.file_prepend(current, globals, path, text, flags.first())?
            }
            (F::FileDir, [path, Value::Array(array)]) => globals.file_dir(current, path, array),
            (F::FileStat, [path, Value::Array(array)]) => {
                globals.file_stat(current, path, array, None)
            }
            (F::FileStat, [path, Value::Array(array), follow]) => {
                globals.file_stat(current, path, array, Some(follow))
            }
            (F::TextGraphemes, [s]) => current.text_graphemes(s),
            (F::TextGraphemes, [s, Value::Array(array)]) => current.text_graphemes_into(s, array),
            (F::TextCodepoints, [s]) => current.text_codepoints(s),
            (F::TextCodepoints, [s, Value::Array(array)]) => current.text_codepoints_into(s, array),
            (F::TextNormalize, [s]) => current.text_normalize(old, s, None)?,
            (F::TextNormalize, [s, form]) => current.text_normalize(old, s, Some(form))?,
            (F::TextWidth, [s]) => current.text_width(s),
            (F::TextReplace, [s, wanted, new]) => {
                library.text_replace(current, workspace, old, s, [wanted, new], None)
            }
            (F::TextReplace, [s, wanted, new, count]) => {
                library.text_replace(current, workspace, old, s, [wanted, new], Some(count))
            }
            (F::TextMatches, [s, re, Value::Array(array)]) => self.text_matches(s, re, array)?,
            (F::TextUrlEncode, [s]) => current.text_url_encode(old, s),
            (F::TextUrlDecode, [s]) => current.text_url_decode(old, s),
            (F::TextEncode, [s, encoding]) => self.text_encode(old, s, encoding)?,
            (F::TextDecode, [s, encoding]) => self.text_decode(old, s, encoding)?,
            (F::TimeNow, []) => library.time_now(),
            (F::TimeParse, arguments) => library.time_parse(current, globals, arguments)?,
            (F::TimeFormat, arguments) => library.time_format(current, globals, old, arguments)?,
            (F::TimeMake, [date, zone @ ..]) => {
                library.time_make(current, globals, date, zone.first())?
            }
            (F::TimeAdd, [time, duration, zone @ ..]) => {
                library.time_add(current, globals, time, duration, zone.first())?
            }
            (F::TimeSeconds, [duration]) => globals.time_seconds(current, duration),
            (F::TimeDuration, [seconds, style @ ..]) => {
                globals.time_duration(current, old, seconds, style.first())?
            }
            (F::JsonParse, [text]) => globals.json_parse(current, text),
            (F::JsonParse, [text, Value::Array(array)]) => {
                globals.json_parse_into(current, text, array)
            }
            (F::JsonFormat, [x]) => current.json_format(x),
            (F::JsonTrue, []) => Value::Bool(Truth::True),
            (F::JsonFalse, []) => Value::Bool(Truth::False),
            (F::JsonNull, []) => Value::Bool(Truth::Null),
            (
                F::AssertEqual
                | F::AssertDifferent
                | F::AssertNear
                | F::AssertMatches
                | F::AssertTrue
                | F::AssertFalse
                | F::AssertFail,
                arguments,
            ) => self.assert(f, arguments)?,
            (other, arguments) if riverhawk_syntax::extension::Extension::of(other).is_some() => {
                self.call_extension(other, old, arguments)?
            }
            (other, arguments) => {
                unreachable!("{} with {} arguments", other.name(), arguments.len())
            }
        })
    }
}

impl Globals {
    pub(super) fn count_or_failure(
        &mut self,
        current: &mut CurrentRecord,
        result: Result<usize, Failure>,
    ) -> Value {
        match result {
            Ok(count) => Value::Num(count as f64),
            Err(failure) => {
                self.note_failure(current, &failure);
                Value::Num(-1.0)
            }
        }
    }

    pub(super) fn text_or_failure(
        &mut self,
        current: &mut CurrentRecord,
        result: Result<Value, Failure>,
    ) -> Value {
        result.unwrap_or_else(|failure| {
            self.note_failure(current, &failure);
            Value::Unassigned
        })
    }

    /// As in C, a call that succeeds leaves ERRNO alone.
    pub(super) fn note_failure(&mut self, current: &mut CurrentRecord, failure: &Failure) {
        self.set_errno(current, &failure.reason, failure.number);
    }

    pub(crate) fn set_errno(&mut self, current: &mut CurrentRecord, reason: &str, number: i32) {
        self.notes.failed = true;
        current.specials.store(Special::Errno, Value::from_text(reason.as_bytes()));
        self.set_errno_element(number);
    }

    pub(crate) fn set_errno_of(&mut self, current: &mut CurrentRecord, error: &std::io::Error) {
        self.set_errno(
            current,
            &riverhawk_awkio::Reason(error).to_string(),
            riverhawk_system::errors::number(error),
        );
    }
}
