//! Every divergence of `docs/divergences.md` has its test, and the reverse.

use riverhawk_tests::{Row, load};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn page() -> String {
    read("docs/divergences.md")
}

fn named(page: &str, topics: &BTreeSet<String>) -> BTreeSet<String> {
    let quoted = page.split('`').skip(1).step_by(2);
    let is_row =
        |text: &&str| text.split_once('/').is_some_and(|(topic, _)| topics.contains(topic));
    quoted.filter(is_row).map(str::to_owned).collect()
}

#[test]
fn every_row_where_we_differ_from_gawk_stands_on_the_page_and_every_row_on_the_page_exists() {
    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    let rows: BTreeSet<String> = files.iter().flat_map(|f| f.rows()).map(|row| row.id()).collect();
    let topics = rows.iter().filter_map(|id| Some(id.split_once('/')?.0.to_owned())).collect();
    let named = named(&page(), &topics);
    let unknown: Vec<_> = named.difference(&rows).collect();
    assert!(unknown.is_empty(), "the page names rows that do not exist: {unknown:?}");
    let deliberate = files.iter().flat_map(|f| f.rows()).filter(|row| row.because.is_some());
    let missing: Vec<_> = deliberate.map(|row| row.id()).filter(|id| !named.contains(id)).collect();
    assert!(missing.is_empty(), "rows with `because` that the page does not name: {missing:?}");
}

#[test]
fn an_awk_that_the_page_says_does_otherwise_gave_another_answer() {
    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    let rows: BTreeMap<String, &Row> =
        files.iter().flat_map(|f| f.rows()).map(|row| (row.id(), row)).collect();
    let page = page();
    let (_, section) =
        page.split_once("## Where we follow gawk and others do not").expect("the section");
    let mut awks_seen = 0;
    for line in section.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').rsplitn(3, " | ").collect();
        let [named, others, _] = cells[..] else { continue };
        let named: Vec<&&Row> = named.split('`').filter_map(|id| rows.get(id)).collect();
        for awk in ["mawk", "original-awk", "busybox", "goawk"]
            .into_iter()
            .filter(|awk| others.contains(awk))
        {
            assert!(
                named.iter().any(|row| row.differs.iter().any(|name| name == awk)),
                "{awk} does not differ: {line}"
            );
            awks_seen += 1;
        }
    }
    assert!(awks_seen > 15, "{awks_seen}");
}

#[test]
fn every_test_that_the_page_names_exists() {
    let page = page();
    let named: Vec<_> = page
        .split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|text| text.split_once("::"))
        .filter(|(file, _)| file.ends_with(".rs"))
        .collect();
    assert!(named.len() >= 5, "the page names only {} tests", named.len());
    for (file, test) in named {
        assert!(read(file).contains(&format!("fn {test}()")), "{file} has no test {test}");
    }
}

const OUR_OPTIONS: &[&str] = &[
    "--jobs",
    "--tsv",
    "--output-csv",
    "--output-tsv",
    "--csv-separator",
    "-H",
    "--header",
    "--keep-header",
    "--strict",
    "--jsonl",
    "--output-jsonl",
    "--graphemes",
    "--json",
    "--output-json",
    "--edit",
    "--output-separator",
    "--output-table",
    "--output-markdown",
    "--output-html",
    "--exact-integers",
];

#[test]
fn a_row_that_is_never_asked_of_gawk_uses_a_function_of_the_library_or_an_option_of_ours() {
    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    let ours: Vec<_> =
        files.iter().flat_map(|f| f.rows()).filter(|row| row.is_ours_alone()).collect();
    assert!(ours.len() >= 30, "only {} rows", ours.len());
    for row in ours {
        let program =
            String::from_utf8_lossy(row.program.as_deref().unwrap_or_default()).into_owned();
        let of_ours = |arg: &str| {
            OUR_OPTIONS.contains(&arg.trim_matches('\'').split('=').next().unwrap_or_default())
        };
        let is_ours =
            ["assert::", "file::", "json::", "text::", "time::", "math::", "array::", "@\""]
                .iter()
                .any(|sign| program.contains(sign))
                || row.args.split(' ').any(of_ours);
        assert!(is_ours, "{}: {program}", row.id());
        assert!(row.because.is_none(), "{}: it gives a reason for differing from gawk", row.id());
    }
}

#[test]
fn a_row_that_differs_from_gawk_says_both_why_and_what_gawk_does() {
    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    for row in files.iter().flat_map(|f| f.rows()) {
        assert_eq!(row.because.is_some(), row.gawk.is_some(), "{}", row.id());
        assert!(
            row.because.is_none() || row.gawk != row.expected,
            "{}: gawk agrees, so no reason is due",
            row.id()
        );
    }
}
