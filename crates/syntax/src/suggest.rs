//! The name that was probably meant.

/// The nearest candidate, if it is near enough: at most three letters, and a third of them, may be
/// added, dropped, changed or swapped; case does not matter. In words of two or three letters one
/// may differ, but not the first.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = match name.len() {
        0 | 1 => 0,
        length => (length / 3).clamp(1, 3),
    };
    let is_short = name.len() < 4;
    let begins_alike = |candidate: &str| {
        candidate.bytes().zip(name.bytes()).take(1).all(|(a, b)| a.eq_ignore_ascii_case(&b))
    };
    candidates
        .filter(|candidate| *candidate != name && candidate.len().abs_diff(name.len()) <= most)
        .filter(|candidate| !is_short || begins_alike(candidate))
        .map(|candidate| (distance(name.as_bytes(), candidate.as_bytes()), candidate))
        .filter(|&(distance, _)| distance <= most)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance in which a swap of neighbours counts once (optimal string alignment).
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_fingers_is_recognised_and_a_different_word_is_not() {
        let known = ["length", "substr", "toupper", "add", "sin", "x1"];
        for (typed, meant) in [
            ("lenght", Some("length")),
            ("lngth", Some("length")),
            ("substring", Some("substr")),
            ("touper", Some("toupper")),
            ("length", None),
            ("toUpper", Some("toupper")),
            ("LENGTH", Some("length")),
            ("ad", Some("add")),
            ("adn", Some("add")),
            ("min", None),
            ("bin", None),
            ("xx", Some("x1")),
            ("frobnicate", None),
            ("x", None),
        ] {
            assert_eq!(nearest(typed, known.into_iter()), meant, "{typed}");
        }
    }
}
