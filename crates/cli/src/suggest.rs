//! Suggestions for mistyped words.

/// The candidate with the fewest edits, if they are few enough.
pub(crate) fn nearest<'a>(
    typed: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed: Vec<char> = typed.chars().collect();
    // A third of the letters, at least one. No option has 64 letters.
    let most_edits = (typed.len() / 3).max(1);
    if typed.len() > 64 {
        return None;
    }
    let with_edits = candidates.map(|candidate| (edits(&typed, candidate), candidate));
    with_edits
        .filter(|&(edits, _)| edits <= most_edits)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours.
fn edits(from: &[char], to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut rows = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_the_word_and_nonsense_finds_none() {
        let words = ["version", "help", "stats", "dump"];
        let find = |typed| nearest(typed, words.into_iter());
        assert_eq!(find("verison"), Some("version"));
        assert_eq!(find("hlep"), Some("help"));
        assert_eq!(find("stat"), Some("stats"));
        assert_eq!(find("zzzzzz"), None);
        assert_eq!(find(""), None);
        assert_eq!(find(&"h".repeat(1_000_000)), None);
    }

    #[test]
    fn edits_count_each_kind_of_slip_as_one() {
        let distance = |from: &str, to| edits(&from.chars().collect::<Vec<_>>(), to);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("abc", "ab"), 1);
        assert_eq!(distance("abc", "abcd"), 1);
        assert_eq!(distance("abc", "axc"), 1);
        assert_eq!(distance("abc", "acb"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
