//! `--help=TOPIC`.

use super::text::{draw, inline, table_row};
use super::{Block, CHAPTERS, Chapter, Style, spans};
use crate::environment;
use crate::options::{OPTIONS, Opt};
use crate::suggest::nearest;
use std::collections::BTreeSet;

/// The manual about a function, a variable, an option or a subject; the error lists the topics.
pub fn about(topic: &str) -> Result<String, String> {
    let topic = topic.trim().trim_end_matches("()");
    match topic {
        "topics" => return Ok(topics()),
        "environment" => return Ok(environment::text()),
        _ => {}
    }
    let is = |name: &str| name == topic;
    // Without its namespace, or the namespace alone.
    let is_nearly = |name: &str| {
        let own = name.rsplit("::").find(|part| !part.is_empty()).unwrap_or(name);
        name.eq_ignore_ascii_case(topic) || own.eq_ignore_ascii_case(topic)
    };
    let found = [
        named(&is, TEXT),
        by_option(topic) + &chapter(&is),
        named(&is_nearly, TEXT),
        chapter(&is_nearly),
        by_heading(topic),
    ];
    let found = found.into_iter().find(|text| !text.is_empty());
    found.ok_or_else(|| {
        let names = names();
        let near = nearest(topic, names.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!(" did you mean --help={near}?"));
        format!("the manual has nothing about '{topic}':{near} --help=topics lists its topics")
    })
}

pub fn topics() -> String {
    let mut text = String::from(
        "rhawk --help=TOPIC prints a part of the manual. A topic is an option, a function, a variable or a chapter.\n\nChapters:\n",
    );
    for chapter in CHAPTERS {
        text += &table_row(&[chapter.name.to_owned(), chapter.title()]);
    }
    text += &table_row(&["environment".to_owned(), "environment variables".to_owned()]);
    text += &table_row(&["all".to_owned(), "every option in a line".to_owned()]);
    let all = language_names();
    let (functions, variables): (Vec<&String>, Vec<&String>) =
        all.iter().partition(|name| name.chars().any(|letter| letter.is_ascii_lowercase()));
    for (heading, names) in [("Functions and words", functions), ("Variables and rules", variables)]
    {
        let names: Vec<String> = names.into_iter().cloned().collect();
        text += &format!("\n{heading}:\n{}", draw(&[Block::Paragraph(names.join(" "))]));
    }
    text
}

/// All names except options.
pub fn names() -> BTreeSet<String> {
    let chapters = CHAPTERS.iter().map(|chapter| chapter.name.to_owned());
    let others = ["all", "topics", "environment"].map(str::to_owned);
    language_names().into_iter().chain(chapters).chain(others).collect()
}

fn language_names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for chapter in CHAPTERS.iter().filter(|chapter| chapter.is_language) {
        for block in chapter.blocks() {
            match block {
                Block::Heading(_, heading) => names.extend(names_in(&heading)),
                Block::Table(rows) => names.extend(
                    rows.iter().filter_map(|row| row.first()).flat_map(|cell| names_in(cell)),
                ),
                _ => {}
            }
        }
    }
    names
}

fn names_in(text: &str) -> Vec<String> {
    let code = spans(text).into_iter().filter(|(style, _)| *style == Style::Code);
    let name = |text: &str| {
        let is_part =
            |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == ':';
        let name: String = text.chars().take_while(|&letter| is_part(letter)).collect();
        let name = name.trim_end_matches(':');
        (name.len() > 1 && name.starts_with(|first: char| first.is_ascii_alphabetic()))
            .then(|| name.to_owned())
    };
    code.filter_map(|(_, text)| name(&text)).collect()
}

/// A name of the language in Markdown, without the titles of chapters.
#[cfg(feature = "lsp")]
pub(crate) fn in_markdown(name: &str) -> Option<String> {
    use super::markdown::{draw, table_row};
    let layout = Layout { draw, table_row, heading: |_| String::new() };
    let text = named(&|other| other == name, layout);
    (!text.is_empty()).then_some(text)
}

/// The keys of an array of the engine, from the table in its section, with what each means.
#[cfg(feature = "lsp")]
pub(crate) fn keys(array: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for chapter in CHAPTERS.iter().filter(|chapter| chapter.is_language) {
        let blocks = chapter.blocks();
        for (at, block) in blocks.iter().enumerate() {
            let Block::Heading(level, heading) = block else { continue };
            if !is_in(heading, &|name| name == array) {
                continue;
            }
            for block in section(&blocks, at, *level) {
                let Block::Table(rows) = block else { continue };
                for row in rows.iter().skip(1) {
                    let about = row.get(1).map_or(String::new(), |cell| inline(cell));
                    let code = row.first().map(|cell| spans(cell)).unwrap_or_default();
                    let key = |(_, text): (Style, String)| {
                        Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
                    };
                    let keys = code.into_iter().filter(|(style, _)| *style == Style::Code);
                    found.extend(keys.filter_map(key).map(|key| (key, about.clone())));
                }
            }
        }
    }
    found
}

/// How a section is written.
#[derive(Clone, Copy)]
struct Layout {
    draw: fn(&[Block]) -> String,
    table_row: fn(&[String]) -> String,
    heading: fn(&Chapter) -> String,
}

const TEXT: Layout = Layout {
    draw,
    table_row,
    heading: |chapter| format!("{} (rhawk --help={})\n\n", chapter.title(), chapter.name),
};

/// Sections about a name with table rows of their chapters; without a section, the rows of all
/// chapters.
fn named(is: &dyn Fn(&str) -> bool, layout: Layout) -> String {
    let (mut sections, mut rows) = (String::new(), String::new());
    for chapter in CHAPTERS.iter().filter(|chapter| chapter.is_language) {
        let blocks = chapter.blocks();
        let of_tables: String = blocks.iter().map(|block| rows_about(block, is, layout)).collect();
        let below_headings: String = blocks
            .iter()
            .enumerate()
            .filter_map(|(at, block)| match block {
                Block::Heading(level, heading) if is_in(heading, is) => {
                    Some((layout.draw)(section(&blocks, at, *level)))
                }
                _ => None,
            })
            .collect();
        let of_tables = if of_tables.is_empty() { of_tables } else { of_tables + "\n" };
        let text = format!("{}{of_tables}{below_headings}", (layout.heading)(chapter));
        match (below_headings.is_empty(), of_tables.is_empty()) {
            (false, _) => sections += &text,
            (true, false) => rows += &text,
            (true, true) => {}
        }
    }
    if sections.is_empty() { rows } else { sections }
}

fn rows_about(block: &Block, is: &dyn Fn(&str) -> bool, layout: Layout) -> String {
    let Block::Table(rows) = block else { return String::new() };
    let is_about = |row: &&Vec<String>| row.first().is_some_and(|cell| is_in(cell, is));
    rows.iter().skip(1).filter(is_about).map(|row| (layout.table_row)(row)).collect()
}

fn is_in(text: &str, is: &dyn Fn(&str) -> bool) -> bool {
    names_in(text).iter().any(|name| is(name))
}

fn section(blocks: &[Block], at: usize, level: usize) -> &[Block] {
    let ends = |block: &Block| matches!(block, Block::Heading(other, _) if *other <= level);
    let length = blocks[at + 1..].iter().position(ends).unwrap_or(blocks.len() - at - 1);
    &blocks[at..=at + length]
}

fn find_option(topic: &str) -> Option<&'static Opt> {
    let is_it = |opt: &&Opt| {
        let short = opt.short.is_some_and(|short| topic == format!("-{short}"));
        short || topic.strip_prefix("--").unwrap_or(topic) == opt.long
    };
    OPTIONS.iter().find(is_it)
}

fn by_option(topic: &str) -> String {
    let Some(opt) = find_option(topic) else { return String::new() };
    let detail = Block::Paragraph(opt.detail.to_owned());
    let detail = if opt.detail.is_empty() { String::new() } else { draw(&[detail]) };
    format!("{}\n  {}\n\n{detail}", opt.usage().trim(), opt.help)
}

/// An option, with its dashes, in Markdown.
#[cfg(feature = "lsp")]
pub(crate) fn option(name: &str) -> Option<String> {
    let opt = find_option(name).filter(|_| name.starts_with('-'))?;
    let detail = super::markdown::draw(&[Block::Paragraph(opt.detail.to_owned())]);
    Some(format!("`{}`: {}\n\n{detail}", opt.usage().trim(), opt.help))
}

fn chapter(is: &dyn Fn(&str) -> bool) -> String {
    let of_name = |chapter: &&Chapter| is(chapter.name) || is(&chapter.title());
    CHAPTERS.iter().find(of_name).map_or(String::new(), |chapter| draw(&chapter.blocks()))
}

fn by_heading(topic: &str) -> String {
    let wanted = topic.to_lowercase();
    let mut text = String::new();
    for chapter in CHAPTERS {
        let blocks = chapter.blocks();
        for (at, block) in blocks.iter().enumerate() {
            let Block::Heading(level @ 2.., heading) = block else { continue };
            let heading = inline(heading).to_lowercase();
            let is_word = |word: &str| word == wanted;
            if heading == wanted
                || heading.split(|letter: char| !letter.is_alphanumeric()).any(is_word)
            {
                text += &draw(section(&blocks, at, *level));
            }
        }
    }
    text
}
