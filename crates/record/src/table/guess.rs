//! Guesses the separator of a header that lacks the requested column.

use super::TableFormat;

const SEPARATORS: [(u8, &str, &str); 4] =
    [(b';', ";", "-F';'"), (b'\t', "\\t", "-F'\\t'"), (b'|', "|", "-F'|'"), (b',', ",", "-F,")];

/// Another separator gives the wanted name, or splits a single one.
pub(crate) fn likely_separator(
    header: &str,
    columns: usize,
    wanted: &str,
    input: Option<TableFormat>,
) -> Option<String> {
    let now = input.map(TableFormat::separator);
    let has_name = |separator: u8| {
        let name = |part: &str| part.trim_matches('"') == wanted;
        header.split(char::from(separator)).any(name) && header.contains(char::from(separator))
    };
    let is_one = |separator: u8| columns == 1 && header.contains(char::from(separator));
    let others = || SEPARATORS.into_iter().filter(|&(byte, ..)| Some(byte) != now);
    let found = others()
        .find(|&(byte, ..)| has_name(byte))
        .or_else(|| others().find(|&(byte, ..)| is_one(byte)));
    let (_, shown, option) = found?;
    // Without --csv, -F splits within quotes too.
    let option = match input {
        Some(TableFormat::Csv { .. }) => option.to_string(),
        _ if shown == "," => "--csv".to_string(),
        _ => format!("--csv {option}"),
    };
    Some(format!("is this separated by \"{shown}\"? try {option}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_guessed_by_the_wanted_name_or_when_there_is_one_column() {
        let csv = Some(TableFormat::CSV);
        let guess = |header: &str, columns, input| likely_separator(header, columns, "name", input);
        assert_eq!(guess("id;name", 1, csv).unwrap(), "is this separated by \";\"? try -F';'");
        assert_eq!(
            guess("id;a,b;\"name\"", 2, csv).unwrap(),
            "is this separated by \";\"? try -F';'"
        );
        assert_eq!(guess("id\tx", 1, csv).unwrap(), "is this separated by \"\\t\"? try -F'\\t'");
        assert_eq!(guess("id,name", 1, None).unwrap(), "is this separated by \",\"? try --csv");
        assert_eq!(
            guess("id|name", 1, Some(TableFormat::Tsv)).unwrap(),
            "is this separated by \"|\"? try --csv -F'|'"
        );
        assert_eq!(guess("id,nmae", 2, csv), None);
        assert_eq!(guess("a;b,c", 2, csv), None);
    }
}
