//! Numbers against mathematics: identities, known digits, edges.

use proptest::prelude::*;
use riverhawk_precise::{
    Context, Digits, Float, Function, IBig, MAX_INTEGER_BITS, Number, NumberError, Rounding, Sign,
};
use std::cmp::Ordering;

fn number(text: &str) -> Number {
    Number::read_decimal(text.as_bytes(), b'.', &Context::default()).unwrap().0
}

/// The first digits, with the point where it belongs, of a number between 0.1 and 10.
fn shown(float: &Float, count: usize) -> String {
    let Digits { digits, exponent } = float.significant_digits(count, Rounding::Nearest).unwrap();
    let digits = String::from_utf8(digits).unwrap();
    match exponent {
        0 => format!("{}.{}", &digits[..1], &digits[1..]),
        -1 => format!("0.{digits}"),
        other => format!("{digits}e{other}"),
    }
}

#[test]
fn integers_stay_exact() {
    let context = Context::bits(10);
    let two = Number::from_f64(2.0);
    let power = two.pow(&Number::from_f64(4096.0), &context).unwrap();
    assert_eq!(power.truncate().unwrap(), IBig::ONE << 4096);
    let factorial = (1..=100).fold(Number::from_f64(1.0), |product, n| {
        product.mul(&Number::from_f64(f64::from(n)), &context).unwrap()
    });
    let text = factorial.truncate().unwrap().to_string();
    assert_eq!((text.len(), &text[..20]), (158, "93326215443944152681"));
    let one = power.sub(&power.sub(&Number::from_f64(1.0), &context), &context);
    assert_eq!(one.as_small_integer(), Some(1.0));
    assert!(matches!(number("100").div(&number("25"), &context), Ok(Number::Integer(_))));
    assert!(matches!(number("100").div(&number("30"), &context), Ok(Number::Float(_))));
}

#[test]
fn known_digits_of_pi_e_and_roots() {
    let context = Context::bits(400);
    let one = Number::from_f64(1.0);
    let quarter = Number::atan2(&one, &one, &context).to_float();
    let pi = context.mul(&quarter, &Float::from_f64(4.0));
    assert_eq!(
        shown(&pi, 100),
        "3.141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117068"
    );
    let e = one.function(Function::Exp, &context).to_float();
    assert_eq!(
        shown(&e, 100),
        "2.718281828459045235360287471352662497757247093699959574966967627724076630353547594571382178525166427"
    );
    let root = context.sqrt(&Float::from_f64(2.0));
    assert_eq!(
        shown(&root, 100),
        "1.414213562373095048801688724209698078569671875376948073176679737990732478462107038850387534327641573"
    );
    let ln2 = context.ln(&Float::from_f64(2.0));
    assert_eq!(
        shown(&ln2, 100),
        "0.6931471805599453094172321214581765680755001343602552541206800094933936219696947156058633269964186875"
    );
}

#[test]
fn a_third_lies_between_its_neighbours_in_every_direction() {
    for precision in [1, 2, 3, 53, 64, 65, 128, 200] {
        let third = |rounding, negative: bool| {
            let context = Context::bits(precision).rounding(rounding);
            let one = Float::from_f64(if negative { -1.0 } else { 1.0 });
            context.div(&one, &Float::from_f64(3.0))
        };
        let exact = |float: &Float| Context::bits(1000).mul(float, &Float::from_f64(3.0));
        let one = Float::from_f64(1.0);
        assert_eq!(exact(&third(Rounding::Down, false)).compare(&one), Some(Ordering::Less));
        assert_eq!(exact(&third(Rounding::Up, false)).compare(&one), Some(Ordering::Greater));
        let same = |a: Rounding, b: Rounding, negative| {
            assert_eq!(
                third(a, negative).compare(&third(b, negative)),
                Some(Ordering::Equal),
                "{precision} {a:?} {b:?}"
            );
        };
        same(Rounding::Zero, Rounding::Down, false);
        same(Rounding::Away, Rounding::Up, false);
        same(Rounding::Zero, Rounding::Up, true);
        same(Rounding::Away, Rounding::Down, true);
    }
}

#[test]
fn what_does_not_fit_becomes_infinite_or_the_largest_number_by_direction() {
    let half = Context::default().named(b"half").unwrap();
    let largest = Float::from_f64(65504.0);
    for (rounding, negative, infinite) in [
        (Rounding::Nearest, false, true),
        (Rounding::Zero, false, false),
        (Rounding::Up, true, false),
        (Rounding::Down, true, true),
        (Rounding::Away, true, true),
    ] {
        let context = half.rounding(rounding);
        let two = Float::from_f64(if negative { -2.0 } else { 2.0 });
        let result = context.mul(&largest, &two);
        assert_eq!(result.is_infinite(), infinite, "{rounding:?}");
        assert!(infinite || result.to_f64().abs() == 65504.0);
    }
    let smallest = Float::from_f64(2f64.powi(-24));
    assert_eq!(half.div(&smallest, &Float::from_f64(2.0)).to_f64(), 0.0);
    assert_eq!(half.mul(&smallest, &Float::from_f64(0.75)).to_f64(), 2f64.powi(-24));
    assert_eq!(
        half.rounding(Rounding::Up).mul(&smallest, &Float::from_f64(0.01)).to_f64(),
        2f64.powi(-24)
    );
}

#[test]
fn results_that_are_too_large_are_errors_and_no_panics() {
    let context = Context::default();
    assert_eq!(
        number("2").pow(&number("10000000000"), &context).unwrap_err(),
        NumberError::TooLarge
    );
    assert_eq!(
        Number::shift_left(&IBig::ONE, &IBig::from(MAX_INTEGER_BITS)).unwrap_err(),
        NumberError::TooLarge
    );
    assert_eq!(number("1").div(&number("0"), &context).unwrap_err(), NumberError::DivisionByZero);
    assert_eq!(number("1").rem(&number("0.0"), &context).unwrap_err(), NumberError::DivisionByZero);
    assert!(number("1").pow(&number("99999999999999999999999"), &context).is_ok());
    assert!(number("1e999999999999").to_float().is_infinite());
    assert!(number("1e-999999999999").is_zero());
    assert!(number("2").pow(&number("1e30"), &context).unwrap().to_float().is_infinite());
}

#[test]
fn numbers_with_huge_exponents_are_read_and_written_without_all_their_digits() {
    let large = number("1.25e300000000").to_float();
    let digits = large.significant_digits(10, Rounding::Nearest).unwrap();
    assert_eq!((digits.digits.as_slice(), digits.exponent), (&b"1250000000"[..], 300_000_000));
    let small = number("7e-300000000").to_float();
    let digits = small.significant_digits(10, Rounding::Nearest).unwrap();
    assert_eq!((digits.digits.as_slice(), digits.exponent), (&b"7000000000"[..], -300_000_000));
}

#[test]
fn digits_are_rounded_once_and_carry() {
    let digits = |text: &str, count, rounding| {
        let Digits { digits, exponent } =
            number(text).to_float().significant_digits(count, rounding).unwrap();
        (String::from_utf8(digits).unwrap(), exponent)
    };
    assert_eq!(digits("9.96", 2, Rounding::Nearest), ("10".to_owned(), 1));
    assert_eq!(digits("9.96", 2, Rounding::Zero), ("99".to_owned(), 0));
    assert_eq!(digits("0.125", 2, Rounding::Nearest), ("12".to_owned(), -1));
    assert_eq!(digits("0.125", 2, Rounding::Up), ("13".to_owned(), -1));
    assert_eq!(digits("-0.125", 2, Rounding::Up), ("12".to_owned(), -1));
    assert_eq!(digits("-0.125", 2, Rounding::Away), ("13".to_owned(), -1));
    assert_eq!(digits("1000.0", 1, Rounding::Nearest), ("1".to_owned(), 3));
}

#[test]
fn hexadecimal_digits_stand_at_multiples_of_four() {
    let digits = |number: f64, count| {
        let Digits { digits, exponent } =
            Float::from_f64(number).hexadecimal_digits(count, Rounding::Nearest).unwrap();
        (String::from_utf8(digits).unwrap(), exponent)
    };
    assert_eq!(digits(10.5, Some(6)), ("a800000".to_owned(), 0));
    assert_eq!(digits(0.1, Some(6)), ("199999a".to_owned(), -4));
    assert_eq!(digits(15.96875, Some(1)), ("10".to_owned(), 4));
    assert_eq!(digits(1.5, None), ("18".to_owned(), 0));
}

#[test]
fn a_comparison_rounds_nothing() {
    assert_eq!(
        number("100000000000000000000001").compare(&number("1e23")),
        Some(Ordering::Greater)
    );
    assert_eq!(number("1e-400").compare(&Number::ZERO), Some(Ordering::Greater));
    assert_eq!(Number::Float(Float::NAN).compare(&Number::ZERO), None);
    assert_eq!(
        Number::Float(Float::zero(Sign::Negative)).compare(&Number::ZERO),
        Some(Ordering::Equal)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// At 53 bits in the range of doubles, arithmetic is that of the machine.
    #[test]
    fn doubles_are_one_precision_among_others(a in any::<f64>(), b in any::<f64>()) {
        let context = Context::default().named(b"double").unwrap();
        let (x, y) = (Float::from_f64(a), Float::from_f64(b));
        for (ours, theirs) in [
            (context.add(&x, &y), a + b),
            (context.sub(&x, &y), a - b),
            (context.mul(&x, &y), a * b),
            (context.div(&x, &y), a / b),
            (context.rem(&x, &y), a % b),
            (context.sqrt(&x), a.sqrt()),
        ] {
            let ours = ours.to_f64();
            prop_assert!(ours == theirs || ours.is_nan() && theirs.is_nan(), "{a:e} {b:e}: {ours:e} {theirs:e}");
        }
    }

    #[test]
    fn a_double_comes_back_from_its_digits(a in any::<f64>().prop_filter("finite", |a| a.is_finite() && *a != 0.0)) {
        let float = Float::from_f64(a);
        prop_assert_eq!(float.to_f64(), a);
        let Digits { digits, exponent } = float.significant_digits(17, Rounding::Nearest).unwrap();
        let text = format!("{}{}e{}", if a < 0.0 { "-" } else { "" }, String::from_utf8(digits).unwrap(), exponent - 16);
        let double = Context::default().named(b"double").unwrap();
        prop_assert_eq!(Number::read_decimal(text.as_bytes(), b'.', &double).unwrap().0.to_f64(), a);
    }

    /// What comes out at a low precision is what a higher one rounds to, which is how Ziv's loop could go wrong.
    #[test]
    fn functions_agree_with_themselves_at_more_bits(m in 1u64..1 << 40, e in -60i32..6, precision in 2usize..150) {
        let x = Float::from_f64(m as f64 * 2f64.powi(e - 40));
        for rounding in Rounding::ALL {
            let (low, high) = (Context::bits(precision).rounding(rounding), Context::bits(precision + 400));
            for function in [Context::exp, Context::ln, Context::sin, Context::cos] {
                let (ours, theirs) = (function(&low, &x), low.round(&function(&high, &x)));
                prop_assert_eq!(ours.compare(&theirs), Some(Ordering::Equal));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Up to a thousand bits or so the work is done on the stack, above by other algorithms.
    #[test]
    fn the_short_way_and_the_long_way_agree(
        m in 1u64..1 << 40, n in 1u64..1 << 40, e in -90i32..30, f in -70i32..3, precision in 2usize..1100,
    ) {
        let float = |m: u64, e: i32| Float::from_f64(m as f64 * 2f64.powi(e - 40));
        let wide = Context::bits(precision);
        // Of as many bits as the precision has.
        let (x, y) = (wide.sqrt(&float(m, e)), wide.sqrt(&float(n, f)));
        let near_one = wide.add(&Float::from_f64(1.0), &y);
        let long = Context::bits(precision + 2_600);
        type Operation = fn(&Context, &Float, &Float) -> Float;
        let operations: [(&str, Operation); 9] = [
            ("add", Context::add),
            ("sub", Context::sub),
            ("mul", Context::mul),
            ("div", Context::div),
            ("pow", Context::pow),
            ("atan2", Context::atan2),
            ("exp", |context, _, y| context.exp(y)),
            ("sin", |context, x, _| context.sin(x)),
            ("cos", |context, x, _| context.cos(x)),
        ];
        for rounding in Rounding::ALL {
            let short = Context::bits(precision).rounding(rounding);
            let same = |name: &str, ours: Float, theirs: Float| {
                prop_assert_eq!(ours.compare(&short.round(&theirs)), Some(Ordering::Equal), "{} {:?}", name, rounding);
                Ok(())
            };
            for (name, operation) in operations {
                same(name, operation(&short, &x, &y), operation(&long, &x, &y))?;
            }
            let count = Float::from_f64((1 + m % 100) as f64 - 20.0 * (n % 4) as f64);
            same("integer power", short.pow(&x, &count), long.pow(&x, &count))?;
            same("sqrt", short.sqrt(&x), long.sqrt(&x))?;
            same("ln", short.ln(&near_one), long.ln(&near_one))?;
        }
    }
}
