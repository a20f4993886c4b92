use super::*;

fn example() -> Coverage {
    let text = b"function f(x) { if (x) return 1; return 2 }\n/a/ { n++ }\n".to_vec();
    let stretch = |start, end, line| Stretch { start, end, line };
    let branch = |start, line, number, meaning: &str| BranchPlace {
        start,
        line,
        number,
        meaning: meaning.to_owned(),
    };
    let file = FileCoverage {
        hash: fnv_1a(&text),
        text: Some(text),
        statements: [
            (stretch(16, 22, 1), 3),
            (stretch(23, 31, 1), 0),
            (stretch(33, 41, 1), 3),
            (stretch(44, 47, 2), 5),
            (stretch(50, 53, 2), 5),
        ]
        .into(),
        branches: [
            (branch(16, 1, 0, "then"), 0),
            (branch(16, 1, 1, "else"), 3),
            (branch(44, 2, 0, "match"), 5),
            (branch(44, 2, 1, "no match"), 0),
        ]
        .into(),
        functions: [(FunctionPlace { line: 1, name: "f".into() }, 3)].into(),
    };
    Coverage { files: [("f.awk".to_owned(), file)].into() }
}

#[test]
fn an_lcov_file_is_read_as_it_was_written() {
    let coverage = example();
    let written = coverage.to_lcov();
    for line in ["SF:f.awk", "FN:1,f", "FNDA:3,f", "DA:1,3", "BRDA:1,16,0,0", "LF:2", "LH:2"] {
        assert!(written.lines().any(|written| written == line), "{line}: {written}");
    }
    let mut read = Coverage::from_lcov(&written).unwrap();
    read.files.get_mut("f.awk").unwrap().text.clone_from(&coverage.files["f.awk"].text);
    assert_eq!(read, coverage);
    assert!(Coverage::from_lcov("TN:\nSF:a\n").unwrap_err().contains("does not begin"));
    let damaged = written.replace("#statement:16,22,1,3", "#statement:16,22,1");
    assert_eq!(Coverage::from_lcov(&damaged).unwrap_err(), "line 9 is damaged");
}

#[test]
fn runs_are_added_unless_the_text_is_another() {
    let mut twice = example();
    assert!(twice.merge(&example()).is_empty());
    let counts: Vec<u64> = twice.files["f.awk"].statements.values().copied().collect();
    assert_eq!(counts, [6, 0, 6, 10, 10]);
    let mut other = example();
    other.files.get_mut("f.awk").unwrap().hash += 1;
    assert_eq!(other.merge(&example()), ["f.awk"]);
    assert_eq!(other.files["f.awk"].statements, example().files["f.awk"].statements);
}

#[test]
fn the_table_names_lines_that_did_not_run() {
    let text = example().to_text();
    let row = "f.awk  4/5 80%         2/4 50%        1/1 100%       1";
    assert_eq!(text.lines().nth(1), Some(row), "{text}");
}

#[test]
fn pages_mark_what_did_not_run() {
    let pages = example().to_html();
    let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["index.html", "f.awk.html"]);
    let page = &pages[1].1;
    assert!(page.contains("if (x) <mark>return 1</mark>; return 2"), "{page}");
    for note in ["never true", "always matched"] {
        assert!(page.contains(&format!("<span class=\"note\">{note}</span>")), "{note}");
    }
}
