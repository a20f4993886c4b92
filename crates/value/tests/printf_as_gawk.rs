//! printf against what gawk printed, recorded in `printf.tsv`.

use proptest::prelude::*;
use riverhawk_text::Unit;
use riverhawk_value::format::{Format, FormatArgs, FormatError, FormatRules};
use riverhawk_value::number::{number_to_text, to_number};

enum Arg {
    Number(f64),
    Text(Vec<u8>),
}

struct Args(Vec<Arg>);

impl FormatArgs for Args {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn number(&mut self, i: usize) -> f64 {
        match &self.0[i] {
            Arg::Number(n) => *n,
            Arg::Text(text) => to_number(text),
        }
    }

    fn text(&mut self, i: usize, out: &mut Vec<u8>) {
        match &self.0[i] {
            Arg::Number(n) => number_to_text(*n, &Format::parse(b"%.6g"), out),
            Arg::Text(text) => out.extend_from_slice(text),
        }
    }

    fn is_number(&mut self, i: usize) -> bool {
        matches!(self.0[i], Arg::Number(_))
    }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.extend_from_slice(plain.as_bytes());
        let (byte, len) = match escape.as_bytes()[0] {
            b't' => (b'\t', 1),
            b'n' => (b'\n', 1),
            b'x' => (u8::from_str_radix(&escape[1..3], 16).expect("two hexadecimal digits"), 3),
            other => (other, 1),
        };
        out.push(byte);
        rest = &escape[len..];
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn error_name(error: FormatError) -> String {
    let name = format!("!{error:?}");
    name.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn prints_what_gawk_printed() {
    let rows = include_str!("printf.tsv");
    let mut failures = Vec::new();
    let mut count = 0;
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let unit = if columns[0] == "bytes" { Unit::Byte } else { Unit::CodePoint };
        let mut args = Args(
            columns[3..]
                .iter()
                .map(|arg| match arg.split_at(2) {
                    ("n:", number @ ("+inf" | "-inf" | "+nan" | "-nan")) => {
                        Arg::Number(to_number(number.as_bytes()))
                    }
                    ("n:", number) => Arg::Number(number.parse().expect("a number")),
                    (_, text) => Arg::Text(unescape(text)),
                })
                .collect(),
        );
        let mut out = b"before ".to_vec();
        let result = Format::parse(&unescape(columns[1])).write(&mut args, unit, &mut out);
        let printed = out.split_off(7);
        let (expected, got) = match result {
            Ok(()) => (unescape(columns[2]), printed),
            Err(error) => {
                assert!(printed.is_empty(), "nothing is printed before an error: {row}");
                (columns[2].into(), error_name(error).into_bytes())
            }
        };
        if expected != got {
            failures.push(format!("{row}\n   got {}", String::from_utf8_lossy(&got)));
        }
        count += 1;
    }
    assert!(
        failures.is_empty(),
        "{} of {count} rows differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(count > 1000, "the rows are there: {count}");
}

fn print(format: &str, unit: Unit, args: Vec<Arg>) -> Result<String, FormatError> {
    let mut out = Vec::new();
    Format::parse(format.as_bytes()).write(&mut Args(args), unit, &mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Where gawk 5.3.2 is wrong: it pads a `%c` of a number by bytes, loses zeros of `%#g` when
/// rounding carries (its C library), and cuts text at NUL and after broken bytes.
#[test]
fn differs_from_gawk_where_gawk_is_wrong() {
    let characters = Unit::CodePoint;
    assert_eq!(
        print("%5c|%-5c|", characters, vec![Arg::Number(233.0), Arg::Number(233.0)]).unwrap(),
        "    é|é    |"
    );
    assert_eq!(print("%#g", characters, vec![Arg::Number(999999.5)]).unwrap(), "1.00000e+06");
    assert_eq!(print("%.2s|", characters, vec![Arg::Text(b"c\0d".to_vec())]).unwrap(), "c\0|");
    let mut out = Vec::new();
    let mut args = Args(vec![Arg::Text("a\u{20ac}".bytes().chain(*b"\xE2b").collect())]);
    Format::parse(b"%.3s|").write(&mut args, characters, &mut out).unwrap();
    assert_eq!(out, b"a\xE2\x82\xAC\xE2|");
}

#[test]
fn groups_digits_in_code_points_and_not_in_bytes() {
    assert_eq!(
        print("%'d %'.1f", Unit::CodePoint, vec![Arg::Number(1e6), Arg::Number(-1e6)]).unwrap(),
        "1,000,000 -1,000,000.0"
    );
    assert_eq!(
        print("%'d %'.1f", Unit::Byte, vec![Arg::Number(1e6), Arg::Number(-1e6)]).unwrap(),
        "1000000 -1000000.0"
    );
}

#[test]
fn widths_that_no_printf_can_do_are_errors() {
    assert_eq!(
        print("%99999999999d", Unit::Byte, vec![Arg::Number(1.0)]),
        Err(FormatError::TooWide)
    );
    assert_eq!(
        print("%.99999999999999999999f", Unit::Byte, vec![Arg::Number(1.0)]),
        Err(FormatError::TooWide)
    );
    for width in [99999999999.0, -99999999999.0, f64::INFINITY, 1e300, -1e300] {
        assert_eq!(
            print("%*d", Unit::Byte, vec![Arg::Number(width), Arg::Number(1.0)]),
            Err(FormatError::TooWide)
        );
    }
    assert_eq!(
        print("%*d", Unit::Byte, vec![Arg::Number(f64::NAN), Arg::Number(1.0)]).unwrap(),
        "1"
    );
}

#[test]
fn precisions_beyond_what_the_standard_library_takes_are_zeros() {
    for format in ["%.70000f", "%.70000e", "%#.70000g", "%.70000a"] {
        let printed = print(format, Unit::Byte, vec![Arg::Number(0.1)]).unwrap();
        assert!(printed.len() > 70_000, "{format}");
        assert!(printed.contains("0000"), "{format}");
    }
    assert_eq!(print("%.70000g", Unit::Byte, vec![Arg::Number(0.5)]).unwrap(), "0.5");
    assert_eq!(print("%.70000d", Unit::Byte, vec![Arg::Number(7.0)]).unwrap().len(), 70_000);
}

#[test]
fn errors_say_which_conversion_wants_what() {
    let error = print("a %d %5s", Unit::Byte, vec![Arg::Number(1.0)]).unwrap_err();
    assert_eq!(error, FormatError::NotEnoughArguments { conversion_at: 5, given: 1 });
    let error = print("%2$*3$d", Unit::Byte, vec![Arg::Number(1.0), Arg::Number(1.0)]).unwrap_err();
    assert_eq!(error, FormatError::NoSuchArgument { index: 3, given: 2 });
}

#[test]
fn a_format_for_single_numbers_must_manage_with_one_argument() {
    assert!(Format::for_numbers(FormatRules::Gawk, b"%.3f kg").is_ok());
    assert!(Format::for_numbers(FormatRules::Gawk, b"constant").is_ok());
    assert!(Format::for_numbers(FormatRules::Gawk, b"%d %d").is_err());
    assert!(Format::for_numbers(FormatRules::Gawk, b"%*d").is_err());
    assert!(Format::for_numbers(FormatRules::Gawk, b"%2$s").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    /// For any format: no panic, unchanged output on an error, literals kept.
    #[test]
    fn any_format_with_any_arguments_prints_or_says_why(
        format in "[-%+ #012.*$'hlLzdiouxXcsfFgGeEaA\u{e9}]{0,9}",
        numbers in proptest::collection::vec(prop_oneof![Just(f64::NAN), Just(-1e300), Just(5.5), Just(-3.0), any::<i16>().prop_map(f64::from)], 0..4),
    ) {
        for unit in [Unit::Byte, Unit::CodePoint] {
            let mut out = b"kept".to_vec();
            let args = || Args(numbers.iter().map(|n| if *n == 5.5 { Arg::Text(b"\xC3\xA9\xFF5".to_vec()) } else { Arg::Number(*n) }).collect());
            let result = Format::parse(format!("<%%{format}").as_bytes()).write(&mut args(), unit, &mut out);
            let as_promised = if result.is_ok() { out.starts_with(b"kept<%") } else { out == b"kept" };
            prop_assert!(as_promised, "{}", String::from_utf8_lossy(&out));
        }
    }
}
