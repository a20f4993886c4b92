//! Each code of `docs/lint-codes.md`: the first program gives it, and what the text names beside it;
//! the second gives nothing.

use riverhawk_syntax::code::all;
use riverhawk_tests::shell::Shell;

struct Entry {
    code: String,
    wrong: String,
    right: String,
    why: String,
}

fn entries() -> Vec<Entry> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/lint-codes.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let sections = page.split("\n### ").skip(1);
    let entry = |section: &str| {
        let mut blocks = section.split("```");
        let mut next = || blocks.next().expect("two programs and a text").to_owned();
        let head = next();
        let (wrong, _, right) = (next(), next(), next());
        let code = head.lines().next().unwrap_or_default().to_owned();
        let why = next().split("\n## ").next().unwrap_or_default().to_owned();
        Entry { code, wrong, right, why }
    };
    sections.map(entry).collect()
}

/// A block begins with its language: awk for a program, sh for commands.
fn codes(block: &str) -> Vec<String> {
    let (language, text) = block.split_once('\n').expect("a language");
    let lints = text.contains("--lint") || text.contains(" -t ");
    let lint = if lints { "" } else { "--lint" };
    let check = format!("rhawk() {{ \"$RHAWK\" --check --message-format=json {lint} \"$@\"; }}\n");
    let shell = Shell::new().with_file("program.txt", text.trim_end());
    let ran = match language {
        "sh" => shell.run(&format!("{check}{text}")),
        _ => shell.run(&format!("{check}rhawk \"$(cat program.txt)\"")),
    };
    assert_eq!(ran.stderr, "", "{text}");
    let mut codes: Vec<String> = ran
        .stdout
        .lines()
        .map(|line| {
            let code = line.split("\"code\":\"").nth(1).and_then(|rest| rest.split('"').next());
            code.unwrap_or_else(|| panic!("no code: {line}")).to_owned()
        })
        .collect();
    assert_eq!(ran.status, i32::from(!codes.is_empty()), "{text}");
    codes.sort();
    codes.dedup();
    codes
}

#[test]
fn each_code_has_a_program_that_gives_it_and_one_that_gives_nothing() {
    for Entry { code, wrong, right, why } in entries() {
        let others = why.split("comes with").nth(1).unwrap_or_default();
        let words = others.split(|letter: char| !letter.is_ascii_alphanumeric());
        let mut expected: Vec<String> =
            words.filter(|word| word.starts_with("RH")).map(str::to_owned).collect();
        expected.push(code.clone());
        expected.sort();
        assert_eq!(codes(&wrong), expected, "{code}: {wrong}");
        assert!(codes(&right).is_empty(), "{code}: {right}");
    }
}

#[test]
fn the_page_has_each_code_of_a_warning_before_a_run() {
    let listed: Vec<String> = entries().into_iter().map(|entry| entry.code).collect();
    let known = all().filter(|(code, _)| (700..1000).contains(&code.number()));
    assert_eq!(listed, known.map(|(code, _)| code.to_string()).collect::<Vec<_>>());
}
