//! Runs each command of the `console` blocks in the README and in `docs` and compares its output.

use riverhawk_syntax::extension::Extension;
use riverhawk_syntax::library::LibraryFn;
use riverhawk_syntax::written::WrittenFn;
use riverhawk_tests::build;
use riverhawk_tests::scratch::Scratch;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Debug, PartialEq)]
struct Shown {
    command: String,
    output: String,
}

/// Lines that begin with `$ `, continued by `> `, each with the lines up to the next.
fn shown(page: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for block in page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        for line in block.lines() {
            let more = line.strip_prefix("> ").or((line == ">").then_some(""));
            match (line.strip_prefix("$ "), more, all.last_mut()) {
                (Some(command), ..) => {
                    all.push(Shown { command: command.into(), output: String::new() })
                }
                (None, Some(more), Some(last)) if last.output.is_empty() => {
                    last.command += &format!("\n{more}")
                }
                (None, _, Some(last)) => last.output += &format!("{line}\n"),
                (None, _, None) => panic!("a console block begins with `$ `: {line}"),
            }
        }
    }
    all
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What a shell shows in a directory, with standard error in order.
fn typed(command: &str, directory: &Path) -> String {
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\nrhawk() {{ \"$RHAWK\" \"$@\"; }}\n{command}")])
        .current_dir(directory)
        .env("RHAWK", build::rhawk())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("sh");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_command_of_the_readme_prints_what_stands_below_it() {
    compare("README.md", 3);
}

fn compare(page: &str, least: usize) {
    let text = std::fs::read_to_string(root().join(page)).expect("the page");
    let all = shown(&text);
    assert!(all.len() >= least, "{all:?}");
    for Shown { command, output } in all {
        assert_eq!(typed(&command, &root()), output, "{command}");
    }
}

fn chapters() -> Vec<PathBuf> {
    let mut chapters = Vec::new();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of chapters") {
            let path = entry.expect("a chapter").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md")
                && !path.ends_with("SUMMARY.md")
            {
                chapters.push(path);
            }
        }
    }
    chapters.sort();
    chapters
}

fn linked(page: &str) -> impl Iterator<Item = &str> {
    page.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(to, _)| to)
        .filter(|to| to.ends_with(".md"))
}

#[test]
fn every_command_of_the_chapters_prints_what_stands_below_it() {
    let mut count = 0;
    for path in chapters() {
        let page = std::fs::read_to_string(&path).expect("a chapter is text");
        let directory = Scratch::new().expect("a directory");
        for Shown { command, output } in shown(&page) {
            assert_eq!(typed(&command, directory.path()), output, "{}: {command}", path.display());
            count += 1;
        }
    }
    assert!(count >= 200, "only {count} commands");
}

#[test]
fn the_summary_of_the_book_names_every_chapter_and_nothing_else() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the summary");
    let mut named: Vec<PathBuf> = linked(&summary).map(|to| root().join("docs").join(to)).collect();
    named.sort();
    assert_eq!(named, chapters());
}

#[test]
fn every_link_of_a_chapter_leads_to_a_page() {
    for path in chapters() {
        let page = std::fs::read_to_string(&path).expect("a chapter is text");
        for to in linked(&page) {
            let target = path.parent().expect("the folder of a chapter").join(to);
            assert!(target.is_file(), "{}: {to}", path.display());
        }
    }
}

#[test]
fn the_chapters_name_every_option() {
    let help = Command::new(build::rhawk()).arg("--help=all").output().expect("rhawk");
    let help = String::from_utf8(help.stdout).expect("the help is text");
    let pages: String = chapters()
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a chapter is text"))
        .collect();
    let mut count = 0;
    for line in help.lines().filter(|line| line.starts_with("  ")) {
        let Some(option) = line.split_whitespace().find(|word| word.starts_with("--")) else {
            continue;
        };
        let name = option.split(['=', '[']).next().expect("a name");
        assert!(pages.contains(name), "{name}");
        count += 1;
    }
    assert!(count >= 40, "only {count} options");
}

#[test]
fn the_chapters_of_the_functions_have_a_section_for_each_and_for_no_other() {
    let of_namespaces = [
        "library.md",
        "library/time.md",
        "library/math.md",
        "library/array.md",
        "library/assert.md",
    ];
    for (pages, in_namespaces) in [(&of_namespaces[..], true), (&["gawk.md"], false)] {
        let read = |page: &&str| {
            std::fs::read_to_string(root().join("docs").join(page)).expect("the chapter")
        };
        let page: String = pages.iter().map(read).collect();
        let in_heading =
            page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
        let in_table =
            page.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once("` |")?.0));
        let mut sections: Vec<&str> =
            in_heading.chain(in_table.filter(|name| name.contains("::"))).collect();
        let functions = LibraryFn::reserved()
            .filter(|function| function.namespace().is_some() == in_namespaces);
        let written = WrittenFn::all()
            .filter(|_| in_namespaces)
            .map(|function| function.signature.to_owned());
        let mut signatures: Vec<String> =
            functions.map(|function| function.signature()).chain(written).collect();
        sections.sort_unstable();
        signatures.sort_unstable();
        assert_eq!(sections, signatures, "{pages:?}");
    }
}

#[test]
fn the_chapter_of_the_language_names_each_function_of_an_extension() {
    let page = std::fs::read_to_string(root().join("docs/gawk-language.md")).expect("the chapter");
    for extension in Extension::ALL {
        let signatures: Vec<String> =
            extension.functions().iter().map(|f| format!("`{}`", f.signature())).collect();
        // Extensions without functions say what they do.
        let row = match signatures.is_empty() {
            true => format!("| `{}` | none: ", extension.name()),
            false => format!("| `{}` | {} |", extension.name(), signatures.join(", ")),
        };
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn the_man_page_names_each_function_of_the_library() {
    let page = std::fs::read_to_string(root().join("man/rhawk.1")).expect("the man page");
    let built_in = LibraryFn::ALL
        .iter()
        .filter(|function| function.namespace().is_some())
        .map(|function| function.name());
    for name in built_in.chain(WrittenFn::all().map(WrittenFn::name)) {
        assert!(page.lines().any(|line| line.split(' ').nth(1) == Some(name)), "{name}");
    }
}

#[test]
fn commands_are_told_from_their_output() {
    let of = |command: &str, output: &str| Shown { command: command.into(), output: output.into() };
    let page = "text\n```console\n$ one\na\n\nb\n$ two\n```\n```sh\n$ no\n```\n```console\n$ three\n> more\nc\n> d\n```\n";
    assert_eq!(shown(page), [of("one", "a\n\nb\n"), of("two", ""), of("three\nmore", "c\n> d\n")]);
}

#[test]
fn the_recipes_are_forty_or_more_and_short_and_the_readme_links_to_them() {
    let page = std::fs::read_to_string(root().join("docs/recipes.md")).expect("the chapter");
    let recipes: Vec<&str> = page.split("\n### ").skip(1).collect();
    assert!(recipes.len() >= 40, "only {}", recipes.len());
    for recipe in recipes {
        let all = shown(recipe.split("\n## ").next().expect("a recipe"));
        assert!(!all.is_empty(), "{recipe}");
        assert!(all.iter().all(|one| one.command.lines().count() <= 3), "{recipe}");
    }
    // The contents name each group.
    for group in page.lines().filter_map(|line| line.strip_prefix("## ")) {
        assert!(page.contains(&format!("\n- [{group}](#")), "{group}");
    }
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    assert!(readme.contains("(docs/recipes.md)"));
}
