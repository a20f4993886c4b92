//! The benchmark's command line.

use crate::rows::HEADLINES;
use lexopt::prelude::*;
use std::path::PathBuf;

pub const HELP: &str = "\
Runs rhawk and the other awks, languages and tools that are installed side by side.

Usage: bench [options]

  --rows A,B         only these rows (a name that ends in * stands for all that begin so,
                     headlines for those in the README)
  --peers A,B        only these peers (gawk, the reference, is always worth naming)
  --list             print rows and peers, run nothing
  --make-data        make the files that the rows read, run nothing
  --compare-jit      rhawk beside rhawk --no-jit only, with the ratio of each row
  --instructions     compare instructions, counted by valgrind, instead of times
  --gains            what each part of the compiler gains, in instructions, by leaving it out
  --rounds N         rounds per row (5)
  --scale F          size of data and loops, 1 being the real one (1)
  --quick            the same as --scale 0.1 --rounds 3
  --pin              everything on one core
  --rhawk PATH       the rhawk to measure (beside this program, or else in PATH)
  --data FOLDER      where the generated input lies (bench/data)
  --json FILE        write the results
  --svg FILE         draw them
  --markdown FILE    put a table between the marks in FILE: of the headline rows, or of all
  --from FILE        read results from FILE instead of measuring
  -h, --help         print this
";

#[derive(Debug, PartialEq)]
pub struct Options {
    /// Row names; all if empty.
    pub rows: Vec<String>,
    /// Peer names; all if empty.
    pub peers: Vec<String>,
    /// List rows and peers.
    pub list: bool,
    pub make_data: bool,
    /// Compare rhawk with itself without machine code.
    pub compare_jit: bool,
    pub instructions: bool,
    pub gains: bool,
    pub help: bool,
    pub rounds: u32,
    /// Of data and loops.
    pub scale: f64,
    /// Use one core.
    pub pin: bool,
    pub rhawk: Option<PathBuf>,
    pub data: PathBuf,
    /// Write the results here.
    pub json: Option<PathBuf>,
    /// Write the chart here.
    pub svg: Option<PathBuf>,
    /// Write the headline table into this page.
    pub markdown: Option<PathBuf>,
    /// Read results from here.
    pub from: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rows: Vec::new(),
            peers: Vec::new(),
            list: false,
            make_data: false,
            compare_jit: false,
            instructions: false,
            gains: false,
            help: false,
            rounds: 5,
            scale: 1.0,
            pin: false,
            rhawk: None,
            data: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data"),
            json: None,
            svg: None,
            markdown: None,
            from: None,
        }
    }
}

impl Options {
    pub fn parse<I>(args: I) -> Result<Options, lexopt::Error>
    where
        I: IntoIterator,
        I::Item: Into<std::ffi::OsString>,
    {
        let mut options = Options::default();
        let mut parser = lexopt::Parser::from_args(args);
        while let Some(arg) = parser.next()? {
            match arg {
                Long("rows") => options.rows = rows(&parser.value()?.string()?),
                Long("peers") => options.peers = names(&parser.value()?.string()?),
                Long("list") => options.list = true,
                Long("make-data") => options.make_data = true,
                Long("compare-jit") => options.compare_jit = true,
                Long("instructions") => (options.compare_jit, options.instructions) = (true, true),
                Long("gains") => options.gains = true,
                Long("rounds") => options.rounds = parser.value()?.parse()?,
                Long("scale") => options.scale = parser.value()?.parse()?,
                Long("quick") => (options.scale, options.rounds) = (0.1, 3),
                Long("pin") => options.pin = true,
                Long("rhawk") => options.rhawk = Some(parser.value()?.into()),
                Long("data") => options.data = parser.value()?.into(),
                Long("json") => options.json = Some(parser.value()?.into()),
                Long("svg") => options.svg = Some(parser.value()?.into()),
                Long("markdown") => options.markdown = Some(parser.value()?.into()),
                Long("from") => options.from = Some(parser.value()?.into()),
                Short('h') | Long("help") => options.help = true,
                other => return Err(other.unexpected()),
            }
        }
        if options.rounds == 0 || !(options.scale > 0.0 && options.scale <= 100.0) {
            return Err("--rounds must be at least 1, --scale over 0 and at most 100".into());
        }
        Ok(options)
    }

    pub fn wants_row(&self, row: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|wanted| matches(wanted, row))
    }

    pub fn unknown_row(&self, known: &[&str]) -> Option<&str> {
        let fits_none = |wanted: &&String| !known.iter().any(|row| matches(wanted, row));
        self.rows.iter().find(fits_none).map(String::as_str)
    }
}

fn matches(wanted: &str, name: &str) -> bool {
    wanted.strip_suffix('*').map_or(wanted == name, |prefix| name.starts_with(prefix))
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(String::from).collect()
}

/// Expands the headlines.
fn rows(list: &str) -> Vec<String> {
    let mut rows = names(list);
    if let Some(at) = rows.iter().position(|name| name == "headlines") {
        rows.splice(at..=at, HEADLINES.iter().map(ToString::to_string));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_values_are_read() {
        let options =
            Options::parse(["--rows", "length,copy", "--peers=gawk", "--rounds", "7", "--pin"])
                .expect("good");
        assert_eq!(options.rows, ["length", "copy"]);
        assert_eq!(options.peers, ["gawk"]);
        assert_eq!((options.rounds, options.pin, options.scale), (7, true, 1.0));
    }

    #[test]
    fn headlines_stand_for_rows_that_exist() {
        let options = Options::parse(["--rows", "headlines,math"]).expect("good");
        assert!(
            options.wants_row("math")
                && options.wants_row("length")
                && !options.wants_row("headlines")
        );
        let rows = crate::rows::all();
        assert_eq!(options.unknown_row(&rows.iter().map(|row| row.name).collect::<Vec<_>>()), None);
    }

    #[test]
    fn instructions_are_those_of_both_tiers() {
        let options = Options::parse(["--instructions"]).expect("good");
        assert!(options.compare_jit && options.instructions);
        assert!(!Options::parse(["--compare-jit"]).expect("good").instructions);
    }

    #[test]
    fn quick_is_a_tenth() {
        assert_eq!(Options::parse(["--quick"]).expect("good").scale, 0.1);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Options::parse(["--rounds", "0"]).is_err());
        assert!(Options::parse(["--scale", "nan"]).is_err());
        assert!(Options::parse(["--rownds", "1"]).is_err());
        assert!(Options::parse(["length"]).is_err());
    }

    #[test]
    fn a_star_stands_for_the_rest_of_a_name() {
        let options = Options::parse(["--rows", "filter-*,fib"]).expect("good");
        assert!(
            options.wants_row("filter-none")
                && options.wants_row("fib")
                && !options.wants_row("length")
        );
        assert_eq!(options.unknown_row(&["fib", "filter-x"]), None);
        assert_eq!(options.unknown_row(&["fib"]), Some("filter-*"));
    }
}
