//! The parts of standard error on which two awks agree: number, order and lines of warnings and
//! errors, and their words where ours are gawk's.

#[derive(Clone, PartialEq, Eq, Debug)]
struct Complaint {
    is_error: bool,
    place: Option<String>,
    words: String,
}

#[derive(Clone, Debug)]
pub struct Complaints(Vec<Complaint>);

/// Stated divergences: bytes that are not a character, escaped slashes in strings, gawk's variables
/// that are ordinary in the dialect, separators with --csv. Warnings at other times, or about
/// constants that are never reached.
const NOT_COMPARED: [&str; 6] = [
    "regexp escape sequence",
    "nvalid multibyte",
    "`\\/'",
    "`IGNORECASE' is a gawk",
    "`BINMODE' is a gawk",
    "FS/FIELDWIDTHS/FPAT has no effect",
];

impl Complaints {
    pub fn of(stderr: &[u8], awk: &str) -> Complaints {
        let text = String::from_utf8_lossy(stderr);
        let own = text.lines().filter_map(|line| line.strip_prefix(awk)?.strip_prefix(": "));
        let compared = own.filter(|line| !NOT_COMPARED.iter().any(|only| line.contains(only)));
        Complaints(compared.filter_map(Complaint::of).collect())
    }

    /// Whether they agree; places are compared where both have one.
    pub fn agree(&self, other: &Complaints) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| a.agrees(b))
    }
}

impl Complaint {
    /// Parses `file:line: (FILENAME=- FNR=1) warning: words` or `file:line:column: error: words`,
    /// perhaps without its beginning.
    fn of(line: &str) -> Option<Complaint> {
        let kinds = [("warning: ", false), ("fatal: ", true), ("error: ", true)];
        let (at, kind, is_error) = kinds
            .into_iter()
            .filter_map(|(kind, is_error)| Some((line.find(kind)?, kind, is_error)))
            .min_by_key(|found| found.0)?;
        let mut parts = line[..at].split(':');
        let place = match (parts.next(), parts.next()) {
            (Some(file), Some(number)) if number.parse::<u32>().is_ok() => {
                Some(format!("{file}:{number}"))
            }
            _ => None,
        };
        // From the second time on ours names the record in the same line.
        let words = &line[at + kind.len()..];
        let words = words
            .rsplit_once(" (")
            .filter(|(_, end)| end.contains(", record "))
            .map_or(words, |(words, _)| words);
        Some(Complaint { is_error, place, words: words.to_owned() })
    }

    fn agrees(&self, other: &Complaint) -> bool {
        let same_place = match (&self.place, &other.place) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        // The words of errors are our own.
        self.is_error == other.is_error
            && same_place
            && (self.is_error || self.words == other.words)
    }
}
