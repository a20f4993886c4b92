//! The manual as Markdown that stands alone: without links to other pages.

use super::{Block, Style, spans};

pub(super) fn draw(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        match block {
            Block::Heading(_, title) => text += &format!("#### {}\n\n", inline(title)),
            Block::Paragraph(paragraph) => text += &format!("{}\n\n", inline(paragraph)),
            Block::Item(item) => text += &format!("- {}\n", inline(item)),
            Block::Code(lines) => text += &format!("```\n{}\n```\n\n", lines.join("\n")),
            Block::Table(rows) => {
                rows.iter().skip(1).for_each(|row| text += &table_row(row));
                text.push('\n');
            }
        }
    }
    text
}

/// An item for a row: editors draw wide tables badly.
pub(super) fn table_row(row: &[String]) -> String {
    let cells: Vec<String> =
        row.iter().map(|cell| inline(cell)).filter(|cell| !cell.is_empty()).collect();
    match cells.split_first() {
        Some((first, [])) => format!("- {first}\n"),
        Some((first, others)) => format!("- {first}: {}\n", others.join("; ")),
        None => String::new(),
    }
}

fn inline(text: &str) -> String {
    let span = |(style, text): (Style, String)| match style {
        Style::Plain => text.replace('*', "\\*"),
        Style::Code if text.contains('`') => format!("`` {text} ``"),
        Style::Code => format!("`{text}`"),
        Style::Strong => format!("**{text}**"),
        Style::Emphasis => format!("*{text}*"),
    };
    spans(text).into_iter().map(span).collect()
}
