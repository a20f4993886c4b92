//! `--lsp` over the process's streams.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::run_in;

pub fn message(value: Value) -> String {
    let text = value.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

fn messages(mut output: &str) -> Vec<Value> {
    let mut found = Vec::new();
    while let Some((header, rest)) = output.split_once("\r\n\r\n") {
        let length: usize = header.rsplit(": ").next().unwrap().parse().unwrap();
        found.push(serde_json::from_str(&rest[..length]).unwrap());
        output = &rest[length..];
    }
    found
}

#[test]
fn an_editor_is_served_over_the_standard_streams() {
    let request = |id: u32, method: &str, params: Value| {
        message(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    };
    let notice = |method: &str, params: Value| {
        message(json!({"jsonrpc": "2.0", "method": method, "params": params}))
    };
    let text = "BEGIN { print substr(\"text\", 2) + }";
    let document = json!({"uri": "untitled:x", "languageId": "awk", "version": 1, "text": text});
    let hover =
        json!({"textDocument": {"uri": "untitled:x"}, "position": {"line": 0, "character": 16}});
    let input = [
        request(1, "initialize", json!({"capabilities": {}})),
        notice("initialized", json!({})),
        notice("textDocument/didOpen", json!({"textDocument": document})),
        request(2, "textDocument/hover", hover),
        request(3, "shutdown", Value::Null),
        notice("exit", Value::Null),
    ];
    // Editors add their own words behind the option.
    let output = run_in(Path::new("."), &["--lsp", "--stdio"], &input.concat());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    let found = messages(&String::from_utf8(output.stdout).unwrap());
    let answer = |id: u32| found.iter().find(|it| it["id"] == id).expect("an answer");
    assert_eq!(answer(1)["result"]["serverInfo"]["name"], "rhawk");
    assert_eq!(answer(3).get("error"), None);
    let published = found.iter().find(|it| it["method"] == "textDocument/publishDiagnostics");
    assert!(
        published.is_none_or(|it| it["params"]["diagnostics"][0]["severity"] == 1),
        "{found:?}"
    );

    let closed = run_in(Path::new("."), &["--lsp"], &input[..2].concat());
    assert_eq!(closed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&closed.stderr).contains("the language server ended"));
}

#[test]
fn hover_has_the_manuals_text() {
    let text = "BEGIN { print substr(\"text\", 2) }";
    let document = json!({"uri": "untitled:x", "languageId": "awk", "version": 1, "text": text});
    let hover =
        json!({"textDocument": {"uri": "untitled:x"}, "position": {"line": 0, "character": 16}});
    let input = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": hover}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    let input: String = input.into_iter().map(message).collect();
    let output = run_in(Path::new("."), &["--lsp"], &input);
    let found = messages(&String::from_utf8(output.stdout).unwrap());
    let hover = found.iter().find(|it| it["id"] == 2).expect("an answer");
    let text = hover["result"]["contents"]["value"].as_str().unwrap();
    assert!(text.contains("substr(s, m [, n])") && text.contains("#### "), "{text}");
}
