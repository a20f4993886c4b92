//! Every operation, in every direction, against recorded answers of MPFR.

mod operations;

use std::cmp::Ordering;

#[test]
fn every_operation_is_rounded_as_mpfr_rounds_it() {
    let mut rows = 0;
    for row in include_str!("answers.txt").lines().filter(|row| !row.starts_with('#')) {
        let (result, answer) = operations::evaluate(row).expect(row);
        let answer = operations::read(answer.expect(row)).expect(row);
        let same = result.is_nan() && answer.is_nan()
            || result.compare(&answer) == Some(Ordering::Equal)
                && result.is_negative() == answer.is_negative();
        assert!(same, "{row}\n{result:?}");
        rows += 1;
    }
    assert_eq!(rows, 301);
}
