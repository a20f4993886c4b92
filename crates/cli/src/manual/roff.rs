//! The manual in roff's `man` macros.

use super::{Block, Style, spans};

/// A chapter's heading becomes a section of the page.
pub(crate) fn draw(blocks: &[Block]) -> String {
    let mut page = String::new();
    for (at, block) in blocks.iter().enumerate() {
        // A section begins a paragraph by itself.
        let begins = at > 0 && matches!(blocks[at - 1], Block::Heading(1 | 2, _));
        let paragraph = if begins { "" } else { ".PP\n" };
        match block {
            Block::Heading(1, title) => page += &format!(".SH {}\n", plain(title).to_uppercase()),
            Block::Heading(2, title) => page += &format!(".SS {}\n", plain(title)),
            Block::Heading(_, title) => page += &format!("{paragraph}{}\n", bold(title)),
            Block::Paragraph(text) => page += &format!("{paragraph}{}\n", line(&styled(text))),
            Block::Item(text) => page += &format!(".IP \\(bu 2\n{}\n", line(&styled(text))),
            Block::Code(lines) => {
                page += &format!("{paragraph}.in +4n\n.EX\n");
                lines.iter().for_each(|code| page += &format!("{}\n", line(&escaped(code))));
                page += ".EE\n.in\n";
            }
            Block::Table(rows) => rows.iter().skip(1).for_each(|row| page += &entry(row)),
        }
    }
    page
}

fn entry(row: &[String]) -> String {
    let Some((first, others)) = row.split_first() else { return String::new() };
    let others: Vec<String> =
        others.iter().filter(|cell| !cell.is_empty()).map(|cell| styled(cell)).collect();
    format!(".TP\n{}\n{}\n", line(&styled(first)), line(&others.join("; ")))
}

fn styled(text: &str) -> String {
    let span = |(style, text): (Style, String)| match style {
        Style::Plain => escaped(&text),
        Style::Code | Style::Strong => format!("\\fB{}\\fR", escaped(&text)),
        Style::Emphasis => format!("\\fI{}\\fR", escaped(&text)),
    };
    spans(text).into_iter().map(span).collect()
}

fn bold(text: &str) -> String {
    format!("\\fB{}\\fR", plain(text))
}

fn plain(text: &str) -> String {
    spans(text).into_iter().map(|(_, text)| escaped(&text)).collect()
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}

fn line(text: &str) -> String {
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text.to_owned() }
}
