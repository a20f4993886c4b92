//! Reads a corpus file; see the crate's page for the format.

use crate::escape::{unescaped, words};
use crate::row::{Item, Result as Expected, Row};

const MARKS: [&str; 4] = [" <<<", " >>>", " !!!", " ~~~"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub line: usize,
    pub message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Error {}

pub fn parse(topic: &str, text: &str) -> Result<Vec<Item>, Error> {
    let lines: Vec<&str> = text.lines().collect();
    let mut items = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut at = 0;
    while at < lines.len() {
        let start = at;
        let line = lines[at];
        if line.trim().is_empty() || line.starts_with('#') {
            items.push(Item::Text(line.to_owned()));
            at += 1;
            continue;
        }
        let mut row = Row { topic: topic.to_owned(), line: start + 1, ..Row::default() };
        let fail = |line: usize| move |message: String| Error { line: line + 1, message };
        if let Some(name) = line.strip_prefix("== ") {
            row.name = name.trim().to_owned();
            row.long = true;
            at += 1;
            while at < lines.len() && !lines[at].trim().is_empty() && !lines[at].starts_with("== ")
            {
                let key_at = at;
                at += 1;
                let body = at;
                while at < lines.len() && (lines[at].starts_with("| ") || lines[at] == "|") {
                    at += 1;
                }
                key_line(&mut row, lines[key_at], &lines[body..at]).map_err(fail(key_at))?;
            }
        } else {
            one_line(&mut row, line).map_err(fail(at))?;
            at += 1;
        }
        check(&row).map_err(fail(start))?;
        if !seen.insert(row.name.clone()) {
            return Err(fail(start)(format!("the name {} is taken", row.name)));
        }
        items.push(Item::Row(Box::new(row)));
    }
    Ok(items)
}

fn check(row: &Row) -> Result<(), String> {
    let good = |c: char| c.is_ascii_alphanumeric() || "_.+-".contains(c);
    if row.name.is_empty() || !row.name.chars().all(good) {
        return Err(format!("bad row name {:?}: letters, digits and _.+- only", row.name));
    }
    words(&row.args)?;
    words(&row.env)?;
    if row.program.is_none() && row.args.is_empty() {
        return Err("neither a program nor arguments".to_owned());
    }
    Ok(())
}

/// `name [args]: program <<< input >>> output !!! status words ~~~ awks`
fn one_line(row: &mut Row, line: &str) -> Result<(), String> {
    let name_end = line.find([' ', ':']).ok_or("neither `name: program` nor `== name`")?;
    row.name = line[..name_end].to_owned();
    let mut rest = &line[name_end..];
    if let Some(inner) = rest.strip_prefix(" [") {
        let end = inner.find("]:").ok_or("no `]:` after the arguments")?;
        row.args = inner[..end].to_owned();
        rest = &inner[end + 1..];
    }
    rest = rest.strip_prefix(": ").ok_or("expected `name: program`")?;
    let (program, mut rest) = rest.split_at(next_mark(rest));
    row.program = Some(program.as_bytes().to_vec());
    let (mut stdout, mut status) = (None, 0);
    while !rest.is_empty() {
        let mark = &rest[..4];
        let (section, more) = rest[4..].split_at(next_mark(&rest[4..]));
        let section = section.strip_prefix(' ').unwrap_or(section);
        match mark {
            " <<<" => row.input = Some(unescaped(section)?),
            " >>>" => stdout = Some(unescaped(section)?),
            " !!!" => {
                let (number, rest) = section.split_once(' ').unwrap_or((section, ""));
                status = number.parse().map_err(|_| format!("{number}: not an exit status"))?;
                row.stderr = texts(rest)?;
            }
            _ => row.differs = texts(section)?,
        }
        rest = more;
    }
    row.expected = stdout.map(|stdout| Expected { stdout, status });
    Ok(())
}

/// Where the next section starts: at the space before its mark, or at the end.
fn next_mark(text: &str) -> usize {
    let starts = MARKS.iter().flat_map(|mark| text.match_indices(mark));
    let whole = starts.filter(|(at, _)| matches!(text.as_bytes().get(at + 4), None | Some(b' ')));
    whole.map(|(at, _)| at).min().unwrap_or(text.len())
}

fn texts(text: &str) -> Result<Vec<String>, String> {
    Ok(words(text)?.into_iter().map(|w| String::from_utf8_lossy(&w.bytes).into_owned()).collect())
}

/// Reads a key of a long row with the `| ` lines below it.
fn key_line(row: &mut Row, line: &str, body: &[&str]) -> Result<(), String> {
    let (key, value) = line.split_once(' ').unwrap_or((line, ""));
    match key {
        "args" => row.args = value.to_owned(),
        "locale" => row.locale = Some(value.to_owned()),
        "env" => row.env = value.to_owned(),
        "prog" if body.is_empty() => row.program = Some(value.as_bytes().to_vec()),
        "prog" => {
            row.program = Some(
                body.iter().map(|l| l.get(2..).unwrap_or("")).collect::<Vec<_>>().join("\n").into(),
            )
        }
        "prog-escaped" => row.program = Some(content(value, body)?),
        "input" => row.input = Some(content(value, body)?),
        "file" => row.files.push((value.to_owned(), content("", body)?)),
        "output" => row.expected.get_or_insert_default().stdout = content(value, body)?,
        "status" => {
            let status = value.parse().map_err(|_| format!("{value}: not an exit status"))?;
            row.expected.get_or_insert_default().status = status;
        }
        "stderr" => row.stderr.extend(texts(value)?),
        "creates" => {
            let recorded = !body.is_empty() || row.expected.is_some();
            let content = if recorded { Some(content("", body)?) } else { None };
            row.creates.push((value.to_owned(), content));
        }
        "differs" => row.differs = texts(value)?,
        "configs" => row.configs = texts(value)?,
        "because" => row.because = Some(value.to_owned()),
        "gawk-says" => row.gawk.get_or_insert_default().stdout = content(value, body)?,
        "gawk-status" => {
            row.gawk.get_or_insert_default().status =
                value.parse().map_err(|_| format!("{value}: not an exit status"))?;
        }
        _ => return Err(format!("unknown key {key}")),
    }
    Ok(())
}

/// A value with escapes: on the key's own line, or on lines that each end in a newline.
fn content(value: &str, body: &[&str]) -> Result<Vec<u8>, String> {
    if body.is_empty() {
        return unescaped(value);
    }
    let mut out = Vec::new();
    for (i, line) in body.iter().enumerate() {
        let text = line.get(2..).unwrap_or("");
        let cut = text.len() - text.trim_end_matches('\\').len();
        if cut % 2 == 1 && i + 1 == body.len() {
            out.extend(unescaped(&text[..text.len() - 1])?);
        } else {
            out.extend(unescaped(text)?);
            out.push(b'\n');
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::render;

    fn row(text: &str) -> Row {
        match parse("t", text).unwrap().remove(0) {
            Item::Row(row) => *row,
            Item::Text(text) => panic!("a comment: {text}"),
        }
    }

    #[test]
    fn a_one_line_row_has_every_section() {
        let r = row(
            r"a [-F: % x=1]: { print >> x } <<< 1\n >>> 2\n !!! 3 'no such' ? ~~~ mawk busybox",
        );
        assert_eq!(r.command_line(), [&b"-F:"[..], b"{ print >> x }", b"x=1"]);
        assert_eq!(r.input.as_deref(), Some(&b"1\n"[..]));
        assert_eq!(r.expected, Some(Expected { stdout: b"2\n".to_vec(), status: 3 }));
        assert_eq!(r.stderr, ["no such", "?"]);
        assert_eq!(r.differs, ["mawk", "busybox"]);
    }

    #[test]
    fn an_empty_section_before_another_is_empty() {
        let r = row("a: BEGIN { exit 2 } <<< >>> !!! 2");
        assert_eq!(r.input.as_deref(), Some(&b""[..]));
        assert_eq!(r.expected, Some(Expected { stdout: Vec::new(), status: 2 }));
    }

    #[test]
    fn a_block_ends_each_line_unless_told_otherwise() {
        let r = row("== a\nprog\n| BEGIN {\n|   print 1 }\ninput\n| x\\\\\n| y\\\noutput");
        assert_eq!(r.program.as_deref(), Some(&b"BEGIN {\n  print 1 }"[..]));
        assert_eq!(r.input.as_deref(), Some(&b"x\\\ny"[..]));
        assert_eq!(r.expected, Some(Expected::default()));
    }

    #[test]
    fn a_locale_in_brackets_is_no_argument() {
        let r = row("a [@C -v x=1]: BEGIN { }");
        assert_eq!((r.lc_all().as_str(), r.command_line().len()), ("C", 3));
    }

    #[test]
    fn what_is_rendered_reads_back_the_same() {
        let text = "# c\n\na [@C % '']: { print } <<< \\sx\\n >>> !!! 1 'a b' ~~~ mawk\n\n== b\nargs -f p\nfile p\n| { print }\nfile empty\nenv A=1\ninput\n| x\\\noutput\n| 1\\\nstatus 2\nstderr ?\ncreates o\n| y\nbecause why\ngawk-says 1\\n\ngawk-status 0\n";
        let once = render(&parse("t", text).unwrap());
        assert_eq!(render(&parse("t", &once).unwrap()), once);
        let (a, b) = (format!("{:?}", parse("t", text)), format!("{:?}", parse("t", &once)));
        assert_eq!(a.replace(char::is_numeric, ""), b.replace(char::is_numeric, ""));
    }

    #[test]
    fn a_mistake_names_its_line() {
        for (text, line) in
            [("a: x\nb", 2), ("== a\nprog x\nwhat 1", 3), ("a: x\n\na: y", 3), ("a: x <<< \\q", 1)]
        {
            assert_eq!(parse("t", text).unwrap_err().line, line, "{text}");
        }
    }
}
