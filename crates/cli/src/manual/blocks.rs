//! The manual's subset of Markdown.

/// A part of a chapter. Texts are unparsed, see [`spans`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// With a level from 1.
    Heading(usize, String),
    Paragraph(String),
    /// Of a list.
    Item(String),
    Code(Vec<String>),
    /// Rows of cells; the first is the header.
    Table(Vec<Vec<String>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Code,
    Strong,
    Emphasis,
}

pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            blocks.push(Block::Code(
                lines
                    .by_ref()
                    .take_while(|line| !line.starts_with("```"))
                    .map(str::to_owned)
                    .collect(),
            ));
        } else if line.starts_with('#') {
            let level = line.bytes().take_while(|&byte| byte == b'#').count();
            blocks.push(Block::Heading(level, line[level..].trim().to_owned()));
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                let row = cells(row);
                if !row.iter().all(|cell| {
                    !cell.is_empty() && cell.bytes().all(|byte| matches!(byte, b'-' | b':'))
                }) {
                    rows.push(row);
                }
            }
            blocks.push(Block::Table(rows));
        } else if !line.trim().is_empty() {
            let is_item = line.starts_with("- ");
            let mut text = line.trim_start_matches("- ").trim().to_owned();
            let goes_on = |line: &&str| {
                !line.trim().is_empty()
                    && !["#", "|", "```", "- "].iter().any(|mark| line.starts_with(mark))
            };
            while let Some(more) = lines.next_if(goes_on) {
                text.push(' ');
                text.push_str(more.trim());
            }
            match is_item {
                true => blocks.push(Block::Item(text)),
                false if is_picture(&text) => {}
                false => blocks.push(Block::Paragraph(text)),
            }
        }
    }
    blocks
}

/// What a terminal cannot show.
fn is_picture(paragraph: &str) -> bool {
    let source = paragraph.strip_prefix("![").and_then(|rest| rest.split_once("]("));
    source.is_some_and(|(_, source)| source.strip_suffix(')').is_some_and(|it| !it.contains(')')))
}

fn cells(line: &str) -> Vec<String> {
    let line = line.replace("\\|", "\u{1}");
    let inside = line.trim().trim_start_matches('|').trim_end_matches('|');
    inside.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
}

/// A text's parts with their styles; of links, the text.
pub(crate) fn spans(text: &str) -> Vec<(Style, String)> {
    let mut spans: Vec<(Style, String)> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (style, inside, after) = next_span(rest).unwrap_or((
            Style::Plain,
            &rest[..first.len_utf8()],
            &rest[first.len_utf8()..],
        ));
        match spans.last_mut() {
            Some((last, text)) if *last == Style::Plain && style == Style::Plain => {
                text.push_str(inside)
            }
            _ => spans.push((style, inside.to_owned())),
        }
        rest = after;
    }
    spans
}

/// A marked span at the text's beginning, and the rest.
fn next_span(text: &str) -> Option<(Style, &str, &str)> {
    for (mark, style) in
        [("`` ", Style::Code), ("`", Style::Code), ("**", Style::Strong), ("*", Style::Emphasis)]
    {
        let Some(inside) = text.strip_prefix(mark) else { continue };
        let end = if mark == "`` " { " ``" } else { mark };
        let (inside, after) = inside.split_once(end)?;
        // A star between blanks is a star.
        let is_marked = style == Style::Code
            || !inside.is_empty() && !inside.starts_with(' ') && !inside.ends_with(' ');
        return is_marked.then_some((style, inside, after));
    }
    if let Some(inside) = text.strip_prefix("<sup>") {
        return inside.split_once("</sup>").map(|(inside, after)| (Style::Emphasis, inside, after));
    }
    let (inside, after) = text.strip_prefix('[')?.split_once("](")?;
    let (_, after) = after.split_once(')')?;
    let is_code = inside.len() > 1 && inside.starts_with('`') && inside.ends_with('`');
    Some(if is_code {
        (Style::Code, &inside[1..inside.len() - 1], after)
    } else {
        (Style::Plain, inside, after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_is_taken_apart() {
        let text = "# A `b`\n\n![A picture,\nof two](x.svg)\n\nOne\ntwo.\n- x\n  y\n- z\n\n| a | b |\n|---|:-:|\n| `p \\| q` | r |\n```console\n$ x\n```\n";
        let owned = |cells: &[&str]| cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>();
        assert_eq!(
            blocks(text),
            [
                Block::Heading(1, "A `b`".into()),
                Block::Paragraph("One two.".into()),
                Block::Item("x y".into()),
                Block::Item("z".into()),
                Block::Table(vec![owned(&["a", "b"]), owned(&["`p | q`", "r"])]),
                Block::Code(owned(&["$ x"])),
            ]
        );
    }

    #[test]
    fn texts_are_told_apart_by_how_they_are_written() {
        let found =
            spans("a `b*` **c** [d e](f.md#g) [`h`](i) `` j ` k `` 2 * 3 * 4 *m* 2<sup>53</sup>");
        let expected = [
            (Style::Plain, "a "),
            (Style::Code, "b*"),
            (Style::Plain, " "),
            (Style::Strong, "c"),
            (Style::Plain, " d e "),
            (Style::Code, "h"),
            (Style::Plain, " "),
            (Style::Code, "j ` k"),
            (Style::Plain, " 2 * 3 * 4 "),
            (Style::Emphasis, "m"),
            (Style::Plain, " 2"),
            (Style::Emphasis, "53"),
        ];
        let found: Vec<(Style, &str)> =
            found.iter().map(|(style, text)| (*style, text.as_str())).collect();
        assert_eq!(found, expected);
    }
}
