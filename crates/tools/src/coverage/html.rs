//! Coverage as pages: a list of files, and each file with its counts.

use super::{Coverage, CoveredShare, FileCoverage};
use crate::markup::escaped;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");

/// By which a page is known again.
const MARK: &str = "<meta name=\"generator\" content=\"rhawk --coverage\">";

/// Whether a text is a page of coverage.
pub(super) fn is_page(text: &[u8]) -> bool {
    text.windows(MARK.len()).any(|part| part == MARK.as_bytes())
}

pub(super) fn write(coverage: &Coverage) -> Vec<(String, String)> {
    let pages = page_names(coverage);
    let mut all = vec![("index.html".to_owned(), index(coverage, &pages))];
    for ((name, file), page) in coverage.files.iter().zip(&pages) {
        all.push((page.clone(), page_of_file(name, file)));
    }
    all
}

/// Folders are not kept, so names may need a number to differ.
fn page_names(coverage: &Coverage) -> Vec<String> {
    let mut used = HashSet::from(["index.html".to_owned()]);
    let page = |name: &String| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
        let numbered = (1..).map(|number| match number {
            1 => format!("{plain}.html"),
            _ => format!("{plain}-{number}.html"),
        });
        let free = numbered.into_iter().find(|page| !used.contains(page)).unwrap_or_default();
        used.insert(free.clone());
        free
    };
    coverage.files.keys().map(page).collect()
}

fn frame(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         {MARK}\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

fn index(coverage: &Coverage, pages: &[String]) -> String {
    let mut body = "<header><h1>Coverage</h1></header>\n<main>\n".to_owned();
    add_cards(&mut body, coverage.totals());
    body.push_str(
        "<table class=\"files\">\n<thead><tr><th scope=\"col\">File</th><th scope=\"col\">Statements</th>\
         <th scope=\"col\">Branches</th><th scope=\"col\">Functions</th></tr></thead>\n<tbody>\n",
    );
    for ((name, file), page) in coverage.files.iter().zip(pages) {
        let name = escaped(name);
        let _ = write!(body, "<tr><th scope=\"row\"><a href=\"{page}\">{name}</a></th>");
        for share in [file.statements(), file.branches(), file.functions()] {
            let _ = write!(body, "<td>{}</td>", bar(share));
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</tbody>\n</table>\n</main>\n");
    frame("Coverage", &body)
}

fn add_cards(body: &mut String, shares: [CoveredShare; 3]) {
    body.push_str("<section class=\"cards\" aria-label=\"Totals\">\n");
    for (what, share) in ["Statements", "Branches", "Functions"].into_iter().zip(shares) {
        let _ = writeln!(
            body,
            "<div class=\"card {}\"><span class=\"what\">{what}</span><span class=\"percent\">{}</span>\
             <span class=\"of\">{} of {}</span>{}</div>",
            grade(share),
            if share.total == 0 { "–".to_owned() } else { format!("{}%", share.percent()) },
            share.covered,
            share.total,
            meter(share)
        );
    }
    body.push_str("</section>\n");
}

fn meter(share: CoveredShare) -> String {
    format!("<span class=\"meter\"><i style=\"width:{}%\"></i></span>", share.percent())
}

fn bar(share: CoveredShare) -> String {
    match share.total {
        0 => "<span class=\"of\">–</span>".to_owned(),
        total => format!(
            "<span class=\"bar {}\">{}<b>{}%</b><span class=\"of\">{}/{total}</span></span>",
            grade(share),
            meter(share),
            share.percent(),
            share.covered
        ),
    }
}

/// In colours: all, most, or less than half.
fn grade(share: CoveredShare) -> &'static str {
    match share.percent() {
        100 => "all",
        80.. => "most",
        50.. => "some",
        _ => "few",
    }
}

fn page_of_file(name: &str, file: &FileCoverage) -> String {
    let shown = escaped(name);
    let mut body = format!(
        "<header><p><a href=\"index.html\">Coverage</a></p><h1>{shown}</h1></header>\n<main>\n"
    );
    add_cards(&mut body, [file.statements(), file.branches(), file.functions()]);
    match &file.text {
        Some(text) => add_source(&mut body, text, file),
        None => body.push_str("<p>The text of this file was not a part of the last run.</p>\n"),
    }
    body.push_str("</main>\n");
    frame(&shown, &body)
}

fn add_source(body: &mut String, text: &[u8], file: &FileCoverage) {
    let counts = file.lines();
    let mut notes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (branch, &count) in &file.branches {
        if count == 0 {
            let note = match branch.meaning.as_str() {
                "match" => "never matched".to_owned(),
                "no match" => "always matched".to_owned(),
                "then" => "never true".to_owned(),
                "else" => "never false".to_owned(),
                "body" => "body never entered".to_owned(),
                other => match other.split_once(": ") {
                    Some((outcome, condition)) => format!("{condition}: never {outcome}"),
                    None => format!("{other}: never"),
                },
            };
            notes.entry(branch.line).or_default().push(note);
        }
    }
    for (function, &count) in &file.functions {
        if count == 0 {
            notes.entry(function.line).or_default().push("never called".to_owned());
        }
    }
    let most = counts.values().max().map_or(1, |count| count.to_string().len()).max(3);
    let _ = writeln!(body, "<div class=\"source\" style=\"--digits:{most}ch\" tabindex=\"0\">");
    let mut line_start = 0;
    for (number, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
        let count = counts.get(&number);
        let class = match count {
            None => "",
            Some(0) => " missed",
            Some(_) if has_missed(file, number) || notes.contains_key(&number) => " partly",
            Some(_) => " ran",
        };
        let count = count.map(u64::to_string).unwrap_or_default();
        let _ = write!(
            body,
            "<div class=\"line{class}\" id=\"L{number}\"><a class=\"number\" href=\"#L{number}\">{number}</a>\
             <span class=\"count\">{count}</span><code>"
        );
        add_code(body, line, line_start, file);
        body.push_str("</code>");
        if let Some(notes) = notes.get(&number) {
            for note in notes {
                let _ = write!(body, "<span class=\"note\">{}</span>", escaped(note));
            }
        }
        body.push_str("</div>\n");
        line_start += line.len();
    }
    body.push_str("</div>\n");
}

fn has_missed(file: &FileCoverage, line: usize) -> bool {
    file.statements.iter().any(|(stretch, &count)| stretch.line == line && count == 0)
}

/// The line, with what did not run marked.
fn add_code(body: &mut String, line: &[u8], line_start: usize, file: &FileCoverage) {
    let end = line.trim_ascii_end().len();
    let missed = file.statements.iter().filter(|(_, count)| **count == 0);
    let mut cuts: Vec<(usize, usize)> = missed
        .filter_map(|(stretch, _)| {
            let from = stretch.start.max(line_start) - line_start;
            let to = stretch.end.min(line_start + end).checked_sub(line_start)?;
            (from < to && stretch.end > line_start).then_some((from, to))
        })
        .collect();
    cuts.sort_unstable();
    let mut at = 0;
    for (from, to) in cuts {
        let from = from.max(at);
        if from >= to {
            continue;
        }
        body.push_str(&escaped(&String::from_utf8_lossy(&line[at..from])));
        let _ = write!(body, "<mark>{}</mark>", escaped(&String::from_utf8_lossy(&line[from..to])));
        at = to;
    }
    body.push_str(&escaped(&String::from_utf8_lossy(&line[at..end.max(at)])));
}
