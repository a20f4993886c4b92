//! The manual as plain text of 80 columns.

use super::{Block, spans};

const WIDTH: usize = 80;

pub(super) fn inline(text: &str) -> String {
    spans(text).into_iter().map(|(_, text)| text).collect()
}

pub(super) fn draw(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        match block {
            Block::Heading(1, title) => text += &format!("{}\n\n", inline(title).to_uppercase()),
            Block::Heading(_, title) => text += &format!("{}\n\n", inline(title)),
            Block::Paragraph(paragraph) => {
                text += &format!("{}\n", filled(&inline(paragraph), "  ", "  "))
            }
            Block::Item(item) => text += &format!("{}\n", filled(&inline(item), "  - ", "    ")),
            Block::Code(lines) => {
                lines
                    .iter()
                    .for_each(|line| text += &format!("{}\n", format!("      {line}").trim_end()));
                text.push('\n');
            }
            Block::Table(rows) => {
                rows.iter().skip(1).for_each(|row| text += &table_row(row));
                text.push('\n');
            }
        }
    }
    text
}

/// The first cell, and the others beside it or below.
pub(super) fn table_row(row: &[String]) -> String {
    const COLUMN: usize = 26;
    let cells: Vec<String> =
        row.iter().map(|cell| inline(cell)).filter(|cell| !cell.is_empty()).collect();
    let Some((first, others)) = cells.split_first() else { return String::new() };
    let indent = " ".repeat(COLUMN);
    let others = others.join("; ");
    if first.chars().count() + 4 > COLUMN {
        return format!("  {first}\n{}", filled(&others, &indent, &indent));
    }
    filled(&others, &format!("  {first:width$}", width = COLUMN - 2), &indent)
}

/// Wraps words, with prefixes for the first and the other lines.
fn filled(text: &str, first: &str, others: &str) -> String {
    let mut lines = vec![first.to_owned()];
    let mut is_begun = false;
    for word in text.split_whitespace() {
        let fits = |line: &str| line.chars().count() + 1 + word.chars().count() <= WIDTH;
        match lines.last_mut() {
            Some(line) if !is_begun => line.push_str(word),
            Some(line) if fits(line) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{others}{word}")),
        }
        is_begun = true;
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}
