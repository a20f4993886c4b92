//! An editor that shows what the language server says: colours, findings, hints, counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::drawing::{Colour, Drawing};
use crate::language_client::LanguageClient;

pub struct Editor {
    folder: PathBuf,
    uri: String,
    text: String,
}

/// A tab is as wide as this.
const TAB: &str = "    ";

impl Editor {
    pub fn open(folder: &Path, name: &str, text: &str) -> Editor {
        let uri = format!("file://{}", folder.join(name).display());
        Editor { folder: folder.to_owned(), uri, text: text.to_owned() }
    }

    /// The answers to requests, and what was published, from a session of their own.
    fn session(&self, requests: &[(&str, Value)]) -> (Vec<Value>, Value) {
        let mut client = LanguageClient::start(&self.folder);
        let found = client.open(&self.uri, "awk", &self.text);
        let answer = |(method, params): &(&str, Value)| {
            let mut params = params.clone();
            params["textDocument"] = json!({"uri": self.uri});
            client.ask(&format!("textDocument/{method}"), params)
        };
        let answers = requests.iter().map(answer).collect();
        client.end();
        (answers, found)
    }

    pub fn hover(&self, line: usize, character: usize) -> String {
        let at = json!({"position": {"line": line, "character": character}});
        let (answers, _) = self.session(&[("hover", at)]);
        answers[0]["contents"]["value"].as_str().unwrap().to_owned()
    }

    pub fn draw(&self, drawing: &mut Drawing) {
        let lines: Vec<&str> = self.text.lines().collect();
        let all = json!({"range": {
            "start": {"line": 0, "character": 0}, "end": {"line": lines.len(), "character": 0},
        }});
        let (answers, findings) = self.session(&[
            ("semanticTokens/full", json!({})),
            ("inlayHint", all),
            ("codeLens", json!({})),
        ]);
        let colours = colours(&answers[0], &lines);
        let hints = by_place(&answers[1], "/position");
        let lenses = by_place(&answers[2], "/range/start");
        let findings = by_place(&findings, "/range/start");
        assert!(!hints.is_empty() && !lenses.is_empty() && !findings.is_empty());
        for (number, line) in lines.iter().enumerate() {
            for lens in in_line(&lenses, number) {
                let title = lens["command"]["title"].as_str().unwrap();
                drawing.line(&[(Colour::Quiet, "      "), (Colour::Quiet, title)]);
            }
            let hints: BTreeMap<usize, &str> = in_line(&hints, number)
                .map(|hint| (column(hint, "/position"), hint["label"].as_str().unwrap()))
                .collect();
            let found: Vec<&Value> = in_line(&findings, number).collect();
            draw_line(drawing, number, line, &colours[number], &hints, &found);
        }
    }
}

fn column(value: &Value, at: &str) -> usize {
    value.pointer(at).unwrap()["character"].as_u64().unwrap() as usize
}

/// By line.
fn by_place(found: &Value, at: &str) -> Vec<(usize, Value)> {
    let found = found.as_array().cloned().unwrap_or_default();
    let line = |it: &Value| it.pointer(at).unwrap()["line"].as_u64().unwrap() as usize;
    found.into_iter().map(|it| (line(&it), it)).collect()
}

fn in_line(found: &[(usize, Value)], line: usize) -> impl Iterator<Item = &Value> {
    found.iter().filter(move |(at, _)| *at == line).map(|(_, it)| it)
}

/// Of each character of each line. The program is ASCII, so all encodings agree.
fn colours(tokens: &Value, lines: &[&str]) -> Vec<Vec<Colour>> {
    let mut colours: Vec<Vec<Colour>> =
        lines.iter().map(|line| vec![Colour::Plain; line.len()]).collect();
    // In the order of the server's legend.
    let kinds = [
        Colour::Keyword,
        Colour::Function,
        Colour::Variable,
        Colour::Parameter,
        Colour::Variable,
        Colour::Text,
        Colour::Number,
        Colour::Regex,
        Colour::Comment,
    ];
    let numbers: Vec<usize> =
        tokens["data"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap() as usize).collect();
    let (mut line, mut start) = (0, 0);
    for token in numbers.chunks_exact(5) {
        start = if token[0] == 0 { start + token[1] } else { token[1] };
        line += token[0];
        colours[line][start..start + token[2]].fill(kinds[token[3]]);
    }
    colours
}

fn draw_line(
    drawing: &mut Drawing,
    number: usize,
    line: &str,
    colours: &[Colour],
    hints: &BTreeMap<usize, &str>,
    findings: &[&Value],
) {
    let mut parts: Vec<(Colour, String)> = vec![(Colour::Quiet, format!("{:>4}  ", number + 1))];
    let mut shown = 6;
    let mut columns = Vec::new();
    for (at, character) in line.chars().enumerate() {
        if let Some(hint) = hints.get(&at) {
            parts.push((Colour::Quiet, (*hint).to_owned()));
            shown += hint.len();
        }
        columns.push(shown);
        let text = if character == '\t' { TAB.to_owned() } else { character.to_string() };
        shown += text.len();
        match parts.last_mut() {
            Some((colour, known)) if *colour == colours[at] => known.push_str(&text),
            _ => parts.push((colours[at], text)),
        }
    }
    columns.push(shown);
    for finding in findings {
        let message = finding["message"].as_str().unwrap().lines().next().unwrap();
        let code = finding["code"].as_str().unwrap();
        parts.push((Colour::Warning, format!("   {message} [{code}]")));
    }
    let parts: Vec<(Colour, &str)> =
        parts.iter().map(|(colour, text)| (*colour, text.as_str())).collect();
    drawing.line(&parts);
    for finding in findings {
        let end = column(finding, "/range/end").min(line.len());
        drawing.underline(columns[column(finding, "/range/start")], columns[end]);
    }
}
