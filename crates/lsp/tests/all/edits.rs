//! Random edits: the server's text stays the client's, and what it says of it is what it would say
//! if the text had just been opened.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "untitled:one";

const PIECES: [&str; 24] = [
    "BEGIN { ",
    "}",
    "\n",
    "\r\n",
    "\r",
    "x",
    " = ",
    "f(",
    ")",
    "function f(a, b) { return a }\n",
    "\"",
    "\u{e9}",
    "\u{1F600}",
    "/re/",
    "if (x = 1) ",
    "print ",
    "a[1]",
    "@include \"x\"\n",
    "# note\n",
    "'",
    "\\",
    "@namespace \"n\"\n",
    "lenght(y)",
    "{ n =+ 1 }\n",
];

/// The client's text, as a plain editor would keep it: units of UTF-16.
fn edited(text: &str, start: usize, end: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..start], &text[end..])
}

fn boundary(text: &str, at: usize) -> usize {
    let at = at % (text.len() + 1);
    let at = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    // Between `\r` and `\n` there is no position.
    if at > 0 && text[at..].starts_with('\n') && text[..at].ends_with('\r') { at - 1 } else { at }
}

/// By the protocol's words, in no hurry.
fn position(text: &str, offset: usize, units: fn(char) -> usize) -> Value {
    let (mut line, mut column) = (0, 0);
    let mut chars = text[..offset].chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' => (line, column) = (line + 1, 0),
            _ => column += units(char),
        }
    }
    json!({"line": line, "character": column})
}

/// A question whose answer shows the whole text: the formatter's is only there without errors, so
/// the last selection, which is the text.
fn end_of_text(client: &mut Client) -> Value {
    let params = json!({"textDocument": {"uri": URI}, "positions": [{"line": 0, "character": 0}]});
    let found = client.ask("textDocument/selectionRange", params);
    let mut level = found[0].clone();
    while !level["parent"].is_null() {
        level = level["parent"].clone();
    }
    level["range"]["end"].clone()
}

fn everything(client: &mut Client, text: &str) {
    let lines = text.split(['\n', '\r']).count() as u32 + 1;
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": lines, "character": 0}});
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"] {
        client.ask_or_refuse(&format!("textDocument/{method}"), Client::of(URI));
    }
    let params =
        json!({"textDocument": {"uri": URI}, "range": all, "context": {"diagnostics": []}});
    client.ask_or_refuse("textDocument/codeAction", params.clone());
    client.ask_or_refuse("textDocument/inlayHint", params);
    for line in 0..lines.min(4) {
        for method in [
            "hover",
            "completion",
            "signatureHelp",
            "definition",
            "documentHighlight",
            "prepareRename",
        ] {
            client
                .ask_or_refuse(&format!("textDocument/{method}"), Client::at(URI, line, line + 1));
        }
        let mut params = Client::at(URI, line, 1);
        params["newName"] = "other".into();
        client.ask_or_refuse("textDocument/rename", params);
    }
    let params =
        json!({"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": false}});
    client.ask_or_refuse("textDocument/formatting", params);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_server_sees_what_the_client_sees(
        is_shell in any::<bool>(),
        utf8 in any::<bool>(),
        edits in prop::collection::vec((any::<u16>(), 0usize..6, prop::collection::vec(0usize..PIECES.len(), 0..4)), 1..24),
    ) {
        let encodings = if utf8 { json!(["utf-8"]) } else { json!(["utf-16"]) };
        let units: fn(char) -> usize = if utf8 { char::len_utf8 } else { char::len_utf16 };
        let params = json!({"capabilities": {"general": {"positionEncodings": encodings}}});
        let language = if is_shell { "shellscript" } else { "awk" };
        let mut client = Client::with(params.clone());
        let mut text = String::from("awk 'BEGIN { x = 1 }' f\n");
        client.open_as(URI, language, &text);
        for (version, (at, length, pieces)) in (2..).zip(edits) {
            let start = boundary(&text, usize::from(at));
            let end = boundary(&text, (start + length).min(text.len())).max(start);
            let new: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
            let place = json!({"start": position(&text, start, units), "end": position(&text, end, units)});
            client.change(URI, version, json!([{"range": place, "text": new}]));
            text = edited(&text, start, end, &new);
        }
        everything(&mut client, &text);
        let found = client.diagnosed(URI);
        let end = if is_shell { Value::Null } else { end_of_text(&mut client) };
        client.end();
        let mut fresh = Client::with(params);
        fresh.open_as(URI, language, &text);
        prop_assert_eq!(&found, &fresh.diagnosed(URI), "{:?}", text);
        if !is_shell && !text.is_empty() {
            prop_assert_eq!(&end, &position(&text, text.len(), units), "{:?}", text);
        }
        fresh.end();
    }
}

#[test]
fn a_text_that_is_changed_has_the_answers_of_the_new_text() {
    let mut client = Client::new();
    client.open(URI, "");
    let mut text = String::new();
    for (version, new) in
        (2..).zip(["function one() { }\n", "function \u{1F600}", "two() { }\n", "END { one() }\n"])
    {
        let end = position(&text, text.len(), char::len_utf16);
        client.change(URI, version, json!([{"range": {"start": end, "end": end}, "text": new}]));
        text += new;
    }
    let start = position(&text, text.find('\u{1F600}').unwrap(), char::len_utf16);
    let end = position(&text, text.find("two").unwrap(), char::len_utf16);
    client.change(URI, 9, json!([{"range": {"start": start, "end": end}, "text": ""}]));
    let symbols = client.ask("textDocument/documentSymbol", Client::of(URI));
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["one", "two", "END"]);
    client.end();
}
