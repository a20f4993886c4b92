//! Answers recorded from gawk 5.3.2 (`tests/all/gawk/recorded.tsv`, made by `record.sh` beside it).

use crate::rows;
use riverhawk_regex::Regex;

const RECORDED: &[u8] = include_bytes!("gawk/recorded.tsv");

/// Intended differences, each with its reason.
const DIFFERENT: &[(&str, &str, &str)] = &[
    // gawk's character count ends within a character here.
    ("u", r"\251", "é"),
    // gawk 5.3.2 fails an assertion.
    ("u", "[^,]*", "%FF,a"),
    // An invalid byte can be a member; gawk rejects ranges of them and finds no single one.
    ("u", "[%80-%FF]+", "a%FFb"),
    ("u", "[%FF]", "a%FFb"),
    // Full simple folding: gawk folds the long s, but not the Kelvin sign with k or the capital
    // sharp s.
    ("ui", "k", "\u{212a}"),
    ("ui", "ß", "ẞ"),
];

#[test]
fn every_recorded_answer_of_gawk_is_given() {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for line in
        RECORDED.split(|&byte| byte == b'\n').filter(|line| !line.is_empty() && line[0] != b'#')
    {
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
        let (mode, pattern, text, want) =
            (fields[0], rows::decode(fields[1]), rows::decode(fields[2]), fields[3]);
        let shown = String::from_utf8_lossy(line);
        if DIFFERENT.iter().any(|row| {
            (row.0.as_bytes(), row.1.as_bytes(), row.2.as_bytes()) == (mode, fields[1], fields[2])
        }) {
            continue;
        }
        checked += 1;
        let regex = match Regex::new(&pattern, &rows::options(mode)) {
            Ok(regex) => regex,
            Err(error) => {
                if want != b"error" {
                    wrong.push(format!("{shown}: {error}"));
                }
                continue;
            }
        };
        let got = rows::answer(&regex, &text);
        if got.as_bytes() != want {
            wrong.push(format!("{shown}: got {got}"));
        } else if rows::marked(&regex, &text) != rows::decode(fields[4]) {
            wrong.push(format!(
                "{shown}: got {}",
                String::from_utf8_lossy(&rows::marked(&regex, &text))
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {checked} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(checked >= 300, "only {checked} rows");
}
