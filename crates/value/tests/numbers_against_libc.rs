//! Numbers to text and back, compared with the C library's `snprintf` and `strtod`, which other
//! awks use.

use proptest::prelude::*;
use riverhawk_text::Unit;
use riverhawk_value::format::{Format, FormatArgs};
use riverhawk_value::number::{is_integral, number_to_text, parse_prefix};
use std::ffi::CString;

struct One(f64);

impl FormatArgs for One {
    fn count(&self) -> usize {
        1
    }
    fn number(&mut self, _: usize) -> f64 {
        self.0
    }
    fn text(&mut self, _: usize, _: &mut Vec<u8>) {
        unreachable!("no %s here")
    }
    fn is_number(&mut self, _: usize) -> bool {
        true
    }
}

fn ours(format: &str, n: f64) -> String {
    let mut out = Vec::new();
    Format::parse(format.as_bytes())
        .write(&mut One(n), Unit::Byte, &mut out)
        .expect("one argument is enough");
    String::from_utf8(out).expect("ASCII")
}

fn libc_printf(format: &str, n: f64) -> String {
    let format = CString::new(format).expect("no NUL");
    let mut buffer = [0u8; 2048];
    // SAFETY: the buffer has this length, the format ends in NUL and takes one double.
    let len =
        unsafe { libc::snprintf(buffer.as_mut_ptr().cast(), buffer.len(), format.as_ptr(), n) };
    String::from_utf8_lossy(&buffer[..usize::try_from(len).expect("no error")]).into_owned()
}

fn libc_strtod(text: &str) -> (f64, usize) {
    let text = CString::new(text).expect("no NUL");
    let mut end = std::ptr::null_mut();
    // SAFETY: the text ends in NUL, and `end` outlives the call.
    let value = unsafe { libc::strtod(text.as_ptr(), &mut end) };
    (value, end.addr() - text.as_ptr().addr())
}

fn any_bits() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |n| n.is_finite())
}

fn everyday() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-99_999_999i64..100_000_000, 0i32..12)
            .prop_map(|(digits, places)| digits as f64 / 10f64.powi(places)),
        (-9_999_999i64..10_000_000, 0i32..8)
            .prop_map(|(digits, places)| (digits as f64 + 0.5) / 10f64.powi(places)),
        (-99_999i64..100_000, 1i32..12).prop_map(|(n, shift)| n as f64 / (1 << shift) as f64),
        (any::<i32>(), -30i32..30)
            .prop_map(|(digits, exponent)| f64::from(digits) * 10f64.powi(exponent)),
        (1i32..18, -2i64..3, -3i32..20).prop_map(|(digits, ulps, exponent)| {
            // Next to a power of ten, where the number of digits changes.
            let near = 10f64.powi(exponent) - 10f64.powi(exponent - digits) / 2.0;
            f64::from_bits((near.to_bits() as i64 + ulps) as u64)
        }),
    ]
}

fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![2 => any_bits(), 3 => everyday()]
}

fn formats() -> impl Strategy<Value = String> {
    let precision = prop_oneof![3 => Just(String::new()), 6 => (0..20).prop_map(|p| format!(".{p}")), 1 => (20..400).prop_map(|p| format!(".{p}"))];
    let width = prop_oneof![Just(String::new()), (1..40).prop_map(|w: i32| w.to_string())];
    ("[-+ #0]{0,2}", width, precision, "[eEfFgGaA]")
        .prop_map(|(flags, width, precision, letter)| format!("%{flags}{width}{precision}{letter}"))
}

/// glibc loses the zeros of `%#g` when rounding carries into a new digit (999999.5 gives `1.e+06`).
fn known_fault(format: &str, theirs: &str) -> bool {
    format.contains('#')
        && format.ends_with(['g', 'G'])
        && theirs.trim().contains("1.e") | theirs.contains("1.E")
}

proptest! {
    #![proptest_config(ProptestConfig {
        max_global_rejects: u32::MAX,
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases())
    })]

    #[test]
    fn real_conversions_print_what_libc_prints(format in formats(), n in numbers()) {
        let theirs = libc_printf(&format, n);
        prop_assume!(!known_fault(&format, &theirs));
        prop_assert_eq!(ours(&format, n), theirs, "{} of {:e}", format, n);
    }

    #[test]
    fn the_quick_paths_print_what_libc_prints(n in numbers(), p in 0..16) {
        for format in [format!("%.{p}f"), format!("%.{p}g"), "%.2f".into(), "%.6g".into()] {
            prop_assert_eq!(ours(&format, n), libc_printf(&format, n), "{} of {:e}", format, n);
        }
    }

    #[test]
    fn integers_print_what_libc_prints(n in any::<i64>().prop_map(|n| n >> (n & 63)), flags in "[-+ 0]{0,2}", width in 0i32..30, precision in "(\\.[0-9]{1,2})?") {
        let width = if width == 0 { String::new() } else { width.to_string() };
        let n = n as f64;
        prop_assume!(n != 0.0 && n.abs() < 9e18);
        for letter in ["d", "i", "u", "x", "X", "o"] {
            let format = CString::new(format!("%{flags}{width}{precision}ll{letter}")).unwrap();
            let mut buffer = [0u8; 256];
            // SAFETY: the buffer has this length, the format ends in NUL and takes one long long.
            let len = unsafe { libc::snprintf(buffer.as_mut_ptr().cast(), buffer.len(), format.as_ptr(), n as i64) };
            let theirs = String::from_utf8_lossy(&buffer[..len as usize]).into_owned();
            let format = format!("%{flags}{width}{precision}{letter}");
            prop_assert_eq!(ours(&format, n), theirs, "{} of {}", format, n);
        }
    }

    #[test]
    fn numbers_become_text_as_percent_d_or_convfmt(n in numbers()) {
        let mut out = Vec::new();
        number_to_text(n, &Format::parse(b"%.6g"), &mut out);
        let expected = match (n == 0.0, is_integral(n)) {
            (true, _) => "0".to_owned(),
            (_, true) => libc_printf("%.0f", n),
            _ => libc_printf("%.6g", n),
        };
        prop_assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn decimal_text_reads_as_strtod_reads_it(text in "[ \t\n]{0,2}[-+]?[0-9]{0,25}(\\.[0-9]{0,25})?([eE][-+]?[0-9]{0,4})?[a-zA-Z. ]{0,3}") {
        let digits = text.trim_start().trim_start_matches(['+', '-']);
        prop_assume!(!digits.starts_with(|c: char| c.is_ascii_alphabetic()) && !digits.starts_with("0x") && !digits.starts_with("0X"));
        let (value, len) = parse_prefix(text.as_bytes());
        let (their_value, their_len) = libc_strtod(&text);
        prop_assert_eq!((value.to_bits(), len), (their_value.to_bits(), their_len), "{:?}", text);
    }

    #[test]
    fn what_is_printed_reads_back(n in numbers()) {
        for text in [format!("{n:e}"), format!("{n}"), libc_printf("%.17g", n)] {
            prop_assert_eq!(parse_prefix(text.as_bytes()), (n, text.len()), "{}", text);
        }
    }
}

/// Set RIVERHAWK_CASES=1000000 for a long run.
fn cases() -> u32 {
    std::env::var("RIVERHAWK_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(4000)
}
